package view

import (
	"fmt"
	"strings"

	"rsc.io/qr"

	"assay/store/evidence"
	"assay/store/signoff"
)

// Sheet is a sign-off on paper.
type Sheet struct {
	Page        SignOffPage
	Number      string
	Campaign    string
	Verdict     string // "PROMOTED"
	VerdictSays string
	Loud        string // what to know before believing it: stale, withdrawn, does not hold
	LoudWhy     []string
	Letter      bool
	Other       NamedLink // the other paper
	Preparer    string
	Signer      string
	Figures     []SheetFigure
	FiguresNote string
	Limitations []AckSaid
	Others      []AckSaid // failures, contradictions, not tested
	GateAcks    map[string]string
	Artifacts   []UsedArtifact
	MoreArts    string
	Code        QR
	Permalink   string
	Check       string // how to check it
	Lines       []string
}

// SheetFigure is a figure with the places that its values stand at.
type SheetFigure struct {
	StatedFigureRow
	LeftAt, RightAt string
	Change          string
	Placed          bool // its values have their places
}

// QR is a code as one SVG path of unit squares.
type QR struct{ Size, Path string }

const (
	// quietZone is the white border that readers of codes want, in modules.
	quietZone       = 4
	mostSheetSource = 24
)

var sheetWords = map[signoff.Decision][2]string{
	signoff.Promote: {"PROMOTED", "for the scope below"},
	signoff.Reject:  {"REJECTED", "nothing is promoted"},
	signoff.Hold:    {"HELD", "nothing is promoted"},
	signoff.GoBack:  {"ROLLED BACK", "to the rollback target"},
}

// BuildSheet is the printed form of a sign-off. ground is the one that was signed, nil
// when the archive does not give it any more; names are preparer and signer in full.
func BuildSheet(d *SignOffShown, ground *signoff.Ground, names [2]string, permalink, paper string) (Sheet, error) {
	p := BuildSignOff(d)
	w := sheetWords[d.SignOff.Decision]
	v := Sheet{Page: p, Number: p.Line.Number, Campaign: plain(d.SignOff.Campaign, maxName), Verdict: w[0], VerdictSays: w[1], Letter: paper == "letter",
		Preparer: plain(names[0], maxName), Signer: plain(names[1], maxName), Permalink: permalink, Check: "assay verify " + p.Line.Number + ".zip",
		Other: NamedLink{"Letter", p.Letter}, Lines: strings.Split(strings.TrimSuffix(d.SignOff.Statement, "\n"), "\n"), GateAcks: map[string]string{}}
	if v.Letter {
		v.Other = NamedLink{"A4", p.Sheet}
	}
	if !p.Line.Current {
		v.Loud, v.LoudWhy = strings.ToUpper(p.Line.StateWord), p.Reasons
	}
	code, err := qrOf(permalink)
	if err != nil {
		return v, err
	}
	v.Code = code
	if d.Statement == nil {
		return v, nil
	}
	v.acknowledged(d.Statement)
	v.figures(d.Statement, ground)
	v.Artifacts = p.Artifacts
	if n := len(v.Artifacts) - mostSheetSource; n > 0 {
		v.Artifacts, v.MoreArts = v.Artifacts[:mostSheetSource], "and "+Int(int64(n))+" more, in the statement"
	}
	return v, nil
}

func (v *Sheet) acknowledged(st *signoff.Statement) {
	for i := range st.Acknowledged {
		a := &st.Acknowledged[i]
		said := AckSaid{ackKind(a.Kind), plain(a.Text, maxSentence), plain(a.Reason, maxValue), Moment(a.AtUS)}
		switch a.Kind {
		case signoff.ItemLimitation:
			v.Limitations = append(v.Limitations, said)
		case signoff.ItemGate:
			for _, g := range st.Gates {
				if strings.Contains(a.Text, "("+g.ID+"): ") {
					v.GateAcks[plain(g.ID, maxName)] = said.Reason
				}
			}
		default:
			v.Others = append(v.Others, said)
		}
	}
}

// figures are those of the statement; with the signed ground each value has its place.
func (v *Sheet) figures(st *signoff.Statement, g *signoff.Ground) {
	if !st.Comparison.OK {
		v.FiguresNote = "There was no control, so nothing was compared."
		return
	}
	places := map[string]*signoff.FigureLine{}
	if g != nil && g.Comparison.OK {
		for i := range g.Comparison.V.Figures {
			places[g.Comparison.V.Figures[i].Figure] = &g.Comparison.V.Figures[i]
		}
	} else {
		v.FiguresNote = "The archive no longer gives the ground that was signed, so the places of these figures are left out; the artifacts are named below."
	}
	for i := range st.Comparison.V.Figures {
		f := &st.Comparison.V.Figures[i]
		row := SheetFigure{StatedFigureRow: statedFigure(f)}
		if x := places[f.Figure]; x != nil && verdictOf(f.Verdict).Shows() {
			row.Placed, row.Change = true, trueMinus(plain(x.Change, 80))
			row.Left, row.Right = sourceFigure(&x.LeftSrc, plain(x.Left, maxName)), sourceFigure(&x.RightSrc, plain(x.Right, maxName))
			row.LeftAt, row.RightAt = placeWords(&x.LeftSrc), placeWords(&x.RightSrc)
		}
		v.Figures = append(v.Figures, row)
	}
}

// placeWords is a place on paper: the first digits of the artifact and the pointer.
func placeWords(s *signoff.Source) string {
	if s.Artifact == (evidence.Digest{}) {
		return ""
	}
	return PlaceTitle(s.Artifact, evidence.At(s.Pointer))
}

// qrOf is a text as a code of medium strength.
func qrOf(text string) (QR, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return QR{}, fmt.Errorf("code of %.80q: %w", text, err)
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			run := 0
			for x+run < code.Size && code.Black(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+quietZone, y+quietZone, run, run)
				x += run
			}
		}
	}
	side := Int(int64(code.Size + 2*quietZone))
	return QR{Size: "0 0 " + side + " " + side, Path: path.String()}, nil
}

// BuildPrinted says whether a checkpoint on paper is the beginning of today's log.
func BuildPrinted(old, now int64, fault error) *PrintedView {
	if fault != nil {
		return &PrintedView{Badge{Kind: "blocked fill", Glyph: "blocked", Word: "does not fit"}, "The checkpoint on the sheet, of " + Plural(old, "record", "records") + ", is not the beginning of today's log: " + plain(fault.Error(), maxValue) + "."}
	}
	return &PrintedView{Badge{Kind: "ok", Glyph: "ok", Word: "fits"}, "The checkpoint on the sheet, of " + Plural(old, "record", "records") + ", is the beginning of today's log of " + Int(now) + ": nothing before it was changed or taken out."}
}
