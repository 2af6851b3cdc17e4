// Package mask finds secrets and private data in text and replaces them.
//
// The journey of a text:
//
//  1. Find walks it once, byte by byte. A byte that can begin or join something of
//     interest (a prefix such as "sk-", "://", the "=" of an assignment) asks the rules
//     of that byte; everything else is passed over. A rule reads forward within bounds,
//     so the time is linear and nothing backtracks.
//  2. What is found is a [Span]: where it stands and of which [Kind] it is. Secrets are
//     credentials. Private data are user paths, card ids and addresses.
//  3. Secrets replaces secrets. Private replaces both.
//
// For example
//
//	Secrets("--api-key sk-proj-Zm9vYmFy0123456789")  --api-key sk-proj-…[masked 18]
//	Private("http://db.corp.example.org:8000/v1")    http://host-1c9fa2:8000/v1
//
// A masked secret keeps the prefix that names its kind and the number of bytes that
// are gone. There is no digest of it: a short secret could be found from its digest by
// trying. Private data get a short label made of a digest, the same in every archive,
// so that two runs on one card can be told from runs on two.
//
// Placeholders ("***", "EMPTY", "${TOKEN}", "sk-no-key-required") are no secrets.
// Masking is idempotent.
//
// Note: Field is for a value whose name stands elsewhere, such as a member and its name;
// Named says whether such a value is a secret. Masking is for what is shown. The bytes
// of an artifact are never changed.
package mask
