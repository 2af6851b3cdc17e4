// Package manifest reads checksum manifests: texts of which every line names a file and
// its SHA-256, as sha256sum, shasum and the BSD tools write them.
//
// The journey of a manifest:
//
//  1. A text is a manifest when every line that says something is an entry, and there
//     is at least one. Blank lines, lines that begin with "#" and the armour of a
//     signed text say nothing.
//  2. Every entry becomes a [evidence.Reference] of kind "manifest" at its line, with
//     the byte range of the digest. The archive resolves it like any other reference.
//
// For example the lines
//
//	9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 *run.json
//	SHA256 (run.json) = 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
//
// both name run.json. A name that GNU tools escape (a leading backslash) is unescaped.
//
// Note: a digest of another algorithm makes a line no entry: a file of MD5 sums is kept
// and not read, since nothing could be resolved with it.
package manifest
