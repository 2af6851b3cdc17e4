package artifacttext

import (
	"container/list"
	"crypto/sha256"
	"io"
	"sync"

	"assay/store/evidence"
)

// Cache keeps the indexes of the artifacts opened last, within a bound of bytes.
// Concurrent requests for one artifact build its index once.
type Cache struct {
	mu    sync.Mutex
	bound int64
	size  int64
	order *list.List // of *entry, latest first
	byKey map[evidence.Digest]*list.Element
}

type entry struct {
	key  evidence.Digest
	once sync.Once
	x    *Index
	err  error
	size int64
}

// NewCache makes a cache of at most bound bytes.
func NewCache(bound int64) *Cache {
	return &Cache{bound: bound, order: list.New(), byKey: map[evidence.Digest]*list.Element{}}
}

// Get is the index of the artifact named d, built from t if it is not there. fresh
// says that this call built it.
func (c *Cache) Get(d evidence.Digest, t *Text) (x *Index, fresh bool, err error) {
	e := c.entry(d)
	e.once.Do(func() {
		fresh = true
		e.x, e.err = Build(t, sha256.New())
		c.settle(e)
	})
	return e.x, fresh, e.err
}

func (c *Cache) entry(d evidence.Digest) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[d]; ok {
		c.order.MoveToFront(el)
		return el.Value.(*entry)
	}
	e := &entry{key: d}
	c.byKey[d] = c.order.PushFront(e)
	return e
}

// settle accounts for a built index and drops the oldest beyond the bound. A failed
// one is forgotten, so that the next request tries again.
func (c *Cache) settle(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.byKey[e.key]
	if !ok || el.Value.(*entry) != e {
		return
	}
	if e.err != nil {
		c.drop(el)
		return
	}
	e.size = e.x.Size()
	c.size += e.size
	for el := c.order.Back(); c.size > c.bound && el != nil && el.Value.(*entry) != e; el = c.order.Back() {
		c.drop(el)
	}
}

func (c *Cache) drop(el *list.Element) {
	e := c.order.Remove(el).(*entry)
	delete(c.byKey, e.key)
	c.size -= e.size
}

// Digest hashes the bytes as they came. It is how a page says that they still match
// the artifact's name.
func Digest(r io.Reader) (evidence.Digest, error) {
	var d evidence.Digest
	h := sha256.New()
	_, err := io.Copy(h, r)
	copy(d[:], h.Sum(nil))
	return d, err
}
