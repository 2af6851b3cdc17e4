package ingest_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay/ingest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// changes are the ways in which a member is changed. Each says whether it applies.
var changes = []struct {
	name  string
	apply func(parent *jsondoc.Node, i int) bool
}{
	{"rename", func(p *jsondoc.Node, i int) bool {
		if p.Kind == jsondoc.Object {
			p.Names[i] += "_x"
		}
		return p.Kind == jsondoc.Object
	}},
	{"drop", func(p *jsondoc.Node, i int) bool {
		if p.Kind != jsondoc.Object {
			return false
		}
		p.Names = append(p.Names[:i:i], p.Names[i+1:]...)
		p.Children = append(p.Children[:i:i], p.Children[i+1:]...)
		return true
	}},
	{"retype", func(p *jsondoc.Node, i int) bool {
		c := *p.Children[i]
		if c.Kind == jsondoc.Number {
			c.Kind = jsondoc.String
		} else {
			c.Kind, c.Text = jsondoc.Number, "12"
		}
		p.Children[i] = &c
		return true
	}},
	{"x1000", rescale(1000, 1)},
	{"/1000", rescale(1, 1000)},
}

func rescale(num, den int64) func(*jsondoc.Node, int) bool {
	return func(p *jsondoc.Node, i int) bool {
		c := *p.Children[i]
		f, err := evidence.ScaleDecimal(c.Text, num, den)
		if c.Kind != jsondoc.Number || err != nil || f == 0 {
			return false
		}
		c.Text = strconv.FormatFloat(f, 'f', -1, 64)
		p.Children[i] = &c
		return true
	}
}

// held are the readers that are tried, with the members whose change nothing in a real
// file contradicts, by change; "*" is any change. Members of lists go by the list's name.
// Everything else must show: in a finding, a fact, or a figure that is no longer there.
var held = map[string]map[string]string{
	"anvil/capacity":         {},
	"anvil/decision-summary": {},
	"anvil/tp-mtp-context-matrix": {
		"vram_gb_each": "rename", // a name is read by its words
	},
	"anvil/bakeoff": {
		// one request's own latency is a figure of its own: a factor shows in the sum only when it grows
		"latency_ms": "/1000", "ttft_ms": "/1000",
		// by-products of texts and tools that no figure rests on
		"tool_call_count": "*", "valid_tool_call_count": "*", "reasoning_chars": "*",
		"total_tokens": "drop", "pass_rate": "drop", "minimum_comparable_repetitions": "*",
		// a selection that was not run stands alone
		"context_targets": "x1000",
	},
	"anvil/preflight": {
		"total_tokens": "drop", "bytes": "x1000", "request_index": "drop", "event_count": "drop", "seconds": "*",
	},
	"anvil/multimodal": {
		// prompts and sampling are the corpus's, whose digest is what is compared
		"num_frames": "*", "fps": "*", "image_tokens": "*", "video_tokens": "*",
		"bytes": "x1000", "chars": "drop", "repetition": "x1000", "total_tokens": "drop", "cached_tokens": "rename drop", "reasoning_tokens": "drop",
	},
	"anvil/speech-schedule": {"duration_seconds": "x1000 /1000", "cold_requests": "x1000", "repetition": "x1000"},
	"anvil/voice-turns":     {"tts_output_bytes": "x1000 /1000"},
}

// mostFile bounds the files that are tried; every change reads the whole file again.
const mostFile = 150 << 10

// TestMutationsOfRealShapes changes members of real files, one file for each shape, and
// asks that no comparable figure comes out unchanged with another source.
func TestMutationsOfRealShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files some thousand times")
	}
	for shape, v := range realShapes(t) {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			id, _, _ := strings.Cut(shape, " ")
			tried := 0
			eachChange(v, func(way []int, p evidence.Pointer, last string) {
				for _, c := range changes {
					if ways, ok := held[id][last]; ok && (ways == "*" || strings.Contains(" "+ways+" ", " "+c.name+" ")) {
						continue
					}
					w, parent := copyTo(v, way[:len(way)-1])
					if !c.apply(parent, way[len(way)-1]) {
						continue
					}
					if tried++; maps.Equal(reading(v), reading(w)) {
						t.Errorf("%s of %s goes by unseen", c.name, p)
					}
				}
			})
			t.Logf("%d changes", tried)
		})
	}
}

