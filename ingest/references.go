package ingest

import (
	"path"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// maxReferences bounds what one document names.
const maxReferences = 20_000

// named adds the files that a value names together with their SHA-256, wherever they
// stand and whoever reads the value:
//
//	{"path": "a.json", "sha256": D}            a member that names a file beside the digest
//	{"source": "a.json", "source_sha256": D}   the member that the digest is called after
//	{"a.json": D, "b.log": D}                  names and digests
//
// The place of such a reference is the digest. A reference that the reader made of the
// same file gets that place; it keeps its kind.
func named(v *jsondoc.Node, root evidence.Pointer, known []evidence.Reference) []evidence.Reference {
	at := map[evidence.Pointer]int{} // of the known ones by their object
	for i := range known {
		if p := known[i].Place.Pointer; known[i].SHA256.OK {
			at[p.Parent()] = i
			at[p] = i
		}
	}
	v.Walk(root, func(p evidence.Pointer, n *jsondoc.Node) bool {
		if n.Kind != jsondoc.Object {
			return n.Kind == jsondoc.Array
		}
		names := mapsNames(p, n)
		for i, member := range n.Names {
			digest, ok := digestOf(n.Children[i])
			if !ok || len(known) >= maxReferences {
				continue
			}
			name, ok := fileBeside(n, member)
			if !ok && names {
				name, ok = member, true
			}
			if !ok {
				continue
			}
			place := evidence.At(p.Key(member))
			if k, ok := sameFile(at, known, place.Pointer, digest, name); ok {
				known[k].Place = place
				continue
			}
			known = append(known, evidence.Reference{Name: name, SHA256: evidence.Some(digest), Kind: kindOf(place.Pointer), Place: place})
		}
		return true
	})
	return known
}

// sameFile finds the reference that a reader made of a file: at the digest, or in the
// object that it stands in.
func sameFile(at map[evidence.Pointer]int, known []evidence.Reference, p evidence.Pointer, digest evidence.Digest, name string) (int, bool) {
	for _, q := range []evidence.Pointer{p, p.Parent(), p.Parent().Parent()} {
		if i, ok := at[q]; ok && known[i].SHA256.V == digest && (known[i].Name == "" || lastName(known[i].Name) == lastName(name)) {
			if known[i].Name == "" {
				known[i].Name = name
			}
			return i, true
		}
	}
	return 0, false
}

// digestOf reads a SHA-256 as hexadecimal digits. "sha256:…" is how images are named,
// which are no files.
func digestOf(n *jsondoc.Node) (evidence.Digest, bool) {
	s := n.Str()
	if len(s) != 64 {
		return evidence.Digest{}, false
	}
	d, err := evidence.ParseDigest(strings.ToLower(s))
	return d, err == nil
}

// besides are members that name the file a digest beside them is of.
var besides = []string{"path", "file", "filename", "file_name", "name", "source", "artifact", "manifest", "relative_path"}

// fileBeside finds the name of the file that a digest member is of.
func fileBeside(n *jsondoc.Node, member string) (string, bool) {
	low := strings.ToLower(member)
	stem := ""
	for _, suffix := range []string{"_sha256", "-sha256", ".sha256", "sha256", "_digest", "_hash"} {
		if s, ok := strings.CutSuffix(low, suffix); ok {
			stem = strings.TrimRight(member[:len(s)], "_-.")
			break
		}
	}
	switch {
	case stem == "" && low != "sha256" && low != "digest" && low != "hash" && low != "content_sha256":
		return "", false
	case stem == "" || low == "content_sha256" || strings.EqualFold(stem, "source") && n.Get("source") == nil:
		return firstFile(n, besides...)
	}
	return firstFile(n, stem, stem+"_path", stem+"_file", stem+"_name")
}

// firstFile is the first of the members that is a name of a file.
func firstFile(n *jsondoc.Node, names ...string) (string, bool) {
	for _, m := range names {
		if s := n.Get(m).Str(); isFileName(s) {
			return s, true
		}
	}
	return "", false
}

// isFileName reports whether a text can be the name or path of a file: one line
// without a scheme that ends in a name with an extension, or that has a folder.
func isFileName(s string) bool {
	if s == "" || len(s) > 1<<10 || strings.ContainsAny(s, "\n\r\t\x00\"<>|") || strings.Contains(s, "://") {
		return false
	}
	last := lastName(s)
	ext := path.Ext(last)
	return len(ext) > 1 && len(ext) <= 12 && !strings.ContainsAny(ext, " ") || strings.ContainsAny(s, `/\`) && !strings.Contains(s, " ") && last != "" && strings.Count(s, "/") != 1
}

func lastName(s string) string { return path.Base(strings.ReplaceAll(s, `\`, "/")) }

// mapsNames reports whether an object maps names of files to digests: every member is a
// digest, and the names look like files or the object is called after digests.
func mapsNames(p evidence.Pointer, n *jsondoc.Node) bool {
	if len(n.Names) == 0 {
		return false
	}
	files := 0
	for i, name := range n.Names {
		if _, ok := digestOf(n.Children[i]); !ok {
			return false
		}
		if isFileName(name) {
			files++
		}
	}
	if files == len(n.Names) {
		return true
	}
	tokens := p.Tokens()
	if len(tokens) == 0 {
		return false
	}
	called := strings.ToLower(tokens[len(tokens)-1])
	return (strings.HasSuffix(called, "hashes") || strings.HasSuffix(called, "digests") || strings.HasSuffix(called, "sha256")) &&
		(strings.Contains(called, "artifact") || strings.Contains(called, "file") || strings.Contains(called, "manifest"))
}

// kindOf names what a file is by where its digest stands.
func kindOf(p evidence.Pointer) string {
	tokens := p.Tokens()
	for i := len(tokens) - 1; i >= 0; i-- {
		switch t := strings.ToLower(tokens[i]); {
		case t == "media" || t == "images" || t == "video" || t == "audio":
			return "media"
		case t == "corpus":
			return "corpus"
		case t == "suites":
			return "suite"
		case strings.HasPrefix(t, "control_evidence"):
			return "control"
		case strings.Contains(t, "manifest"):
			return "manifest"
		}
	}
	return "evidence"
}
