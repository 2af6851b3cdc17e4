package signoff

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// folderEntries holds records of the log and their proofs.
const folderEntries = "entries/"

// entryName is the name of a record's members without their endings. Numbers have one
// width, so that the order of names is that of the log.
func entryName(index int64) string { return fmt.Sprintf("%s%012d", folderEntries, index) }

// entryIndex reads the number out of a member's name.
func entryIndex(member string) (index int64, ok bool) {
	digits, _, _ := strings.Cut(strings.TrimPrefix(member, folderEntries), ".")
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && n >= 0 && strings.HasPrefix(member, entryName(n)+".")
}

// readProof reads a proof that is written as proofs are, and no other.
func readProof(text []byte) (tlog.RecordProof, error) {
	p, err := ParseProof(string(text))
	if err != nil {
		return nil, err
	}
	if FormatProof(p) != string(text) {
		return nil, errors.New("proof: is not written as proofs are")
	}
	return p, nil
}
