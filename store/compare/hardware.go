package compare

import (
	"slices"
	"strconv"
	"strings"
)

// card is what a hardware string says: the product, how it is powered, and what the
// product has by itself. Card count, host and path words do not belong to a product.
type card struct {
	product string   // canonical; "" when the string names none
	power   string   // power class within the product, "" when not said
	classes int      // power classes that the product exists in
	memory  float64  // bytes of the product, 0 when not known
	arch    string   // compute capability of the product, "" when not known
	cards   int      // as the string counts them, 0 when it does not
	other   []string // words that nobody knows, sorted: they keep two spellings apart
}

// product is a line of the alias table: the words that name a card and what follows from
// them.
type product struct {
	words   []string // all of them in a row
	name    string
	memory  int64 // GB as the maker counts them
	arch    string
	classes int
}

// products are the cards whose spellings the program knows. People add spellings with
// aliases; a card that is not here is still equal to itself.
var products = []product{
	{[]string{"rtx", "pro", "6000"}, "RTX PRO 6000 Blackwell", 96, "12.0", 2},
	{[]string{"rtx", "pro", "5000"}, "RTX PRO 5000 Blackwell", 0, "12.0", 1},
	{[]string{"rtx", "pro", "4500"}, "RTX PRO 4500 Blackwell", 32, "12.0", 1},
	{[]string{"rtx", "pro", "4000"}, "RTX PRO 4000 Blackwell", 24, "12.0", 1},
	{[]string{"rtx", "5090", "d"}, "RTX 5090 D", 32, "12.0", 1},
	{[]string{"rtx", "5090"}, "RTX 5090", 32, "12.0", 1},
	{[]string{"rtx", "5080"}, "RTX 5080", 16, "12.0", 1},
	{[]string{"rtx", "5070", "ti"}, "RTX 5070 Ti", 16, "12.0", 1},
	{[]string{"rtx", "5070"}, "RTX 5070", 12, "12.0", 1},
	{[]string{"rtx", "5060", "ti"}, "RTX 5060 Ti", 0, "12.0", 1},
	{[]string{"rtx", "4090", "d"}, "RTX 4090 D", 24, "8.9", 1},
	{[]string{"rtx", "4090"}, "RTX 4090", 24, "8.9", 1},
	{[]string{"rtx", "4080", "super"}, "RTX 4080 Super", 16, "8.9", 1},
	{[]string{"rtx", "4080"}, "RTX 4080", 16, "8.9", 1},
	{[]string{"rtx", "3090", "ti"}, "RTX 3090 Ti", 24, "8.6", 1},
	{[]string{"rtx", "3090"}, "RTX 3090", 24, "8.6", 1},
	{[]string{"rtx", "6000", "ada"}, "RTX 6000 Ada", 48, "8.9", 1},
	{[]string{"rtx", "a6000"}, "RTX A6000", 48, "8.6", 1},
	{[]string{"gb300"}, "GB300", 0, "10.3", 1},
	{[]string{"gb200"}, "GB200", 0, "10.0", 1},
	{[]string{"gb10"}, "GB10", 128, "12.1", 1},
	{[]string{"dgx", "spark"}, "GB10", 128, "12.1", 1},
	{[]string{"b300"}, "B300", 0, "10.3", 1},
	{[]string{"b200"}, "B200", 0, "10.0", 1},
	{[]string{"gh200"}, "GH200", 0, "9.0", 1},
	{[]string{"h200", "nvl"}, "H200 NVL", 141, "9.0", 1},
	{[]string{"h200"}, "H200", 141, "9.0", 1},
	{[]string{"h20"}, "H20", 0, "9.0", 1},
	{[]string{"h100"}, "H100", 0, "9.0", 1},
	{[]string{"a100"}, "A100", 0, "8.0", 1},
	{[]string{"l40s"}, "L40S", 48, "8.9", 1},
	{[]string{"l40"}, "L40", 48, "8.9", 1},
	{[]string{"l4"}, "L4", 24, "8.9", 1},
	{[]string{"a10g"}, "A10G", 24, "8.6", 1},
	{[]string{"a10"}, "A10", 24, "8.6", 1},
	{[]string{"t4"}, "T4", 16, "7.5", 1},
	{[]string{"v100"}, "V100", 0, "7.0", 1},
	{[]string{"mi355x"}, "MI355X", 288, "gfx950", 1},
	{[]string{"mi325x"}, "MI325X", 256, "gfx942", 1},
	{[]string{"mi300x"}, "MI300X", 192, "gfx942", 1},
}

// countWords are the words that count cards.
var countWords = map[string]int{"one": 1, "single": 1, "two": 2, "dual": 2, "three": 3, "four": 4, "quad": 4, "eight": 8}

// strayWords say who made a card, what machine it sits in, or how it is reached; they do
// not tell one product from another.
var strayWords = wordSet(`nvidia geforce quadro tesla amd instinct radeon blackwell ada lovelace ampere hopper generation edition
	gpu gpus card cards device devices graphics accelerator accelerators each with and the a of in on x over without no
	wsl wsl2 docker podman container containers linux ubuntu debian windows native host hosts desktop bare metal kubernetes k8s slurm
	pcie pci nvlink pxb phb p2p exclusive vram memory gddr7 gddr6 gddr6x hbm hbm2e hbm3 hbm3e
	tp dp pp ep tensor data parallel parallelism cuda workstation rtx lane slot node`)

// placeholders stand where nobody wrote a card down.
var placeholders = wordSet("unknown none null n na nil tbd unspecified undefined default auto")

