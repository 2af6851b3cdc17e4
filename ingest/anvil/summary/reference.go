package summary

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// references reads the names of other files: a name, a list of names, a map of names to
// digests, or blocks with a digest.
func (e *engine) references(key string, v lift.Val) {
	switch {
	case isText(v) && isDigest(v.Str()):
		e.digest(key, v)
	case isText(v):
		e.named(key, v)
	case v.Is(jsondoc.Array):
		for _, c := range v.Items() {
			e.references(key, c)
		}
	case v.Is(jsondoc.Object):
		if !e.fileBlock(v) {
			for name, c := range v.Members() {
				e.strangeName(slotReference, name, c)
				e.references(name, c)
			}
		}
	case v.Is(jsondoc.Number):
		e.Notes = append(e.Notes, evidence.Note{Kind: evidence.Statement, Key: lift.Clip(key), Text: lift.Clip(v.N.Text), Place: evidence.At(v.P)})
		e.Skip(v, evidence.ReasonIdentifier)
	default:
		e.scalarNote(evidence.Statement, key, v)
	}
}

// named reads a text that names files, addresses or revisions. A text that names none is a
// sentence.
func (e *engine) named(key string, v lift.Val) {
	e.Take(v)
	found := false
	for _, part := range strings.FieldsFunc(v.Str(), func(r rune) bool { return r == ' ' || r == ',' || r == '(' || r == ')' || r == ';' }) {
		if !isFile(part) || len(e.References) > 1<<14 {
			continue
		}
		at := strings.Index(v.Str(), part)
		place := evidence.At(v.P)
		if part != v.Str() {
			place = evidence.InText(v.P, at, at+len(part))
		}
		e.References = append(e.References, evidence.Reference{Name: lift.Clip(part), Kind: kindOf(key, part), Place: place})
		found = true
	}
	if !found {
		e.say(evidence.Statement, key, v)
	}
}

func kindOf(key, name string) string {
	switch {
	case strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
		return "source"
	case strings.HasSuffix(name, ".toml"), strings.Contains(key, "recipe"):
		return "recipe"
	}
	return "evidence"
}

// isFile reports whether a word is the name of a file or an address.
func isFile(s string) bool {
	if strings.Contains(s, "://") {
		return len(s) < 2000
	}
	i := strings.LastIndexByte(s, '.')
	if i <= 0 || len(s) > 400 {
		return false
	}
	switch s[i+1:] {
	case "json", "jsonl", "toml", "md", "txt", "log", "csv", "yaml", "yml", "py", "sha256", "wav", "png", "html":
		return true
	}
	return false
}

// fileBlock reads {"name": ..., "sha256": ..., "bytes": ...}.
func (e *engine) fileBlock(v lift.Val) bool {
	for _, name := range []string{"path", "name", "file", "artifact", "url", "packet"} {
		f := v.Get(name)
		if !isText(f) || f.Str() == "" {
			continue
		}
		r := evidence.Reference{Name: lift.Clip(f.Str()), Kind: kindOf(name, f.Str()), Place: evidence.At(f.P)}
		e.Take(f)
		for _, k := range []string{"sha256", "digest"} {
			if d, ok := parseDigest(v.Get(k).Str()); ok {
				r.SHA256 = evidence.Some(d)
				e.Take(v.Get(k))
			} else if x := v.Get(k); x.OK() {
				e.Find(evidence.Warning, lift.CodeNotText, x, "no SHA-256")
			}
		}
		if !r.SHA256.OK && v.Get("bytes").OK() {
			e.Find(evidence.Info, lift.CodeMissing, v, "no digest says which file this is")
		}
		e.References = append(e.References, r)
		for member, c := range v.Members() {
			switch {
			case member == name || member == "sha256" || member == "digest":
			case c.Is(jsondoc.Number):
				e.Notes = append(e.Notes, evidence.Note{Kind: evidence.Statement, Key: member, Text: lift.Clip(c.N.Text), Place: evidence.At(c.P)})
				e.Skip(c, evidence.ReasonIdentifier)
			default:
				e.notes(evidence.Statement, member, c)
			}
		}
		return true
	}
	return false
}

// digest keeps a digest that stands without the file's name, under the name of its member.
func (e *engine) digest(key string, v lift.Val) {
	d, _ := parseDigest(v.Str())
	e.Take(v)
	e.References = append(e.References, evidence.Reference{Name: lift.Clip(key), SHA256: evidence.Some(d), Kind: "digest", Place: evidence.At(v.P)})
}

func isDigest(s string) bool {
	_, ok := parseDigest(s)
	return ok
}

func parseDigest(s string) (evidence.Digest, bool) {
	s = strings.TrimPrefix(strings.ToLower(s), "sha256:")
	if len(s) != 64 {
		return evidence.Digest{}, false
	}
	d, err := evidence.ParseDigest(s)
	return d, err == nil
}
