// Package signoff is what a promotion rests on, as values: the gates policy and its
// answer, the ground that a person decides on, the text that is signed, the signatures,
// the staleness of a sign-off, and the mathematics of the transparency log. It reads and
// writes nothing.
//
// The journey of a decision:
//
//  1. A [Policy] says which gates a target needs and what counts as passed. [Policy.Judge]
//     answers each gate from an archive's rows ([Evidence]).
//  2. Package review reads one snapshot of the archive and makes a [Ground] of it: the
//     candidate and its control, the frozen comparison, gates, limitations, failures,
//     what contradicts it, and what nobody tested.
//  3. A reviewer acknowledges each item ([Ground.Items]) and prepares a [Statement]:
//     text in fixed order, the same bytes for the same ground.
//  4. A promoter signs the text. The person's signature says "I judged this"; the
//     server's signature of a checkpoint over the log says "this is what the archive
//     held". They are two claims with two keys.
//  5. The statement is a record of a Merkle log ([Record], [Checkpoint]), like every artifact, repair and
//     waiver. A checkpoint that left the building proves what the archive held then.
//  6. Package review holds a sign-off against the archive of today, [Check] by [Check]; what
//     no longer fits makes its [Standing] stale, with the reason. Nothing is edited: a
//     withdrawal is another record.
package signoff
