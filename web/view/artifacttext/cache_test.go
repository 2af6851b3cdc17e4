package artifacttext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"

	"assay/store/evidence"
)

func TestCacheBuildsOnceAndStaysWithinItsBound(t *testing.T) {
	c := NewCache(3 << 10)
	doc := []byte(sample)
	var wg sync.WaitGroup
	var mu sync.Mutex
	built := 0
	for range 8 {
		wg.Go(func() {
			text, err := Open(bytes.NewReader(doc), int64(len(doc)))
			if err != nil {
				t.Error(err)
				return
			}
			x, fresh, err := c.Get(evidence.DigestOf(doc), text)
			if err != nil || x.Lines != 8 {
				t.Errorf("%+v, %v", x, err)
			}
			mu.Lock()
			defer mu.Unlock()
			if fresh {
				built++
			}
		})
	}
	wg.Wait()
	if built != 1 {
		t.Errorf("built %d times", built)
	}
	for i := range 50 {
		b := fmt.Appendf(nil, "[%d]", i)
		text, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if _, fresh, err := c.Get(evidence.DigestOf(b), text); !fresh || err != nil {
			t.Fatal(fresh, err)
		}
	}
	if c.size > c.bound || c.order.Len() != len(c.byKey) || c.order.Len() > 4 {
		t.Errorf("%d bytes in %d entries, %d by key", c.size, c.order.Len(), len(c.byKey))
	}
}

type failing struct{ *bytes.Reader }

var errDisk = errors.New("the disk is gone")

func (f failing) Read(p []byte) (int, error) {
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at > 100_000 {
		return 0, errDisk
	}
	return f.Reader.Read(p[:min(len(p), 4096)])
}

func TestAReadErrorIsToldAndNotKept(t *testing.T) {
	b := []byte(`{"a": [` + string(bytes.Repeat([]byte("1,\n"), 100_000)) + `1]}`)
	c := NewCache(1 << 20)
	text, err := Open(failing{bytes.NewReader(b)}, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Get(evidence.DigestOf(b), text); !errors.Is(err, errDisk) {
		t.Errorf("got %v, want %v", err, errDisk)
	}
	text, x := open(t, b)
	if got, _, err := c.Get(evidence.DigestOf(b), text); err != nil || got.Lines != x.Lines {
		t.Errorf("the failed index was kept: %v", err)
	}
	broken := *text
	broken.at = &seekReader{rs: failing{bytes.NewReader(b)}}
	if _, err := x.Find(&broken, "/a/90000"); !errors.Is(err, errDisk) {
		t.Errorf("find: %v", err)
	}
}
