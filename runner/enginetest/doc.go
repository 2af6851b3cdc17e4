// Package enginetest gives tests a real engine: llama.cpp's server, with a model that is
// made on the spot.
//
// The journey of a test:
//
//  1. [Model] writes a model of the sizes asked for, with random weights: the same file for
//     the same [Dims]. It talks nonsense, but at the speed of its size, and for as many
//     tokens as it is told when the request says ignore_eos. No weights are kept anywhere.
//  2. [Start] runs the server that ASSAY_LLAMA_SERVER names on a free port and waits until
//     it answers. When it ends by itself the test fails with the last lines that it wrote.
//  3. At the end of the test the server and all that it started are killed.
//
// Without ASSAY_LLAMA_SERVER the test is skipped; with ASSAY_REQUIRE_ENGINE=1 it fails
// instead, so that a machine that should have the engine cannot pass without it.
// .ci/llama-server gets one.
//
// The model is a GGUF file, version 3, little-endian, of these parts in order:
//
//	head      "GGUF", version, number of tensors, number of metadata entries
//	metadata  key, type, value: what the graph cannot be built without (the architecture
//	          and its sizes), the vocabulary, and a chat template
//	tensors   name, sizes (fastest first), type, and where its numbers begin
//	numbers   float32, each tensor at a multiple of 32
//
// The architecture is llama's: an embedding, blocks of attention and of a gated feed-forward
// net, each behind a norm, and a last norm and projection. Names of tensors and keys are
// those that the loader asks for.
//
// The vocabulary is of SentencePiece's kind, as the loader needs no table of merges for it:
// <unk>, <s>, </s>, one token for each byte, so that any text can be said, then made-up words
// with their score. The rows of the last projection that belong to anything but words are
// zero. A word's logit is spread about zero, so the likeliest token is a whole word: no
// chunk waits for the rest of a character, and each token is a chunk with text.
package enginetest