func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// parseCard reads a hardware string.
func parseCard(s string) card {
	words := cardWords(s)
	var c card
	var names []string
	for i := 0; i < len(words); {
		if p, n := productAt(words[i:]); n > 0 {
			names = append(names, p.name)
			c.memory, c.arch, c.classes = float64(p.memory)*1e9, p.arch, p.classes
			c.other = slices.DeleteFunc(c.other, func(w string) bool { return !variants[w] }) // before the name stands the host
			i += n
			continue
		}
		i += c.take(words[i:])
	}
	if len(names) == 0 {
		c.memory, c.arch = 0, ""
		c.unlisted(words)
		return c
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > 1 { // a mixed set has no memory or architecture of its own
		c.memory, c.arch, c.classes, c.power = 0, "", 1, ""
	}
	c.product = strings.Join(names, " + ")
	switch {
	case c.classes < 2:
		c.power = ""
	case c.power == "" && adjacent(words, "workstation", "edition"):
		c.power = "600 W"
	}
	slices.Sort(c.other)
	c.other = slices.Compact(c.other)
	return c
}

// unlisted makes the product of a string that names no card of the table: its words, so
// that equal strings stay equal and different ones different.
func (c *card) unlisted(words []string) {
	var kept []string
	for _, w := range words {
		if !placeholders[w] {
			kept = append(kept, w)
		}
	}
	if placeholders[strings.Join(words, "")] { // "n/a" is two words
		kept = nil
	}
	c.product, c.power, c.other = strings.Join(kept, " "), "", nil
}

// take reads one word that is not the beginning of a product and says how many it used.
func (c *card) take(words []string) int {
	w := words[0]
	next := func(s string) bool { return len(words) > 1 && words[1] == s }
	switch {
	case w == "max" && next("q"), w == "maxq":
		c.power = "300 W"
		return min(len(words), 1+len(w)%2)
	case w == "sm" && len(words) > 1 && digits(words[1]), w == "compute" && next("capability"):
		return 2
	case strings.HasPrefix(w, "sm") && digits(w[2:]), placeholders[w]:
		return 1
	case digits(w) && len(words) > 1 && isUnit(words[1]):
		return 2
	case sizeWord(w), tpWord(w), generationWord(w):
		return 1
	case countWords[w] > 0:
		c.cards = countWords[w]
	case timesWord(w) > 0:
		c.cards = timesWord(w)
	case variants[w]:
		c.other = append(c.other, w)
	case digits(w) && next("x"):
		c.cards, _ = strconv.Atoi(w)
		return 2
	case w == "w" || digits(w) && next("w"):
		if digits(w) {
			c.power = w + " W"
			return 2
		}
	case idWord(w), strayWords[w], digits(w) && len(w) < 3:
		return 1
	default:
		c.other = append(c.other, w)
	}
	return 1
}

// variants are words that make another product of the same name, wherever they stand.
var variants = wordSet("server sxm sxm2 sxm4 sxm5 nvl laptop mobile super")

func adjacent(words []string, a, b string) bool {
	for i := 1; i < len(words); i++ {
		if words[i-1] == a && words[i] == b {
			return true
		}
	}
	return false
}

// cardWords are the words of a string in lower case; figures that stand at a name are
// parted from it ("rtx5090", "gb200nvl" is left).
func cardWords(s string) []string {
	if len(s) > 400 {
		s = s[:400]
	}
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}) {
		if rest, ok := strings.CutPrefix(w, "rtx"); ok && rest != "" {
			out = append(out, "rtx")
			if rest, ok = strings.CutPrefix(rest, "pro"); ok {
				out = append(out, "pro")
			}
			if rest != "" {
				out = append(out, rest)
			}
			continue
		}
		out = append(out, w)
	}
	return out
}

func productAt(words []string) (product, int) {
	for _, p := range products {
		if len(p.words) <= len(words) && slices.Equal(p.words, words[:len(p.words)]) {
			return p, len(p.words)
		}
	}
	return product{}, 0
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isUnit(s string) bool {
	switch s {
	case "gb", "gib", "mb", "mib", "g":
		return true
	}
	return false
}

// sizeWord is "32gb"; the memory of a known product follows from it.
func sizeWord(w string) bool {
	for _, u := range []string{"gib", "mib", "gb", "mb", "g"} {
		if n, ok := strings.CutSuffix(w, u); ok && digits(n) {
			return true
		}
	}
	return false
}

// tpWord is "tp2", "dp4".
func tpWord(w string) bool {
	return len(w) > 2 && (w[:2] == "tp" || w[:2] == "dp" || w[:2] == "pp" || w[:2] == "ep") && digits(w[2:])
}

// generationWord is a PCIe generation or width: "gen5", "x16".
func generationWord(w string) bool {
	return strings.HasPrefix(w, "gen") && digits(w[3:]) || len(w) == 3 && w[0] == 'x' && digits(w[1:])
}

// timesWord is 2 for "2x" and "x2".
func timesWord(w string) int {
	n, ok := strings.CutSuffix(w, "x")
	if !ok {
		n, ok = strings.CutPrefix(w, "x")
	}
	if !ok || !digits(n) || len(n) > 2 {
		return 0
	}
	v, _ := strconv.Atoi(n)
	return v
}

// idWord is a part of a card's own identity: at least six hexadecimal digits with a
// figure among them.
func idWord(w string) bool {
	return len(w) >= 6 && strings.Trim(w, "0123456789abcdef") == "" && strings.ContainsAny(w, "0123456789")
}

// key is the canonical text of a card: two cards are one product when it is equal.
func (c *card) key() string {
	if len(c.other) == 0 {
		return c.product
	}
	return c.product + " (" + strings.Join(c.other, " ") + ")"
}
