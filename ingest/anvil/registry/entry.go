package registry

import (
	"slices"
	"strings"
	"time"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// dateNames are the members that say when a source was published, updated or seen, the
// most telling first.
var dateNames = []string{"published_or_updated", "published_or_observed_date", "published_or_observed_at", "published_or_observed",
	"published_at", "published", "updated", "source_date", "observed_date", "observed_at"}

// currentDays is how long an external source counts as current.
const currentDays = 60

func sortTexts(s []string) { slices.Sort(s) }

// entry checks the dates of one source. What it says is swept.
func (g *registry) entry(v lift.Val) {
	if !v.Is(jsondoc.Object) {
		g.Find(evidence.Warning, lift.CodeNotText, v, "a source was expected")
		return
	}
	if address(v) == "" {
		g.Find(evidence.Info, lift.CodeMissing, v, "a source without an address")
	}
	at, date := lift.Val{}, ""
	for _, name := range dateNames {
		if m := v.Get(name); m.OK() && date == "" {
			at, date = m, dateIn(m.Str())
		}
	}
	if date == "" {
		g.Find(evidence.Info, CodeUndated, v, "a source without a date of its own counts as stale")
		return
	}
	g.age(v.Get("age_class"), at, date)
}

func address(v lift.Val) string {
	for _, name := range []string{"url", "official_model_card", "engine_docs", "community_source", "source_url", "link", "thread"} {
		if s := v.Get(name).Str(); s != "" {
			return s
		}
	}
	return ""
}

// age holds the word for the age against the dates of the source and of the document.
func (g *registry) age(class, at lift.Val, date string) {
	published, err1 := day(date)
	seen, err2 := day(dateIn(g.observed()))
	if err1 != nil || err2 != nil || !strings.HasPrefix(strings.ToLower(class.Str()), "current") {
		return
	}
	if days := int(seen.Sub(published).Hours() / 24); days > currentDays {
		g.Find(evidence.Info, CodeAge, class, "called %q, and %d days older than the document; %d days are current", lift.Clip(class.Str()), days, currentDays)
	}
}

func (g *registry) observed() string {
	for _, name := range []string{"observed_date", "observed_at", "captured_at", "recorded_at", "captured"} {
		if s := g.Top.Get(name).Str(); s != "" {
			return s
		}
	}
	return ""
}

// dateIn finds the first date of a text: a day, or a month.
func dateIn(text string) string {
	const layout = "0000-00-00"
	if len(text) > 500 {
		text = text[:500]
	}
	for i := 0; i+7 <= len(text); i++ {
		if fits(text[i:], layout) {
			return text[i : i+10]
		}
		if fits(text[i:], layout[:7]) {
			return text[i : i+7]
		}
	}
	return ""
}

func fits(s, layout string) bool {
	if len(s) < len(layout) {
		return false
	}
	for i := range len(layout) {
		digit := s[i] >= '0' && s[i] <= '9'
		if (layout[i] == '0') != digit || layout[i] == '-' && s[i] != '-' {
			return false
		}
	}
	return true
}

// day is the last day that a date may mean.
func day(date string) (time.Time, error) {
	if len(date) == 7 {
		t, err := time.Parse("2006-01", date)
		return t.AddDate(0, 1, -1), err
	}
	return time.Parse(time.DateOnly, date)
}
