package ingest

import (
	"assay/ingest/aiperf"
	"assay/ingest/anvil"
	"assay/ingest/anvil/archived"
	"assay/ingest/anvil/bakeoff"
	"assay/ingest/anvil/capacity"
	"assay/ingest/anvil/multimodal"
	"assay/ingest/anvil/observation"
	"assay/ingest/anvil/paired"
	"assay/ingest/anvil/preflight"
	"assay/ingest/anvil/registry"
	"assay/ingest/anvil/speech"
	"assay/ingest/anvil/summary"
	"assay/ingest/assayrun"
	"assay/ingest/console"
	"assay/ingest/guidellm"
	"assay/ingest/inferenceperf"
	"assay/ingest/inferencex"
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/ingest/llamabench"
	"assay/ingest/llamabenchy"
	"assay/ingest/llmd"
	"assay/ingest/lmeval"
	"assay/ingest/manifest"
	"assay/ingest/mlperf"
	"assay/ingest/recipe"
	"assay/ingest/sglang"
	"assay/ingest/trtllm"
	"assay/ingest/vllm"
	"assay/store/evidence"
)

// Reader lifts documents of one family out of JSON values. A reader is a pure
// function of the value: it keeps no state and may run several times at once.
//
// A reader that is a [lift.SeriesReader] too gets the values of an artifact that holds
// several as one series.
type Reader interface {
	// ID names the reader, for example "anvil/decision-summary".
	ID() string
	// Version is raised whenever the same value would be read differently.
	Version() int
	// Match decides by label and shape, never by label alone. The shape's name is
	// recorded with the document.
	Match(label string, v *jsondoc.Node) (shapeID string, ok bool)
	// Read lifts what stands in v. Places are pointers under root.
	Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document
}

// TextReader lifts documents out of text that is not JSON. It is a pure function too.
type TextReader = lift.TextReader

// explainer is a reader that can say why a value with its label is not its own.
type explainer interface {
	Reason(label string, v *jsondoc.Node) string
}

// Registered are the readers of this build in the order they are asked: those that
// know a label byte for byte, then those that go by shape alone.
func Registered() []Reader {
	var out []Reader
	out = enlist(out, anvil.Readers())
	out = enlist(out, capacity.Readers())
	out = enlist(out, bakeoff.Readers())
	out = enlist(out, preflight.Readers())
	out = enlist(out, multimodal.Readers())
	out = enlist(out, speech.Readers())
	out = enlist(out, summary.Readers())
	out = enlist(out, paired.Readers())
	out = enlist(out, observation.Readers())
	out = enlist(out, registry.Readers())

	out = enlist(out, assayrun.Readers())
	out = enlist(out, vllm.Readers())
	out = enlist(out, sglang.Readers())
	out = enlist(out, aiperf.Readers())
	out = enlist(out, guidellm.Readers())
	out = enlist(out, llamabench.Readers())
	out = enlist(out, inferencex.Readers())
	out = enlist(out, inferenceperf.Readers())
	out = enlist(out, llmd.Readers())
	out = enlist(out, lmeval.Readers())
	out = enlist(out, lmeval.SamplesReaders())
	out = enlist(out, llamabenchy.Readers())
	out = enlist(out, trtllm.Readers())
	return enlist(out, archived.Readers()) // by shape alone, after all that know better
}

func enlist[R Reader](out []Reader, readers []R) []Reader {
	for _, r := range readers {
		out = append(out, r)
	}
	return out
}

// RegisteredText are the readers of text of this build in the order they are asked:
// those that know the first line, then those that look for a mark in the text.
func RegisteredText() []TextReader {
	var out []TextReader
	out = enlistText(out, llamabench.TextReaders())
	out = enlistText(out, aiperf.TextReaders())
	out = enlistText(out, llmd.TextReaders())
	out = enlistText(out, guidellm.TextReaders())
	out = enlistText(out, guidellm.CopyReaders())
	out = enlistText(out, vllm.TextReaders())
	out = enlistText(out, inferenceperf.TextReaders())
	out = enlistText(out, mlperf.TextReaders())
	out = enlistText(out, mlperf.DetailReaders())
	out = enlistText(out, manifest.TextReaders())
	out = enlistText(out, recipe.TextReaders())
	return enlistText(out, console.TextReaders())
}

func enlistText[R TextReader](out []TextReader, readers []R) []TextReader {
	for _, r := range readers {
		out = append(out, r)
	}
	return out
}
