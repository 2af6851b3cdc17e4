// Package llamabench reads what llama.cpp's llama-bench and llama-batched-bench write.
//
//	bench         an object with build_commit, n_prompt, n_gen and avg_ts (JSONL)
//	bench-list    a list of them (JSON)
//	bench-nested  the same object under bench_raw of another harness
//	batched       n_kv_max, pp, tg, pl, speed_pp, speed_tg
//	csv, sql      llama-bench -o csv and -o sql, one line per test
//	md            the table that it prints: short option names, two decimals
//	batched-md    the table that llama-batched-bench prints
//	log           JSON lines of either between the lines of a log
//
// Definitions. There is no request, no server and no first token here: avg_ts is the mean
// of per-repetition rates of the engine's own loop. A test with n_gen 0 is a prefill phase
// (prefill_throughput), with n_prompt 0 a decode phase (decode_throughput); both together
// (-pg) mix the two (batch_throughput). The spread is a sample's (n-1); of one
// repetition it is unknown, though 0 is written.
//
// Identity. A member that the reader does not know may change what was tested, so it
// becomes an engine option and keeps two rows apart, as every known option does. The
// card's name comes from the driver: one card has several.
package llamabench
