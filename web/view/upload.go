package view

import (
	"slices"

	"assay/store/evidence"
)

// UploadForm is the form that takes files in.
type UploadForm struct {
	Token    bool   // it asks for one
	Max      string // of one file, in words
	MaxBytes string // likewise, for the script
}

// BuildUploadForm is the form of a server that takes files of up to max bytes.
func BuildUploadForm(token bool, max int64) *UploadForm {
	return &UploadForm{Token: token, Max: Size(max), MaxBytes: evidence.FormatDecimal(float64(max))}
}

// Uploaded is what became of files that were handed in.
type Uploaded struct {
	Rows  []UploadedRow
	Tally string // "3 files: 2 accepted, 1 duplicate"
	Fault string // of the request, "" when there is none
}

// UploadedRow is what became of one file.
type UploadedRow struct {
	Name     Text
	Folder   string
	Href     string // its intake page, "" when nothing of it is kept
	State    Badge
	Found    string
	Chip     *DigestChip
	Runs     *Figure
	Findings []Finding
	More     int
}

// BuildUploaded lists what became of files, in the order they came.
func BuildUploaded(files []evidence.Taken, fault string) Uploaded {
	v := Uploaded{Fault: fault, Tally: Plural(int64(len(files)), "file", "files")}
	var states []evidence.EndState
	counts := make(map[evidence.EndState]int64)
	for i := range files {
		f := &files[i]
		v.Rows = append(v.Rows, uploadedRow(f))
		if counts[f.State]++; counts[f.State] == 1 {
			states = append(states, f.State)
		}
	}
	for i, s := range states {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		v.Tally += sep + Int(counts[s]) + " " + endBadge(s).Word
	}
	return v
}

func uploadedRow(f *evidence.Taken) UploadedRow {
	r := UploadedRow{State: endBadge(f.State)}
	r.Name, r.Folder = splitName(orWord(f.Path, "no name"))
	digest, err := evidence.ParseDigest(f.SHA256)
	kept := err == nil
	if kept {
		chip := Chip(digest)
		r.Href, r.Chip = IntakeURL(digest), &chip
	}
	r.Found = "nothing of it is kept"
	if kept {
		r.Found = uploadedWords(f)
	}
	if f.Runs > 0 && kept {
		fig := CountFig(int64(f.Runs), Query("/runs", "artifact", digest.String()))
		r.Runs = &fig
	}
	found := slices.Clone(f.Findings)
	slices.SortStableFunc(found, func(a, b evidence.Finding) int { return severityRank[b.Severity] - severityRank[a.Severity] })
	for i, x := range found {
		if i == findingsInList {
			r.More = len(found) - i
			break
		}
		b := buildFinding(x, digest)
		if !kept {
			b.Href, b.Message = "", Words(x.Message, maxValue, "")
		}
		r.Findings = append(r.Findings, b)
	}
	return r
}

var severityRank = map[evidence.Severity]int{evidence.Info: 1, evidence.Warning: 2, evidence.Error: 3}

func uploadedWords(f *evidence.Taken) string {
	switch {
	case f.State == evidence.Duplicate && f.Schema != "":
		return "the same bytes were here, " + plain(f.Schema, maxName)
	case f.State == evidence.Duplicate:
		return "the same bytes were here"
	case f.Reader != "":
		return orWord(f.Schema, "no label") + ", read by " + plain(f.Reader, maxName)
	case f.Schema != "":
		return plain(f.Schema, maxName) + ", no reader took it"
	}
	return "no label"
}
