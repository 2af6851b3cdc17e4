package signoff

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

const (
	maxPolicy = 256 << 10
	// mostFaults bounds what an error lists.
	mostFaults = 100
)

// ParsePolicy reads a policy. All faults are told at once, each with line and column; a
// text that is no TOML has one.
func ParsePolicy(data []byte) (*Policy, error) {
	if len(data) > maxPolicy {
		return nil, fmt.Errorf("policy: %d bytes, more than %d", len(data), maxPolicy)
	}
	l := layout{data: data, at: map[string]int{}}
	if err := l.read(); err != nil {
		return nil, err
	}
	p := &Policy{}
	if !l.unusable {
		if err := toml.Unmarshal(data, p); err != nil {
			return nil, errors.Join(l.err(), fmt.Errorf("policy: %w", positioned(err)))
		}
		p.check(&l)
	}
	if err := l.err(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	p.digest = hex.EncodeToString(sum[:])
	return p, nil
}

// positioned gives a fault of the text its line and column.
func positioned(err error) error {
	var at *toml.DecodeError
	if errors.As(err, &at) {
		row, col := at.Position()
		return fmt.Errorf("line %d, column %d: %s", row, col, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return err
}

// layout is where the members of a policy's text stand, and what is wrong with them.
type layout struct {
	data     []byte
	at       map[string]int // offset of a member by its path: "gate[2].names[0]"
	faults   []policyFault
	unusable bool // a member is of another kind than the policy has
	gates    int
}

type policyFault struct {
	offset int
	says   string
}

// fault notes what is wrong with a member; one that does not stand in the text is told at
// the member that lacks it.
func (l *layout) fault(path, format string, args ...any) {
	at, ok := l.at[path]
	for holder := path; !ok && holder != ""; {
		holder = holder[:max(strings.LastIndexAny(holder, ".["), 0)]
		at, ok = l.at[holder]
	}
	l.faults = append(l.faults, policyFault{at, fmt.Sprintf("%.200s: %s", path, fmt.Sprintf(format, args...))})
}

func (l *layout) err() error {
	slices.SortFunc(l.faults, func(a, b policyFault) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), strings.Compare(a.says, b.says))
	})
	var all []error
	for i, f := range l.faults {
		if i == mostFaults {
			all = append(all, fmt.Errorf("policy: and %d more", len(l.faults)-i))
			break
		}
		line, column := l.position(f.offset)
		all = append(all, fmt.Errorf("policy: line %d, column %d: %s", line, column, f.says))
	}
	return errors.Join(all...)
}

func (l *layout) position(offset int) (line, column int) {
	before := l.data[:offset]
	return bytes.Count(before, []byte("\n")) + 1, offset - bytes.LastIndexByte(before, '\n')
}

// read walks the text once, notes where everything stands, and tells members that a
// policy does not have.
func (l *layout) read() error {
	p := &unstable.Parser{}
	p.Reset(l.data)
	table, members := "", policyMembers
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, members = l.header(e)
		case unstable.KeyValue:
			l.member(table, members, e)
		}
	}
	if err := p.Error(); err != nil {
		return l.syntax(err)
	}
	return nil
}

// syntax gives a fault of the text itself its place.
func (l *layout) syntax(err error) error {
	var any map[string]any
	if again := toml.Unmarshal(l.data, &any); again != nil {
		return fmt.Errorf("policy: %w", positioned(again))
	}
	return fmt.Errorf("policy: %w", err)
}

// header opens a table: [targets] or [[gate]].
func (l *layout) header(e *unstable.Node) (path string, members map[string]memberKind) {
	name, offset := joined(e.Key())
	switch {
	case e.Kind == unstable.ArrayTable && name == "gate":
		path, members = fmt.Sprintf("gate[%d]", l.gates), gateMembers
		l.gates++
	case e.Kind == unstable.Table && name == "targets":
		path, members = name, targetMembers
	default:
		path = name
		l.at[path] = offset
		l.unusable = l.unusable || policyMembers[name] != aText
		l.fault(path, "no table of a policy; there are [targets] and [[gate]]")
		return path, nil
	}
	l.at[path] = offset
	return path, members
}

func joined(key unstable.Iterator) (name string, offset int) {
	offset = -1
	var parts []string
	for key.Next() {
		n := key.Node()
		if offset < 0 {
			offset = int(n.Raw.Offset)
		}
		parts = append(parts, string(n.Data))
	}
	return strings.Join(parts, "."), max(offset, 0)
}

// member notes one "key = value" of a table. Members of an unknown table are not told one
// by one.
func (l *layout) member(table string, members map[string]memberKind, e *unstable.Node) {
	name, offset := joined(e.Key())
	path := name
	if table != "" {
		path = table + "." + name
	}
	l.at[path] = offset
	if members == nil {
		return
	}
	kind, known := members[name]
	if head, rest, dotted := strings.Cut(name, "."); !known && dotted && table == "" && head == "targets" {
		kind, known = targetMembers[rest]
	}
	if !known {
		l.fault(path, "no member here; there are %s", strings.Join(sortedKeys(members), ", "))
		return
	}
	l.value(path, kind, e.Value())
}

func sortedKeys(m map[string]memberKind) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
