package view

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/store/evidence"
)

const (
	// maxPathID is the longest campaign id that goes into an address; a longer one is
	// addressed by the digest of one of its artifacts.
	maxPathID = 200
	// maxPointer is the longest pointer that goes into an address; a longer one is
	// addressed by the nearest value around it whose pointer fits.
	maxPointer = 2000
)

// ArtifactURL is the page of an artifact.
func ArtifactURL(d evidence.Digest) string { return "/artifact/" + d.String() }

// PlaceURL is the page of an artifact with a place marked: ?p=POINTER, and for a
// place inside a sentence &s=START&e=END. The fragment scrolls to the mark.
func PlaceURL(d evidence.Digest, p evidence.Place) string {
	for len(p.Pointer) > maxPointer {
		p = evidence.At(p.Pointer.Parent())
	}
	u := ArtifactURL(d) + "?p=" + url.QueryEscape(string(p.Pointer))
	if !p.Whole() {
		u += "&s=" + strconv.Itoa(p.Start) + "&e=" + strconv.Itoa(p.End)
	}
	return u + "#place"
}

// PlaceTitle is what a source link says when one rests on it: the digest's first
// digits and the pointer.
func PlaceTitle(d evidence.Digest, p evidence.Place) string {
	ptr := string(p.Pointer)
	if ptr == "" {
		ptr = "the whole document"
	}
	return d.Short() + " " + plain(ptr, 160)
}

// CampaignURL is the page of a campaign. Ids come from sources and hold anything:
// what no path can carry is addressed by digest.
func CampaignURL(id string, artifacts ...evidence.Digest) string {
	if !addressable(id) || id == "" || id == "." || id == ".." {
		if len(artifacts) > 0 {
			return "/campaigns/" + artifacts[0].String()
		}
		return "/search?q=" + url.QueryEscape(plain(id, maxPathID))
	}
	return "/campaigns/" + url.PathEscape(id)
}

// addressable reports whether an id can stand in an address.
func addressable(id string) bool {
	return len(id) <= maxPathID && utf8.ValidString(id) && !strings.ContainsFunc(id, hidden)
}

// ofCampaign narrows to a campaign, or to an artifact of it when no address can carry
// its id.
func ofCampaign(id string, artifacts []evidence.Digest) evidence.Filter {
	if !addressable(id) && len(artifacts) > 0 {
		return evidence.Filter{Artifact: artifacts[0].String()}
	}
	return evidence.Filter{Campaign: id}
}

// RunURL is the page of a run.
func RunURL(id string) string { return "/runs/" + url.PathEscape(id) }

// Query writes pairs of names and values in the given order and leaves empty values
// out, so that one view has one address.
func Query(path string, pairs ...string) string {
	var b strings.Builder
	b.WriteString(path)
	sep := byte('?')
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		b.WriteByte(sep)
		b.WriteString(url.QueryEscape(pairs[i]))
		b.WriteByte('=')
		b.WriteString(url.QueryEscape(pairs[i+1]))
		sep = '&'
	}
	return b.String()
}

// Exports are the downloads of one table and the address of the view itself.
type Exports struct {
	CSV, JSON, Markdown, Permalink string
}

// ListExports are the streamed downloads of one of the archive's lists, with the
// filter as query parameters.
func ListExports(list, permalink string, f evidence.Filter) Exports {
	at := func(ext string) string { return Query("/export/"+list+"."+ext, filterPairs(f)...) }
	return Exports{CSV: at("csv"), JSON: at("json"), Markdown: at("md"), Permalink: permalink}
}

// PageExports are the downloads of a page's own table.
func PageExports(path, permalink string, pairs ...string) Exports {
	at := func(ext string) string { return Query(path+"."+ext, pairs...) }
	return Exports{CSV: at("csv"), JSON: at("json"), Markdown: at("md"), Permalink: permalink}
}

// filterPairs are a filter's parameters in the order every address keeps.
func filterPairs(f evidence.Filter) []string {
	return []string{
		"campaign", f.Campaign, "arm", f.Arm, "run", f.Run, "metric", string(f.Metric), "stat", string(f.Stat),
		"key", string(f.Key), "class", f.Class, "state", f.State, "family", f.Family, "schema", f.Schema,
		"artifact", f.Artifact, "text", f.Text, "label", f.Label, "engine", f.Engine, "gpu", f.GPU,
		"model", f.Model, "protocol", f.Protocol, "status", f.Status, "from", f.From, "to", f.To, "q", f.Words, "sort", string(f.Sort),
	}
}
