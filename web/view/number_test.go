package view

import (
	"testing"

	"assay/store/evidence"
)

func TestScaleFor(t *testing.T) {
	tests := []struct {
		name   string
		unit   evidence.Unit
		values []float64
		want   []string
		head   string
	}{
		{"seconds as milliseconds", evidence.Seconds, []float64{0.8477, 0.8843, 0.834}, []string{"847.7", "884.3", "834.0"}, "ms"},
		{"seconds above", evidence.Seconds, []float64{272.933, 280.024}, []string{"272.933", "280.024"}, "s"},
		{"a few over ten stay with the column", evidence.Seconds, []float64{9.5789489, 9.5903141, 11.97151, 7.5831639}, []string{"9,578.9", "9,590.3", "11,971.5", "7,583.2"}, "ms"},
		{"one hundred seconds turns the column", evidence.Seconds, []float64{0.5, 100.125}, []string{"0.500", "100.125"}, "s"},
		{"small values keep three digits", evidence.Seconds, []float64{0.0054941, 0.0135617}, []string{"5.49", "13.56"}, "ms"},
		{"rates", evidence.TokensPerSecond, []float64{764.2998, 587.938, 25.8}, []string{"764.3", "587.9", "25.8"}, "tok/s"},
		{"counts have no decimals", evidence.Tokens, []float64{1044963, 934269}, []string{"1,044,963", "934,269"}, "tokens"},
		{"bytes as a source writes them", evidence.Bytes, []float64{2354 * mebibyte, 29834 * mebibyte}, []string{"2,354", "29,834"}, "MiB"},
		{"decimal bytes", evidence.Bytes, []float64{96e9}, []string{"96"}, "GB"},
		{"decimal bytes of a card in mebibytes", evidence.Bytes, []float64{97887 * mebibyte}, []string{"97,887"}, "MiB"},
		{"decimal megabytes", evidence.Bytes, []float64{24_576e6, 512e6}, []string{"24,576", "512"}, "MB"},
		{"the fewest digits", evidence.Bytes, []float64{1_024e9}, []string{"1,024"}, "GB"},
		{"two units as whole", evidence.Bytes, []float64{1_024_000}, []string{"1,000"}, "KiB"},
		{"no bytes", evidence.Bytes, []float64{0}, []string{"0"}, "bytes"},
		{"whole gibibytes", evidence.Bytes, []float64{3 * gibibyte}, []string{"3"}, "GiB"},
		{"odd bytes", evidence.Bytes, []float64{34190917633}, []string{"31.843"}, "GiB"},
		{"fewer bytes", evidence.Bytes, []float64{512 * kibibyte}, []string{"512"}, "KiB"},
		{"ratio as percent", evidence.Ratio, []float64{0.9390436}, []string{"93.9"}, "%"},
		{"negative percent", evidence.Ratio, []float64{-0.231}, []string{minus + "23.1"}, "%"},
		{"zero is a number", evidence.TokensPerSecond, []float64{0}, []string{"0"}, "tok/s"},
		{"minus zero", evidence.Ratio, []float64{-0.00000001, 0.5}, []string{"0.000001"}, "%"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := ScaleFor(tt.unit, tt.values...)
			if s.Unit != tt.head {
				t.Errorf("unit %q, want %q", s.Unit, tt.head)
			}
			for i, want := range tt.want {
				got := s.Format(tt.values[i])
				if tt.name == "minus zero" {
					got = s.Format(-tt.values[i])
				}
				if got != want {
					t.Errorf("Format(%v) = %q, want %q", tt.values[i], got, want)
				}
			}
		})
	}
}

func TestSigned(t *testing.T) {
	for v, want := range map[float64]string{0.597: "+59.7%", -0.231: minus + "23.1%", 0: "0%"} {
		if got := Signed(evidence.Ratio, v); got != want {
			t.Errorf("Signed(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestInt(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: minus + "1,234,567"} {
		if got := Int(n); got != want {
			t.Errorf("Int(%d) = %q, want %q", n, got, want)
		}
	}
}
