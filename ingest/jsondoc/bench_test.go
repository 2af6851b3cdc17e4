package jsondoc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// sample is a document as campaigns write them: indented rows of numbers, short
// strings and a sentence here and there.
func sample(size int) []byte {
	var b bytes.Buffer
	b.WriteString("{\n  \"schema\": \"example.runs/v1\",\n  \"rows\": [")
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    {\n      \"index\": %d,\n      \"ttft_ms\": %d.%03d,\n      \"tokens\": %d,\n      \"ok\": true,\n"+
			"      \"note\": \"request %d of the warm pass, no cache hit\",\n      \"gaps\": [%s1.5]\n    }",
			i, 80+i%40, i%1000, 256-i%7, i, strings.Repeat("12.25, ", i%12))
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes()
}

// BenchmarkScan reports the speed of a streaming pass and its ratio to json.Valid.
func BenchmarkScan(b *testing.B) {
	data := sample(8 << 20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if sum, err := Scan(bytes.NewReader(data), Limits{}, nil); err != nil || sum.Form != JSON || len(sum.Findings) > 0 {
			b.Fatal(sum, err)
		}
	}
	b.ReportMetric(float64(stdlib(data))/(float64(b.Elapsed())/float64(b.N)), "x-json.Valid")
}

func stdlib(data []byte) time.Duration {
	const runs = 3
	start := time.Now()
	for range runs {
		json.Valid(data)
	}
	return time.Since(start) / runs
}

// BenchmarkParse reports the cost of trees and its ratio to decoding into any.
func BenchmarkParse(b *testing.B) {
	data := sample(4 << 20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if d := Parse(data, Limits{}); d.Root() == nil {
			b.Fatal(d.Summary)
		}
	}
	start := time.Now()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(time.Since(start))/(float64(b.Elapsed())/float64(b.N)), "x-json.Unmarshal")
}

// BenchmarkBomb is ten million brackets.
func BenchmarkBomb(b *testing.B) {
	data := bytes.Repeat([]byte("["), 10_000_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if sum := ScanBytes(data, Limits{}, nil); sum.Form != Malformed {
			b.Fatal(sum)
		}
	}
}
