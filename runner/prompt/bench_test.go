package prompt

import (
	"bytes"
	"testing"

	"assay/runner/load"
	"assay/runner/workload"
)

func BenchmarkRequest(b *testing.B) {
	for _, kind := range kinds {
		for _, target := range []int64{256, 4096} {
			b.Run(string(kind)+"/"+map[int64]string{256: "256", 4096: "4096"}[target], func(b *testing.B) {
				s := set(b, maker(b, work(kind, target)), 0, 0, 0)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, err := s.Request(i % 50_000); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkJudge looks through an answer of 1,000 words while 100,000 codes are out.
func BenchmarkJudge(b *testing.B) {
	s := set(b, maker(b, work(workload.Prose, 300)), 0, 0, 0)
	atLeast(s.issued, 100_000)
	own := s.maker.coder.code(s.slot, 7)
	r := &load.Record{Index: 7, Text: append(own[:], bytes.Repeat([]byte(" some well-known word"), 333)...)}
	for b.Loop() {
		if s.Judge(r) != found {
			b.Fatal("not found")
		}
	}
}
