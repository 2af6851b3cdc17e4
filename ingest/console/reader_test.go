package console

import (
	"testing"

	"assay/ingest/lift/lifttest"
)

func TestGolden(t *testing.T) { lifttest.GoldenText(t, TextReaders(), "*.log") }

func FuzzText(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "*.log") }
