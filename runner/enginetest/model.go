package enginetest

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Dims are the sizes of a model. Zero fields take the tiny model's.
type Dims struct {
	Embedding   int // width of the residual stream: 64
	FeedForward int // inner width of the feed-forward net: 3 times Embedding
	Blocks      int // 2
	Heads       int // 4, of queries; half as many of keys and values
	Context     int // tokens that it is said to be trained for: 8192
	Seed        uint64
}

func (d Dims) filled() Dims {
	for _, f := range []struct {
		field *int
		value int
	}{{&d.Embedding, 64}, {&d.FeedForward, 3 * max(d.Embedding, 64)}, {&d.Blocks, 2}, {&d.Heads, 4}, {&d.Context, 8192}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return d
}

// Model writes a model into a folder of the test and gives its path.
func Model(t testing.TB, d Dims) string {
	t.Helper()
	d = d.filled()
	if d.Embedding%d.Heads != 0 || d.Embedding/d.Heads%2 != 0 || d.Heads%2 != 0 {
		t.Fatalf("enginetest: an embedding of %d cannot be divided among %d heads of an even size", d.Embedding, d.Heads)
	}
	path := filepath.Join(t.TempDir(), "model.gguf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatalf("enginetest: %v", err)
	}
	defer f.Close()
	words := words()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := writeGGUF(w, metadata(d, words), tensors(d, words)); err != nil {
		t.Fatalf("enginetest: %s: %v", path, err)
	}
	if err := w.Flush(); err != nil {
		t.Fatalf("enginetest: %s: %v", path, err)
	}
	return path
}

// token is one entry of the vocabulary.
type token struct {
	text  string
	score float32
	kind  int32
}

// Kinds of tokens, by SentencePiece's numbers.
const (
	normal  = 1
	unknown = 2
	control = 3
	single  = 6 // stands for one byte
)

// words is the vocabulary. A merge of two tokens is made where the longer one is a token
// too: so every beginning of a word is one.
func words() []token {
	v := []token{{"<unk>", 0, unknown}, {"<s>", 0, control}, {"</s>", 0, control}}
	for b := range 256 {
		const digits = "0123456789ABCDEF"
		v = append(v, token{"<0x" + string([]byte{digits[b>>4], digits[b&15]}) + ">", 0, single})
	}
	add := func(s string) { v = append(v, token{s, -float32(len(v)), normal}) }
	const space = "\u2581" // as SentencePiece writes it
	add(space)
	for c := '!'; c <= '~'; c++ {
		add(string(c))
	}
	for _, onset := range "bdfgklmnprstvz" {
		add(space + string(onset))
		for _, vowel := range "aeiou" {
			syllable := string(onset) + string(vowel)
			add(syllable)
			add(space + syllable)
			for _, coda := range "lmnrst" {
				add(space + syllable + string(coda))
			}
		}
	}
	return v
}

func metadata(d Dims, words []token) []entry {
	texts, scores, kinds := make([]string, len(words)), make([]float32, len(words)), make([]int32, len(words))
	for i, w := range words {
		texts[i], scores[i], kinds[i] = w.text, w.score, w.kind
	}
	return []entry{
		{"general.architecture", "llama"},
		{"general.name", "assay test model"},
		{"llama.context_length", uint32(d.Context)},
		{"llama.embedding_length", uint32(d.Embedding)},
		{"llama.feed_forward_length", uint32(d.FeedForward)},
		{"llama.block_count", uint32(d.Blocks)},
		{"llama.attention.head_count", uint32(d.Heads)},
		{"llama.attention.head_count_kv", uint32(d.Heads / 2)},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-5)},
		{"llama.rope.dimension_count", uint32(d.Embedding / d.Heads)},
		{"llama.vocab_size", uint32(len(words))},
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.ggml.tokens", texts},
		{"tokenizer.ggml.scores", scores},
		{"tokenizer.ggml.token_type", kinds},
		{"tokenizer.ggml.unknown_token_id", uint32(0)},
		{"tokenizer.ggml.bos_token_id", uint32(1)},
		{"tokenizer.ggml.eos_token_id", uint32(2)},
		{"tokenizer.chat_template", "{% for message in messages %}<{{ message['role'] }}> {{ message['content'] }}\n{% endfor %}" +
			"{% if add_generation_prompt %}<assistant>{% endif %}"},
	}
}

// tensors are those of the architecture. Weights are normal, so scaled that a layer keeps
// the size of what it is given.
func tensors(d Dims, words []token) []tensor {
	r := rand.New(rand.NewPCG(d.Seed, 0x65_6e_67_69_6e_65))
	normals := func(w []float32, columns int, scale float64) {
		for i := range w {
			w[i] = float32(r.NormFloat64() * scale / math.Sqrt(float64(columns)))
		}
	}
	matrix := func(name string, in, out int) tensor {
		return tensor{name: name + ".weight", sizes: []int{in, out}, fill: func(w []float32) { normals(w, in, 1) }}
	}
	norm := func(name string) tensor {
		return tensor{name: name + ".weight", sizes: []int{d.Embedding}, fill: func(w []float32) {
			for i := range w {
				w[i] = 1
			}
		}}
	}
	all := []tensor{matrix("token_embd", d.Embedding, len(words))}
	for i := range d.Blocks {
		block := "blk." + strconv.Itoa(i) + "."
		all = append(all,
			norm(block+"attn_norm"),
			matrix(block+"attn_q", d.Embedding, d.Embedding),
			matrix(block+"attn_k", d.Embedding, d.Embedding/2),
			matrix(block+"attn_v", d.Embedding, d.Embedding/2),
			matrix(block+"attn_output", d.Embedding, d.Embedding),
			norm(block+"ffn_norm"),
			matrix(block+"ffn_gate", d.Embedding, d.FeedForward),
			matrix(block+"ffn_up", d.Embedding, d.FeedForward),
			matrix(block+"ffn_down", d.FeedForward, d.Embedding),
		)
	}
	last := tensor{name: "output.weight", sizes: []int{d.Embedding, len(words)}, fill: func(w []float32) {
		normals(w, d.Embedding, 8) // far apart, so that rounding does not change which is likeliest
		for i, word := range words {
			if word.kind != normal {
				clear(w[i*d.Embedding : (i+1)*d.Embedding])
			}
		}
	}}
	return append(all, norm("output_norm"), last)
}
