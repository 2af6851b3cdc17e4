package load_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/runner/load"
	"assay/runner/load/nullserver"
	"assay/runner/load/pace"
)

// childVariable makes this test binary a null server.
const childVariable = "ASSAY_LOAD_NULL_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	s, err := nullserver.Listen("127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.URL())
	io.Copy(io.Discard, os.Stdin) // until the parent goes
	s.Close()
}

// nullServer starts a null server in another process.
func nullServer(tb testing.TB) string {
	tb.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childVariable+"=1", "GOGC=400")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatal(err)
	}
	return line[:len(line)-1]
}

// The capacity benchmarks answer what this client can do on this machine, with the null
// server in a process of its own. Run them with -benchtime 1x.

func BenchmarkCapacityShortRequests(b *testing.B) {
	for b.Loop() {
		calibrated(b, load.CalibrateOptions{Streams: 10, ChunkRate: 100, OpenRate: 100, For: 3 * time.Second})
	}
}

// BenchmarkCapacityNetHTTP is net/http against the same server, for scale.
func BenchmarkCapacityNetHTTP(b *testing.B) {
	url := nullServer(b) + "/v1/chat/completions"
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	const length = 3 * time.Second
	for b.Loop() {
		var done atomic.Int64
		var slots sync.WaitGroup
		end := time.Now().Add(length)
		for range 64 {
			slots.Go(func() {
				for time.Now().Before(end) {
					resp, err := client.Post(url, "application/json", bytes.NewReader(nullserver.Body(1, 0)))
					if err != nil {
						b.Error(err)
						return
					}
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
					done.Add(1)
				}
			})
		}
		slots.Wait()
		b.ReportMetric(float64(done.Load())/length.Seconds(), "requests/s")
	}
}

func BenchmarkCapacityStreams(b *testing.B) {
	for b.Loop() {
		calibrated(b, load.CalibrateOptions{Streams: 15_000, ChunkRate: 50_000, OpenRate: 100, For: 4 * time.Second})
	}
}

// BenchmarkCapacityChunks asks for more chunks than one write each allows: on two cores
// client, server and the kernel between them share about 10 µs a write and a read.
func BenchmarkCapacityChunks(b *testing.B) {
	for _, c := range []struct {
		together int
		rate     float64
	}{{1, 75_000}, {1, 100_000}, {2, 150_000}, {4, 200_000}} {
		b.Run(fmt.Sprintf("together=%d/asked=%.0f", c.together, c.rate), func(b *testing.B) {
			for b.Loop() {
				calibrated(b, load.CalibrateOptions{Streams: 1_500, ChunkRate: c.rate, Together: c.together, OpenRate: 100, For: 4 * time.Second})
			}
		})
	}
}

func BenchmarkCapacityOpenLoop(b *testing.B) {
	for _, process := range []pace.Process{pace.Constant, pace.Poisson} {
		b.Run(string(process), func(b *testing.B) {
			for b.Loop() {
				url := nullServer(b)
				client, err := load.NewClient(load.Target{Endpoint: url}, "bench")
				if err != nil {
					b.Fatal(err)
				}
				out, err := load.Run(context.Background(), load.Options{Client: client, Source: repeat(nullserver.Body(1, 0)), Sink: discard{}, Plan: load.Plan{
					Pacer:  pace.Arrivals{Process: process, PerSecond: 5000, Seed: 1},
					Warmup: load.Span{For: time.Second}, Measure: load.Span{For: 4 * time.Second},
				}})
				client.Close()
				if err != nil {
					b.Fatal(err)
				}
				report(b, "send_lag", out.Certificate.SendLag)
				b.ReportMetric(float64(out.Measured)/4, "sent/s")
				b.ReportMetric(float64(out.Measured-out.Classes[load.OK]), "failed")
				b.Logf("certificate: %+v", out.Certificate)
			}
		})
	}
}

type repeat []byte

func (r repeat) Request(int) (load.Request, error) {
	return load.Request{API: load.Chat, Body: r}, nil
}

type discard struct{}

func (discard) Take(*load.Record) error { return nil }

func calibrated(b *testing.B, o load.CalibrateOptions) {
	o.Endpoint = nullServer(b)
	c, err := load.Calibrate(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(c.RequestRate.V, "requests/s")
	b.ReportMetric(c.ChunkRate.V, "chunks/s")
	b.ReportMetric(float64(c.Streams), "streams")
	b.ReportMetric(float64(c.Failed), "failed")
	report(b, "timing_error", c.TimingError)
}

func report(b *testing.B, name string, l load.Lateness) {
	b.ReportMetric(float64(l.P50.V)/1e3, name+"_p50_us")
	b.ReportMetric(float64(l.P99.V)/1e3, name+"_p99_us")
	b.ReportMetric(float64(l.Max.V)/1e3, name+"_max_us")
}
