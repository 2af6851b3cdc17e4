package evidence

import "errors"

// ErrNotFound is returned, wrapped, for an id, digest or name that the archive does
// not hold.
var ErrNotFound = errors.New("not found")

// ErrAmbiguous is returned, wrapped, for an abbreviation that fits several things;
// the message lists them.
var ErrAmbiguous = errors.New("ambiguous")
