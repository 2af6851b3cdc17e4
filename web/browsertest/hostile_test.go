package browsertest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"assay/ingest"
	"assay/store"

	"context"
	"path/filepath"
)

// attacks are strings that a page must show and never run.
var attacks = []string{
	`</script><script>alert(1)</script>`,
	`"><img src=x onerror=alert(2)>`,
	`<svg onload=alert(3)>`,
	`javascript:alert(4)`,
	`{{constructor.constructor('alert(5)')()}}`,
	`=HYPERLINK("http://example.invalid","x")`,
	"abc\u202edef\u2066ghi\u200f",
	"nul\x00bell\x07escape\x1b[31m",
	`' onmouseover='alert(6)`,
	strings.Repeat("W", 400),
	`<style>*{display:none}</style><base href=//example.invalid>`,
	"]]>--><!--",
}

// hostileFiles are files that try to be more than data.
func hostileFiles(t *testing.T) []ingest.Source {
	t.Helper()
	blob := func(name string, v any) ingest.Source {
		b, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return ingest.Blob(name, "file", b)
	}
	all := strings.Join(attacks, " ")
	rows := []any{}
	for i, a := range attacks {
		rows = append(rows, map[string]any{
			"profile": a, "topology": "one GPU, TP1, C8", "requests": 100, "canaries_passed": 100, "aggregate_tok_s": 500.5 + float64(i),
			"ttft_ms": map[string]any{"mean": 10.5, "p50": 9.25, "p95": 20.125, "p99": 30.0625}, "evidence": a, "correctness_status": "rejected: " + a,
		})
	}
	gates, limits := []any{}, []any{}
	for _, a := range attacks {
		gates = append(gates, map[string]any{"name": a, "status": a, "detail": a})
		limits = append(limits, a+" measured 12.5 tok/s")
	}
	many := map[string]any{}
	for i, a := range attacks {
		many[a] = attacks[:i]
	}
	return []ingest.Source{
		blob(`"><img src=x onerror=alert(7)>.json`, map[string]any{
			"schema": "anvil-serving.benchmark-decision-summary/v1", "campaign_id": "2031-05-01-" + attacks[0], "complete": true,
			"identity":         map[string]any{"hardware": all, "model": all, attacks[1]: all},
			"measurement":      map[string]any{"path": all, "headline_workload": "100 requests, 4K target, C8 per replica " + all, "percentile_method": "nearest rank"},
			"headline_results": rows, "gates": gates, "limitations": limits,
			"decision": map[string]any{"decision_labels": attacks, "evidence_labels": attacks, "promotion_authorized": false, "winner": all, attacks[2]: all},
		}),
		blob("=cmd()|'.json", map[string]any{"schema": all, "rows": attacks, "deep": many, "long": strings.Repeat("<b>word</b> ", 100_000)}),
		ingest.Blob("big string.json", "file", []byte(`{"s":"`+strings.Repeat("<script>alert(8)</script>", 45_000)+`"}`)),
		ingest.Blob("broken.json", "file", []byte(`{"a": "`+`<img src=x onerror=alert(9)>`+`", "b": tru, "c": </script><script>alert(10)</script>`)),
		ingest.Blob("page.html", "file", []byte(`<!doctype html><script>alert(11)</script><h1>hello</h1>`)),
	}
}

// odd are files of unusual shapes: several values, one long line, bytes, UTF-16, text.
func odd(t *testing.T) []ingest.Source {
	t.Helper()
	var lines bytes.Buffer
	for i := range 1500 {
		b, err := json.Marshal(map[string]any{"i": i, "rate": float64(i) * 1.25})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(b, '\n'))
	}
	var row []any
	for i := range 4000 {
		row = append(row, map[string]any{"i": i, "note": "one long line"})
	}
	wide, err := json.Marshal(map[string]any{"rows": row})
	if err != nil {
		t.Fatal(err)
	}
	return []ingest.Source{
		ingest.Blob("lines.jsonl", "file", lines.Bytes()),
		ingest.Blob("wide.json", "file", wide),
		ingest.Blob("bytes.bin", "file", append([]byte("\x7fELF\x00\x00"), bytes.Repeat([]byte{0, 1, 2, 250}, 300)...)),
		ingest.Blob("utf16.json", "file", []byte("\xff\xfe{\x00\"\x00n\x00\"\x00:\x001\x00}\x00")),
		ingest.Blob("notes.md", "file", []byte("# Notes\n\nWords, and 12.5 of something.\n")),
		ingest.Blob("cut.json", "file", []byte("{\n \"a\": 1,\n \"b\": [1, 2")),
	}
}

func openExamples(t *testing.T) *store.Archive {
	t.Helper()
	ctx := context.Background()
	archive, err := store.Open(ctx, filepath.Join(t.TempDir(), "assay.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { archive.Close() })
	if _, err := ingest.Take(ctx, archive, examples(t), ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	return archive
}

// TestHostileEvidenceStaysText visits every page of an archive that holds nothing but
// attacks.
func TestHostileEvidenceStaysText(t *testing.T) {
	b := newBrowser(t)
	h := newHouse(t, hostileFiles(t)...)
	b.look("light", 1440)
	pages := h.crawl()
	for _, p := range pages {
		b.visit(h.base + p)
		b.settle(p)
		if n := eval[int](b, `document.querySelectorAll("img, base, style, iframe, object, embed, script:not([src]):not([type='application/json'])").length`); n > 0 {
			t.Errorf("%s: %d elements that no page of ours has", p, n)
		}
		b.sound(p)
	}
	t.Logf("%d pages of hostile evidence", len(pages))
}
