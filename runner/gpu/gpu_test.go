//go:build cgo && linux && !nonvml

package gpu_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/runner/gpu"
)

// libraries are the driver's library as tests need it, built once: whole, and as old
// drivers have it. A process can load one of them only, so that the old one is loaded by
// a child.
var whole, old string

func TestMain(m *testing.M) {
	if os.Getenv("GPU_TEST_CHILD") != "" {
		os.Exit(child())
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "fakenvml")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		whole, old = build(dir, "whole.so"), build(dir, "old.so", "-DWITHOUT_ENERGY", "-DWITHOUT_REASONS")
		os.Setenv("GPU_TEST_STATE", filepath.Join(dir, "state"))
		return m.Run()
	}())
}

func build(dir, name string, flags ...string) string {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/NVIDIA/go-nvml").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "where go-nvml is:", err)
		os.Exit(1)
	}
	out := filepath.Join(dir, name)
	args := append([]string{"-shared", "-fPIC", "-O1", "-o", out, "-I", filepath.Join(strings.TrimSpace(string(module)), "pkg", "nvml"), "testdata/fakenvml.c"}, flags...)
	if msg, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the library for tests: %v\n%s", err, msg)
		os.Exit(1)
	}
	return out
}

// child loads the library that its environment names and prints what it finds.
func child() int {
	d, err := gpu.Open(os.Getenv("GPU_TEST_CHILD"))
	if err != nil {
		fmt.Println("open:", err)
		return 0
	}
	cards, err := d.Cards()
	if err != nil {
		fmt.Println("cards:", err)
		return 0
	}
	r := d.Read(0)
	fmt.Printf("cards %d, power %v, counter %v, reasons %v, clock %v\n", len(cards), r.Power, r.Counter, r.Reasons, r.SMClock)
	return 0
}

