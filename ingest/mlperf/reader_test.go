package mlperf

import (
	"testing"

	"assay/ingest/lift/lifttest"
)

func TestGolden(t *testing.T) { lifttest.GoldenText(t, TextReaders(), "*.txt") }

func FuzzText(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "*.txt") }
