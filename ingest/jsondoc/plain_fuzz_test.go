package jsondoc

import (
	"testing"
	"unicode/utf8"
)

// FuzzPlain decodes anything: the text is UTF-8, and every place in it is one in the
// artifact, in order.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{"plain", "\xff\xfea\x00b\x00", "\xfe\xff\x00a\xd8\x00", "caf\xe9\n", "\xef\xbb\xbfx", "\x00\x01\x02"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ok := PlainText(data)
		if !ok {
			return
		}
		if !utf8.Valid(p.Bytes) {
			t.Errorf("%q is no UTF-8", p.Bytes)
		}
		last := int64(-1)
		for i := range min(len(p.Bytes), 200) {
			at := p.Offset(int64(i))
			if at < last || at > int64(len(data)) {
				t.Errorf("byte %d of the text stands at %d, after %d, of %d", i, at, last, len(data))
			}
			last = at
		}
	})
}
