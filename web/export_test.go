package web_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"assay/store/evidence"
	"assay/store/export"
)

func TestExports(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	for _, kind := range export.Kinds {
		for _, format := range []export.Format{export.CSV, export.JSON, export.Markdown} {
			path := "/export/" + string(kind) + "." + string(format)
			w := ask(s, http.MethodGet, path)
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != format.MediaType() {
				t.Errorf("GET %s: %d, %q", path, w.Code, w.Header().Get("Content-Type"))
			}
			if got, want := w.Header().Get("Content-Disposition"), `attachment; filename="`+string(kind)+"."+string(format)+`"`; got != want {
				t.Errorf("GET %s: %q, want %q", path, got, want)
			}
			if format == export.JSON && !json.Valid(w.Body.Bytes()) {
				t.Errorf("GET %s: not JSON", path)
			}
		}
	}
	all := ask(s, http.MethodGet, "/export/runs.csv?campaign="+tabledID).Body.String()
	rows, err := csv.NewReader(strings.NewReader(all)).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestExportRefusesWhatItWouldIgnore(t *testing.T) {
	s := site(t, laboratory())
	tests := map[string]int{
		"/export/runs.csv?campagne=x":          http.StatusBadRequest,
		"/export/runs.csv?limit=-1":            http.StatusBadRequest,
		"/export/runs.csv?limit=x":             http.StatusBadRequest,
		"/export/measurements.csv?metric=fast": http.StatusBadRequest,
		"/export/measurements.csv?metric=ttft": http.StatusOK,
		"/export/runs.xml":                     http.StatusNotFound,
		"/export/runs.bench":                   http.StatusNotFound,
		"/export/measurements.bench":           http.StatusOK,
		"/export/everything.csv":               http.StatusNotFound,
		"/export/runs":                         http.StatusNotFound,
	}
	for path, want := range tests {
		if w := ask(s, http.MethodGet, path); w.Code != want {
			t.Errorf("GET %s: %d, want %d: %.200s", path, w.Code, want, w.Body)
		}
	}
}

func TestPageTables(t *testing.T) {
	s := site(t, laboratory())
	for _, path := range []string{"/campaigns", "/intake", "/metrics", "/facts", "/words"} {
		var rows []map[string]any
		body := ask(s, http.MethodGet, path+".json").Body.Bytes()
		if err := json.Unmarshal(body, &rows); err != nil || len(rows) == 0 {
			t.Errorf("%s.json: %d rows, %v", path, len(rows), err)
		}
		lines, err := csv.NewReader(strings.NewReader(ask(s, http.MethodGet, path+".csv").Body.String())).ReadAll()
		if err != nil || len(lines) != len(rows)+1 {
			t.Errorf("%s: %d rows as CSV, %d as JSON, %v", path, len(lines)-1, len(rows), err)
		}
		if w := ask(s, http.MethodGet, path+".md"); !strings.HasPrefix(w.Body.String(), "#") {
			t.Errorf("%s.md: %.60q", path, w.Body)
		}
	}
	got := ask(s, http.MethodGet, "/campaigns.csv?label=challenger").Body.String()
	if strings.Contains(got, tabledID) || !strings.Contains(got, narratedID) {
		t.Errorf("the file is not narrowed as the page is:\n%s", got)
	}
}

func TestSamplesTable(t *testing.T) {
	f := laboratory()
	s := site(t, f)
	id := f.runs[5].ID
	var rows []map[string]any
	if err := json.Unmarshal(ask(s, http.MethodGet, "/runs/"+id+"/samples.json").Body.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 120 || rows[0]["ttft"] != 0.4 || rows[1]["output_tokens"] != nil || rows[7]["ok"] != false {
		t.Errorf("%d requests, the first is %v", len(rows), rows[0])
	}
	if got := link(t, get(t, s, "/runs/"+id).one("samples"), "CSV"); got != "/runs/"+id+"/samples.csv" {
		t.Errorf("CSV is %q", got)
	}
	if w := ask(s, http.MethodGet, "/runs/nothing/samples.csv"); w.Code != http.StatusNotFound {
		t.Errorf("requests of no run: %d", w.Code)
	}
}

// breaking is an archive that fails in the middle of a list.
type breaking struct{ *fake }

func (b breaking) EachRun(ctx context.Context, q evidence.Filter, row func(evidence.RunRow) error) error {
	for range 5000 {
		if err := b.fake.EachRun(ctx, q, row); err != nil {
			return err
		}
	}
	return errors.New("disk on fire")
}

func TestBrokenExportIsCut(t *testing.T) {
	s := site(t, breaking{laboratory()})
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("recovered %v, want the connection to be cut", p)
		}
	}()
	ask(s, http.MethodGet, "/export/runs.csv")
	t.Error("an export that broke off ends like a whole one")
}
