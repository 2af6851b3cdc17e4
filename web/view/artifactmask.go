package view

import (
	"strings"

	"assay/store/evidence"
	"assay/store/evidence/mask"
	"assay/web/view/artifacttext"
)

// holdsSecret reports whether intake found a credential in the artifact.
func holdsSecret(d *evidence.ArtifactDetail) bool {
	for i := range d.Findings {
		if d.Findings[i].Code == evidence.CodeSecret {
			return true
		}
	}
	return false
}

// coverLines masks the credentials in lines of an artifact. Where one is known to be in
// it, also what may be a part of one: a word that the view cuts, and lines of base64.
func coverLines(lines []artifacttext.Line, known bool) {
	for i := range lines {
		text := lines[i].Text()
		spans := mask.Find(text)
		for k := len(spans) - 1; k >= 0; k-- { // from behind, so that places stay
			if p := spans[k]; p.Kind.Secret() {
				coverPieces(&lines[i], p.Start+p.Keep, p.End-p.Tail)
			}
		}
		if known {
			coverParts(&lines[i])
		}
	}
}

// coverPieces replaces the bytes [start, end) of a line. What says that something is
// not shown stays.
func coverPieces(l *artifacttext.Line, start, end int) {
	at, said := 0, false
	for s := range l.Segments {
		for k := range l.Segments[s].Pieces {
			p := &l.Segments[s].Pieces[k]
			from, to := max(start-at, 0), min(end-at, len(p.Text))
			at += len(p.Text)
			if from >= to || p.Class == artifacttext.Cut {
				continue
			}
			label := ""
			if !said {
				label, said = "…[masked]", true
			}
			p.Text = p.Text[:from] + label + p.Text[to:]
		}
	}
}

// longWord is how long a run of the bytes of credentials is no word any more.
const longWord = 12

// coverParts masks long words that a cut divides, and a line that is base64 throughout.
func coverParts(l *artifacttext.Line) {
	var all []*artifacttext.Piece
	for s := range l.Segments {
		for k := range l.Segments[s].Pieces {
			all = append(all, &l.Segments[s].Pieces[k])
		}
	}
	for i, p := range all {
		if p.Class == artifacttext.Cut {
			continue
		}
		if i > 0 && all[i-1].Class == artifacttext.Cut {
			if n := len(p.Text) - len(strings.TrimLeftFunc(p.Text, credential)); n >= longWord {
				p.Text = "…[masked]" + p.Text[n:]
			}
		}
		if i+1 < len(all) && all[i+1].Class == artifacttext.Cut {
			if n := len(strings.TrimRightFunc(p.Text, credential)); len(p.Text)-n >= longWord {
				p.Text = p.Text[:n] + "…[masked]"
			}
		}
	}
	if text := strings.TrimSpace(l.Text()); len(text) >= 40 && strings.TrimFunc(text, credential) == "" && !isHex(text) {
		coverPieces(l, 0, len(l.Text()))
	}
}

func credential(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+/=_-.", r)
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }

// coverPart is a part of a string as a page shows it: none of a string that holds a
// credential, since the part may be the credential's.
func coverPart(name, whole, part string) (text string, covered bool) {
	if shown := mask.Field(name, whole); shown != whole {
		return shown, true
	}
	return part, false
}

// memberOf is the name that a place's value goes by.
func memberOf(p evidence.Pointer) string {
	tokens := p.Tokens()
	for i := len(tokens) - 1; i >= 0; i-- {
		if strings.Trim(tokens[i], "0123456789") != "" {
			return tokens[i]
		}
	}
	return ""
}
