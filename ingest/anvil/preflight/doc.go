// Package preflight reads functional preflights under the label preflight/v2.
//
// A preflight is gate evidence: a list of checks with what each said, the single requests
// behind them, and a policy about finish reasons and reasoning. Three shapes share the
// label, told apart by their media inputs:
//
//	base    neither images nor video
//	image   multimodal_input, image_expect, ocr_expect
//	video   the same and video_input, video_expect
//
// The journey of a file:
//
//  1. Every result becomes a gate; the policy and the file as a whole are gates too. A
//     file can fail on its policy alone, which a finding says.
//  2. Every observation becomes a run of the functional class with one request in it: its
//     seconds are a single E2E figure and never part of a percentile, for the requests
//     differ in what they ask.
//  3. Usage comes in two dialects; prompt and output tokens are read from either.
//
// A file without observations is whole: the server refused, and the gate says so.
package preflight
