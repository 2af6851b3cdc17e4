package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"assay/store/evidence"
	"assay/web"
)

// signedRows are sign-offs of an archive; hostile words stand in them.
type signedRows []evidence.SignOffRow

func (s signedRows) EachSignOff(_ context.Context, f evidence.Filter, row func(evidence.SignOffRow) error) error {
	for _, r := range s {
		if f.Campaign != "" && f.Campaign != r.Campaign {
			continue
		}
		if err := row(r); err != nil {
			return err
		}
	}
	return nil
}

// TestExportSignoffs: the list of sign-offs is downloaded like every other.
func TestExportSignoffs(t *testing.T) {
	list := signedRows{{Campaign: "c", Decision: "promote", Signer: "=ada", State: "stale", Number: "S-0001", Reasons: []string{"superseded"}}, {Campaign: "d", Number: "S-0002"}}
	s, err := web.New(web.Config{Archive: laboratory(), Assets: plainAssets{}, Listen: "127.0.0.1:8321", SignOffs: list, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/export/signoffs.csv?campaign=c":  "\nc,promote,'=ada,,stale,",
		"/export/signoffs.json?campaign=c": `"number":"S-0001"`,
		"/export/signoffs.md":              "| `d` |",
	} {
		if w := ask(s, http.MethodGet, path); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := ask(s, http.MethodGet, "/export/signoffs.csv?campaign=c"); strings.Contains(w.Body.String(), "S-0002") {
		t.Error("the campaign does not narrow the list")
	}
	if w := ask(site(t, laboratory()), http.MethodGet, "/export/signoffs.csv"); w.Code != http.StatusOK || strings.Count(w.Body.String(), "\n") != 1 {
		t.Errorf("without people who sign: %d %s", w.Code, w.Body)
	}
}
