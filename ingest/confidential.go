package ingest

import (
	"bytes"
	"fmt"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// Codes of the findings about what should not be shown to everybody. There is at most
// one of each for an artifact; it says how many places there are and points at the
// first. No message ever holds what was found.
const (
	CodeSecret      = evidence.CodeSecret
	CodeSecretName  = "secret-named-key" // a member named like a credential; its value is none
	CodeCardID      = "gpu-uuid"
	CodeWindowsPath = "windows-path"
	CodeUserPath    = "unix-user-path"
	CodePlaceholder = "placeholder-ip"
	CodeAddress     = "ip-address"
	CodeHost        = "host-name"
	CodeHardware    = "mac-address"
)

// confidential collects what mask finds in an artifact.
type confidential struct {
	path   trail
	value  int
	secret bool // the string at hand holds a credential
	sites  map[string]*site
	order  []string
}

// site is where something was found first, and how often.
type site struct {
	value   int // of JSON, to which pointer is relative; -1 for text
	pointer evidence.Pointer
	offset  int64
	places  int
	kinds   []mask.Kind
}

// handle looks at the strings of JSON.
func (c *confidential) handle(e *jsondoc.Event) {
	c.path.handle(e)
	c.value, c.secret = e.Index, false
	switch {
	case e.Op == jsondoc.Open && c.path.depth > 1:
		if s := &c.path.steps[c.path.depth-2]; !s.list && mask.SecretName(string(s.label)) {
			c.add(CodeSecretName, mask.NamedValue, c.path.outer, e.Offset)
		}
		return
	case e.Op != jsondoc.Leaf || e.Kind != jsondoc.String:
		return
	}
	c.look(c.path.name(), string(e.Text), c.path.pointer, e.Offset)
}

// look judges one string.
func (c *confidential) look(name, text string, at func() evidence.Pointer, offset int64) {
	spans := mask.Find(text)
	named := name != "" && mask.Named(name, text)
	secret := named
	if named {
		c.add(CodeSecret, mask.NamedValue, at, offset)
	}
	last := ""
	for _, s := range spans {
		code := codeOfKind(s.Kind)
		if code == "" || code == last || named && s.Kind.Secret() {
			continue
		}
		secret = secret || s.Kind.Secret()
		last = code
		c.add(code, s.Kind, at, offset)
	}
	c.secret = secret
	if !secret && name != "" && mask.SecretName(name) {
		c.add(CodeSecretName, mask.NamedValue, at, offset)
	}
}

func codeOfKind(k mask.Kind) string {
	switch k {
	case mask.CardID:
		return CodeCardID
	case mask.WindowsPath:
		return CodeWindowsPath
	case mask.UserPath:
		return CodeUserPath
	case mask.Placeholder:
		return CodePlaceholder
	case mask.Address:
		return CodeAddress
	case mask.Host:
		return CodeHost
	case mask.Hardware:
		return CodeHardware
	}
	return CodeSecret
}

func (c *confidential) add(code string, kind mask.Kind, at func() evidence.Pointer, offset int64) {
	s := c.sites[code]
	if s == nil {
		if c.sites == nil {
			c.sites = map[string]*site{}
		}
		s = &site{value: c.value, pointer: at(), offset: offset}
		c.sites[code] = s
		c.order = append(c.order, code)
	}
	s.places++
	for _, k := range s.kinds {
		if k == kind {
			return
		}
	}
	s.kinds = append(s.kinds, kind)
}

// lines looks at text that is not JSON.
func (c *confidential) lines(text []byte) {
	c.value = -1
	n, offset := 0, int64(0)
	for raw := range bytes.Lines(text) {
		c.look("", string(raw), func() evidence.Pointer { return evidence.Pointer("").Key("lines").Index(n) }, offset)
		offset += int64(len(raw))
		n++
	}
}

// longText looks at the lines of a text that is too large for memory. It is handed all
// bytes, and gives up where they begin like an object of JSON.
type longText struct {
	confidential
	rest   []byte
	line   int
	offset int64
	begun  bool
	json   bool
}

// longLine is where a line without an end is cut.
const longLine = 256 << 10

func (l *longText) Write(p []byte) (int, error) {
	if !l.begun {
		start := bytes.TrimLeft(p, "\xef\xbb\xbf \t\r\n")
		l.begun, l.json = len(start) > 0, len(start) > 0 && start[0] == '{'
	}
	if l.json {
		return len(p), nil
	}
	l.value = -1
	l.rest = append(l.rest, p...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 && len(l.rest) < longLine {
			return len(p), nil
		}
		if i < 0 {
			i = len(l.rest) - 1
		}
		l.take(i + 1)
	}
}

func (l *longText) take(n int) {
	n0 := l.line
	l.look("", string(l.rest[:n]), func() evidence.Pointer { return evidence.Pointer("").Key("lines").Index(n0) }, l.offset)
	if l.rest[n-1] == '\n' {
		l.line++
	}
	l.offset += int64(n)
	l.rest = append(l.rest[:0], l.rest[n:]...)
}

// close looks at the last line.
func (l *longText) close() {
	if len(l.rest) > 0 && !l.json {
		l.take(len(l.rest))
	}
}

// findings are what there is to say, the gravest first. Pointers into an artifact of
// several values start with the index of the value.
func (c *confidential) findings(several bool) []evidence.Finding {
	var secrets, rest []evidence.Finding
	for _, code := range c.order {
		s := c.sites[code]
		f := evidence.Finding{Severity: evidence.Info, Code: code, Pointer: s.pointer, Offset: s.offset, Message: s.message(code)}
		if several && s.value >= 0 {
			f.Pointer = evidence.Pointer("").Index(s.value) + s.pointer
		}
		if code == CodeSecret {
			f.Severity = evidence.Warning
			secrets = append(secrets, f)
			continue
		}
		rest = append(rest, f)
	}
	return append(secrets, rest...)
}

var saidOf = map[string]string{
	CodeSecretName:  "a member is named like a credential, and its value is none or a placeholder",
	CodeCardID:      "the id of a card",
	CodeWindowsPath: "an absolute Windows path",
	CodeUserPath:    "a path in the folder of a person",
	CodePlaceholder: "an address of a range that stands for others",
	CodeAddress:     "an address of a machine",
	CodeHost:        "the name of a host",
	CodeHardware:    "the hardware address of an interface",
}

func (s *site) message(code string) string {
	if code == CodeSecret {
		return fmt.Sprintf("what looks like a credential (%v) stands in %s: it is masked wherever the archive shows or exports it, and the artifact's bytes keep it; withdraw the credential",
			s.kinds, places(s.places))
	}
	return fmt.Sprintf("%s stands in %s; exports mask it unless private data are asked for", saidOf[code], places(s.places))
}

func places(n int) string {
	if n == 1 {
		return "1 place"
	}
	return fmt.Sprintf("%d places", n)
}

// trail is the way to the value at hand.
type trail struct {
	steps []step
	depth int
}

// step is one container on the way: its member's name, or the item's index.
type step struct {
	label []byte
	index int
	list  bool
}

func (t *trail) handle(e *jsondoc.Event) {
	switch e.Op {
	case jsondoc.Begin:
		t.depth = 0
	case jsondoc.Open:
		t.next()
		if t.depth == len(t.steps) {
			t.steps = append(t.steps, step{})
		}
		s := &t.steps[t.depth]
		s.label, s.index, s.list = s.label[:0], -1, e.Kind == jsondoc.Array
		t.depth++
	case jsondoc.Close:
		t.depth = max(0, t.depth-1)
	case jsondoc.Name:
		if t.depth > 0 {
			s := &t.steps[t.depth-1]
			s.label = append(s.label[:0], e.Text[:min(len(e.Text), phraseBytes)]...)
		}
	case jsondoc.Leaf:
		t.next()
	}
}

// next counts an item of the list at hand.
func (t *trail) next() {
	if t.depth > 0 && t.steps[t.depth-1].list {
		t.steps[t.depth-1].index++
	}
}

// name is the member that the value belongs to, also through lists.
func (t *trail) name() string {
	for i := t.depth - 1; i >= 0; i-- {
		if !t.steps[i].list {
			return string(t.steps[i].label)
		}
	}
	return ""
}

func (t *trail) pointer() evidence.Pointer { return t.to(t.depth) }

// outer is the pointer of the container that was just opened.
func (t *trail) outer() evidence.Pointer { return t.to(t.depth - 1) }

func (t *trail) to(depth int) evidence.Pointer {
	var p evidence.Pointer
	for _, s := range t.steps[:depth] {
		if s.list {
			p = p.Index(s.index)
		} else {
			p = p.Key(string(s.label))
		}
	}
	return p
}

// discreet masks credentials in what the readers say of an artifact: messages quote it.
func discreet(r *evidence.Reading) *evidence.Reading {
	for i := range r.Findings {
		r.Findings[i].Message = mask.Secrets(r.Findings[i].Message)
	}
	for i := range r.Documents {
		fs := r.Documents[i].Findings
		for k := range fs {
			fs[k].Message = mask.Secrets(fs[k].Message)
		}
	}
	return r
}
