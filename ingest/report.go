package ingest

import (
	"encoding/json"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// Report says where every input ended.
type Report struct {
	Accepted    int `json:"accepted"`
	Duplicate   int `json:"duplicate"`
	Archived    int `json:"archived"`
	Quarantined int `json:"quarantined"`
	Lost        int `json:"lost"`
	Skipped     int `json:"skipped"`
	// Pending are kept and, as the archive failed, not read: the next intake does it.
	Pending int `json:"pending"`
	// Files are in the order of the sources, folders in the order of their names.
	Files []FileReport `json:"files"`
	// Resumed are artifacts that an earlier intake kept and did not come to read.
	Resumed []FileReport `json:"resumed"`
}

// FileReport says where one input ended, and why.
type FileReport struct {
	Path     string             `json:"path"` // "" for a resumed artifact
	SHA256   string             `json:"sha256"`
	State    evidence.EndState  `json:"state"`
	Schema   string             `json:"schema"`
	Family   string             `json:"family"`
	Reader   string             `json:"reader"`
	Runs     int                `json:"runs"`
	Findings []evidence.Finding `json:"findings"`
}

// MarshalJSON writes lists that are empty as [], never as null.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	p := plain(r)
	if p.Files == nil {
		p.Files = []FileReport{}
	}
	if p.Resumed == nil {
		p.Resumed = []FileReport{}
	}
	return json.Marshal(p)
}

// MarshalJSON writes lists that are empty as [], never as null.
func (f FileReport) MarshalJSON() ([]byte, error) {
	type plain FileReport
	p := plain(f)
	if p.Findings == nil {
		p.Findings = []evidence.Finding{}
	}
	return json.Marshal(p)
}

func (r *Report) add(f FileReport) {
	r.Files = append(r.Files, f)
	r.Count(f)
}

// Inputs is how many ends were counted.
func (r *Report) Inputs() int {
	return r.Accepted + r.Duplicate + r.Archived + r.Quarantined + r.Lost + r.Skipped + r.Pending
}

// Count adds an end to the counts and keeps nothing else of it.
func (r *Report) Count(f FileReport) {
	switch f.State {
	case evidence.Accepted:
		r.Accepted++
	case evidence.Duplicate:
		r.Duplicate++
	case evidence.Archived:
		r.Archived++
	case evidence.Quarantined:
		r.Quarantined++
	case Skipped:
		r.Skipped++
	case evidence.Pending:
		r.Pending++
	default:
		r.Lost++
	}
}

// NotTaken is the report of sources that no archive could be opened for.
func NotTaken(sources []Source, err error) Report {
	var r Report
	for _, s := range sources {
		f := FileReport{Path: s.name}
		if f.Path == "" {
			f.Path = nameOf(s.path)
		}
		f.end(Lost, CodeNotKept, "the archive could not be opened: "+reason(err))
		r.add(f)
	}
	return r
}

// fill takes over what a reading says.
func (f *FileReport) fill(r *evidence.Reading) {
	f.State, f.Schema, f.Family, f.Reader = r.State, mask.Secrets(r.Schema), r.Family, r.Reader
	f.Findings = append(f.Findings, r.Findings...)
	for i := range r.Documents {
		d := &r.Documents[i]
		f.Findings = append(f.Findings, d.Findings...)
		for j := range d.Arms {
			f.Runs += len(d.Arms[j].Runs)
		}
	}
}

// end closes the report of an input that is not read.
func (f *FileReport) end(state evidence.EndState, code, message string) {
	severity := evidence.Error
	if state == Skipped {
		severity = evidence.Info
	}
	f.State = state
	f.Findings = append(f.Findings, evidence.Finding{Severity: severity, Code: code, Offset: -1, Message: message})
}
