// Package sweep carries over what a document says member by member, where no reader has a
// better plan for it: observations, registries and configuration inputs have dozens of
// labels, and what a member is can be told from the name that its writer gave it.
//
// The journey of a member:
//
//  1. A reader takes what it knows (figures, arms, runs) and sweeps the rest.
//  2. A text becomes a fact of identity, the time of observation, a gate, a decision, a
//     reference or a note, by its name; a flag a gate, a decision or a note.
//  3. A number is never a measurement here. It becomes a fact of identity or is listed as
//     not lifted, with the reason that its name gives: an identifier, a time, a setting, a
//     figure that no metric of ours defines.
//  4. A number whose name says nothing is left alone, and the account of the document
//     reports it as unread: a renamed or new member does not go by unseen.
//
// For example the member "free_bytes_before": 15447490560 is listed as a diagnostic figure,
// and "served_model_name": "qwen3" becomes the served name.
//
// Note: identity counts only where it speaks of what was served: at the top and in blocks
// such as "identity" or "runtime", never inside a list and never in a block about another
// service ("router").
package sweep
