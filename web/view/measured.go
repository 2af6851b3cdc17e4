package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"assay/store/evidence"
)

// MeasuredFamily is the family of runs that our own runner wrote.
const MeasuredFamily = "assay"

// Measured is how a run was measured, as the artifact of our own runner tells it: what no
// other tool writes down.
type Measured struct {
	Groups   []MeasuredGroup
	Gates    []MeasuredGate
	Counters []MeasuredCounter
	More     int // counters that are not listed
	Strips   []StripPlot
	Unread   string // why nothing is read; the artifact's own page has it
}

// MeasuredGroup is a list of what is known under one head.
type MeasuredGroup struct {
	Title string
	Note  *Badge // in short, where there is a verdict on it
	Rows  []MeasuredRow
}

// MeasuredRow is one thing with its place.
type MeasuredRow struct {
	Title string
	Value Linked
	Gap   bool // it is absent, and the text says why
}

// MeasuredGate is a functional check of the run.
type MeasuredGate struct {
	Name   string
	State  Badge
	Detail Linked
}

// MeasuredCounter is one of the engine's own counters.
type MeasuredCounter struct {
	Name                string
	Before, After, Peak Figure
}

// StripPlot is one quantity of the cards over the run.
type StripPlot struct {
	Title, Unit string
	Lines       []StripLine
	From, To    float64 // of the measured window, seconds
	Href        string
}

// StripLine is one card.
type StripLine struct {
	Name   string
	X      []float64 // seconds after the start of the run
	Y      []*float64
	Places string
}

// measuredDoc is what the page reads of an artifact; requests and figures are in the archive.
type measuredDoc struct {
	Started  string `json:"started"`
	Finished string `json:"finished"`
	Repeat   int64  `json:"repeat"`
	Repeats  int64  `json:"repeats"`
	Workload struct {
		Name     string `json:"name"`
		Endpoint string `json:"endpoint"`
		API      string `json:"api"`
		Loop     string `json:"loop"`
		Arrivals string `json:"arrivals"`
		Prompts  string `json:"prompts_sha256"`
	} `json:"workload"`
	Windows []struct {
		Name  string `json:"name"`
		Start int64  `json:"start_ns"`
		End   int64  `json:"end_ns"`
	} `json:"windows"`
	Gates []struct {
		Name   string `json:"name"`
		Status string `json:"status"`
		Detail string `json:"detail"`
	} `json:"gates"`
	Client struct {
		Version     string `json:"version"`
		Go          string `json:"go"`
		Connections string `json:"connections"`
		Health      struct {
			Drops     int64          `json:"drops"`
			Offered   *float64       `json:"offered_per_second"`
			Achieved  *float64       `json:"achieved_per_second"`
			SendLag   measuredSpread `json:"send_lag_seconds"`
			CPU       *float64       `json:"cpu_cores"`
			CPUs      int64          `json:"cpu_count"`
			GC        measuredSpread `json:"gc_pause_seconds"`
			Scheduler measuredSpread `json:"scheduler_latency_seconds"`
			Saturated bool           `json:"saturated"`
			Reasons   []string       `json:"reasons"`
		} `json:"health"`
		Calibration *struct {
			At       string         `json:"at"`
			Requests *float64       `json:"requests_per_second"`
			Streams  *int64         `json:"open_streams"`
			Chunks   *float64       `json:"chunks_per_second"`
			Timing   measuredSpread `json:"timing_error_seconds"`
		} `json:"calibration"`
	} `json:"client"`
	Engine *struct {
		Name    string             `json:"name"`
		Version string             `json:"version"`
		Args    []string           `json:"arguments"`
		Models  []string           `json:"served_models"`
		Before  map[string]float64 `json:"metrics_before"`
		After   map[string]float64 `json:"metrics_after"`
		Peaks   map[string]float64 `json:"metrics_peak"`
	} `json:"engine"`
	Cards *struct {
		Available bool           `json:"available"`
		Why       string         `json:"why_not"`
		Driver    string         `json:"driver"`
		Period    int64          `json:"period_ns"`
		Gaps      measuredSpread `json:"gap_seconds"`
		CPU       *float64       `json:"sampler_cpu_cores"`
		Cards     []measuredCard `json:"cards"`
	} `json:"telemetry"`
	Host *struct {
		Kernel      string   `json:"kernel"`
		OS          string   `json:"os"`
		Environment string   `json:"environment"`
		CPU         string   `json:"cpu"`
		CPUs        int64    `json:"cpu_count"`
		Memory      *int64   `json:"memory_bytes"`
		Free        *int64   `json:"memory_available_min_bytes"`
		Pressure    *float64 `json:"memory_pressure_some_ratio"`
		Load        *float64 `json:"load_average_1m"`
		Others      string   `json:"other_load"`
	} `json:"host"`
	Sidecars []struct {
		Name   string `json:"name"`
		SHA256 string `json:"sha256"`
		Size   int64  `json:"size"`
		Holds  string `json:"holds"`
	} `json:"sidecars"`
	Command []string `json:"command"`
}

