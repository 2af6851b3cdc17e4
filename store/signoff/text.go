package signoff

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// clean is a text as statements and items hold it: valid UTF-8 in normal form C, so that
// two ways to write one text are one.
func clean(s string) string {
	return norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD"))
}
