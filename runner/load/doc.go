// Package load sends requests to an OpenAI-compatible endpoint and records when everything
// happened.
//
// The journey of a run:
//
//  1. A [Plan] says how: a closed loop that keeps so many requests open, or an open loop
//     whose due times come from a pacer (package pace); warm-up, ramp, measured window,
//     drain. All its faults are named at once.
//  2. [Run] asks a [Source] for each request before it is due, sends it when it is, and gives
//     the finished [Record] to one goroutine, which hands it to a [Sink]. Records are used
//     again: memory is that of the open requests, whatever the length of the run.
//  3. A [Client] speaks HTTP/1.1 itself (package wire), cuts the stream into events (sse)
//     and reads the members that matter (frame). The time of a chunk is the kernel's: when
//     its bytes arrived, not when a goroutine got to read them. How much later that was is
//     kept too. Where the kernel does not say, the time is that of the read.
//  4. A request ends with a [Class]. Only [OK] and [NoUsage] were delivered. Nothing is sent
//     again without an [Attempt] in its record.
//  5. Tokens are what the engine says: usage, token ids. Chunks are never counted as tokens.
//     The tokens of one chunk are known where the engine counts along; the first of
//     usage 0, 3, 4, 9 is a chunk without tokens, the others brought 3, 1 and 5.
//  6. The [Certificate] says how the client fared: lateness against due times and against
//     the kernel, processor, garbage collector, scheduler, sockets; and beside it what
//     [Calibrate] found that this client can do on this machine.
//  7. [Summarise] computes every figure from the records alone, in any order, at any later
//     time; [Lines] and [ReadLines] are their lossless form.
//
// Moments of one request, in order:
//
//	Due        the pacer's time, or when the slot came free
//	Began      a goroutine turned to it         Began - Due is the client's lag
//	           (a connection is opened, or an idle one taken)
//	Sent       first byte to the kernel         all latencies start here, but for ..._from_due
//	Headers    the response's head was whole
//	FirstChunk first event, even an empty one   ttfc
//	FirstReasoning, FirstContent, FirstTool     ttfo is the first of them, ttft is content
//	LastOutput the last event with output
//	End        [DONE], or the end of the body   e2e
//	Closed     the end of the HTTP message
//
// Note: the end is that of the answer, not of the last token: usage comes in between. A
// server that holds the connection open behind [DONE] costs nothing; one that never sends
// [DONE] ends with its body.
//
// Note: an event larger than the receive window (64 KiB at first) arrives no faster than
// the client reads; its time is that of its last byte.
package load
