package mlperf

import (
	"testing"

	"assay/ingest/lift/lifttest"
)

func TestGolden(t *testing.T) { lifttest.GoldenText(t, TextReaders(), "*.txt") }

func TestGoldenDetail(t *testing.T) { lifttest.GoldenText(t, DetailReaders(), "*.log") }

func FuzzDetail(f *testing.F) { lifttest.FuzzText(f, DetailReaders(), "*.log") }

func FuzzText(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "*.txt") }
