package signoff

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// bundleTables are the tables of a bundle that are made of its statement. They are made
// again when the bundle is checked, so nothing in them needs a signature of its own.
func bundleTables(s *Statement) (map[string][]byte, error) {
	artifacts := [][]string{{"sha256", "name", "uses"}}
	for _, a := range s.Artifacts {
		artifacts = append(artifacts, []string{a.Digest.String(), a.Name, strings.Join(a.Uses, " ")})
	}
	gates := [][]string{{"gate", "state", "required", "says", "waived_by", "waived_reason"}}
	for _, g := range s.Gates {
		gates = append(gates, []string{g.ID, string(g.State), strconv.FormatBool(g.Required), g.Says, g.By, g.Reason})
	}
	acks := [][]string{{"kind", "item", "text", "reason", "acknowledged"}}
	for _, a := range s.Acknowledged {
		acks = append(acks, []string{string(a.Kind), a.ID, a.Text, a.Reason, instant(a.AtUS)})
	}
	figures := [][]string{{"figure", "verdict", "says"}}
	if s.Comparison.OK {
		for _, f := range s.Comparison.V.Figures {
			figures = append(figures, []string{f.Figure, f.Verdict, f.Text})
		}
	}
	out := map[string][]byte{}
	for name, rows := range map[string][][]string{"artifacts.csv": artifacts, "gates.csv": gates, "acknowledged.csv": acks, "figures.csv": figures} {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		for _, row := range rows {
			for i, text := range row {
				row[i] = guarded(text)
			}
		}
		if err := w.WriteAll(rows); err != nil {
			return nil, fmt.Errorf("table %s: %w", name, err)
		}
		out[name] = b.Bytes()
	}
	return out, nil
}

// guarded keeps a spreadsheet from taking a text for a formula.
func guarded(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// checkComparison holds a table of figures against the digest that the statement gives.
// An archive that moved on no longer gives the table of the day; then a bundle has none,
// and figures.csv says what the statement says.
func (s *Statement) checkComparison(table []byte) error {
	switch {
	case table == nil:
		return nil
	case !s.Comparison.OK:
		return errors.New("a table of a comparison, and the statement names none")
	}
	if got := sha256Hex(table); got != s.Comparison.V.ExportDigest {
		return fmt.Errorf("the table of the comparison has the SHA-256 %s, the statement says %s", got, s.Comparison.V.ExportDigest)
	}
	return nil
}
