package artifacttext

import (
	"fmt"
	"strings"
	"testing"

	"assay/store/evidence"
)

func TestPlainLine(t *testing.T) {
	_, x := open(t, []byte("Name  Value\nTTFT  180.50\n\nend"))
	for p, want := range map[evidence.Pointer]int64{
		"/lines/0": 0, "/lines/1": 1, "/lines/1/ttft": 1, "/lines/3": 3,
		"/lines/4": -1, "/lines/01": -1, "/lines/-1": -1, "/lines/x": -1, "/lines": -1, "": -1, "/line/1": -1,
	} {
		line, ok := x.PlainLine(p)
		if !ok {
			line = -1
		}
		if line != want {
			t.Errorf("%q: line %d, want %d", p, line, want)
		}
	}
	if _, x := open(t, []byte(`{"lines": [1, 2]}`)); x.Layout == Plain {
		t.Error("JSON is shown as plain text")
	} else if _, ok := x.PlainLine("/lines/1"); ok {
		t.Error("a line of JSON was found where its member was meant")
	}
}

func TestPlainRange(t *testing.T) {
	long := strings.Repeat("filler line\n", 2000)
	for name, tt := range map[string]struct {
		text       string
		line       int64
		s, e       int
		want       string
		part       bool
		marked     string
		markedLine int64
	}{
		"digits":           {"TTFT (ms):  180.50 \nend\n", 0, 12, 18, "180.50", true, "1 TTFT (ms):  <<180.50>> \n", 1},
		"line":             {"first\nsecond\nthird", 1, 0, 0, "second", false, "2 <<second>>\n", 2},
		"last line":        {"first\nlast", 1, 0, 4, "last", true, "2 <<last>>\n", 2},
		"carriage returns": {"first\r\nn = 12\r\n", 1, 4, 6, "12", true, "2 n = <<12>>\n", 2},
		"beyond the line":  {"first\nn = 12\n", 1, 4, 60, "n = 12", false, "2 <<n = 12>>\n", 2},
		"after a mark":     {"\ufefffirst\nn = 12\n", 0, 0, 5, "first", true, "1 <<first>>\n", 1},
		"far down":         {long + "n = 12\n", 2000, 4, 6, "12", true, "2001 n = <<12>>\n", 2001},
	} {
		t.Run(name, func(t *testing.T) {
			text, x := open(t, []byte(tt.text))
			words, r, err := x.PlainRange(text, tt.line, tt.s, tt.e)
			if err != nil || words.Marked != tt.want || words.Part != tt.part {
				t.Fatalf("%+v, %v; want %q", words, err, tt.want)
			}
			line, _, err := x.LineOf(text, r.Start)
			if err != nil || line != tt.markedLine {
				t.Errorf("line %d, %v; want %d", line, err, tt.markedLine)
			}
			got := marks(show(t, text, x, View{First: line, Last: line, Marks: []Range{r}, Tint: -1}))
			if got != tt.marked {
				t.Errorf("got %q, want %q", got, tt.marked)
			}
		})
	}
	wide := []byte{0xFF, 0xFE}
	for _, c := range "a\nb = 7\n" {
		wide = append(wide, byte(c), 0)
	}
	text, x := open(t, wide)
	if words, r, err := x.PlainRange(text, 1, 4, 5); err != nil || words.Marked != "7" || fmt.Sprint(r.Start, r.End) != "6 7" {
		t.Errorf("UTF-16: %+v, %+v, %v", words, r, err)
	}
}
