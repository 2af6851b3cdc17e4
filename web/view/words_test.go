package view

import (
	"testing"

	"assay/store/evidence"
)

// TestEveryWordIsSpelledOut asks for a sentence of ours wherever the archive has a
// code, so that no page shows the code itself.
func TestEveryWordIsSpelledOut(t *testing.T) {
	for _, r := range []string{
		evidence.ReasonIdentifier, evidence.ReasonTimestamp, evidence.ReasonEcho, evidence.ReasonProse, evidence.ReasonLabel, evidence.ReasonUnread,
		evidence.ReasonRecomputed, evidence.ReasonDetail, evidence.ReasonDiagnostic, evidence.ReasonRestated, evidence.ReasonVoid, evidence.ReasonRow,
	} {
		if skipReasons[r] == "" {
			t.Errorf("reason %s has no words", r)
		}
	}
	for _, s := range []evidence.RunStatus{evidence.Measured, evidence.RunFailed, evidence.NotRun, evidence.External} {
		if runBadges[s].Word == "" {
			t.Errorf("status %s has no words", s)
		}
	}
	for _, c := range []string{
		evidence.ClassShort, evidence.ClassAggregate, evidence.ClassLong, evidence.ClassFunctional, evidence.ClassQuality,
		evidence.ClassStartup, evidence.ClassGeneration, evidence.ClassMedia, evidence.ClassSpeech,
	} {
		if classTitles[c] == "" {
			t.Errorf("class %s has no title", c)
		}
	}
	if len(Classes) != len(classTitles) {
		t.Errorf("choosers list %d of %d classes", len(Classes), len(classTitles))
	}
}
