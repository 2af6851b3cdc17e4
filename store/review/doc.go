// Package review is the desk at which a decision is prepared, signed and looked at again.
// It reads an archive, asks the rules and the gates policy, and writes drafts, statements
// and standings through the archive's own methods. Pages, commands and scripts use it
// alike: there is one gatekeeper, [Desk.Sign], and no way round it.
//
// The journey of a decision:
//
//  1. [Desk.Survey] reads one snapshot and makes a [signoff.Ground] of it. The same
//     archive gives the same ground, byte for byte ([GroundDigest]).
//  2. A reviewer opens a draft on it ([Desk.Open]), acknowledges its items one by one
//     ([Desk.Acknowledge]) and hands it over ([Desk.Save] with Ready).
//  3. [Desk.Preview] gives the signer the very text that will be signed, and everything
//     that would refuse it.
//  4. [Desk.Sign] takes that text back with a signature. It surveys again: what does not
//     give the same text today is refused, and every [Refusal] is listed.
//  5. [Desk.Standing] holds a sign-off against the archive of today by named checks.
//     [Desk.Recheck] does so for all of them whenever something that could matter moved.
package review
