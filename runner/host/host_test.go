package host

import (
	"context"
	"testing"

	"assay/ingest/artifact"
)

func TestDescribe(t *testing.T) {
	h := Describe()
	if h.OS == "" || h.CPUs < 1 || h.Kernel == "" || h.Memory == nil || *h.Memory < 1<<20 {
		t.Errorf("%+v", h)
	}
	switch h.Environment {
	case "native", "container", "wsl2":
	default:
		t.Errorf("environment %q", h.Environment)
	}
}

func TestWatch(t *testing.T) {
	w := Start(context.Background())
	var h artifact.Host
	w.Stop(&h)
	if h.MemoryFree == nil || *h.MemoryFree <= 0 {
		t.Errorf("%+v", h)
	}
	if h.Pressure != nil && (*h.Pressure < 0 || *h.Pressure > 1) {
		t.Errorf("pressure %v", *h.Pressure)
	}
}

func TestWord(t *testing.T) {
	if got := word("a\x1b[2J\n  b\xff"); got != "a [2J b\ufffd" {
		t.Errorf("%q", got)
	}
}
