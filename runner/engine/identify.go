package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"assay/ingest/artifact"
	"assay/runner/load"
	"assay/store/evidence"
)

// Names of the engines that are known.
const (
	LlamaCPP = "llama.cpp"
	VLLM     = "vllm"
	SGLang   = "sglang"
	Ollama   = "ollama"
)

// Identity is who serves.
type Identity struct {
	Name, Version string
	Args          []string // of the listening process, secrets left out
	Models        []string // as the endpoint lists them; nil: it does not
	Context       evidence.Opt[int64]
	PID           int  // of the listening process on this machine; 0: not known
	Local         bool // the endpoint is on this machine
	Facts         artifact.Facts
	Limits        []string // what could not be asked
}

const mostModels = 256

// probe is an endpoint being asked.
type probe struct {
	*client
	ctx   context.Context
	id    *Identity
	model string
	entry object // of the model in the list
	owner string
	exe   process
}

// Identify asks an endpoint who it is. An error means that it cannot be reached, refuses to
// talk, or does not serve the model.
func Identify(ctx context.Context, t load.Target, model string) (*Identity, error) {
	c, err := newClient(t)
	if err != nil {
		return nil, err
	}
	p := &probe{client: c, ctx: ctx, model: model, id: &Identity{Facts: artifact.Facts{}}}
	if err := p.models(t.Endpoint); err != nil {
		return nil, err
	}
	p.local(t.Endpoint)
	switch p.kind() {
	case LlamaCPP:
		p.llama()
	case VLLM:
		p.vllm()
	case SGLang:
		p.sglang()
	case Ollama:
		p.id.Name = Ollama
		p.set(evidence.KeyEngine, Ollama, "asked of /api/version")
		p.version(p.ask(ctx, "/api/version").text("version"), "asked of /api/version")
	default:
		p.id.Limits = append(p.id.Limits, "The engine is none of those that can be asked about themselves: its settings are not known.")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	p.common(t)
	p.rest()
	return p.id, nil
}

// models reads the list that every such endpoint should have.
func (p *probe) models(endpoint string) error {
	a, err := p.get(p.ctx, "/v1/models")
	if err != nil {
		return unreachable(endpoint, err)
	}
	switch {
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		return fmt.Errorf("endpoint %s refuses to talk (HTTP %d): is the API key right?", endpoint, a.status)
	case !a.ok():
		p.id.Limits = append(p.id.Limits, fmt.Sprintf("The endpoint does not list its models (HTTP %d).", a.status))
		return nil
	}
	var list struct{ Data []object }
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber()
	if d.Decode(&list) != nil || len(list.Data) == 0 {
		p.id.Limits = append(p.id.Limits, "The endpoint's list of models cannot be read.")
		return nil
	}
	for _, m := range list.Data[:min(len(list.Data), mostModels)] {
		name := m.text("id")
		if name == "" {
			continue
		}
		p.id.Models = append(p.id.Models, name)
		if name == p.model || p.model == "" && p.entry == nil {
			p.entry = m
		}
	}
	if p.model != "" && len(p.id.Models) > 0 && p.entry == nil {
		return fmt.Errorf("endpoint %s does not serve %q; it serves %q", endpoint, p.model, p.id.Models)
	}
	p.owner = strings.ToLower(p.entry.text("owned_by"))
	return nil
}

// kind finds out which engine it is.
func (p *probe) kind() string {
	switch {
	case p.owner == "llamacpp", p.ask(p.ctx, "/props").text("build_info") != "":
		return LlamaCPP
	case p.owner == VLLM:
		return VLLM
	case p.owner == SGLang, p.serverInfo() != nil:
		return SGLang
	}
	if s, err := p.scrape(p.ctx); err == nil {
		for name := range s {
			if strings.HasPrefix(name, "vllm:") {
				return VLLM
			}
		}
	}
	if p.ask(p.ctx, "/api/version").text("version") != "" {
		return Ollama
	}
	return p.exe.engine
}

func (p *probe) set(k evidence.FactKey, value, how string) {
	if value != "" && p.id.Facts.Get(k) == "" {
		p.id.Facts.Set(k, value, how)
	}
}

func (p *probe) derive(k evidence.FactKey, value, how string) {
	if value != "" && p.id.Facts.Get(k) == "" {
		p.id.Facts.Derive(k, value, how)
	}
}

func (p *probe) lack(why string, keys ...evidence.FactKey) {
	for _, k := range keys {
		if _, told := p.id.Facts[k]; !told {
			p.id.Facts.Lack(k, why)
		}
	}
}

func (p *probe) version(v, how string) {
	if v != "" {
		p.id.Version = v
		p.set(evidence.KeyEngineVersion, v, how)
	}
}

func (p *probe) context(text, how string) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
		p.id.Context = evidence.Some(n)
		p.set(evidence.KeyServedContext, text, how)
	}
}

// common are the facts that do not hang on the engine.
func (p *probe) common(t load.Target) {
	served := p.model
	if served == "" && len(p.id.Models) == 1 {
		served = p.id.Models[0]
	}
	p.set(evidence.KeyServedModel, served, "as requests name it")
	if len(p.id.Models) > 1 {
		p.set(evidence.KeyServedAliases, strings.Join(slices.Sorted(slices.Values(p.id.Models)), " "), "asked of /v1/models")
	}
	scope := "external"
	if p.id.Local || private(t.Endpoint) {
		scope = "local"
	}
	p.derive(evidence.KeyScope, scope, "the address of the endpoint")
	switch {
	case p.id.Name != "":
		p.derive(evidence.KeyPath, "direct", "the endpoint answers as the engine itself does")
	default:
		p.lack("the endpoint does not show whether a router stands in front of the engine", evidence.KeyPath)
	}
	switch {
	case p.exe.container != "":
		p.lack("the process runs in a container ("+p.exe.container+"); its image cannot be asked for from here", evidence.KeyImageDigest)
	case p.id.PID > 0:
		p.lack("the engine is a process, not a container", evidence.KeyImageDigest)
	}
}

// rest says of everything that a run must speak of why it is not known.
func (p *probe) rest() {
	why := "the engine does not tell it"
	switch {
	case p.id.Name == "":
		why = "the engine cannot be asked"
	case !p.id.Local:
		why += ", and its command line is on another machine"
	case p.id.PID == 0:
		why += ", and its process cannot be seen (" + p.exe.why + ")"
	}
	p.lack(why,
		evidence.KeyTP, evidence.KeyDP, evidence.KeyMTPDepth, evidence.KeySpecMethod, evidence.KeyModel, evidence.KeyModelRevision, evidence.KeyCheckpoint,
		evidence.KeyServedModel, evidence.KeyQuantisation, evidence.KeyKVDtype, evidence.KeyServedContext, evidence.KeyMaxSequences, evidence.KeyPrefixCache,
		evidence.KeyMemoryFraction, evidence.KeyEngine, evidence.KeyEngineVersion, evidence.KeyImageDigest)
	if p.id.PID == 0 && p.id.Local {
		p.id.Limits = append(p.id.Limits, "The engine's command line was not read: "+p.exe.why+".")
	}
}
