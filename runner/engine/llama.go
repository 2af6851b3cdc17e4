package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"assay/store/evidence"
)

// llamaShort are the short names of llama-server's flags, and its second names.
var llamaShort = map[string]string{
	"m": "model", "a": "alias", "c": "ctx-size", "np": "parallel", "t": "threads", "tb": "threads-batch", "b": "batch-size", "ub": "ubatch-size",
	"ctk": "cache-type-k", "ctv": "cache-type-v", "fa": "flash-attn", "ngl": "gpu-layers", "n-gpu-layers": "gpu-layers", "sm": "split-mode",
	"ts": "tensor-split", "mg": "main-gpu", "md": "model-draft", "draft-model": "model-draft", "ngld": "gpu-layers-draft", "draft": "draft-max",
	"draft-n": "draft-max", "ctkd": "cache-type-k-draft", "ctvd": "cache-type-v-draft", "dev": "device", "lv": "log-verbosity", "verbosity": "log-verbosity",
	"v": "verbose", "to": "timeout", "mu": "model-url", "hf": "hf-repo", "hff": "hf-file", "mm": "mmproj", "n": "predict", "n-predict": "predict",
}

const byFlag = "argument --%s of the listening process"

// llama reads what llama.cpp's server says.
func (p *probe) llama() {
	p.id.Name = LlamaCPP
	props := p.ask(p.ctx, "/props")
	const asked = "asked of /props"
	p.set(evidence.KeyEngine, LlamaCPP, "the endpoint answers as llama.cpp's server does")
	p.version(props.text("build_info"), asked)
	p.set(evidence.KeyQuantisation, props.text("model_ftype"), asked)
	p.context(props.text("default_generation_settings", "n_ctx"), asked+", of one slot")
	p.set(evidence.KeyMaxSequences, props.text("total_slots"), asked)
	file := filepath.Base(props.text("model_path"))
	if file == "." {
		file = ""
	}
	p.set(evidence.KeyModelArtifact, file, asked)
	p.derive(evidence.KeyModel, strings.TrimSuffix(file, ".gguf"), "the name of the model's file")
	p.derive(evidence.KeyCheckpoint, file, "the name of the model's file")
	p.lack("a GGUF file carries no revision; its digest identifies it where it could be read", evidence.KeyModelRevision)
	p.lack("llama.cpp has no such setting", evidence.KeyMemoryFraction)
	p.derive(evidence.KeyDP, "1", "llama.cpp serves from one process")
	spec := props.text("default_generation_settings", "params", "speculative.types")
	if p.exe.engine != LlamaCPP {
		if spec == "none" {
			p.set(evidence.KeySpecMethod, "none", asked)
			p.derive(evidence.KeyMTPDepth, "0", "no speculation")
		}
		return
	}
	f := parse(behind(p.exe.args, "llama-server"), llamaShort)
	p.llamaModel(&f, file)
	p.llamaCache(&f)
	p.llamaSplit(&f)
	p.llamaDraft(&f, spec)
	if v, ok := f.get("no-cache-prompt"); ok && v == "true" {
		p.set(evidence.KeyPrefixCache, "false", fmt.Sprintf(byFlag, "no-cache-prompt"))
	}
	p.derive(evidence.KeyPrefixCache, "true", "default of llama.cpp")
	f.drop("host", "port", "alias", "ctx-size", "parallel", "log-verbosity", "verbose", "log-file", "log-disable", "log-colors", "log-prefix", "log-timestamps",
		"metrics", "no-webui", "webui", "slots", "props", "api-key-file", "ssl-key-file", "ssl-cert-file", "timeout", "cache-prompt", "slot-save-path", "offline")
	p.set(evidence.KeyEngineOptions, f.options(), "further arguments of the listening process")
}

// mostHashed is the largest model file whose digest is made at the start of a session.
const mostHashed = 4 << 30

func (p *probe) llamaModel(f *flags, file string) {
	path, ok := f.get("model")
	if !ok || path == "" || filepath.Base(path) != file {
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join("/proc", fmt.Sprint(p.exe.pid), "cwd", path)
	}
	digest, err := hashFile(p.ctx, path)
	if err != nil {
		p.lack("the model's file was not hashed: "+plain(err.Error()), evidence.KeyModelDigest)
		return
	}
	p.set(evidence.KeyModelDigest, digest, "SHA-256 of the file that the listening process was given")
}

func hashFile(ctx context.Context, path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%s cannot be read", filepath.Base(path))
	}
	if !info.Mode().IsRegular() || info.Size() > mostHashed {
		return "", fmt.Errorf("%s has %d bytes, more than the %d that are hashed", filepath.Base(path), info.Size(), int64(mostHashed))
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s cannot be read", filepath.Base(path))
	}
	defer f.Close()
	h := sha256.New()
	for {
		if _, err = io.CopyN(h, f, 16<<20); err != nil || ctx.Err() != nil {
			break
		}
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != io.EOF {
		return "", fmt.Errorf("%s cannot be read", filepath.Base(path))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (p *probe) llamaCache(f *flags) {
	k, okK := f.get("cache-type-k")
	v, okV := f.get("cache-type-v")
	switch {
	case !okK && !okV:
		p.derive(evidence.KeyKVDtype, "f16", "default of llama.cpp")
	default:
		if !okK {
			k = "f16"
		}
		if !okV {
			v = "f16"
		}
		if k != v {
			k += "/" + v
		}
		p.set(evidence.KeyKVDtype, k, fmt.Sprintf(byFlag, "cache-type-k")+" and -v")
	}
}

func (p *probe) llamaSplit(f *flags) {
	mode, ok := f.value["split-mode"]
	switch {
	case !ok || mode == "layer" || mode == "none":
		p.derive(evidence.KeyTP, "1", "layers are not split across cards in this mode")
	default:
		p.lack("rows are split across cards; across how many is not told", evidence.KeyTP)
	}
}

// llamaDraft: a draft model, or what the engine itself says.
func (p *probe) llamaDraft(f *flags, spec string) {
	draft, ok := f.get("model-draft")
	depth, deep := f.get("draft-max")
	kind, typed := f.get("spec-type")
	switch {
	case ok:
		p.set(evidence.KeySpecMethod, "draft", fmt.Sprintf(byFlag, "model-draft"))
		p.set(evidence.KeyDraftModel, filepath.Base(draft), fmt.Sprintf(byFlag, "model-draft"))
	case typed && kind != "none":
		p.set(evidence.KeySpecMethod, kind, fmt.Sprintf(byFlag, "spec-type"))
	case spec == "none" || spec == "":
		how := "asked of /props"
		if spec == "" {
			how = "no draft model among the arguments of the listening process"
		}
		p.set(evidence.KeySpecMethod, "none", how)
	default:
		p.set(evidence.KeySpecMethod, spec, "asked of /props")
	}
	if deep && p.id.Facts.Get(evidence.KeySpecMethod) != "none" {
		p.set(evidence.KeyDraftDepth, depth, fmt.Sprintf(byFlag, "draft-max"))
	}
	p.derive(evidence.KeyMTPDepth, "0", "llama.cpp speculates with a draft, not with heads of the model")
}
