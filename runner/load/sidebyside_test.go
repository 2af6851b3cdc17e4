//go:build unix

package load_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"assay/runner/load"
	"assay/runner/load/nullserver"
)

// vegetaVariable names the program that BenchmarkSideBySide stands beside.
const vegetaVariable = "ASSAY_VEGETA"

// attack is what one generator did in one round.
type attack struct {
	rate   float64 // whole answers per second
	failed int
	cores  float64       // processors kept busy
	each   time.Duration // processor time per request
}

// BenchmarkSideBySide runs vegeta, a general HTTP load generator, and this one by turns
// against one null server in a third process: 64 requests open, as fast as they are
// answered, and what is known of each written to a file. This one also reads the stream in
// each answer. .ci/side-by-side gets vegeta and runs it.
func BenchmarkSideBySide(b *testing.B) {
	vegeta := os.Getenv(vegetaVariable)
	if vegeta == "" {
		b.Skip(vegetaVariable + " does not name a vegeta; .ci/side-by-side gets one")
	}
	const open, length, rounds = 64, 3 * time.Second, 5
	url, dir := nullServer(b), b.TempDir()
	for b.Loop() {
		rates, cores, each, failed := [2][]float64{}, [2][]float64{}, [2][]float64{}, [2]int{}
		var ratios []float64
		for round := range 2 * rounds {
			// Each goes first as often as the other, but for one.
			which, run := 0, ownAttack
			if round%4 == 1 || round%4 == 2 {
				which, run = 1, func(b *testing.B, dir, url string, open int, length time.Duration) attack {
					return vegetaAttack(b, vegeta, dir, url, open, length)
				}
			}
			a := run(b, dir, url, open, length)
			b.Logf("%-6s %7.0f requests/s, %d failed, %.2f cores, %v of processor each", [2]string{"assay", "vegeta"}[which], a.rate, a.failed, a.cores, a.each)
			rates[which], cores[which], each[which] = append(rates[which], a.rate), append(cores[which], a.cores), append(each[which], float64(a.each)/1e3)
			failed[which] += a.failed
			if round%2 == 1 {
				ratios = append(ratios, rates[0][len(rates[0])-1]/rates[1][len(rates[1])-1])
			}
		}
		for which, name := range [2]string{"assay", "vegeta"} {
			b.ReportMetric(middle(rates[which]), name+"_requests/s")
			b.ReportMetric(middle(cores[which]), name+"_cores")
			b.ReportMetric(middle(each[which]), name+"_cpu_us/request")
			b.ReportMetric(float64(failed[which]), name+"_failed")
		}
		b.ReportMetric(middle(ratios), "rate_ratio")
		b.Logf("ratio of rates by round: %.2f", ratios)
	}
}

// ownAttack is this generator's round.
func ownAttack(b *testing.B, dir, url string, open int, length time.Duration) attack {
	b.Helper()
	file, err := os.Create(filepath.Join(dir, "assay.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	client, err := load.NewClient(load.Target{Endpoint: url}, "side-by-side")
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	before, start := processorTime(b), time.Now()
	out, err := load.Run(context.Background(), load.Options{Client: client, Source: repeat(nullserver.Body(1, 0)), Sink: load.Lines{W: w},
		Plan: load.Plan{Concurrency: open, Measure: load.Span{For: length}}})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		b.Fatal(err)
	}
	return attacked(int(out.Classes[load.OK]), int(out.Measured-out.Classes[load.OK]), time.Since(start), processorTime(b)-before)
}

// vegetaAttack is vegeta's round; the targets of its file are sent over and over.
func vegetaAttack(b *testing.B, program, dir, url string, open int, length time.Duration) attack {
	b.Helper()
	body, targets, results := filepath.Join(dir, "body.json"), filepath.Join(dir, "targets"), filepath.Join(dir, "vegeta.bin")
	write(b, body, nullserver.Body(1, 0))
	write(b, targets, fmt.Appendf(nil, "POST %s/v1/chat/completions\nContent-Type: application/json\n@%s\n", url, body))
	workers := strconv.Itoa(open)
	cmd := exec.Command(program, "attack", "-targets="+targets, "-rate=0", "-workers="+workers, "-max-workers="+workers,
		"-duration="+length.String(), "-max-body=0", "-output="+results)
	start := time.Now()
	if said, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v: %.500s", program, err, said)
	}
	wall := time.Since(start)
	said, err := exec.Command(program, "report", "-type=json", results).Output()
	if err != nil {
		b.Fatalf("%s report: %v", program, err)
	}
	var report struct {
		Requests int            `json:"requests"`
		Codes    map[string]int `json:"status_codes"`
	}
	if err := json.NewDecoder(bytes.NewReader(said)).Decode(&report); err != nil {
		b.Fatalf("%s report: %v", program, err)
	}
	whole := report.Codes["200"]
	return attacked(whole, report.Requests-whole, wall, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
}

func attacked(whole, failed int, wall, processor time.Duration) attack {
	return attack{rate: float64(whole) / wall.Seconds(), failed: failed, cores: processor.Seconds() / wall.Seconds(),
		each: processor / time.Duration(max(1, whole+failed))}
}

func write(b *testing.B, path string, data []byte) {
	b.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func middle(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
