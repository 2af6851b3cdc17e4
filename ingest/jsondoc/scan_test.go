package jsondoc

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// brief is a finding as the tables below write it.
func brief(f evidence.Finding) string {
	return fmt.Sprintf("%s %s %d", f.Code, f.Pointer, f.Offset)
}

func briefs(fs []evidence.Finding) []string {
	var out []string
	for _, f := range fs {
		out = append(out, brief(f))
	}
	return out
}

// wideText encodes s as UTF-16.
func wideText(s string, order binary.AppendByteOrder) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func le(s string) string { return string(wideText(s, binary.LittleEndian)) }
func be(s string) string { return string(wideText(s, binary.BigEndian)) }

var findingCases = []struct {
	name, in string
	form     Form
	want     []string
}{
	{"object", `{"a":[1,2.5e3,"x",true,null]}`, JSON, nil},
	{"bare number", ` 12 `, JSON, nil},
	{"nothing", "", Empty, []string{"empty  0"}},
	{"white space", " \n\t ", Empty, []string{"empty  0"}},

	{"duplicate", `{"a":1,"b":{"c":1,"c":2}}`, JSON, []string{"duplicate-key /b/c 18"}},
	{"duplicate by escape", `{"a":1,"\u0061":2}`, JSON, []string{"duplicate-key /a 7"}},
	{"same name elsewhere", `{"a":{"a":1},"b":[{"a":1},{"a":2}]}`, JSON, nil},
	{"not finite", `{"a":NaN,"b":[-Infinity,inf,-inf,+Infinity]}`, JSON,
		[]string{"not-finite /a 5", "not-finite /b/0 14", "not-finite /b/1 24", "not-finite /b/2 28", "not-finite /b/3 33"}},
	{"big integers", `[9007199254740992,9007199254740993,-9007199254740993,12345678901234567890]`, JSON,
		[]string{"big-integer /1 18", "big-integer /2 35", "big-integer /3 53"}},
	{"out of range", `{"a":1e999,"b":-1e400,"c":1e-999,"d":0e-999,"e":1e308}`, JSON,
		[]string{"number-out-of-range /a 5", "number-out-of-range /b 15", "number-out-of-range /c 26"}},
	{"long integer out of range", `[` + strings.Repeat("9", 400) + `]`, JSON,
		[]string{"number-out-of-range /0 1", "big-integer /0 1"}},
	{"number too long", `[1,` + strings.Repeat("1", 801) + `]`, JSON, []string{"number-too-long /1 3"}},

	{"bad utf-8", "{\"a\":\"x\xffy\"}", JSON, []string{"bad-utf8 /a 7"}},
	{"bad utf-8 in a name", "{\"\xc3\":1}", JSON, []string{"bad-utf8 /\ufffd 2"}},
	{"surrogate as utf-8", "[\"\xed\xa0\x80\"]", JSON, []string{"bad-utf8 /0 2"}},
	{"lone surrogate", `["\ud800","\udc00x","\ud800\u0041","\ud83d\ude00"]`, JSON,
		[]string{"lone-surrogate /0 2", "lone-surrogate /1 11", "lone-surrogate /2 21"}},
	{"control character", "{\"a\":\"x\ty\"}", JSON, []string{"control-character /a 7"}},
	{"line end in a string", "{\"a\":\"x\ny\"}", JSON, []string{"control-character /a 7"}},

	{"bom", "\xef\xbb\xbf{}", JSON, []string{"bom  0"}},
	{"crlf", "{\r\n\"a\":1\r\n}\r\n", JSON, []string{"crlf  1"}},
	{"utf-16le", "\xff\xfe" + le(`{"a":1,"a":2}`), JSON, []string{"utf16  0", "duplicate-key /a 16"}},
	{"utf-16be", "\xfe\xff" + be(`{"é😀":1,"é😀":2}`), JSON, []string{"utf16  0", "duplicate-key /é😀 20"}},
	{"utf-16le without mark", le("{\r\n\"a\":[1}"), Malformed, []string{"utf16  0", "crlf  2", "syntax /a/0 18"}},
	{"utf-16be without mark", be(`["x"]`), JSON, []string{"utf16  0"}},
	{"utf-16 unpaired", "\xff\xfe[\x00\"\x00\x00\xd8\"\x00]\x00", JSON, []string{"utf16  0", "bad-utf8 /0 6"}},
	{"utf-16 odd end", "\xff\xfe" + le(`{"a":1}`) + "\x20", Malformed, []string{"utf16  0", "trailing-data  16"}},

	{"concatenated", `{"a":1}{"a":NaN}[2]`, JSON, []string{"several-values  0", "not-finite /1/a 12"}},
	{"lines", "{\"a\":NaN}\n\n{\"b\":2}\n", JSON, []string{"several-values  0", "not-finite /0/a 5"}},
	{"broken line", "{\"a\":1}\n{\"a\":tru}\n{\"a\":3}\n", Malformed, []string{"several-values  0", "syntax /1/a 13"}},
	{"cut line", "{\"a\":1}\n{\"a\":\"unfini\n{\"a\":3}\n", Malformed, []string{"several-values  0", "control-character /1/a 20"}},
	{"trailing text", `{"a":1} done`, Malformed, []string{"trailing-data  8"}},
	{"trailing bracket", `{"a":1}}`, Malformed, []string{"trailing-data  7"}},
	{"trailing bracket after numbers", `[1,2]]`, Malformed, []string{"trailing-data  5"}},
	{"arrays without their own", `[1,2],[3,4]`, Malformed, []string{"trailing-data  5"}},
	{"trailing comma between values", `{"a":1},{"b":2}`, Malformed, []string{"trailing-data  7"}},
	{"trailing lines, then a value", "{\"a\":1}\nlog\nlog\n{\"b\":2}\n", Malformed, []string{"several-values  0", "trailing-data  8"}},
	{"leading lines", "device: 0\ndevice: 1\n{\"a\":1}\n{\"a\":NaN}\n", JSON,
		[]string{"leading-text  0", "several-values  0", "not-finite /1/a 33"}},
	{"leading comment", "# how it was made\n{\"a\":1}", JSON, []string{"leading-text  0"}},
	{"leading log line in brackets", "[10:00:01] start\n{\"a\":1}", JSON, []string{"leading-text  0"}},

	{"truncated object", `{"a":1,"b":[1,2`, Malformed, []string{"truncated /b/1 15"}},
	{"truncated string", `{"a":"xyz`, Malformed, []string{"truncated /a 9"}},
	{"truncated escape", `{"a":"x\u00`, Malformed, []string{"truncated /a 11"}},
	{"truncated name", `{"a":1,"b`, Malformed, []string{"truncated /a 9"}},
	{"truncated word", `{"a":[tru`, Malformed, []string{"truncated /a/0 9"}},
	{"truncated number", `{"a":-`, Malformed, []string{"truncated /a 6"}},
	{"one bracket", `[`, Malformed, []string{"truncated  1"}},
	{"too deep", strings.Repeat("[", 1001) + strings.Repeat("]", 1001), Malformed, []string{"nesting-too-deep " + strings.Repeat("/0", 1000) + " 1000"}},

	{"trailing comma", `{"a":[1,]}`, Malformed, []string{"syntax /a/1 8"}},
	{"trailing comma in object", `{"a":1,}`, Malformed, []string{"syntax /a 7"}},
	{"no colon", `{"a" 1}`, Malformed, []string{"syntax /a 5"}},
	{"no comma", `{"a":1 "b":2}`, Malformed, []string{"syntax /a 7"}},
	{"wrong bracket", `{"a":[1}`, Malformed, []string{"syntax /a/0 7"}},
	{"leading zero", `[1,012]`, Malformed, []string{"syntax /1 3"}},
	{"no digit", `[1,2.]`, Malformed, []string{"syntax /1 3"}},
	{"python words", `{"a":None}`, Malformed, []string{"syntax /a 5"}},
	{"bad escape", `["a","\x41"]`, Malformed, []string{"syntax /1 6"}},
	{"bad hex", `["a","\u00g1"]`, Malformed, []string{"syntax /1 6"}},
	{"comment", "{ // why\n\"a\":1}", Malformed, []string{"syntax  2"}},
	{"raw nul", "{\"a\":\x001}", Malformed, []string{"syntax /a 5"}},

	{"toml", "[[table]]\nkey = 1\n", NotJSON, []string{"not-json  0"}},
	{"toml quoted", "[\"a.b\"]\nkey = 1\n", NotJSON, []string{"not-json  0"}},
	{"log", "[2026-07-10 12:00:01] ready, 3 workers\n", NotJSON, []string{"not-json  0"}},
	{"rank prefix", "[1,0]<stdout>: ready\n", NotJSON, []string{"not-json  0"}},
	{"csv", "1,2,3\n4,5,6\n", NotJSON, []string{"not-json  0"}},
	{"csv quoted", "\"a\",\"b\"\n", NotJSON, []string{"not-json  0"}},
	{"date", "2026-07-10", NotJSON, []string{"not-json  0"}},
	{"prose", "true story\n", NotJSON, []string{"not-json  0"}},
	{"template", "{{ .Values.image }}\n", NotJSON, []string{"not-json  0"}},
	{"python dict", "{'a': 1}\n", NotJSON, []string{"not-json  0"}},
	{"footnote", "[1]: https://example.org\n", NotJSON, []string{"not-json  0"}},
	{"to-do list", "[ ] write\n[x] read\n", NotJSON, []string{"not-json  0"}},
	{"ini", "[server]\nport = 80\n", NotJSON, []string{"not-json  0"}},
	{"rich text", "{\\rtf1\\ansi hello}", NotJSON, []string{"not-json  0"}},
	{"checksums", "0123456789abcdef  a.json\n", NotJSON, []string{"not-json  0"}},
	{"markdown", "# Title\n\n[a](b)\n", NotJSON, []string{"not-json  0"}},
	{"markdown with a block", "# Title\n\n```\n{\"a\": 1}\n```\n", NotJSON, []string{"not-json  0"}},
	{"bare nan", "NaN", NotJSON, []string{"not-json  0"}},
	{"binary", "RIFF\x00\x00\x00\x24WAVE", NotJSON, []string{"not-json  0"}},
	{"latin-1", "caf\xe9 au lait\n", NotJSON, []string{"not-json  0"}},
}

func TestFindings(t *testing.T) {
	for _, tt := range findingCases {
		t.Run(tt.name, func(t *testing.T) {
			got := ScanBytes([]byte(tt.in), Limits{}, nil)
			if got.Form != tt.form {
				t.Errorf("form %d, want %d", got.Form, tt.form)
			}
			if diff := cmp.Diff(tt.want, briefs(got.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
				for _, f := range got.Findings {
					t.Logf("%s: %s", f.Code, f.Message)
				}
			}
			for name, r := range map[string]io.Reader{
				"one byte": iotest.OneByteReader(strings.NewReader(tt.in)),
				"data err": iotest.DataErrReader(strings.NewReader(tt.in)),
			} {
				streamed, err := Scan(r, Limits{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(got, streamed); diff != "" {
					t.Errorf("%s stream differs (-bytes +stream):\n%s", name, diff)
				}
			}
		})
	}
}
