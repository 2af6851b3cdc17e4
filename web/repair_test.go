package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"assay/store"
	"assay/store/evidence"
	"assay/web"
)

var _ web.RepairArchive = (*store.Archive)(nil)

// repairing is a server over the example evidence on which repairs can be made.
func repairing(t *testing.T) (*web.Server, *store.Archive, evidence.RunRow) {
	t.Helper()
	a, _ := exampleArchive(t)
	s, err := web.New(web.Config{Archive: a, Assets: plainAssets{}, Listen: "127.0.0.1:8321", Now: clock, Repairs: a, LocalWrites: true})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := a.Runs(t.Context(), evidence.Filter{Limit: 1})
	if err != nil || len(runs) != 1 {
		t.Fatal(len(runs), err)
	}
	return s, a, runs[0]
}

func send(s http.Handler, path, from string, values url.Values, header ...string) int {
	w := sending(s, path, from, strings.NewReader(values.Encode()), append(header, "Content-Type", "application/x-www-form-urlencoded")...)
	return w.Code
}

func TestWhoMayRepair(t *testing.T) {
	s, a, run := repairing(t)
	fact := url.Values{"target": {run.ID}, "key": {"warm_state"}, "value": {"repeat"}, "author": {"Ada"}, "reason": {"saw it"}}
	same := []string{"Sec-Fetch-Site", "same-origin"}
	for _, tt := range []struct {
		name   string
		from   string
		header []string
		status int
	}{
		{"another machine", there, same, http.StatusForbidden},
		{"another site", here, []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{"nobody says where it comes from", here, nil, http.StatusForbidden},
		{"a token is for handing in only", there, []string{"Authorization", bearer}, http.StatusForbidden},
		{"through a proxy", here, append([]string{"X-Forwarded-For", "192.0.2.7"}, same...), http.StatusForbidden},
		{"our page", here, same, http.StatusSeeOther},
	} {
		if got := send(s, "/repair/declare", tt.from, fact, tt.header...); got != tt.status {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.status)
		}
	}
	list, n, err := a.Repairs(t.Context(), evidence.RepairFilter{})
	if err != nil || n != 1 || list[0].Author != "Ada" || list[0].Target != run.Scope().String() {
		t.Errorf("%d repairs, %v: %+v", n, err, list)
	}
	// From elsewhere the pages can be read and say where repairs are made.
	for _, path := range []string{"/repair", "/repair/spellings", "/repair/list", "/repair/declare", "/repair/withdraw?repair=1", "/runs/" + run.ID} {
		d := get(t, s, path)
		sound(t, d)
		if strings.Contains(d.body, `method="post" action="/repair`) || len(d.all(class("missing"))) != 0 {
			t.Errorf("%s offers a form to another machine", path)
		}
	}
}

func TestRepairFormsRefuse(t *testing.T) {
	s, a, run := repairing(t)
	said := func(pairs ...string) url.Values {
		v := url.Values{"author": {"Ada"}, "reason": {"saw it"}}
		for i := 0; i+1 < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return v
	}
	for _, tt := range []struct {
		form   string
		values url.Values
		status int
		says   string
	}{
		{"declare", said("target", run.ID, "key", "tp", "value", "two"), 422, "is a number"},
		{"declare", said("target", run.ID, "key", "colour", "value", "red"), 422, "no fact key"},
		{"declare", said("target", run.ID, "key", "engine", "value", "x", "author", " "), 422, "Your name is missing"},
		{"declare", said("target", "nothing", "key", "engine", "value", "x"), 422, "no run, artifact or campaign"},
		{"declare", said("target", "campaign:none", "key", "engine", "value", "x"), 422, "not found"},
		{"alias", said("key", "tp", "spelling", "2", "meaning", "two"), 422, "no spellings"},
		{"move", said("artifact", "ffffffffffff", "campaign", "x"), 422, "not found"},
		{"move", said("artifact", run.Artifact.String(), "campaign", ""), 422, "is missing"},
		{"withdraw", said("repair", "7"), 404, "no repair"},
		{"withdraw", said("repair", "x"), 400, "number"},
	} {
		w := sending(s, "/repair/"+tt.form, here, strings.NewReader(tt.values.Encode()), "Sec-Fetch-Site", "same-origin", "Content-Type", "application/x-www-form-urlencoded")
		d := parse(t, tt.form, w.Body.String())
		if w.Code != tt.status || !strings.Contains(text(d.root), tt.says) {
			t.Errorf("%s %v: %d, want %d and %q in %.400q", tt.form, tt.values, w.Code, tt.status, tt.says, text(d.one("fault")))
		}
		if tt.status == 422 {
			sound(t, d)
			for name, v := range tt.values {
				if v[0] != "" && name != "key" && !strings.Contains(d.body, v[0]) {
					t.Errorf("%s lost %s", tt.form, name)
				}
			}
		}
	}
	if _, n, err := a.Repairs(t.Context(), evidence.RepairFilter{}); err != nil || n != 0 {
		t.Errorf("%d repairs were made, %v", n, err)
	}
}

func TestRepairsHold(t *testing.T) {
	s, a, run := repairing(t)
	make := func(form string, pairs ...string) {
		t.Helper()
		v := url.Values{"author": {"Ada"}, "reason": {"saw <it>\r\ntwice"}}
		for i := 0; i+1 < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		if got := send(s, "/repair/"+form, here, v, "Sec-Fetch-Site", "same-origin"); got != http.StatusSeeOther {
			t.Fatalf("%s %v: %d", form, pairs, got)
		}
	}
	make("declare", "target", run.ID, "key", "warm_state", "value", "repeat")
	make("alias", "key", "gpu_product", "spelling", "Some Card", "meaning", "One Card")
	make("move", "artifact", run.Artifact.Short(), "campaign", "elsewhere")
	make("withdraw", "repair", "1")
	list, n, err := a.Repairs(t.Context(), evidence.RepairFilter{})
	if err != nil || n != 3 || list[2].Holds() || !list[1].Holds() || list[0].Value != "elsewhere" || list[2].Reason != "saw <it>\ntwice" {
		t.Errorf("%d repairs, %v: %+v", n, err, list)
	}
	d := get(t, s, "/repair/list")
	rows := d.ids("repair")
	if len(rows) != 3 || !strings.Contains(text(rows[2]), "withdrawn") || !strings.Contains(text(rows[1]), "means “One Card”") {
		t.Errorf("%d rows", len(rows))
	}
	if get(t, s, "/campaigns/elsewhere"); len(get(t, s, "/repair/list?kind=move").ids("repair")) != 1 {
		t.Error("the list does not narrow to a kind")
	}
	for _, path := range []string{"/repair.json", "/repair/spellings.json", "/export/repairs.json"} {
		var rows []map[string]any
		w := ask(s, http.MethodGet, path)
		if err := json.Unmarshal(w.Body.Bytes(), &rows); err != nil || w.Code != http.StatusOK || len(rows) == 0 && path != "/repair.json" {
			t.Errorf("GET %s: %d, %d rows, %v", path, w.Code, len(rows), err)
		}
	}
}
