package prompt

// features are what the tokens of a text are estimated from. Those of a prompt are the sum
// of those of its pieces.
type features struct {
	units  int64 // words, groups of digits, marks, line breaks: about what a tokeniser cuts at
	chars  int64
	digits int64 // some tokenisers have a token for each
	// syllables: vowels behind a consonant; small vocabularies have tokens of that size.
	syllables int64
}

func (f *features) add(g features) {
	f.units += g.units
	f.chars += g.chars
	f.digits += g.digits
	f.syllables += g.syllables
}

// Classes of bytes.
const (
	blank byte = iota
	lower
	upper
	digit
	mark
	line
)

var classes = func() (c [256]byte) {
	for i := range c {
		switch b := byte(i); {
		case b == ' ' || b == '_': // part of the token behind them
			c[i] = blank
		case b >= 'a' && b <= 'z':
			c[i] = lower
		case b >= 'A' && b <= 'Z':
			c[i] = upper
		case b >= '0' && b <= '9':
			c[i] = digit
		case b == '\n' || b == '\t':
			c[i] = line
		default:
			c[i] = mark
		}
	}
	return c
}()

var vowels = [256]bool{'a': true, 'e': true, 'i': true, 'o': true, 'u': true, 'A': true, 'E': true, 'I': true, 'O': true, 'U': true}

// Runs longer than these are more than one token as a rule.
const (
	longWord  = 9
	longGroup = 3
)

// scan measures a piece and gives its hash, by which a repeated one is known.
func scan(text []byte) (f features, hash uint64) {
	f.chars, hash = int64(len(text)), 14695981039346656037 // FNV-1a
	last, run, consonant := blank, 0, false
	for _, b := range text {
		hash = (hash ^ uint64(b)) * 1099511628211
		class := classes[b]
		run++
		switch class {
		case lower:
			if last != lower && last != upper || run > longWord {
				f.units, run = f.units+1, 1
			}
			if vowels[b] && consonant {
				f.syllables++
			}
		case upper:
			f.units, run = f.units+1, 1
		case digit:
			f.digits++
			if last != digit || run > longGroup {
				f.units, run = f.units+1, 1
			}
		case mark:
			f.units++
		case line:
			if last != line {
				f.units++
			}
		}
		last, consonant = class, (class == lower || class == upper) && !vowels[b]
	}
	return f, hash
}
