// Package engine asks a served endpoint who it is and what it counts.
//
// The journey of an identity:
//
//  1. [Identify] asks the paths that engines have for this (/v1/models, /version, /props,
//     /server_info, /metrics), each once, with bounds, without following anything.
//  2. Where the endpoint is on this machine the listening process is found, and its command
//     line read as that engine reads it. Secrets are left out before anything else sees them.
//  3. What was said becomes facts, each with who said it. What the engine itself says of a
//     setting stands before its command line; a default stands only where it is certain.
//  4. What nobody could be asked is an absent fact with the reason.
//
// [Scrape] reads the counters of the engine's /metrics, [StartWatch] reads them over and
// over for their peaks, and [Derive] makes figures of the difference between two readings:
// what happened in the run, not since the engine was started.
//
// The answers are hostile: sizes and counts are bounded, texts come on one line, clipped.
package engine
