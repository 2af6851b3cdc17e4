// Package artifact is the wire format of our own runner: one run of one arm under one
// workload, with everything that a comparison will ask for.
//
// The journey of a run into bytes and back:
//
//  1. The runner fills a [Run]: what was under test and how that is known ([Facts]), the
//     workload, the windows, one [Request] a request with its raw times, summaries made
//     of those times alone, gates, telemetry, the engine's own counters, and the health
//     of the client that measured.
//  2. [Run.Check] holds it against the format's own rules: every fact key that a rule
//     asks about is there, with a value or with the reason why it has none.
//  3. [Encode] gives canonical bytes (RFC 8785): the same run gives the same digest on
//     every machine.
//  4. [Decode] reads them back, strictly: an unknown member, a wrong type or a value out
//     of bounds is an error with a JSON Pointer and a byte offset.
//  5. [Schema] is the published JSON Schema of the format; package ingest/assayrun is
//     the reader that takes such a document into the archive.
//
// Raw times are whole nanoseconds after the start of the run, so that anybody's
// arithmetic over them is exact. Summaries are in base units. A time that was not
// observed is null and never 0.
package artifact