// realShapes are one small file for each shape of the held readers.
func realShapes(t *testing.T) map[string]*jsondoc.Node {
	t.Helper()
	root := corpus(t)
	out, size := map[string]*jsondoc.Node{}, map[string]int{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".json") {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil || len(data) > mostFile {
			return err
		}
		v := jsondoc.Parse(data, jsondoc.Limits{}).Root()
		r, shape := matching(v)
		if r == nil || held[r.ID()] == nil {
			return nil
		}
		key := r.ID() + " " + shape
		// Of the smallest files many have little in them; the first that is not tiny counts.
		if have, ok := size[key]; !ok || have < 2000 && len(data) > have {
			out[key], size[key] = v, len(data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatal("no shape")
	}
	return out
}

func matching(v *jsondoc.Node) (ingest.Reader, string) {
	if v == nil {
		return nil, ""
	}
	label := v.Get("schema").Str()
	if label == "" {
		label = v.Get("schema_version").Str()
	}
	for _, r := range ingest.Registered() {
		if s, ok := r.Match(label, v); ok {
			return r, s
		}
	}
	return nil, ""
}

// eachChange visits the numbers of a value: the first two of each member name pattern.
func eachChange(v *jsondoc.Node, visit func(way []int, p evidence.Pointer, last string)) {
	count := map[string]int{}
	var walk func(n *jsondoc.Node, p evidence.Pointer, pattern, last string, way []int)
	walk = func(n *jsondoc.Node, p evidence.Pointer, pattern, last string, way []int) {
		for i, c := range n.Children {
			q, pat, name := p.Index(i), pattern+"/*", last
			if n.Kind == jsondoc.Object {
				q, pat, name = p.Key(n.Names[i]), pattern+"/"+n.Names[i], n.Names[i]
			}
			here := append(way[:len(way):len(way)], i)
			walk(c, q, pat, name, here)
			if c.Kind == jsondoc.Number {
				if count[pat]++; count[pat] <= 2 {
					visit(here, q, name)
				}
			}
		}
	}
	walk(v, "", "", "", nil)
}

// copyTo copies a value along a way, the rest is shared.
func copyTo(v *jsondoc.Node, way []int) (top, parent *jsondoc.Node) {
	c := *v
	c.Names, c.Children = append([]string(nil), v.Names...), append([]*jsondoc.Node(nil), v.Children...)
	if len(way) == 0 {
		return &c, &c
	}
	c.Children[way[0]], parent = copyTo(v.Children[way[0]], way[1:])
	return &c, parent
}

// reading is what a change must show in: findings, facts, and which figures and samples
// there are. The value of a figure does not count.
func reading(v *jsondoc.Node) map[string]int {
	s := map[string]int{}
	r, shape := matching(v)
	if r == nil {
		return s
	}
	d := r.Read(v, "", shape)
	s["reader "+r.ID()+" "+shape]++
	for _, f := range d.Findings {
		s["finding "+f.Code+" "+string(f.Pointer)]++
	}
	facts := func(scope string, fs []evidence.Fact) {
		for _, f := range fs {
			s[scope+string(f.Key)+"="+f.Value+" "+string(f.State)]++
		}
	}
	facts("document ", d.Facts)
	for _, g := range d.Gates {
		s["gate "+g.Name+" "+string(g.Status)+" "+g.Detail]++
	}
	for _, n := range d.Decisions {
		s["decision "+n.Key+n.Value]++
	}
	for i := range d.Arms {
		facts("arm ", d.Arms[i].Facts)
		for j := range d.Arms[i].Runs {
			run := &d.Arms[i].Runs[j]
			s["run "+run.Name+" "+string(run.Status)]++
			facts("run ", run.Facts)
			for _, m := range run.Measurements {
				s["figure "+string(m.Metric)+" "+string(m.Stat)+" "+string(m.State)+" "+string(m.Place.Pointer)]++
			}
			for _, x := range run.Samples {
				s["sample "+strconv.FormatInt(x.Index, 10)+strconv.FormatBool(x.OK)+x.Failure]++
			}
		}
	}
	return s
}
