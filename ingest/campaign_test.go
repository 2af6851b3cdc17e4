package ingest

import (
	"strings"
	"testing"

	"assay/store/evidence"
)

func TestDerivedCampaign(t *testing.T) {
	digest := evidence.DigestOf([]byte("x"))
	tests := []struct{ observed, label, family, want string }{
		{"2026-08-14", "anvil-serving.tp-matrix-summary/v1", "F5", "2026-08-14-tp-matrix-summary"},
		{"2026-08-14T10:00:00Z", "anvil-serving/benchmark-summary/v1", "", "2026-08-14-benchmark-summary"},
		{"", "anvil-serving-benchmark-publication/v12", "", "undated-benchmark-publication"},
		{"14 August", "benchmark-summary/v1", "", "undated-benchmark-summary"},
		{"2026-8-14", "anvil-serving.router.profile_bootstrap/v2", "", "undated-router-profile-bootstrap"},
		{"", "benchmark-sources.v1", "", "undated-benchmark-sources"},
		{"", "acme.Latency Report/v3", "", "undated-latency-report"},
		{"", "anvil-serving", "", "undated-anvil-serving"},
		{"", "", "vllm serve", "undated-vllm-serve"},
		{"", "", "", "undated-document"},
		{"", "///", "", "undated-document"},
		{"", "../../etc/passwd", "", "undated-etc-passwd"},
		{"", "<script>é", "", "undated-script"},
		{"", strings.Repeat("long", 100), "", "undated-" + strings.Repeat("long", 20)},
	}
	for _, tt := range tests {
		want := tt.want + "-" + digest.String()[:8]
		if got := derivedCampaign(tt.observed, tt.label, tt.family, digest); got != want {
			t.Errorf("%q %q: %s, want %s", tt.observed, tt.label, got, want)
		}
	}
}

func TestSettleCampaign(t *testing.T) {
	place := evidence.At("/campaign_id")
	own := evidence.Campaign{ID: "own", Title: "title", Observed: "2026-09-01", Place: place}
	for _, tt := range []struct {
		declared string
		want     evidence.Campaign
	}{
		{"", own},
		{"own", own},
		{"declared", evidence.Campaign{ID: "declared", Title: "title", Observed: "2026-09-01"}},
	} {
		d := evidence.Document{Campaign: own}
		tt.want.Own, tt.want.OwnPlace = "own", place // kept, for the day the declaration is taken back
		if settleCampaign(&d, evidence.Kept{Campaign: tt.declared}); d.Campaign != tt.want {
			t.Errorf("declared %q: %+v", tt.declared, d.Campaign)
		}
	}
}
