package review

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

type digest struct{ hash.Hash }

func newDigest() digest      { return digest{sha256.New()} }
func (d digest) hex() string { return hex.EncodeToString(d.Sum(nil)) }
