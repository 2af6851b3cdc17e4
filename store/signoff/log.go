package signoff

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Origin is the first line of every checkpoint: which log it speaks of. Each archive has
// its own, made when its log begins.
func Origin(id string) string { return "assay-log/" + id }

// Checkpoint says how long the log was and which hash its tree had.
type Checkpoint struct {
	Origin string
	Size   int64
	Root   tlog.Hash
}

// Text is the body of the checkpoint: origin, size, root, a line each.
func (c Checkpoint) Text() string {
	return c.Origin + "\n" + strconv.FormatInt(c.Size, 10) + "\n" + base64.StdEncoding.EncodeToString(c.Root[:]) + "\n"
}

// mostCheckpoint bounds the text of a signed checkpoint.
const mostCheckpoint = 16 << 10

// ParseCheckpoint reads the body of a checkpoint; a signed one is opened with
// OpenCheckpoint.
func ParseCheckpoint(text string) (Checkpoint, error) {
	var c Checkpoint
	if len(text) > mostCheckpoint {
		return c, errors.New("checkpoint: too long")
	}
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[3] != "" || lines[0] == "" {
		return c, errors.New("checkpoint: want three lines: origin, size, root")
	}
	if !utf8.ValidString(lines[0]) || strings.ContainsFunc(lines[0], hidden) {
		return c, fmt.Errorf("checkpoint: line 1: %.80q is no name of a log", lines[0])
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != lines[1] {
		return c, fmt.Errorf("checkpoint: line 2: %.40q is no size", lines[1])
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize || base64.StdEncoding.EncodeToString(root) != lines[2] {
		return c, fmt.Errorf("checkpoint: line 3: %.60q is no hash", lines[2])
	}
	c.Origin, c.Size = lines[0], size
	copy(c.Root[:], root)
	return c, nil
}

// SignCheckpoint makes a signed note of a checkpoint.
func SignCheckpoint(c Checkpoint, by ...note.Signer) ([]byte, error) {
	text := c.Text()
	if _, err := ParseCheckpoint(text); err != nil { // what nobody could open is not signed
		return nil, err
	}
	signed, err := note.Sign(&note.Note{Text: text}, by...)
	if err != nil {
		return nil, fmt.Errorf("sign checkpoint %d: %w", c.Size, err)
	}
	return signed, nil
}

// OpenCheckpoint checks the signatures of a checkpoint against known keys. At least one
// of them must have signed; a signature by one of them that does not hold is an error.
func OpenCheckpoint(signed []byte, known note.Verifiers) (Checkpoint, *note.Note, error) {
	if len(signed) > mostCheckpoint {
		return Checkpoint{}, nil, errors.New("checkpoint: too long")
	}
	n, err := note.Open(signed, known)
	if err != nil {
		return Checkpoint{}, nil, fmt.Errorf("checkpoint: %w", err)
	}
	if err := plainSignatures(signed, n); err != nil {
		return Checkpoint{}, nil, err
	}
	c, err := ParseCheckpoint(n.Text)
	return c, n, err
}

// plainSignatures refuses a note with a byte in it that a reader of notes skips over: base64
// whose last bits are not zero, a line that repeats a signature.
func plainSignatures(signed []byte, n *note.Note) error {
	lines := strings.SplitAfter(string(signed[len(n.Text):]), "\n")
	if len(lines) != len(n.Sigs)+len(n.UnverifiedSigs)+2 || lines[0] != "\n" || lines[len(lines)-1] != "" {
		return errors.New("checkpoint: a signature stands in it twice")
	}
	for _, list := range [][]note.Signature{n.Sigs, n.UnverifiedSigs} {
		for _, s := range list {
			if _, err := base64.StdEncoding.Strict().DecodeString(s.Base64); err != nil {
				return fmt.Errorf("checkpoint: the signature of %.60q is not written as signatures are", s.Name)
			}
		}
	}
	return nil
}

// CheckRecord checks that a record is entry n of the log of a checkpoint.
func CheckRecord(c Checkpoint, n int64, record []byte, proof tlog.RecordProof) error {
	if n < 0 || n >= c.Size {
		return fmt.Errorf("record %d: the log of the checkpoint has %d", n, c.Size)
	}
	if err := tlog.CheckRecord(proof, c.Size, c.Root, n, tlog.RecordHash(record)); err != nil {
		return fmt.Errorf("record %d is not what the log of %d records holds there: %w", n, c.Size, err)
	}
	return nil
}

// CheckPrefix checks that the log of an old checkpoint is the beginning of a newer one.
func CheckPrefix(old, now Checkpoint, proof tlog.TreeProof) error {
	switch {
	case old.Origin != now.Origin:
		return fmt.Errorf("the checkpoint is of another log: %s, and this is %s", old.Origin, now.Origin)
	case old.Size > now.Size:
		return fmt.Errorf("the checkpoint has %d records and the log has %d: records are missing", old.Size, now.Size)
	case old.Size == 0:
		return nil
	case old.Size == now.Size:
		if old.Root != now.Root {
			return fmt.Errorf("the log of %d records has another hash than the checkpoint says: records were changed", old.Size)
		}
		return nil
	}
	if err := tlog.CheckTree(proof, now.Size, now.Root, old.Size, old.Root); err != nil {
		return fmt.Errorf("the log of %d records does not begin with the %d of the checkpoint: records were changed: %w", now.Size, old.Size, err)
	}
	return nil
}

// FormatProof writes hashes a line each, in base64.
func FormatProof(proof []tlog.Hash) string {
	var b strings.Builder
	for _, h := range proof {
		b.WriteString(base64.StdEncoding.EncodeToString(h[:]))
		b.WriteByte('\n')
	}
	return b.String()
}

// mostProof bounds a proof: no tree of 2^63 leaves needs more hashes.
const mostProof = 128

// ParseProof reads what FormatProof wrote, and nothing else.
func ParseProof(text string) ([]tlog.Hash, error) {
	var out []tlog.Hash
	for text != "" {
		l, rest, ended := strings.Cut(text, "\n")
		raw, err := base64.StdEncoding.DecodeString(l)
		if err != nil || len(raw) != tlog.HashSize || base64.StdEncoding.EncodeToString(raw) != l || !ended || len(out) == mostProof {
			return nil, fmt.Errorf("proof: line %d: %.60q is no hash", len(out)+1, l)
		}
		out, text = append(out, tlog.Hash(raw)), rest
	}
	return out, nil
}

// Entry is a record where it stands in the log.
type Entry struct {
	Index int64
	Kind  RecordKind
	Body  []byte // as Record.Bytes gives it
}

// Record is the entry's record; one that cannot be read has the kind it is filed under
// and no fields.
func (e *Entry) Record() Record {
	r, err := ParseRecord(e.Body)
	if err != nil {
		return Record{Kind: e.Kind}
	}
	return r
}

// Signed is a checkpoint as the archive keeps it: its size beside the signed note.
type Signed struct {
	Size int64
	Note []byte // empty when nothing was signed yet
}

// Proved is a record with what proves that it stands in the log of a checkpoint. Proof is
// nil when the checkpoint is older than the record.
type Proved struct {
	Entry
	Signed Signed
	Proof  tlog.RecordProof
}

// LogFilter narrows a list of records. A zero field does not narrow.
type LogFilter struct {
	Kind   RecordKind
	Offset int
	Limit  int
}

// RecordHash is the hash of a record as a leaf of the tree, in base64.
func RecordHash(body []byte) string { return tlog.RecordHash(body).String() }
