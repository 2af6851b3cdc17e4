package yamldoc

import (
	"errors"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// CodeSyntax is the finding about a text that is no YAML.
const CodeSyntax = "yaml-syntax"

// Open parses a text for a reader and matches it. A text that bears the mark of the tool
// and is of another shape, or of a kind of YAML that is not read, is archived with the
// reason; broken YAML is an error. The document is whole unless ok.
func Open(r lift.Reader, data []byte, what string, match func(*jsondoc.Node) (shape string, ok bool)) (b *lift.Builder, shape string, ok bool) {
	v, err := Parse(data)
	if v == nil {
		v = &jsondoc.Node{}
	}
	if err == nil {
		shape, ok = match(v)
	}
	b = lift.New(r, v, "", shape)
	b.Lines(data)
	var fault *Error
	switch {
	case ok:
	case err == nil:
		b.Archive(b.Top(), "the text looks like %s and is of another shape: nothing is lifted from it", what)
	case errors.As(err, &fault) && fault.Unread:
		b.Archive(b.Top(), "the text looks like %s, and it is YAML of a kind that is not read: %v", what, err)
	default:
		b.Find(evidence.Error, CodeSyntax, b.Top(), "%v", err)
	}
	return b, shape, ok
}