type measuredSpread struct {
	N   int64    `json:"n"`
	P50 *float64 `json:"p50"`
	P99 *float64 `json:"p99"`
	Max *float64 `json:"max"`
}

type measuredCard struct {
	UUID         string   `json:"uuid"`
	Name         string   `json:"name"`
	Architecture string   `json:"architecture"`
	Limit        *float64 `json:"power_limit_watts"`
	Measured     bool     `json:"measured"`
	Lost         string   `json:"lost"`
	Energy       *float64 `json:"energy_joules"`
	Counter      *float64 `json:"energy_counter_joules"`
	Throttled    []string `json:"throttle_reasons"`
	Processes    []string `json:"other_processes"`
	Free         *int64   `json:"memory_free_min_bytes"`
	Used         *int64   `json:"memory_used_max_bytes"`
	Series       struct {
		At          []int64    `json:"at_ns"`
		Power       []*float64 `json:"power_watts"`
		Clock       []*float64 `json:"sm_clock_hertz"`
		Temperature []*float64 `json:"temperature_celsius"`
		Utilisation []*float64 `json:"utilisation_ratio"`
	} `json:"series"`
}

// Bounds of what a page shows.
const (
	mostMeasuredRows     = 60
	mostMeasuredCounters = 80
	mostMeasuredCards    = 16
)

// ReadMeasured reads the parts of an artifact that say how it was measured.
func ReadMeasured(data []byte, d evidence.Digest) (*Measured, error) {
	var doc measuredDoc
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("how it was measured: %w", err)
	}
	m := &measuring{doc: &doc, digest: d}
	m.session()
	m.client()
	m.machine()
	m.engine()
	m.cards()
	m.files()
	m.gates()
	return &m.Measured, nil
}

// measuring builds the parts one after the other.
type measuring struct {
	Measured
	doc    *measuredDoc
	digest evidence.Digest
	group  MeasuredGroup
}

func (m *measuring) begin(title string) { m.group = MeasuredGroup{Title: title} }

func (m *measuring) end() {
	if len(m.group.Rows) > 0 {
		m.Groups = append(m.Groups, m.group)
	}
}

func (m *measuring) row(title, pointer, text string) {
	if text == "" || len(m.group.Rows) == mostMeasuredRows {
		return
	}
	m.group.Rows = append(m.group.Rows, MeasuredRow{Title: title, Value: m.link(text, pointer)})
}

// gap says that something is absent, and why.
func (m *measuring) gap(title, pointer, why string) {
	if len(m.group.Rows) < mostMeasuredRows {
		m.group.Rows = append(m.group.Rows, MeasuredRow{Title: title, Value: m.link(why, pointer), Gap: true})
	}
}

func (m *measuring) link(text, pointer string) Linked {
	return Quote(text, maxSentence, m.digest, evidence.At(evidence.Pointer(pointer)))
}

func (m *measuring) number(title, pointer string, unit evidence.Unit, v *float64) {
	if v != nil {
		m.row(title, pointer, Reading(unit, *v))
	}
}

func (m *measuring) bytes(title, pointer string, v *int64) {
	if v != nil {
		m.row(title, pointer, Size(*v))
	}
}

func (m *measuring) spread(title, pointer string, s *measuredSpread) {
	if s.N == 0 || s.P50 == nil || s.P99 == nil || s.Max == nil {
		return
	}
	m.row(title, pointer, fmt.Sprintf("p50 %s, p99 %s, most %s (n %s)", Reading(evidence.Seconds, *s.P50), Reading(evidence.Seconds, *s.P99), Reading(evidence.Seconds, *s.Max), Int(s.N)))
}

// cores are busy cores; they have no unit in the registry.
func cores(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.2f", *v)
}

func (m *measuring) session() {
	doc := m.doc
	m.begin("Session")
	m.row("workload", "/workload/name", doc.Workload.Name)
	m.row("endpoint", "/workload/endpoint", doc.Workload.Endpoint)
	loop := doc.Workload.Loop + " loop"
	if doc.Workload.Arrivals != "" {
		loop += ", " + doc.Workload.Arrivals
	}
	m.row("requests sent", "/workload/loop", loop+", "+doc.Workload.API)
	m.row("repeat", "/repeat", fmt.Sprintf("%s of %s", Int(doc.Repeat), Int(doc.Repeats)))
	for i, w := range doc.Windows {
		if i == 8 {
			break
		}
		m.row(plain(w.Name, maxName), fmt.Sprintf("/windows/%d", i), fmt.Sprintf("%s, from %s on", Reading(evidence.Seconds, float64(w.End-w.Start)/1e9), Reading(evidence.Seconds, float64(w.Start)/1e9)))
	}
	if p := doc.Workload.Prompts; p != "" {
		m.row("prompts", "/workload/prompts_sha256", fmt.Sprintf("sha256:%.12s… of all in order", p))
	}
	m.row("command", "/command", strings.Join(doc.Command, " "))
	m.end()
}

