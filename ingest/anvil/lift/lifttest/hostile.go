package lifttest

import (
	"strconv"
	"testing"
	"time"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Hostile reads the fixture with its lists blown up to many items and many members that
// nobody knows; the time must stay that of a linear reader.
func Hostile(t *testing.T, r Reader, fixture string, lists ...evidence.Pointer) {
	t.Helper()
	const many = 20_000
	for _, at := range lists {
		v := Fixtures(t)[fixture]
		list := v.At(at)
		for i := 0; len(list.Children) < many; i++ {
			list.Children = append(list.Children, list.Children[0])
			if list.Kind == jsondoc.Object {
				list.Names = append(list.Names, "x"+strconv.Itoa(i))
			}
		}
		pad(v, many)
		start := time.Now()
		d := Read(t, r, v)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s with %d items took %s", at, many, took)
		}
		if len(d.Findings) > 2000 {
			t.Errorf("%s: %d findings", at, len(d.Findings))
		}
	}
}

// pad puts members that nobody knows before those of v, so that looking one up is slow.
func pad(v *jsondoc.Node, n int) {
	names, children := make([]string, 0, n), make([]*jsondoc.Node, 0, n)
	for i := range n {
		names = append(names, "pad"+strconv.Itoa(i))
		children = append(children, &jsondoc.Node{Kind: jsondoc.Null})
	}
	v.Names, v.Children = append(names, v.Names...), append(children, v.Children...)
}
