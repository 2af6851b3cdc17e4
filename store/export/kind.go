package export

import (
	"fmt"
	"strings"
)

// Kind says what the rows of an export are.
type Kind string

const (
	Measurements Kind = "measurements"
	Facts        Kind = "facts"
	Runs         Kind = "runs"
	Decisions    Kind = "decisions"
	Artifacts    Kind = "artifacts"
	Gates        Kind = "gates"
	Notes        Kind = "notes"
	References   Kind = "references"
	Findings     Kind = "findings"
	NotLifted    Kind = "not-lifted"
	Repairs      Kind = "repairs"
	Coverage     Kind = "coverage"
	Signoffs     Kind = "signoffs"
)

// Kinds in the order that help texts list them.
var Kinds = []Kind{
	Measurements, Facts, Runs, Decisions, Signoffs, Artifacts,
	Gates, Notes, References, Findings, NotLifted, Repairs, Coverage,
}

// ParseKind reads the name of a kind.
func ParseKind(s string) (Kind, error) {
	for _, k := range Kinds {
		if string(k) == s {
			return k, nil
		}
	}
	return "", fmt.Errorf("kind %.40q: not known; one of %s", s, list(Kinds))
}

// Format says how rows are written.
type Format string

const (
	CSV      Format = "csv"
	JSON     Format = "json"
	Markdown Format = "md"
	Bench    Format = "bench"
)

// Formats in the order that help texts list them.
var Formats = []Format{CSV, JSON, Markdown, Bench}

// ParseFormat reads the name of a format.
func ParseFormat(s string) (Format, error) {
	for _, f := range Formats {
		if string(f) == s {
			return f, nil
		}
	}
	return "", fmt.Errorf("format %.40q: not known; one of %s", s, list(Formats))
}

// MediaType is the Content-Type of a format.
func (f Format) MediaType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8; header=present"
	case JSON:
		return "application/json"
	case Markdown:
		return "text/markdown; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}

// Extension is the file name extension of a format, with its dot.
func (f Format) Extension() string {
	if f == Bench {
		return ".txt"
	}
	return "." + string(f)
}

func list[T ~string](all []T) string {
	words := make([]string, len(all))
	for i, w := range all {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}
