package evidence

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

func TestScaleDecimalKeepsTheDecimalText(t *testing.T) {
	for _, c := range []struct{ text, unit, want string }{
		{"847.7", "ms", "0.8477"}, {"2415.7130", "ms", "2.415713"}, {"5.4941", "ms", "0.0054941"},
		{"272.933", "s", "272.933"}, {"-23.1", "percent", "-0.231"}, {"120.4", "percent", "1.204"},
		{"29834", "MiB", "31283216384"}, {"1,044,963", "tokens", "1044963"}, {"0", "ms", "0"}, {"-0.0", "ms", "0"}, {"-0.0", "tokens", "0"},
		{"1e3", "ms", "1"}, {"1.5E-3", "s", "0.0015"},
	} {
		f, _, err := ToBase(c.text, c.unit)
		if err != nil {
			t.Errorf("%s %s: %v", c.text, c.unit, err)
			continue
		}
		if got := FormatDecimal(f); got != c.want {
			t.Errorf("%s %s = %s, want %s", c.text, c.unit, got, c.want)
		}
	}
}

func TestScaleDecimalRefuses(t *testing.T) {
	for _, text := range []string{"", "-", ".5", "1.", "1e", "NaN", "Infinity", "0x10", "1_000", "1e999", "1e99999999999999999999", strings.Repeat("9", 900), "12 ", "--1"} {
		if f, err := ScaleDecimal(text, 1, 1000); err == nil {
			t.Errorf("%.20q gave %v", text, f)
		}
	}
	if _, _, err := ToBase("1", "furlongs"); err == nil {
		t.Error("an unknown unit was accepted")
	}
	if _, err := ParseDecimal("1e400"); !errors.Is(err, ErrNotFinite) {
		t.Errorf("1e400: %v", err)
	}
}

func FuzzScaleDecimal(f *testing.F) {
	for _, s := range []string{"847.7", "1e3", "-0.1", "1,000.5", "9e307", "5e-324", "2.5e-321", "1.7976931348623157e308", "0.1e-399"} {
		f.Add(s)
	}
	// Powers of ten go another way than the others; none of them may round twice.
	scales := [][2]int64{{1, 1000}, {1, 1_000_000}, {1, 1_000_000_000}, {1000, 1}, {1, 100}, {10, 1000}, {1 << 20, 1}, {1, 60}, {3, 10}}
	f.Fuzz(func(t *testing.T, s string) {
		for _, scale := range scales {
			got, err := ScaleDecimal(s, scale[0], scale[1])
			if err != nil {
				continue
			}
			if math.IsNaN(got) || math.IsInf(got, 0) {
				t.Fatalf("%q gave %v", s, got)
			}
			r, ok := new(big.Rat).SetString(strings.ReplaceAll(s, ",", ""))
			if !ok && got == 0 {
				continue // an exponent that big.Rat refuses; no float64 is that small
			}
			if !ok {
				t.Fatalf("%q was accepted", s)
			}
			want, _ := r.Mul(r, big.NewRat(scale[0], scale[1])).Float64()
			if got != want && got != 0 {
				t.Fatalf("%q by %v: %v, want %v", s, scale, got, want)
			}
		}
	})
}

func TestPointer(t *testing.T) {
	p := Pointer("").Key("a/b").Index(3).Key("m~n")
	if p != "/a~1b/3/m~0n" {
		t.Fatalf("built %q", p)
	}
	if got := strings.Join(p.Tokens(), "|"); got != "a/b|3|m~n" {
		t.Errorf("tokens %q", got)
	}
	if p.Parent() != "/a~1b/3" || Pointer("").Parent() != "" {
		t.Errorf("parent %q", p.Parent())
	}
	if !p.Under("/a~1b") || p.Under("/a~1") || !p.Under("") || !p.Under(p) {
		t.Error("Under")
	}
	for _, bad := range []Pointer{"a", "/~", "/~2"} {
		if bad.Valid() {
			t.Errorf("%q is called valid", bad)
		}
	}
}

func TestDigest(t *testing.T) {
	d := DigestOf([]byte("x"))
	back, err := ParseDigest(d.String())
	if err != nil || back != d || !strings.HasPrefix(d.String(), d.Short()) {
		t.Errorf("round trip: %v %v", back, err)
	}
	for _, s := range []string{"", "zz", strings.Repeat("g", 64)} {
		if _, err := ParseDigest(s); err == nil {
			t.Errorf("%.10q was accepted", s)
		}
	}
}

func TestGateWords(t *testing.T) {
	for word, want := range map[string]GateStatus{
		"passed": GatePassed, "rejected": GateRejected, "missing": GateMissing, "failed": GateFailed,
		"passed for headline load": GateUnresolved, "rejected for interactive use": GateUnresolved, "": GateUnresolved, "Passed": GateUnresolved, "passed ": GateUnresolved,
	} {
		if got := ReadGateStatus(word); got != want {
			t.Errorf("%q is %s, want %s", word, got, want)
		}
	}
}

func TestRegistries(t *testing.T) {
	seen := map[MetricID]bool{}
	for _, m := range Metrics {
		if seen[m.ID] || m.Title == "" || m.Definition == "" || m.Unit == "" || m.Better == "" {
			t.Errorf("metric %q is incomplete or listed twice", m.ID)
		}
		seen[m.ID] = true
	}
	keys := map[FactKey]bool{}
	for _, k := range Keys {
		if keys[k.Key] || k.Title == "" || k.Class == "" {
			t.Errorf("key %q is incomplete or listed twice", k.Key)
		}
		keys[k.Key] = true
	}
	if LookupKey("something_new").Class != Identity {
		t.Error("an unknown key must be residue")
	}
}

func TestRunID(t *testing.T) {
	d := DigestOf(nil)
	if got := RunID(d, 3); got != d.Short()+"-r"+strconv.Itoa(3) {
		t.Error(got)
	}
}

func BenchmarkScaleDecimal(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ScaleDecimal("2415.7130", 1, 1000); err != nil {
			b.Fatal(err)
		}
	}
}
