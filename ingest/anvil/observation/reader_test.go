package observation

import (
	"strings"
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Goldens(t, reader) }

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, reader, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, reader) }

// TestMutations: nothing contradicts a figure of one request or a pool, it shows as itself;
// texts of models and what is archived give nothing that a change could falsify.
func TestMutations(t *testing.T) {
	archived := map[string]bool{}
	for _, v := range lifttest.Fixtures(t) {
		if d := lifttest.Read(t, reader, v); d.Archived != "" {
			for _, name := range v.Names {
				archived[name] = true
			}
		}
	}
	delete(archived, "schema_version")
	delete(archived, "observed_at")
	lifttest.Mutate(t, reader, func(m string, p evidence.Pointer, v *jsondoc.Node) bool {
		tokens := p.Tokens()
		last := tokens[len(tokens)-1]
		switch {
		case archived[tokens[0]]:
			return true
		case m == "times-1000" || m == "by-1000":
			return true
		case last == "content", m == "drop" && last == "sha256", m == "drop" && strings.HasSuffix(last, "status"):
			return true
		case m == "rename" && (last == "artifact" || last == "recipe" || last == "url"):
			return true // a reference is told by what it names
		}
		return len(v.Children) == 0 && v.Kind != jsondoc.Number && v.Kind != jsondoc.String && v.Kind != jsondoc.Bool ||
			m != "retype" && (last == "eos_token_id" || last == "failed_request_indices" || last == "chat_template_kwargs" || last == "video")
	})
}

// TestRequestsAddUp: figures of one request that contradict each other are found.
func TestRequestsAddUp(t *testing.T) {
	for _, at := range []evidence.Pointer{"/replay/end_to_end_ms", "/replay/time_to_first_output_ms", "/replay/decode_tokens_per_second",
		"/replay/effective_prefill_tokens_per_second", "/replay/output_tokens", "/replay/prompt_tokens"} {
		v := lifttest.Fixtures(t)["replay"]
		n := v.At(at)
		f, err := evidence.ScaleDecimal(n.Text, 1000, 1)
		if err != nil {
			t.Fatal(err)
		}
		n.Text = evidence.FormatDecimal(f)
		if d := lifttest.Read(t, reader, v); !lifttest.Has(&d, lift.CodeRow, "/replay") {
			t.Errorf("%s times 1000: no finding", at)
		}
	}
}

// TestCounters: an acceptance rate of counters has the scope of the server's life and no
// class, and its own counters are held against it.
func TestCounters(t *testing.T) {
	v := lifttest.Fixtures(t)["counters"]
	d := lifttest.Read(t, reader, v)
	run := d.Arms[0].Runs[0]
	if run.Class != "" || len(run.Facts) != 1 || run.Facts[0].Key != evidence.KeyAcceptScope || run.Facts[0].Value != "lifetime" {
		t.Errorf("%+v", run)
	}
	v.At("/derived/acceptance_rate").Text = "0.9"
	if d := lifttest.Read(t, reader, v); !lifttest.Has(&d, lift.CodeMismatch, "/derived/acceptance_rate") {
		t.Error("a rate that its counters contradict goes by")
	}
}

// TestEveryLabel reads a value of every label in the table, made of the members it is known
// by, and one with a single member missing.
func TestEveryLabel(t *testing.T) {
	for label, k := range kinds {
		members := fields(k.members)
		v := valueOf(label, members)
		d := lifttest.Read(t, reader, v)
		lifttest.Account(t, label, &d, v)
		if d.Family != k.family || (d.Archived != "") != k.archived || lifttest.Has(&d, lift.CodeMissing, "") {
			t.Errorf("%s: family %s, archived %q, %v", label, d.Family, d.Archived, d.Findings)
		}
		d = lifttest.Read(t, reader, valueOf(label, members[:len(members)-1]))
		if !lifttest.Has(&d, lift.CodeMissing, "") {
			t.Errorf("%s: the missing %q goes by", label, members[len(members)-1])
		}
		if _, ok := reader.Match(label, valueOf(label, nil)); ok || reader.Reason(label, nil) == "" {
			t.Errorf("%s: a value without any of its members is taken, or no reason is given", label)
		}
	}
}

func valueOf(label string, members []string) *jsondoc.Node {
	v := &jsondoc.Node{Kind: jsondoc.Object, Names: []string{"schema"}, Children: []*jsondoc.Node{{Kind: jsondoc.String, Text: label}}}
	for _, name := range members {
		v.Names, v.Children = append(v.Names, name), append(v.Children, &jsondoc.Node{Kind: jsondoc.String, Text: "some words about it"})
	}
	return v
}

func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, reader, "replay", "/sources", "/eviction_sequence/failed_request_indices")
	lifttest.Hostile(t, reader, "inventory", "/docker/build_cache", "/repositories")
	lifttest.Hostile(t, reader, "smoke", "/results/preflight/checks")
}
