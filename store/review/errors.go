package review

import (
	"errors"
	"strings"

	"golang.org/x/text/unicode/norm"

	"assay/store/evidence"
)

func isNotFound(err error) bool { return errors.Is(err, evidence.ErrNotFound) }

// clean is a text as statements give it back.
func clean(s string) string { return norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD")) }
