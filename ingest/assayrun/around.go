package assayrun

import (
	"assay/ingest/lift"
	"assay/store/evidence"
)

func (d *document) gates() {
	d.top.Get("gates").Items(func(_ int, g lift.Obj) {
		word := g.Get("status").Str()
		d.Doc.Gates = append(d.Doc.Gates, evidence.Gate{Name: lift.Clip(g.Get("name").Str()), SourceStatus: word,
			Status: evidence.ReadGateStatus(word), Detail: g.Get("detail").Str(), Place: g.Place()})
		g.Get("passed").Skip(evidence.ReasonDetail)
		g.Get("tried").Skip(evidence.ReasonDetail)
	})
}

func (d *document) words() {
	for name, kind := range map[string]evidence.NoteKind{"limitations": evidence.Limitation, "failures": evidence.Failure} {
		d.top.Get(name).Items(func(_ int, o lift.Obj) { d.Note(kind, name, o) })
	}
	d.top.Get("sidecars").Items(func(_ int, o lift.Obj) {
		r := evidence.Reference{Name: o.Get("name").Str(), Kind: "evidence", Place: o.Place()}
		if digest, err := evidence.ParseDigest(o.Get("sha256").Str()); err == nil {
			r.SHA256 = evidence.Some(digest)
		}
		d.Doc.References = append(d.Doc.References, r)
		o.Skip(evidence.ReasonDetail)
	})
}

// around lists what describes the client, the engine and the machine, and says where the
// client was part of what it measured.
func (d *document) around() {
	health := d.top.Path("client", "health")
	if health.Get("saturated").True() {
		d.Find(evidence.Warning, codeSaturated, health.Get("saturated"), "the client that measured was saturated: its own delays are part of the figures")
	}
	d.achieved(health)
	for _, card := range items(d.top.Path("telemetry", "cards")) {
		d.card(card)
	}
	for _, name := range []string{"client", "engine", "telemetry", "host"} {
		d.top.Get(name).SkipWhole(evidence.ReasonDiagnostic)
	}
	d.top.Get("workload").Skip(evidence.ReasonEcho)
}

// Codes of findings that only this format has.
const (
	codeSaturated   = "client-saturated" // the client was part of what it measured
	codeUnknownWord = "word-unknown"     // a word where the format has a fixed list
)

func (d *document) achieved(health lift.Obj) {
	if v := health.Get("achieved_per_second"); v.There() {
		v.Fact(&d.run.Facts, evidence.KeyAchievedRate)
	}
}

// card lifts the memory of a card that executed the run: what it had left is what a
// reserve is held against.
func (d *document) card(c lift.Obj) {
	if !c.Get("measured").True() {
		return
	}
	d.run.FigureN(c.Get("memory_free_min_bytes"), evidence.GPUMemoryFree, evidence.Min, "bytes", evidence.None[int64]())
	d.run.FigureN(c.Get("memory_used_max_bytes"), evidence.GPUMemoryUsed, evidence.Max, "bytes", evidence.None[int64]())
}

func items(o lift.Obj) []lift.Obj {
	var out []lift.Obj
	o.Items(func(_ int, m lift.Obj) { out = append(out, m) })
	return out
}
