package export

import (
	"time"

	"assay/store/evidence"
)

// The columns of each kind. Names and order are a contract with scripts: add at the
// end of the "More" lists, change nothing.

var measurementColumns = []column[evidence.MeasurementRow]{
	{Column{"campaign", Code, "campaign id"}, func(r *evidence.MeasurementRow) Cell { return Optional(r.Campaign) }},
	{Column{"arm", Prose, "name of the configuration under test"}, func(r *evidence.MeasurementRow) Cell { return Optional(r.Arm) }},
	{Column{"run", Code, "run id: artifact prefix and ordinal"}, func(r *evidence.MeasurementRow) Cell { return Optional(r.Run) }},
	{Column{"metric", Code, "id in the metric registry (assay metrics)"}, func(r *evidence.MeasurementRow) Cell { return Text(r.Metric) }},
	{Column{"stat", Code, "statistic: total, mean, p50, p95, p99, min, max, single (one observation), other percentiles as p90 or p99.9, std (standard deviation)"}, func(r *evidence.MeasurementRow) Cell { return Text(r.Stat) }},
	{Column{"method", Code, "percentile method; absent where no source says"}, func(r *evidence.MeasurementRow) Cell { return Optional(r.Method) }},
	{Column{"value", Figure, "in the unit column's base unit; absent for an interval"}, func(r *evidence.MeasurementRow) Cell { return Value(r.Value) }},
	{Column{"lower", Figure, "lower bound of an interval, same unit"}, func(r *evidence.MeasurementRow) Cell { return Value(r.Lower) }},
	{Column{"upper", Figure, "upper bound of an interval, same unit"}, func(r *evidence.MeasurementRow) Cell { return Value(r.Upper) }},
	{Column{"unit", Code, "base unit: s, tokens, tokens/s, bytes, J, W, ratio, ..."}, func(r *evidence.MeasurementRow) Cell { return Text(r.Unit) }},
	{Column{"n", Figure, "observations behind the figure; absent where no source says"}, func(r *evidence.MeasurementRow) Cell { return Count(r.N) }},
	{Column{"state", Code, "recorded or derived"}, func(r *evidence.MeasurementRow) Cell { return Text(r.State) }},
	{Column{"source_text", Code, "the digits as they stand in the artifact"}, func(r *evidence.MeasurementRow) Cell { return Text(r.SourceText) }},
	{Column{"source_unit", Code, "the unit of source_text"}, func(r *evidence.MeasurementRow) Cell { return Optional(r.SourceUnit) }},
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.MeasurementRow) Cell { return Text(r.Artifact.String()) }},
	{Column{"pointer", Code, "JSON Pointer to the place in the artifact"}, func(r *evidence.MeasurementRow) Cell { return Text(r.Place.Pointer) }},
	{Column{"reader", Code, "reader and its version"}, func(r *evidence.MeasurementRow) Cell { return Text(r.Reader) }},
}

var measurementMore = []column[evidence.MeasurementRow]{
	{Column{"role", Code, "primary; restated (the same figure again, rounded); claim (a published delta)"}, func(r *evidence.MeasurementRow) Cell { return Text(r.Role) }},
	{Column{"rule", Code, "the rule behind a derived figure"}, func(r *evidence.MeasurementRow) Cell { return Optional(r.Rule) }},
	{Column{"start", Figure, "first byte in the string at pointer, where the figure is part of one"}, func(r *evidence.MeasurementRow) Cell { return startOf(r.Place) }},
	{Column{"end", Figure, "byte after the last one"}, func(r *evidence.MeasurementRow) Cell { return endOf(r.Place) }},
	{Column{"also", Code, "further pointers that belong to the figure"}, func(r *evidence.MeasurementRow) Cell { return places(r.Also) }},
}