func inChild(t *testing.T, library string, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "GPU_TEST_CHILD="+library), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("child: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// set writes what the cards answer from now on.
func set(t *testing.T, lines ...string) {
	t.Helper()
	path := os.Getenv("GPU_TEST_STATE")
	if err := os.WriteFile(path+".new", []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T) gpu.Driver {
	t.Helper()
	set(t)
	d, err := gpu.Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestUnavailable(t *testing.T) {
	for env, want := range map[string]string{"GPU_TEST_INIT=9": "driver is not loaded", "GPU_TEST_INIT=18": "different versions", "GPU_TEST_INIT=999": "NVML code 999"} {
		if out := inChild(t, whole, env); !strings.Contains(out, want) {
			t.Errorf("%s: %s, want %q", env, out, want)
		}
	}
	if out := inChild(t, filepath.Join(t.TempDir(), "none.so")); !strings.Contains(out, "no NVML library") {
		t.Errorf("without a library: %s", out)
	}
	_, err := gpu.Open(filepath.Join(t.TempDir(), "none.so"))
	var u *gpu.Unavailable
	if !errors.As(err, &u) {
		t.Errorf("the error is %T: %v", err, err)
	}
}

// TestOldDriver: a function that the library lacks is absent; calling it would end the
// process.
func TestOldDriver(t *testing.T) {
	out := inChild(t, old)
	if !strings.Contains(out, "cards 2, power {100 true}, counter {0 false}, reasons {0 true}") {
		t.Errorf("an old driver gives %s", out)
	}
}

func TestCards(t *testing.T) {
	d := open(t)
	set(t, "1 no_width 1", "1 no_architecture 1", "1 architecture 9")
	cards, err := d.Cards()
	if err != nil || len(cards) != 2 {
		t.Fatalf("%d cards, %v", len(cards), err)
	}
	a, b := cards[0], cards[1]
	if a.UUID != "GPU-test-0" || a.Name != "Test Card 96GB" || !a.Blackwell() || a.Capability != "12.0" || a.Memory.V != 96<<30 || a.PCIeWidth.V != 16 || a.PowerLimit.V != 600 || a.Bus != "00000000:01:00.0" {
		t.Errorf("card 0 is %+v", a)
	}
	if b.PCIeWidth.OK || b.Blackwell() || b.Unsupported["PCIe width"] != "Not Supported" || b.Unsupported["architecture"] == "" {
		t.Errorf("card 1 is %+v", b)
	}
	if a.Unsupported["MIG"] == "" || a.MIG.OK {
		t.Error("what the library lacks is not said")
	}
	set(t, "0 architecture 9")
	if cards, err = d.Cards(); err != nil || cards[0].Blackwell() || cards[0].Architecture != "Hopper" {
		t.Errorf("%+v %v", cards, err)
	}
	links, err := d.Links()
	if err != nil || len(links) != 1 || links[0].Common != "NUMA node" || links[0].P2P != "ok" {
		t.Errorf("links %+v %v", links, err)
	}
	set(t, "0 p2p 1", "0 pid 4242")
	if links, _ = d.Links(); links[0].P2P != "chipset not supported" {
		t.Errorf("links %+v", links)
	}
	ps, err := d.Processes(0)
	if err != nil || len(ps) != 1 || ps[0].PID != 4242 || ps[0].Memory.V != 2<<30 {
		t.Errorf("processes %+v %v", ps, err)
	}
	if ps, err = d.Processes(1); err != nil || len(ps) != 0 {
		t.Errorf("processes of a free card %+v %v", ps, err)
	}
}

// TestRecording: power that changes at known times, two cards, three marks. The integral
// agrees with the card's own counter and with what was set.
func TestRecording(t *testing.T) {
	d := open(t)
	set(t, "0 milliwatts 100000", "1 milliwatts 50000")
	var raw bytes.Buffer
	s, err := gpu.Start(context.Background(), d, gpu.Options{Period: 10 * time.Millisecond, Points: 16, Raw: &raw})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(60 * time.Millisecond)
	mark := func(name string) {
		if err := s.Mark(name); err != nil {
			t.Error(err)
		}
	}
	mark("start")
	time.Sleep(300 * time.Millisecond)
	mark("middle")
	set(t, "0 milliwatts 300000", "1 milliwatts 50000", "0 reasons 4", "0 used_mib 90000", "0 celsius 83")
	time.Sleep(300 * time.Millisecond)
	mark("end")
	time.Sleep(30 * time.Millisecond)
	rec, err := s.Stop()
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Cards) != 2 || len(rec.Cards[0].Stretches) != 2 {
		t.Fatalf("%d cards, stretches %+v", len(rec.Cards), rec.Cards[0].Stretches)
	}
	first, second := rec.Cards[0].Stretches[0], rec.Cards[0].Stretches[1]
	for i, x := range []struct {
		s    gpu.Stretch
		want float64
	}{{first, 100}, {second, 300}, {rec.Cards[1].Stretches[0], 50}} {
		mean := x.s.Energy.V / x.s.Length.Seconds()
		if !x.s.Energy.OK || mean < x.want*0.90 || mean > x.want*1.10 {
			t.Errorf("stretch %d: %v J over %v is %.1f W, want about %.0f", i, x.s.Energy, x.s.Length, mean, x.want)
		}
		if a := x.s.Agreement(); !a.OK || a.V > 0.12 {
			t.Errorf("stretch %d: the counter says %v, the integral %v", i, x.s.Counter, x.s.Energy)
		}
	}
	if first.Throttled != nil || len(second.Throttled) != 1 || second.Throttled[0] != "software power cap" {
		t.Errorf("throttled %q, then %q", first.Throttled, second.Throttled)
	}
	if second.MemoryUsedMax.V != 90000<<20 || second.MemoryFreeMin.V != 96<<30-90000<<20 || second.TemperatureMax.V != 83 || second.PowerMax.V != 300 {
		t.Errorf("second stretch %+v", second)
	}
	if n := len(rec.Cards[0].Series.At); n == 0 || n > 16 || len(rec.Cards[0].Series.Power) != n || len(rec.Cards[0].Series.MemoryUsed) != n {
		t.Errorf("a series of %d points", n)
	}
	if rec.Gaps.N == 0 || !rec.Gaps.P50.OK || rec.Gaps.P50.V > 0.1 {
		t.Errorf("gaps %+v", rec.Gaps)
	}
	rows, err := csv.NewReader(&raw).ReadAll()
	if err != nil || int64(len(rows)-1) != rec.RawRows || rec.RawRows < 50 {
		t.Errorf("%d raw rows, the recording says %d (%v)", len(rows)-1, rec.RawRows, err)
	}
	if _, err := strconv.ParseFloat(rows[1][2], 64); err != nil {
		t.Errorf("raw power %q", rows[1][2])
	}
}

// TestLost: a card that falls off the bus stays in the recording with the reason, has no
// energy, and the other goes on.
func TestLost(t *testing.T) {
	d := open(t)
	s, err := gpu.Start(context.Background(), d, gpu.Options{Period: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(30 * time.Millisecond)
	_ = s.Mark("start")
	time.Sleep(80 * time.Millisecond)
	set(t, "0 lost 1")
	time.Sleep(120 * time.Millisecond)
	_ = s.Mark("end")
	time.Sleep(30 * time.Millisecond)
	rec, err := s.Stop()
	if err != nil {
		t.Fatal(err)
	}
	lost, other := rec.Cards[0], rec.Cards[1]
	if lost.Lost == "" || lost.LostAt == 0 || lost.Stretches[0].Whole || lost.Stretches[0].Energy.OK || !strings.Contains(lost.Stretches[0].Why, "lost") {
		t.Errorf("the lost card: %+v", lost)
	}
	if other.Lost != "" || !other.Stretches[0].Energy.OK || other.Samples <= lost.Samples {
		t.Errorf("the other card: %+v", other)
	}
}

// TestUnsupported: what a card does not say is absent and never zero.
func TestUnsupported(t *testing.T) {
	d := open(t)
	set(t, "0 no_power 1", "0 no_energy 1", "0 no_memory 1")
	s, err := gpu.Start(context.Background(), d, gpu.Options{Period: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Mark("start")
	time.Sleep(60 * time.Millisecond)
	_ = s.Mark("end")
	time.Sleep(20 * time.Millisecond)
	rec, err := s.Stop()
	if err != nil {
		t.Fatal(err)
	}
	x := rec.Cards[0].Stretches[0]
	if x.Energy.OK || x.Counter.OK || x.PowerMean.OK || x.MemoryUsedMax.OK || x.Whole || x.Agreement().OK {
		t.Errorf("figures that nobody gave: %+v", x)
	}
	if !x.ClockMean.OK {
		t.Error("what the card does say is absent too")
	}
}

func TestThrottled(t *testing.T) {
	for bits, want := range map[uint64]string{0: "[]", 1: "[]", 4: "[software power cap]", 1 | 64: "[hardware thermal slowdown]", 1 << 40: "[reason 0x10000000000]"} {
		if got := fmt.Sprint(gpu.Throttled(bits)); got != want {
			t.Errorf("%#x: %s, want %s", bits, got, want)
		}
	}
}

// BenchmarkSampling says how much of a core sampling two cards at 20 ms takes.
func BenchmarkSampling(b *testing.B) {
	path := os.Getenv("GPU_TEST_STATE")
	os.Remove(path)
	d, err := gpu.Open(whole)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	for b.Loop() {
		s, err := gpu.Start(context.Background(), d, gpu.Options{})
		if err != nil {
			b.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		rec, err := s.Stop()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(rec.CPU.V*100, "%core")
		b.ReportMetric(rec.Gaps.P99.V*1000, "ms-gap-p99")
	}
}
