// Package frame reads one JSON value of a streamed answer: a chunk of chat completions, of
// completions, an event of the Responses API, or a whole answer that was not streamed.
//
// [Frame.Parse] walks the bytes once, checks that they are JSON, and keeps what a
// measurement needs: whether there is visible content, reasoning, a tool call, an end;
// token ids, usage, the engine's own timings, an error. Strings stay as they stand in the
// bytes ([AppendText] decodes one), nothing is allocated for an ordinary chunk, and the
// frame is valid as long as the bytes are.
//
// Members are looked for by name and in any order; what is not known is skipped. null, an
// absent member and a number of the wrong kind all read as absent, never as zero.
package frame
