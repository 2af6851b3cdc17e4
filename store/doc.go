// Package store keeps the archive: one SQLite file with the verbatim bytes of every
// artifact and everything readers made of them.
//
// The journey of an input through this package:
//
//  1. [Open] opens the file with two handles, one connection that writes and several
//     that only read, and brings the schema up to date (package migrations).
//  2. [Archive.Keep] and [Archive.KeepStream] commit the bytes, compressed in chunks,
//     before anybody interprets them. The artifact is "pending" then.
//  3. A reader makes an [evidence.Reading] of the bytes (package ingest).
//  4. [Archive.Commit] flattens the reading into rows (flatten.go) and replaces all
//     derived rows of the artifact with them, in one transaction.
//  5. Pages and exports ask the query methods. Each runs in one read transaction, so
//     that all of its numbers come from one snapshot.
//  6. What people say about evidence is a repair ([Archive.AddRepair]). Aliases,
//     declared facts and what recipes say of served names are laid over the facts of
//     every answer (overlay.go); a move changes the campaign of documents. Derived rows
//     stay what a reading gives, and a withdrawn repair leaves nothing.
//  7. [Archive.ResetDerived] drops every derived row; reading the bytes again gives
//     the same rows. [Archive.DumpDerived] writes them as text, to prove it.
//  8. Every primary row that is made (an artifact, an arrival, what people say, accounts,
//     policies, statements) is a record of the log in the same transaction (log.go), which
//     ends in a signed checkpoint when the archive has a key. [Archive.VerifyLog] makes the
//     tree and every record again and compares.
//
// The derived tables are described once, as data (tables.go); inserting, deleting and
// dumping work from that description. The ids of derived rows are made from the
// artifact's id and an ordinal inside it:
//
//	run.id = artifact.id << 24 | ordinal
//
// so that rows of one artifact lie together and a rebuilt row is the same row. Lists
// and exports are ordered by campaign, digest and ordinal: the same evidence gives
// the same bytes, whatever order it came in.
//
// Note: derived rows are not the only copy of anything. Artifacts, their names, their
// arrivals and repairs are, and triggers refuse to delete or change them.
package store
