package evidence

// Opt is a value that may be absent. The zero Opt is absent: absent is not zero,
// so no number of the archive uses 0, -1 or "" for "not recorded".
type Opt[T any] struct {
	V  T
	OK bool
}

// Some is a present value.
func Some[T any](v T) Opt[T] { return Opt[T]{V: v, OK: true} }

// None is an absent value.
func None[T any]() Opt[T] { return Opt[T]{} }
