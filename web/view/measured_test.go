package view

import (
	"strings"
	"testing"

	"assay/store/evidence"
)

func TestReadMeasured(t *testing.T) {
	d := evidence.DigestOf([]byte("x"))
	m, err := ReadMeasured([]byte(`{"schema":"assay.run/v1","requests":[{"any":["thing"]}],"repeat":2,"repeats":6,
		"workload":{"name":"w","loop":"open","arrivals":"poisson 2/s","api":"chat","endpoint":"http://h"},
		"windows":[{"name":"measure","start_ns":1000000000,"end_ns":3000000000}],
		"client":{"health":{"saturated":true,"reasons":["client_cpu: busy"],"drops":3},"calibration":null},
		"telemetry":{"available":false,"why_not":"no NVML library on this machine"},
		"gates":[{"name":"g","status":"not run","detail":"because"}],
		"engine":{"name":"e","metrics_after":{"a/b~c":2.5}}}`), d)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]MeasuredRow{}
	for _, g := range m.Groups {
		for _, r := range g.Rows {
			said[g.Title+"/"+r.Title] = r
		}
		if g.Title == "Client" && g.Note.Kind != "caveat" {
			t.Errorf("a saturated client is %+v", g.Note)
		}
	}
	for key, want := range map[string]string{
		"Session/requests sent": "open loop, poisson 2/s, chat", "Session/repeat": "2 of 6", "Client/because": "client_cpu: busy", "Client/never sent": "3 requests",
		"Client/calibration": "nobody measured", "Cards/not asked": "no NVML library", "Engine/arguments": "not read",
	} {
		if got := said[key].Value.Text.String(); !strings.Contains(got, want) {
			t.Errorf("%s says %q, want %q", key, got, want)
		}
	}
	if !said["Cards/not asked"].Gap || said["Session/repeat"].Gap {
		t.Error("what is absent and what is there look alike")
	}
	if _, there := said["Client/busy cores"]; there {
		t.Error("busy cores that nobody counted")
	}
	if len(m.Counters) != 1 || m.Counters[0].Before.Href != "" || !strings.Contains(m.Counters[0].After.Href, "a~1b~0c") {
		t.Errorf("%+v", m.Counters)
	}
	if m.Gates[0].State.Word != "not run" || len(m.Strips) != 0 {
		t.Errorf("%+v, %d strips", m.Gates, len(m.Strips))
	}
	if _, err := ReadMeasured([]byte(`{"windows":4}`), d); err == nil {
		t.Error("another shape was read")
	}
}

// BenchmarkReadMeasured reads a session of 100 requests of 512 chunks each.
func BenchmarkReadMeasured(b *testing.B) {
	var doc strings.Builder
	doc.WriteString(`{"requests":[`)
	for i := range 100 {
		if i > 0 {
			doc.WriteByte(',')
		}
		doc.WriteString(`{"index":1,"chunk_ns":[1000000000` + strings.Repeat(",1000000000", 511) + `]}`)
	}
	doc.WriteString(`],"client":{},"telemetry":{"available":true,"cards":[{"measured":true,"series":{"at_ns":[0` + strings.Repeat(",20000000", 599) +
		`],"power_watts":[250.5` + strings.Repeat(",250.5", 599) + `]}}]}}`)
	data := []byte(doc.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := ReadMeasured(data, evidence.Digest{}); err != nil {
			b.Fatal(err)
		}
	}
}
