// Package workload says what a session asks of an endpoint: presets named after known
// protocols, and files in TOML.
//
// The journey: [Read] takes a file, or [Preset] a name; [Workload.Check] names all faults at
// once, each by its key; the same workload is then put to every arm. [Workload.TOML] writes
// what Read reads.
//
// Keys of a file, with units, defaults and bounds:
//
//	name          letters, digits, dot, dash, underscore; at most 60; must be given
//	about         one line
//	class         short-capacity (default), aggregate-throughput, long-context, long-generation
//	api           chat (default), completions, responses
//	seed          whole number, 1
//	repeats       1 to 100, 6; the list of steps is gone through so often
//	[[steps]]     1 to 64
//	  name          as above, unique
//	  target        prompt tokens, 16 to 16,777,216
//	  requests      measured requests; or
//	  duration      of the measured window, as "30s"
//	  concurrency   closed loop: requests open at once; or
//	  rate          open loop: requests per second, with
//	  process       constant, poisson (default) or gamma, and shape for gamma; or
//	  trace         open loop: due times in seconds
//	  max_open      open loop: more than so many open requests drop the next, 10,000
//	  warmup        requests before the measured ones, 0
//	  ramp, drain   durations, 0: none, and as long as requests may last
//	[prompt]      kind (prose, code, mixed), tolerance (0.001 to 0.5; 0.02), shared_prefix
//	              (tokens, 0), needles (depths, 0 to 1), canary (true), system
//	[output]      cap (tokens, must be given), mode (natural, forced)
//	[sampling]    temperature (0 to 2; 0), top_p (above 0, to 1; 1), seed
//	[thinking]    enabled (not given: nothing is sent), effort, tokens (headroom, 0)
//	[connection]  fresh (false), idempotency (true), retries (0 to 3; 1)
//	[limits]      connect (10s), first_chunk (10m), stall (2m), total (1h)
//	[preflight]   skip, only (names of checks), burst, retrieval (prompt tokens), reserve (tokens)
package workload
