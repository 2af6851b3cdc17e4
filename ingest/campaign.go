package ingest

import (
	"strings"

	"assay/store/evidence"
)

// vendor is the project whose labels start with its own name, followed by one of the
// separators that its writers use.
const vendor = "anvil-serving"

// settleCampaign gives the document its campaign: the declared one, else the
// source's own, else one made from date, label and digest. Names of files say nothing.
func settleCampaign(d *evidence.Document, k evidence.Kept) {
	c := &d.Campaign
	if c.ID == "" {
		c.ID = derivedCampaign(c.Observed, d.Schema, d.Family, k.Digest)
	}
	c.Own, c.OwnPlace = c.ID, c.Place
	if k.Campaign != "" && c.ID != k.Campaign {
		c.ID, c.Place = k.Campaign, evidence.Place{}
	}
}

// derivedCampaign makes, for example, "2026-08-14-tp-matrix-summary-a0c86b0c" from the
// label "anvil-serving.tp-matrix-summary/v1".
func derivedCampaign(observed, label, family string, digest evidence.Digest) string {
	name := labelName(label)
	if name == "" {
		name = slug(family)
	}
	if name == "" {
		name = "document"
	}
	return observedDay(observed) + "-" + name + "-" + digest.String()[:8]
}

// labelName is the label without vendor and version, in small letters and dashes.
func labelName(label string) string {
	if i := strings.LastIndexAny(label, "/."); i >= 0 && isVersion(label[i+1:]) {
		label = label[:i]
	}
	if rest, ok := strings.CutPrefix(label, vendor); ok && rest != "" && strings.ContainsRune("./-", rune(rest[0])) {
		label = rest[1:]
	} else if i := strings.IndexAny(label, "./"); i >= 0 {
		label = label[i+1:]
	}
	return slug(label)
}

func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// maxSlug keeps identifiers readable and URLs short.
const maxSlug = 80

func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxSlug {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}

// observedDay is the date at the start of a date or time, "undated" without one.
func observedDay(observed string) string {
	const layout = "0000-00-00"
	if len(observed) < len(layout) {
		return "undated"
	}
	for i, c := range []byte(observed[:len(layout)]) {
		if layout[i] == '-' && c != '-' || layout[i] == '0' && (c < '0' || c > '9') {
			return "undated"
		}
	}
	return observed[:len(layout)]
}
