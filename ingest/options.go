package ingest

import (
	"time"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Options of an intake. The zero value is usable.
type Options struct {
	// Own are files and folders of the archive that are never inputs: its secret keys.
	Own []string
	// Campaign is declared for every input; it overrides what the artifacts say.
	Campaign string
	// Readers are asked in order; nil means Registered.
	Readers []Reader
	// Texts are asked in order about what is not JSON; nil means RegisteredText.
	Texts []TextReader
	// MaxInput bounds one input, DefaultMaxInput when 0. A larger one is lost.
	MaxInput int64
	// Limits bound the reading; zero fields mean jsondoc.Defaults.
	Limits jsondoc.Limits
	// Workers read at the same time, 2 when 0.
	Workers int
	// NoResume leaves alone what an earlier intake kept and did not read: somebody else
	// in this process sees to it.
	NoResume bool
	// Progress is called at most ten times a second, and once at the end.
	Progress func(Progress)
	// Done is called for each input, in order, once its end state is committed.
	Done func(FileReport)
	// Now is the clock of Progress; time.Now when nil.
	Now func() time.Time
}

// DefaultMaxInput is the largest input that is kept when Options do not say.
const DefaultMaxInput = 8 << 30

// Bounds of the work in hand. They set the memory that intake takes.
const (
	batchFiles = 64
	batchBytes = 512 << 10
	// streamFrom is the size from which an input is kept and read as a stream.
	streamFrom = 8 << 20
	// maxNodes is how many members and items a value may have that a reader is given.
	maxNodes = 1_000_000
	// treeNode and liftedRow are what one node of a tree and one lifted row take in
	// memory while a reader is at work, its own tables included; maxInHand bounds both
	// together, for one artifact: it waits in memory until it is committed. The
	// largest real campaigns lift some thousands of rows.
	treeNode  = 110
	liftedRow = 350
	maxInHand = 285 << 20
	// sampleFrom is the number of nodes from which a reader is first given a sample.
	sampleFrom = 50_000
	// heavyFrom is the size from which an artifact is read and committed alone.
	heavyFrom = 1 << 20
)

// MemoryTarget is what to give [runtime/debug.SetMemoryLimit] for the memory that the
// bounds allow for: a process that only takes in stays under 400 MiB then.
const MemoryTarget = 300 << 20

func (o Options) orDefaults() Options {
	if o.Readers == nil {
		o.Readers = Registered()
	}
	if o.Texts == nil {
		o.Texts = RegisteredText()
	}
	if o.MaxInput <= 0 {
		o.MaxInput = DefaultMaxInput
	}
	if o.Workers <= 0 {
		o.Workers = 2
	}
	if o.Limits.Size <= 0 {
		o.Limits.Size = jsondoc.Defaults.Size
	}
	if o.Limits.Nodes <= 0 {
		o.Limits.Nodes = maxNodes
	}
	if o.Limits.Text <= 0 {
		o.Limits.Text = jsondoc.Defaults.Text
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Codes of the findings that intake itself makes.
const (
	CodeNoLabel      = "no-label"
	CodeUnknownLabel = "unrecognised-label"
	CodeUnknownText  = "unrecognised-text"
	CodeNotRead      = "not-read"
	CodeReaderPanic  = "reader-panic"
	CodeNotStored    = "not-stored"
	CodeKnown        = "known-bytes"
	CodeNotFound     = "not-found"
	CodeUnreadable   = "unreadable"
	CodeNotAFile     = "not-a-regular-file"
	CodeLinkOutside  = "link-outside"
	CodeLinkFolder   = "link-to-folder"
	CodeOwnArchive   = "own-archive"
	CodeInputLimit   = "input-too-large"
	CodeNotKept      = "not-kept"
	CodeUnfinished   = "not-read-yet"
)

// States of a report that no artifact has: there are no bytes. What is kept and not
// read is [evidence.Pending].
const (
	Lost    evidence.EndState = "lost"
	Skipped evidence.EndState = "skipped"
)
