package jsondoc

import (
	"bytes"
	"hash/maphash"
)

// Bounds of the duplicate check, over all open objects together. An object beyond
// them is read without the check, and a finding says so.
const (
	maxNames     = 1 << 20
	maxNameBytes = 32 << 20
	fewNames     = 8       // up to here a scan over the hashes is faster than a table
	longName     = 4 << 10 // of a longer name only the start is kept, beside its hash
	keepTable    = 4 << 10 // larger tables are not kept for reuse
)

var nameSeed = maphash.MakeSeed()

// names holds the member names of the open objects, innermost last, as one stack: it
// answers whether a name stands twice, and what the current path is.
type names struct {
	entries []name
	text    []byte
}

type name struct {
	hash       uint64
	start, end int // in text
	size       int // of the whole name
	offset     int64
}

// scope is one open object's part of the stack.
type scope struct {
	first int     // index of its first entry
	table []int32 // open addressing over entries, by 1-based index from first
	used  int     // size of the table in use, a power of two; 0 while names are few
	loose bool    // past the bounds: only the current name is kept
}

func (n *names) open(s *scope) { s.first, s.used, s.loose = len(n.entries), 0, false }

func (n *names) close(s *scope) {
	n.cut(s.first)
	if len(s.table) > keepTable {
		s.table = nil
	}
}

func (n *names) cut(first int) {
	if first < len(n.entries) {
		n.text = n.text[:n.entries[first].start]
		n.entries = n.entries[:first]
	}
}

// push makes text the current name of s, the innermost object. It returns the offset
// of the same name earlier in the object, or -1. outgrown is true when the object
// has just left the bounds of the check.
func (n *names) push(s *scope, text []byte, offset int64) (earlier int64, outgrown bool) {
	if !s.loose && (len(n.entries) >= maxNames || len(n.text)+min(len(text), longName) > maxNameBytes) {
		s.loose, outgrown = true, true
	}
	if s.loose {
		n.cut(s.first)
		n.add(text, 0, offset)
		return -1, outgrown
	}
	hash := maphash.Bytes(nameSeed, text)
	earlier = n.find(s, hash, text)
	n.add(text, hash, offset)
	n.index(s)
	return earlier, false
}

func (n *names) add(text []byte, hash uint64, offset int64) {
	start := len(n.text)
	n.text = append(n.text, text[:min(len(text), longName)]...)
	n.entries = append(n.entries, name{hash: hash, start: start, end: len(n.text), size: len(text), offset: offset})
}

func (n *names) find(s *scope, hash uint64, text []byte) int64 {
	if s.used == 0 {
		for i := s.first; i < len(n.entries); i++ {
			if n.same(i, hash, text) {
				return n.entries[i].offset
			}
		}
		return -1
	}
	for i := int(hash) & (s.used - 1); s.table[i] != 0; i = (i + 1) & (s.used - 1) {
		if at := s.first + int(s.table[i]) - 1; n.same(at, hash, text) {
			return n.entries[at].offset
		}
	}
	return -1
}

func (n *names) same(i int, hash uint64, text []byte) bool {
	e := &n.entries[i]
	return e.hash == hash && e.size == len(text) && bytes.Equal(n.text[e.start:e.end], text[:e.end-e.start])
}

// index puts the newest entry into the table, which it makes or doubles when due.
func (n *names) index(s *scope) {
	count := len(n.entries) - s.first
	switch {
	case count <= fewNames:
		return
	case 2*count > s.used:
		s.used = max(4*fewNames, 2*s.used)
		if s.used > len(s.table) {
			s.table = make([]int32, s.used)
		}
		clear(s.table[:s.used])
		for i := range count {
			n.place(s, i)
		}
	default:
		n.place(s, count-1)
	}
}

func (n *names) place(s *scope, i int) {
	at := int(n.entries[s.first+i].hash) & (s.used - 1)
	for s.table[at] != 0 {
		at = (at + 1) & (s.used - 1)
	}
	s.table[at] = int32(i + 1)
}

// current is the newest name of the scope whose entries end at end.
func (n *names) current(end int) string {
	e := n.entries[end-1]
	if e.size > e.end-e.start {
		return string(n.text[e.start:e.end]) + "…"
	}
	return string(n.text[e.start:e.end])
}
