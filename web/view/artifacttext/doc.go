// Package artifacttext shows a part of an artifact as numbered lines with one place
// marked, however large the artifact is.
//
// The journey of a view:
//
//  1. [Open] decodes the bytes: UTF-8 as it stands, UTF-16 into UTF-8, anything else
//     is binary and gets a hexadecimal head.
//  2. [Build] streams over the text once. It finds out whether the text is JSON (one
//     value or several), picks a layout (the lines as they stand, or one value a line
//     where a line is too long to read), and leaves checkpoints every 64 KiB from which
//     the text can be read on. Nothing of the text itself is kept.
//  3. [Index.Find] turns a JSON Pointer into a byte range. It reads only the stretches
//     between checkpoints that can hold the place.
//  4. [Index.Show] reads one window of lines and cuts them into pieces: names, strings,
//     numbers, and the marked place.
//
// For example, in
//
//	{"results": [
//	  {"tp": 1, "ttft_p50_ms": 847.7}
//	]}
//
// Find("/results/0/ttft_p50_ms") is the range of 847.7 on line 2, whose parent is the
// object on that line.
//
// Note: a tree of the document would be simpler, but a 100 MB artifact would cost a
// gigabyte of memory to show 300 lines of it.
package artifacttext
