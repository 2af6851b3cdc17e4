package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

var (
	one = evidence.DigestOf([]byte("one")).String()
	two = evidence.DigestOf([]byte("two")).String()
)

func TestRead(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // line, name, digest
	}{
		{"gnu", one + "  a.json\n" + two + "  sub/b c.json\n", []string{"0 a.json " + one, "1 sub/b c.json " + two}},
		{"binary", one + " *a.json\n", []string{"0 a.json " + one}},
		{"crlf", one + "  a.json\r\n" + two + "  b\r\n", []string{"0 a.json " + one, "1 b " + two}},
		{"capitals", strings.ToUpper(one) + "  a.json", []string{"0 a.json " + one}},
		{"comments", "# made by hand\n\n" + one + "  a\n; end\n", []string{"2 a " + one}},
		{"bsd", "SHA256 (a (1).json) = " + one + "\n", []string{"0 a (1).json " + one}},
		{"openssl", "SHA2-256(a)= " + one + "\n", []string{"0 a " + one}},
		{"escaped", `\` + one + `  a\\b\nc` + "\n", []string{"0 a\\b\nc " + one}},
		{"windows", one + "  C:\\x\\a.json\n", []string{"0 C:\\x\\a.json " + one}},
		{"signed", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n" + one + "  a\n", []string{"3 a " + one}},
		{"several", strings.Repeat(one+"  a\n", 11) + "what\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := lifttest.ReadText(t, TextReaders(), []byte(tt.text))
			if d == nil {
				t.Fatal("not read")
			}
			if tt.want == nil {
				if len(d.Findings) != 1 || d.Findings[0].Code != CodeBadEntry || len(d.References) != 11 {
					t.Errorf("%+v", d)
				}
				return
			}
			lines := strings.Split(tt.text, "\n")
			var got []string
			for _, r := range d.References {
				var n int
				fmt.Sscanf(string(r.Place.Pointer), "/lines/%d", &n)
				got = append(got, fmt.Sprintf("%d %s %s", n, r.Name, r.SHA256.V))
				if at := lines[n][r.Place.Start:r.Place.End]; !strings.EqualFold(at, r.SHA256.V.String()) {
					t.Errorf("%q at %+v", at, r.Place)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNoManifest(t *testing.T) {
	for _, s := range []string{"", "hello\n", "# only\n", strings.Repeat("a", 32) + "  md5.txt\n", one, one + "\n", "the digest is " + one + "  a\n",
		one + "  a\nand prose\nand more\n"} {
		if d := lifttest.ReadText(t, TextReaders(), []byte(s)); d != nil {
			t.Errorf("%q is read as a manifest", s)
		}
	}
}

func TestTwice(t *testing.T) {
	d := lifttest.ReadText(t, TextReaders(), []byte(one+"  a\n"+two+"  a\n"))
	if len(d.Findings) != 1 || d.Findings[0].Code != CodeTwice {
		t.Errorf("%+v", d.Findings)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(one + "  a\nSHA256 (b) = " + two + "\r\n\\" + one + ` *c\n`))
	f.Fuzz(func(t *testing.T, data []byte) { lifttest.ReadText(t, TextReaders(), data) })
}
