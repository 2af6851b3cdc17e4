package prompt

import "math"

// model estimates tokens, in thousandths: whole numbers, so that the same counts give the
// same prompts on every machine.
type model struct {
	base                         int64 // what is around the text: chat template, system message
	unit, char, digits, syllable int64
}

const milli = 1000

// terms of the model: its members.
const terms = 5

// of is the estimate for a text without what is around it.
func (m model) of(f features) int64 {
	return f.units*m.unit + f.chars*m.char + f.digits*m.digits + f.syllables*m.syllable
}

// observation is one count of the endpoint.
type observation struct {
	f      features
	tokens int64
}

// Expectations before anything was counted, and how far off they may be. They only decide
// between models that explain the counts equally well.
var (
	expected = [terms]float64{12, 1, 0, 0, 0}
	doubt    = [terms]float64{300, 1, 0.5, 0.5, 0.5}
)

// mostDoublings bounds how far counts are distrusted.
const mostDoublings = 10

// fit is the linear model with the least weighted squares. A count is trusted to a token
// and to 0.4 % of it; where that makes a model in which some text has no tokens, it is
// trusted to twice as much, until there is none.
func fit(seen []observation) model {
	m := leastSquares(seen, 1)
	for i := 1; i <= mostDoublings && !m.sensible(); i++ {
		m = leastSquares(seen, float64(int64(1)<<i))
	}
	return m
}

// sensible says whether words, marks and numbers all have tokens, and long words not fewer
// than short ones by much.
func (m model) sensible() bool {
	return m.of(features{1, 6, 0, 0}) > 0 && m.of(features{1, 6, 0, 2}) > 0 && m.of(features{1, 1, 0, 0}) > 0 && m.of(features{1, 4, 3, 0}) > 0 && m.char > -milli/10
}

func leastSquares(seen []observation, distrust float64) model {
	var a [terms][terms + 1]float64
	for i := range terms {
		w := 1 / float64(doubt[i]*doubt[i])
		a[i][i], a[i][terms] = w, float64(w*expected[i])
	}
	for _, o := range seen {
		x := [terms]float64{1, float64(o.f.units), float64(o.f.chars), float64(o.f.digits), float64(o.f.syllables)}
		s := float64(distrust * (1 + float64(0.004*float64(o.tokens))))
		w := 1 / float64(s*s)
		for i := range terms {
			for j := range terms {
				a[i][j] += float64(float64(w*x[i]) * x[j])
			}
			a[i][terms] += float64(float64(w*x[i]) * float64(o.tokens))
		}
	}
	x := solve(a)
	return model{thousandths(x[0]), thousandths(x[1]), thousandths(x[2]), thousandths(x[3]), thousandths(x[4])}
}

// solve by elimination with pivots. The expectations make the matrix regular. Products are
// converted before they are added: no machine may fuse the two.
func solve(a [terms][terms + 1]float64) (x [terms]float64) {
	for c := range terms {
		p := c
		for r := c + 1; r < terms; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[p][c]) {
				p = r
			}
		}
		a[c], a[p] = a[p], a[c]
		for r := c + 1; r < terms; r++ {
			k := a[r][c] / a[c][c]
			for j := c; j < terms+1; j++ {
				a[r][j] -= float64(k * a[c][j])
			}
		}
	}
	for c := terms - 1; c >= 0; c-- {
		v := a[c][terms]
		for j := c + 1; j < terms; j++ {
			v -= float64(a[c][j] * x[j])
		}
		x[c] = v / a[c][c]
	}
	return x
}

func thousandths(v float64) int64 { return int64(math.Round(float64(v * milli))) }
