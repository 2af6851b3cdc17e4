package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// byteSize is a number of bytes on the command line: 4096, 64KiB, 512MiB, 2GiB.
type byteSize int64

var byteUnits = []struct {
	name string
	size int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}

func (b *byteSize) String() string {
	for i := len(byteUnits) - 1; i >= 0; i-- {
		if u := byteUnits[i]; *b > 0 && int64(*b)%u.size == 0 {
			return strconv.FormatInt(int64(*b)/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (b *byteSize) Set(s string) error {
	digits, unit := s, int64(1)
	for _, u := range byteUnits {
		if head, ok := strings.CutSuffix(s, u.name); ok {
			digits, unit = strings.TrimSpace(head), u.size
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("want a number of bytes from 1, for example 64KiB, 512MiB or 2GiB")
	}
	*b = byteSize(n * unit)
	return nil
}

func (b *byteSize) Type() string { return "SIZE" }