var factColumns = []column[evidence.FactRow]{
	{Column{"campaign", Code, "campaign id"}, func(r *evidence.FactRow) Cell { return Optional(r.Campaign) }},
	{Column{"arm", Prose, "arm; absent for a fact of the whole document"}, func(r *evidence.FactRow) Cell { return Optional(r.Arm) }},
	{Column{"run", Code, "run id; absent for a fact of an arm or document"}, func(r *evidence.FactRow) Cell { return Optional(r.Run) }},
	{Column{"key", Code, "fact key"}, func(r *evidence.FactRow) Cell { return Text(r.Key) }},
	{Column{"class", Code, "shape, protocol, hardware, identity, environment, provenance, outcome"}, func(r *evidence.FactRow) Cell { return Text(evidence.LookupKey(r.Key).Class) }},
	{Column{"value", Prose, "canonical text, numbers in base units; absent when the state is absent"}, factValue},
	{Column{"state", Code, "recorded, derived, declared, conflict or absent"}, func(r *evidence.FactRow) Cell { return Text(r.State) }},
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.FactRow) Cell { return Text(r.Artifact.String()) }},
	{Column{"pointer", Code, "JSON Pointer to the place in the artifact"}, func(r *evidence.FactRow) Cell { return Text(r.Place.Pointer) }},
	{Column{"rule_or_author", Code, "rule of a derived fact, author of a declared one"}, func(r *evidence.FactRow) Cell { return Optional(r.Rule) }},
}

var factMore = []column[evidence.FactRow]{
	{Column{"unit", Code, "base unit of the value; absent for text"}, func(r *evidence.FactRow) Cell { return Optional(evidence.LookupKey(r.Key).Unit) }},
	{Column{"source_text", Prose, "what stands at the place"}, func(r *evidence.FactRow) Cell { return Optional(r.SourceText) }},
	{Column{"start", Figure, "first byte in the string at pointer, where the fact is part of one"}, func(r *evidence.FactRow) Cell { return startOf(r.Place) }},
	{Column{"end", Figure, "byte after the last one"}, func(r *evidence.FactRow) Cell { return endOf(r.Place) }},
	{Column{"reader", Code, "reader and its version"}, func(r *evidence.FactRow) Cell { return Text(r.Reader) }},
	{Column{"meaning", Prose, "what people say the value means; absent where it is its own meaning"}, func(r *evidence.FactRow) Cell { return Optional(r.Meaning) }},
	{Column{"other", Prose, "what else is said of the key: the other sides of a conflict"}, others},
	{Column{"repair", Figure, "number of the repair that declares the fact"}, func(r *evidence.FactRow) Cell { return numberOf(r.Repair) }},
}

var runColumns = []column[evidence.RunRow]{
	{Column{"campaign", Code, "campaign id"}, func(r *evidence.RunRow) Cell { return Optional(r.Campaign) }},
	{Column{"arm", Prose, "name of the configuration under test"}, func(r *evidence.RunRow) Cell { return Optional(r.Arm) }},
	{Column{"run", Code, "run id: artifact prefix and ordinal"}, func(r *evidence.RunRow) Cell { return Text(r.ID) }},
	{Column{"family", Code, "family of the artifact's format"}, func(r *evidence.RunRow) Cell { return Optional(r.Family) }},
	{Column{"protocol", Code, "measurement protocol; absent where not recorded"}, fact(evidence.KeyProtocol)},
	{Column{"requests", Figure, "requests sent"}, fact(evidence.KeyRequests)},
	{Column{"completed", Figure, "requests completed"}, fact(evidence.KeyCompleted)},
	{Column{"concurrency", Figure, "concurrent requests per replica"}, fact(evidence.KeyConcurrency)},
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.RunRow) Cell { return Text(r.Artifact.String()) }},
	{Column{"pointer", Code, "JSON Pointer to the row, block or sentence of the run"}, func(r *evidence.RunRow) Cell { return Text(r.Place.Pointer) }},
}

var runMore = []column[evidence.RunRow]{
	{Column{"name", Prose, "name of the run"}, func(r *evidence.RunRow) Cell { return Optional(r.Name) }},
	{Column{"class", Code, "workload class"}, func(r *evidence.RunRow) Cell { return Optional(r.Class) }},
	{Column{"status", Code, "measured, failed, not-run or external"}, func(r *evidence.RunRow) Cell { return Text(r.Status) }},
	{Column{"rejected", Prose, "the source's reason for rejecting the arm, verbatim"}, func(r *evidence.RunRow) Cell { return Optional(r.Rejected) }},
	{Column{"reader", Code, "reader and its version"}, func(r *evidence.RunRow) Cell { return Text(r.Reader) }},
	{Column{"model", Prose, "model, served name, checkpoint or file, the first that is known"}, firstFact(evidence.KeyModel, evidence.KeyServedModel, evidence.KeyCheckpoint, evidence.KeyModelArtifact)},
	{Column{"engine", Prose, "engine or image, the first that is known"}, firstFact(evidence.KeyEngine, evidence.KeyImage)},
	{Column{"gpu", Prose, "product of the card"}, firstFact(evidence.KeyGPUProduct)},
	{Column{"date", Code, "date or time that the source gives"}, func(r *evidence.RunRow) Cell { return Optional(r.Observed) }},
}

