// Package inferencex reads the aggregates of InferenceX (InferenceMAX):
//
//	fixed      hw, infmax_model_prefix, conc, isl, osl, tput_per_gpu: seconds without _ms
//	agentic    users instead of conc, no lengths, counts of requests
//	nested     request_metrics and server_metrics in place of flat members
//	collected  a list of the above
//	synthetic  acceptance rates that speculative decoding was forced to
//
// Definitions. tput_per_gpu is (input + output) per second and GPU; on several nodes
// output_tput_per_gpu divides by decode GPUs only and input_tput_per_gpu by prefill GPUs
// only, which are metrics of their own. Latencies of fixed sequences are those of vLLM's
// bench serve (ttfc, itl_chunk), of nested ones AIPerf's (ttfo, and itl is tpot). Every
// intvty is 1 / tpot of the same percentile, so its p99 is the slow tail and its std means
// nothing: it is checked and not lifted.
//
// Traps. A latency of 0.0 is no measurement: mock results have it. Totals count warm-up
// rows, so total - successful is no number of failures; where few succeeded the latencies
// are those of the survivors.
package inferencex
