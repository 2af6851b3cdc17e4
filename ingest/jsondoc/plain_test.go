package jsondoc

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestPlainTextKeepsPlaces(t *testing.T) {
	long := strings.Repeat("P99 TTFT (ms): 1,5 µs 😀\r\n", 2000)
	wide := func(order binary.AppendByteOrder, mark bool, s string) []byte {
		var b []byte
		if mark {
			b = order.AppendUint16(b, 0xFEFF)
		}
		for _, u := range utf16.Encode([]rune(s)) {
			b = order.AppendUint16(b, u)
		}
		return b
	}
	tests := []struct {
		name     string
		artifact []byte
		want     string
		first    int64 // where the first digit 5 stands in the artifact
	}{
		{"utf-8", []byte(long), long, 17},
		{"byte order mark", []byte("\xef\xbb\xbf" + long), long, 20},
		{"utf-16 little", wide(binary.LittleEndian, true, long), long, 36},
		{"utf-16 big without mark", wide(binary.BigEndian, false, long), long, 34},
		{"latin-1", []byte("caf\xe9 \xb5s 5"), "caf? ?s 5", 8},
		{"half a character", append(wide(binary.LittleEndian, true, "5 a"), 7), "5 a\uFFFD", 2},
		{"a surrogate alone", append(wide(binary.LittleEndian, true, "a"), 0x3D, 0xD8, '5', 0), "a\uFFFD5", 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, ok := PlainText(tt.artifact)
			if !ok || string(p.Bytes) != tt.want {
				t.Fatalf("%v, %.60q", ok, p.Bytes)
			}
			if got := p.Offset(int64(bytes.IndexByte(p.Bytes, '5'))); got != tt.first {
				t.Errorf("offset %d, want %d", got, tt.first)
			}
			last := p.Offset(int64(bytes.LastIndexByte(p.Bytes, '5')))
			if want := int64(bytes.LastIndexByte(tt.artifact, '5')); last != want && last != want-1 {
				t.Errorf("last offset %d, want %d", last, want)
			}
			if got := p.Offset(int64(len(p.Bytes)) + 9); got != int64(len(tt.artifact)) {
				t.Errorf("the end is at %d of %d", got, len(tt.artifact))
			}
		})
	}
	if _, ok := PlainText([]byte("\x7fELF\x00\x01\x02")); ok {
		t.Error("a binary has text")
	}
}