var artifactColumns = []column[evidence.ArtifactRow]{
	{Column{"artifact", Code, "SHA-256 of the artifact"}, func(r *evidence.ArtifactRow) Cell { return Text(r.Digest.String()) }},
	{Column{"size", Figure, "bytes"}, func(r *evidence.ArtifactRow) Cell { return Integer(r.Size) }},
	{Column{"stored", Code, "when the bytes first came in, UTC"}, func(r *evidence.ArtifactRow) Cell { return instant(r.StoredUS) }},
	{Column{"state", Code, "accepted, archived-only, quarantined or pending"}, func(r *evidence.ArtifactRow) Cell { return Text(r.State) }},
	{Column{"schema", Code, "label as it stands"}, func(r *evidence.ArtifactRow) Cell { return Optional(r.Schema) }},
	{Column{"family", Code, "family of the format"}, func(r *evidence.ArtifactRow) Cell { return Optional(r.Family) }},
	{Column{"reader", Code, "reader and its version; absent when nothing was recognised"}, func(r *evidence.ArtifactRow) Cell { return Optional(r.Reader) }},
	{Column{"encoding", Code, "utf-8, utf-16le, ..., binary"}, func(r *evidence.ArtifactRow) Cell { return Optional(r.Encoding) }},
	{Column{"values", Figure, "JSON values in the artifact"}, func(r *evidence.ArtifactRow) Cell { return Integer(r.Values) }},
	{Column{"campaign", Code, "campaign id of its first document"}, func(r *evidence.ArtifactRow) Cell { return Optional(r.Campaign) }},
	{Column{"runs", Figure, "runs read from it"}, func(r *evidence.ArtifactRow) Cell { return Integer(r.Runs) }},
	{Column{"measurements", Figure, "measurements read from it"}, func(r *evidence.ArtifactRow) Cell { return Integer(r.Measures) }},
	{Column{"findings", Figure, "findings about it"}, func(r *evidence.ArtifactRow) Cell { return Integer(r.Findings) }},
	{Column{"names", Prose, "every name it came under, first come first"}, func(r *evidence.ArtifactRow) Cell { return Words(r.Names) }},
}

func fact(k evidence.FactKey) func(*evidence.RunRow) Cell {
	return func(r *evidence.RunRow) Cell {
		f, ok := r.Fact(k)
		if !ok || f.State == evidence.Absent {
			return Cell{}
		}
		return FactValue(f.Value)
	}
}

// firstFact is the first of several facts that a run has, as words.
func firstFact(keys ...evidence.FactKey) func(*evidence.RunRow) Cell {
	return func(r *evidence.RunRow) Cell {
		for _, k := range keys {
			if f, ok := r.Fact(k); ok && f.State != evidence.Absent && f.Value != "" {
				return Text(f.Value)
			}
		}
		return Cell{}
	}
}

func factValue(r *evidence.FactRow) Cell {
	if r.State == evidence.Absent {
		return Cell{}
	}
	return Text(r.Value)
}

// others are the further values of a fact, each with who says so.
func others(r *evidence.FactRow) Cell {
	s := make([]string, len(r.Others))
	for i, x := range r.Others {
		by := x.By
		if by == "" {
			by = string(x.State)
		}
		s[i] = x.Value + " (" + by + ")"
	}
	return Words(s)
}

func numberOf(id int64) Cell {
	if id == 0 {
		return Cell{}
	}
	return Integer(id)
}

func instant(us int64) Cell {
	if us == 0 {
		return Cell{}
	}
	return Text(time.UnixMicro(us).UTC().Format("2006-01-02T15:04:05.000000Z"))
}

func startOf(p evidence.Place) Cell {
	if p.Whole() {
		return Cell{}
	}
	return Integer(p.Start)
}

func endOf(p evidence.Place) Cell {
	if p.Whole() {
		return Cell{}
	}
	return Integer(p.End)
}

func places(all []evidence.Place) Cell {
	s := make([]string, len(all))
	for i, p := range all {
		s[i] = string(p.Pointer)
	}
	return Words(s)
}
