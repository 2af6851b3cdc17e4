package evidence

import "fmt"

// Unit is a base unit. Every stored value is in one; scaling for people happens in
// web and store/export only.
type Unit string

const (
	Seconds         Unit = "s"
	Tokens          Unit = "tokens"
	TokensPerSecond Unit = "tokens/s"
	Chunks          Unit = "chunks"
	ChunksPerSecond Unit = "chunks/s"
	RequestsPerSec  Unit = "requests/s"
	Requests        Unit = "requests"
	Bytes           Unit = "bytes"
	Joules          Unit = "J"
	JoulesPerToken  Unit = "J/token"
	Watts           Unit = "W"
	Ratio           Unit = "ratio"
	Count           Unit = "count"
)

// sourceUnits maps a unit as sources write it to its base unit and the exact
// factor num/den.
var sourceUnits = map[string]struct {
	base     Unit
	num, den int64
}{
	"s": {Seconds, 1, 1}, "ms": {Seconds, 1, 1000}, "us": {Seconds, 1, 1_000_000}, "ns": {Seconds, 1, 1_000_000_000}, "min": {Seconds, 60, 1},
	"tokens": {Tokens, 1, 1}, "tok/s": {TokensPerSecond, 1, 1}, "tokens/s": {TokensPerSecond, 1, 1},
	"chunks": {Chunks, 1, 1}, "chunks/s": {ChunksPerSecond, 1, 1},
	"requests": {Requests, 1, 1}, "requests/s": {RequestsPerSec, 1, 1},
	"bytes": {Bytes, 1, 1}, "KiB": {Bytes, 1 << 10, 1}, "MiB": {Bytes, 1 << 20, 1}, "GiB": {Bytes, 1 << 30, 1},
	"kB": {Bytes, 1_000, 1}, "MB": {Bytes, 1_000_000, 1}, "GB": {Bytes, 1_000_000_000, 1},
	"J": {Joules, 1, 1}, "J/token": {JoulesPerToken, 1, 1}, "W": {Watts, 1, 1},
	"ratio": {Ratio, 1, 1}, "percent": {Ratio, 1, 100}, "count": {Count, 1, 1},
}

// ToBase converts the digits text, written in the unit from, to the base unit.
func ToBase(text, from string) (float64, Unit, error) {
	u, ok := sourceUnits[from]
	if !ok {
		return 0, "", fmt.Errorf("unit %q: not known", from)
	}
	f, err := ScaleDecimal(text, u.num, u.den)
	return f, u.base, err
}
