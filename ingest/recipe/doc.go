// Package recipe reads serve recipes: TOML files that say how a model server is started.
// They are where the identity behind a served name stands.
//
// The journey of a recipe:
//
//  1. parse makes the nodes of a TOML text, each with its byte range.
//
//  2. entries finds the serve entries by shape: a part of the file with one served name,
//     a model and a way to start a server. No table name and no file name decides.
//
//  3. Everything an entry says becomes settings: its members, the flags of its command
//     line (vLLM, SGLang and llama.cpp dialects) and, for images whose entry point is
//     driven by variables, its environment. For example the flag
//
//     --speculative-config '{"method":"mtp","num_speculative_tokens":3}'
//
//     says spec_method "mtp", draft_depth 3 and mtp_depth 3.
//
//  4. Settings that name one key make one fact. Where they differ, the fact is in
//     conflict and a finding names both: a recipe that contradicts itself is not
//     resolved by guessing. What has no key is kept in engine_options.
//
// An entry becomes one arm without runs. Places are lines: "/lines/N" with the byte
// range in the line.
//
// Note: the reader never follows a path or a URL of a recipe, and a value that looks
// like a credential is masked before it becomes a fact.
package recipe
