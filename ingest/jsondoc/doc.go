// Package jsondoc reads JSON as evidence: it never corrects, it says where every
// value stands, and what it cannot read it names with a place.
//
// The journey of an artifact's bytes through the package:
//
//  1. A window finds the encoding (UTF-8 with and without byte order mark, UTF-16 in
//     both orders) and offers UTF-8 text, some 64 KiB at a time. It knows for each
//     byte of text where in the artifact it came from.
//  2. One scanner walks the window and emits an [Event] per token. It holds the open
//     containers, the current token and nothing else, so memory does not grow with
//     the artifact.
//  3. What is wrong becomes an [evidence.Finding]: stable code, JSON Pointer, byte
//     offset in the artifact, a sentence. [Codes] lists them. A defect that leaves
//     the value readable (a duplicate member, a bare NaN) does not stop the scan; a
//     syntax fault ends its value, and where values stand one to a line the scan goes
//     on with the next line.
//  4. A [Builder] turns events into [Node] trees, one per value, within limits. Of a
//     value beyond them a sketch remains, which tells what it is.
//
// [Scan] streams, [Parse] builds every tree of bytes in memory; both run the same
// scanner, so they agree. For example
//
//	{"rate": NaN, "n": 3, "n": 4}
//
// has one value with members rate (kind NotFinite, text "NaN"), n (3) and n (4), and
// the findings not-finite at /rate, byte 9, and duplicate-key at /n, byte 22.
//
// Note: encoding/json was not enough. It refuses a file with one NaN whole, takes the
// last of two equal members in silence, repairs bad UTF-8 in silence, and does not
// say where a value stood.
package jsondoc
