package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"assay/store/evidence"
	"assay/store/evidence/mask"
	"assay/store/export"
)

func textTable(s string) export.Table {
	return export.Table{Private: true,
		Columns: []export.Column{{Name: "a"}, {Name: "b", Form: export.Code}, {Name: "c"}},
		Rows:    [][]export.Cell{{export.Text(s), export.Text(s), export.Text("end")}},
	}
}

func render(t *testing.T, s string, f export.Format) string {
	t.Helper()
	var b bytes.Buffer
	table := textTable(s)
	if err := table.Write(f, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGuard(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""}, {"plain", "plain"}, {"-23.1", "-23.1"}, {"1e-5", "1e-5"}, {"a=b", "a=b"},
		{"=1+1", "'=1+1"}, {"+1", "'+1"}, {"-1+1", "'-1+1"}, {"-", "'-"}, {"--1", "'--1"}, {"-1-", "'-1-"}, {"@SUM(A1)", "'@SUM(A1)"},
		{"\t=1", "'\t=1"}, {"\r=1", "'\r=1"}, {"\n=1", "'\n=1"}, {"\tx", "'\tx"}, {"  =1", "'  =1"}, {"\ufeff=1", "'\ufeff=1"},
		{"\u202e=1", "'\u202e=1"}, {"\x00=1", "'\x00=1"}, {"＝1", "'＝1"}, {"＋1", "'＋1"}, {"－1", "'－1"}, {"＠a", "'＠a"},
		{"'quoted", "''quoted"}, {"'=1", "''=1"}, {"\xff=1", "'\xff=1"},
	} {
		if got := export.Guard(tt.in); got != tt.want {
			t.Errorf("Guard(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// checkCSV parses the output of one text and checks that the text came back, and that
// no cell starts a formula.
func checkCSV(t *testing.T, s string) {
	t.Helper()
	s = mask.Secrets(s)
	rows, err := csv.NewReader(strings.NewReader(render(t, s, export.CSV))).ReadAll()
	if err != nil || len(rows) != 2 || len(rows[1]) != 3 || rows[1][2] != "end" {
		t.Fatalf("%.100q broke the CSV: %v %d rows", s, err, len(rows))
	}
	got := rows[1][0]
	if trimmed := strings.TrimLeft(got, " \t\r\n\u00a0\ufeff\u200b\u202e"); trimmed != "" && strings.ContainsAny(trimmed[:1], "=+-@") {
		if _, err := evidence.ParseDecimal(got); err != nil {
			t.Fatalf("%.100q starts a formula: %.100q", s, got)
		}
	}
	want := strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	if !strings.ContainsFunc(want, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f || r == utf8.RuneError
	}) {
		if back := export.Unguard(got); back != want {
			t.Fatalf("%.100q came back as %.100q", want, back)
		}
	}
	if strings.ContainsRune(got, 0) {
		t.Fatalf("a NUL is left in %.100q", got)
	}
}

// checkMarkdown checks that the row kept its four bars and holds no live markup.
func checkMarkdown(t *testing.T, s string) {
	t.Helper()
	s = mask.Secrets(s)
	lines := strings.Split(strings.TrimSuffix(render(t, s, export.Markdown), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%.100q made %d lines", s, len(lines))
	}
	row := lines[2]
	if strings.Count(row, "|") != 4 {
		t.Fatalf("%.100q has bars of its own: %.200q", s, row)
	}
	prose := strings.Split(row, "|")[1]
	if strings.ContainsAny(prose, "<>@`") || strings.Contains(prose, "://") || strings.Contains(strings.ToLower(prose), "www.") {
		t.Fatalf("%.100q left live markup: %.200q", s, prose)
	}
	for i := 0; i < len(prose); i++ {
		switch prose[i] {
		case '\\':
			i++
		case '*', '_', '[', ']', '~', '$', '#', '!':
			if i == 0 || prose[i-1] != '&' || prose[i] != '#' {
				t.Fatalf("%.100q left %q unescaped: %.200q", s, prose[i], prose)
			}
		}
	}
	code := strings.Split(row, "|")[2]
	if n := strings.Count(code, "`"); n != 0 && n != 2 {
		t.Fatalf("%.100q broke the code span: %.200q", s, code)
	}
}

func checkJSON(t *testing.T, s string) {
	t.Helper()
	s = mask.Secrets(s)
	out := render(t, s, export.JSON)
	if strings.ContainsAny(out, "<>&\u2028\u2029\u202e\u202d\u2066\x00\x1b") {
		t.Fatalf("%.100q left a live character: %.200q", s, out)
	}
	var rows []map[string]string
	if err := json.Unmarshal([]byte(out), &rows); err != nil {
		t.Fatalf("%.100q: %v", s, err)
	}
	if got := rows[0]["a"]; got != strings.ToValidUTF8(s, "\uFFFD") && utf8.ValidString(s) {
		t.Fatalf("%.100q came back as %.100q", s, got)
	}
}

var hostileTexts = []string{
	"", " ", "=cmd|' /C calc'!A0", "</script><script>alert(1)</script>", `<img src=x onerror=alert(1)>`,
	"a|b\\|c", "tail\\", "`code` ``", "[x](javascript:alert(1))", "![x](http://h/p.png)", "https://h/?a=b", "WWW.h.com", "m@h.com",
	"line\r\nline\nline\rline", "\u202egnp.exe\u202c", "\u2066x\u2069", "\u200b\ufeff\u00ad", "a\x00b\x1b[31m\x7f", "\xff\xfe", "\u2028\u2029",
	"\"quoted\", and more", "'apostrophe", "\t=1", "－1+1", "-23.1", "+1", "1,024", ":tada: $x^2$ #1 ~~s~~ **b** __u__", "&lt;b&gt;",
	strings.Repeat("=A1,\"|`<\u202e", 1<<17),
}

func TestHostileText(t *testing.T) {
	for _, s := range hostileTexts {
		checkCSV(t, s)
		checkMarkdown(t, s)
		checkJSON(t, s)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range hostileTexts[:len(hostileTexts)-1] {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkCSV(t, s)
		checkMarkdown(t, s)
		checkJSON(t, s)
	})
}

// TestConstantMemory writes rows until a writer that kept them would show.
func TestConstantMemory(t *testing.T) {
	row := measurement(nil)
	for _, f := range export.Formats {
		w, err := export.New(export.Measurements, f, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		allocs := testing.AllocsPerRun(5000, func() {
			if err := w.Measurement(row); err != nil {
				t.Fatal(err)
			}
		})
		if allocs > 12 {
			t.Errorf("%s: %.0f allocations a row", f, allocs)
		}
		if w.Rows() < 5000 {
			t.Errorf("%s: %d rows", f, w.Rows())
		}
	}
}

func BenchmarkMeasurement(b *testing.B) {
	for _, f := range export.Formats {
		b.Run(string(f), func(b *testing.B) {
			w, err := export.New(export.Measurements, f, io.Discard)
			if err != nil {
				b.Fatal(err)
			}
			all := measurements()[:4]
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := w.Measurement(all[i&3]); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
