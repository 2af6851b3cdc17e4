package jsondoc

// Op is what an event says.
type Op uint8

const (
	Begin  Op = iota // a value of the artifact begins
	Open             // an object or array opens
	Name             // a member's name; its value follows
	Leaf             // a value that is no container
	Close            // the innermost container closes
	End              // the value that began is whole
	Broken           // the value that began broke off; a finding says why
)

// Event is one step of a scan. The scanner uses one Event for all, so a handler
// copies what it keeps.
type Event struct {
	Op    Op
	Kind  Kind // of Open, Leaf and Close
	Index int  // of the value in the artifact
	// Text is the decoded string or name, the number or word as it stands. It is
	// valid during the call only.
	Text []byte
	// Offset and End are the byte range in the artifact: of the token; for Close and
	// End of the whole value. Begin and Open know only where it starts, Broken where
	// it broke off.
	Offset, End int64
}

// Handler takes the events of a scan in document order.
type Handler func(*Event)