func (m *measuring) client() {
	c := &m.doc.Client
	h := &c.Health
	m.begin("Client")
	m.group.Note = &Badge{Kind: "ok", Glyph: "ok", Word: "no part of what it measured"}
	if h.Saturated {
		m.group.Note = &Badge{Kind: "caveat", Glyph: "caveat", Word: "part of what it measured"}
	}
	for i, r := range h.Reasons {
		m.row("because", fmt.Sprintf("/client/health/reasons/%d", i), r)
	}
	m.row("never sent", "/client/health/drops", Int(h.Drops)+" requests")
	m.number("offered", "/client/health/offered_per_second", evidence.RequestsPerSec, h.Offered)
	m.number("sent", "/client/health/achieved_per_second", evidence.RequestsPerSec, h.Achieved)
	m.spread("sent late by", "/client/health/send_lag_seconds", &h.SendLag)
	if busy := cores(h.CPU); busy != "" {
		m.row("busy cores", "/client/health/cpu_cores", busy+" of "+Int(h.CPUs))
	}
	m.spread("garbage collector stops", "/client/health/gc_pause_seconds", &h.GC)
	m.spread("waits for a core", "/client/health/scheduler_latency_seconds", &h.Scheduler)
	m.row("connections", "/client/connections", c.Connections)
	m.row("version", "/client/version", strings.TrimSpace(c.Version+" "+c.Go))
	if k := c.Calibration; k == nil {
		m.gap("calibration", "/client/calibration", "nobody measured what this client can do on this machine")
	} else {
		m.number("can do, short requests", "/client/calibration/requests_per_second", evidence.RequestsPerSec, k.Requests)
		m.number("can do, chunks", "/client/calibration/chunks_per_second", evidence.ChunksPerSecond, k.Chunks)
		if k.Streams != nil {
			m.row("with open streams", "/client/calibration/open_streams", Int(*k.Streams))
		}
		m.spread("timing error", "/client/calibration/timing_error_seconds", &k.Timing)
	}
	m.end()
}

func (m *measuring) machine() {
	h := m.doc.Host
	if h == nil {
		return
	}
	m.begin("Machine of the client")
	m.row("system", "/host/kernel", strings.TrimSpace(h.OS+" "+h.Kernel+", "+h.Environment))
	m.row("processor", "/host/cpu", fmt.Sprintf("%s, %s cores", h.CPU, Int(h.CPUs)))
	m.bytes("memory", "/host/memory_bytes", h.Memory)
	m.bytes("least available", "/host/memory_available_min_bytes", h.Free)
	m.number("waiting for memory", "/host/memory_pressure_some_ratio", evidence.Ratio, h.Pressure)
	m.row("load over a minute", "/host/load_average_1m", cores(h.Load))
	m.row("also at work", "/host/other_load", h.Others)
	m.end()
}

func (m *measuring) engine() {
	e := m.doc.Engine
	if e == nil {
		return
	}
	m.begin("Engine")
	m.row("says that it is", "/engine/name", strings.TrimSpace(e.Name+" "+e.Version))
	m.row("serves", "/engine/served_models", strings.Join(e.Models, ", "))
	if len(e.Args) > 0 {
		m.row("arguments", "/engine/arguments", strings.Join(e.Args, " "))
	} else {
		m.gap("arguments", "/engine/arguments", "not read")
	}
	m.end()
	names := slices.Sorted(maps.Keys(e.After))
	for _, name := range names {
		if len(m.Counters) == mostMeasuredCounters {
			m.More = len(names) - len(m.Counters)
			break
		}
		cell := func(list map[string]float64, at string) Figure {
			v, ok := list[name]
			if !ok {
				return Figure{Text: "–"}
			}
			p := evidence.Pointer("/engine/" + at).Key(name)
			return Fig(group(evidence.FormatDecimal(v)), m.digest, evidence.At(p))
		}
		m.Counters = append(m.Counters, MeasuredCounter{Name: plain(name, maxName), Before: cell(e.Before, "metrics_before"), After: cell(e.After, "metrics_after"), Peak: cell(e.Peaks, "metrics_peak")})
	}
}

func (m *measuring) files() {
	m.begin("Raw samples beside the artifact")
	for i, s := range m.doc.Sidecars {
		m.row(plain(s.Holds, maxSentence), fmt.Sprintf("/sidecars/%d", i), fmt.Sprintf("%s, %s, sha256:%.12s…", s.Name, Size(s.Size), s.SHA256))
	}
	m.end()
}

func (m *measuring) gates() {
	for i, g := range m.doc.Gates {
		if i == mostMeasuredRows {
			break
		}
		at := fmt.Sprintf("/gates/%d", i)
		state := gateBadge(evidence.ReadGateStatus(g.Status))
		state.Word = plain(g.Status, maxName) // "not run" says more than that it is missing
		m.Gates = append(m.Gates, MeasuredGate{Name: plain(g.Name, maxName), State: state, Detail: m.link(g.Detail, at+"/detail")})
	}
}
