package export_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
	"assay/store/export"
)

func TestFilter(t *testing.T) {
	digest := source.Artifact.String()
	for _, tt := range []struct {
		expr string
		want string // which of measurements() pass
	}{
		{"", "01234"}, {"  ", "01234"},
		{"metric=ttft", "024"}, {"metric==ttft", "024"}, {"metric!=ttft", "13"}, {"metric = ttft and stat=p50", "024"}, {"metric=ttft,stat=p50", "024"},
		{"value=0.8477", "0"}, {"value=0.84770", "0"}, {"value>=0.8477", "02"}, {"value<0", "3"}, {"value<=0", "34"}, {"value>1", "2"},
		{"value=", "1"}, {"value= and lower!=", "1"}, {"value=, lower!=", "1"}, {`arm="and" and n=1`, ""}, {"value!=", "0234"}, {"value!=0", "0123"}, {"value=0", "4"}, {"n=", "2"}, {"lower>1400", "1"},
		{`arm="bf16 tp1 mtp0"`, "0123"}, {"arm~TP1", "0123"}, {"arm!~tp1", "4"}, {"arm~sum", "4"},
		{"role=claim", "3"}, {"role!=primary", "3"}, {"rule=", "0134"}, {"state=derived", "2"}, {"start>=36 AND end<=44", "2"},
		{"artifact=" + digest, "01234"}, {"artifact=" + strings.ToUpper(digest[:8]), "01234"}, {"artifact=000000", ""},
		{"pointer=/results/0/short/ttft_p50_ms", "03"}, {"also=/rows/1/high", "1"}, {"also~rate", "1"},
		{`source_text="847.7" and method=nearest-rank`, "0"}, {`source_text="a\"b\\c"`, ""},
	} {
		f, err := export.ParseFilter(export.Measurements, tt.expr)
		if err != nil {
			t.Errorf("%q: %v", tt.expr, err)
			continue
		}
		got := ""
		for i, r := range measurements() {
			var b bytes.Buffer
			w, err := export.New(export.Measurements, export.CSV, &b)
			if err != nil {
				t.Fatal(err)
			}
			w.Where(f)
			if err := w.Measurement(r); err != nil {
				t.Fatal(err)
			}
			if w.Rows() == 1 {
				got += string(rune('0' + i))
			}
		}
		if got != tt.want {
			t.Errorf("%q: rows %q, want %q", tt.expr, got, tt.want)
		}
	}
}

// TestFilterFactValue compares numbers that stand in a column of words.
func TestFilterFactValue(t *testing.T) {
	f, err := export.ParseFilter(export.Facts, "key=tp and value>=2")
	if err != nil {
		t.Fatal(err)
	}
	got := write(t, export.Facts, export.CSV, false, func(w *export.Writer) error {
		w.Where(f)
		for _, v := range []string{"1", "2", "10", "two"} {
			if err := w.Fact(evidence.FactRow{Source: source, Fact: evidence.Fact{Key: evidence.KeyTP, Value: v, State: evidence.Recorded}}); err != nil {
				return err
			}
		}
		return nil
	})
	if n := bytes.Count(got, []byte("\n")); n != 3 {
		t.Errorf("%d lines, want the header and 2 and 10:\n%s", n, got)
	}
}

func TestFilterErrors(t *testing.T) {
	for _, tt := range []struct {
		kind   export.Kind
		expr   string
		column int
		says   string
	}{
		{export.Measurements, "metrik=ttft", 1, "campaign, arm, run"},
		{export.Measurements, "metric=ttft and foo=1", 17, `no column "foo"`},
		{export.Measurements, "metric ttft", 8, "want one of"},
		{export.Measurements, "metric=tfft", 8, "registry"},
		{export.Measurements, "value=fast", 7, "holds numbers"},
		{export.Measurements, "value<", 7, "want a value"},
		{export.Measurements, "arm<b", 5, "holds words"},
		{export.Measurements, "artifact=12", 10, "6 to 64"},
		{export.Measurements, `arm="open`, 5, "not closed"},
		{export.Measurements, `arm="a\n"`, 7, "backslash"},
		{export.Measurements, `arm=a"b`, 6, "quote inside"},
		{export.Measurements, "arm=bf16 tp1", 10, "double quotes"},
		{export.Measurements, "stat=p50 and", 13, "missing"},
		{export.Measurements, "stat=p50,", 10, "want a column"},
		{export.Measurements, "arm=é and x=1", 11, `no column "x"`},
		{export.Measurements, "arm=\xff", 1, "UTF-8"},
		{export.Facts, "metric=ttft", 1, "facts have no column"},
		{export.Measurements, strings.Repeat("n=1,", 70) + "n=1", 260, "64 terms"},
	} {
		_, err := export.ParseFilter(tt.kind, tt.expr)
		var fe *export.FilterError
		if !errors.As(err, &fe) {
			t.Errorf("%q: %v", tt.expr, err)
			continue
		}
		if fe.Column != tt.column || !strings.Contains(fe.Message, tt.says) {
			t.Errorf("%q: character %d %q, want %d ...%s...", tt.expr, fe.Column, fe.Message, tt.column, tt.says)
		}
	}
}

func TestFilterNarrow(t *testing.T) {
	f, err := export.ParseFilter(export.Measurements, "campaign=c and arm=a and run=r and metric=ttft and stat=p50 and artifact=ABCDEF and value>1 and unit=s")
	if err != nil {
		t.Fatal(err)
	}
	want := evidence.Filter{Campaign: "c", Arm: "a", Run: "r", Metric: evidence.TTFT, Stat: evidence.P50, Artifact: "abcdef", Limit: 7}
	if d := cmp.Diff(want, f.Narrow(evidence.Filter{Limit: 7})); d != "" {
		t.Error(d)
	}
	f, _ = export.ParseFilter(export.Measurements, "campaign!=c and arm~a and run=")
	if d := cmp.Diff(evidence.Filter{}, f.Narrow(evidence.Filter{})); d != "" {
		t.Error(d)
	}
}

func FuzzFilter(f *testing.F) {
	for _, s := range []string{"metric=ttft and stat=p50", `arm="a, b",n>3`, "value<=1e3", `x="\`, "run!="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := export.ParseFilter(export.Measurements, s)
		var fe *export.FilterError
		if err != nil && (!errors.As(err, &fe) || fe.Column < 1) {
			t.Fatalf("%q: %v", s, err)
		}
		if err != nil {
			return
		}
		w, _ := export.New(export.Measurements, export.CSV, &bytes.Buffer{})
		w.Where(p)
		if err := w.Measurement(measurement(nil)); err != nil {
			t.Fatal(err)
		}
	})
}
