package account

import (
	"fmt"
	"regexp"
)

// accountName is fit for a file name, a header, a log line and a record.
var accountName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,39}$`)

// CheckName says what is wrong with the name of an account.
func CheckName(name string) error {
	if !accountName.MatchString(name) {
		return fmt.Errorf("name %.60q: want 1 to 40 of a-z, 0-9, dot, dash and underscore, the first a letter or digit", name)
	}
	return nil
}
