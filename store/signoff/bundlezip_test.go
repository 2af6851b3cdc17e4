package signoff

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

func zipOf(t *testing.T, members ...zipMember) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := writeZip(&b, members); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func faultsOf(data []byte) string {
	_, faults := readZip(bytes.NewReader(data), int64(len(data)))
	var all []string
	for _, f := range faults {
		all = append(all, f.Error())
	}
	return strings.Join(all, "\n")
}

func small(t *testing.T) []byte {
	return zipOf(t, textMember("a/one.txt", []byte("one\n")), textMember("a/two.txt", nil), textMember("z.json", []byte("{}")))
}

// TestZipPlain: other programs read it, and the same members are the same bytes.
func TestZipPlain(t *testing.T) {
	data := small(t)
	if !bytes.Equal(data, small(t)) {
		t.Error("the same members, other bytes")
	}
	if got := faultsOf(data); got != "" {
		t.Error(got)
	}
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range zr.File {
		if f.Mode() != memberMode || f.Modified.Year() != 1980 {
			t.Errorf("%s: %s %s", f.Name, f.Mode(), f.Modified)
		}
	}
	if text, err := fs.ReadFile(zr, "a/one.txt"); err != nil || string(text) != "one\n" {
		t.Errorf("%q %v", text, err)
	}
}

// TestZipEveryBit: no bit of the file can be turned, whether it carries a meaning or not.
func TestZipEveryBit(t *testing.T) {
	data := small(t)
	for i := range data {
		for bit := range 8 {
			changed := bytes.Clone(data)
			changed[i] ^= 1 << bit
			if faultsOf(changed) == "" && !differs(t, changed, data) {
				t.Fatalf("byte %d, bit %d", i, bit)
			}
		}
	}
	for _, changed := range [][]byte{data[:len(data)-1], append(bytes.Clone(data), 0), append([]byte{0}, data...), data[1:], nil, []byte("PK")} {
		if faultsOf(changed) == "" {
			t.Errorf("taken: %d bytes in place of %d", len(changed), len(data))
		}
	}
}

// differs reports whether a zip that is well made has other names or other bytes: that is
// for the manifest to find.
func differs(t *testing.T, a, b []byte) bool {
	t.Helper()
	list := func(data []byte) string {
		members, faults := readZip(bytes.NewReader(data), int64(len(data)))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		var s strings.Builder
		for i := range members {
			text, err := members[i].read()
			fmt.Fprintf(&s, "%s %q %v\n", members[i].name, text, err)
		}
		return s.String()
	}
	return list(a) != list(b)
}

// TestZipRefused: forms of a zip that no bundle has.
func TestZipRefused(t *testing.T) {
	text := textMember("a.txt", []byte("text"))
	named := func(name string) []zipMember { m := text; m.name = name; return []zipMember{m} }
	for _, x := range []struct {
		members []zipMember
		says    string
	}{
		{named("../a.txt"), "no name that a bundle has"},
		{named("/etc/passwd"), "no name that a bundle has"},
		{named("a/../b"), "no name that a bundle has"},
		{named("a//b"), "no name that a bundle has"},
		{named(`a\b`), "no name that a bundle has"},
		{named("c:a"), "no name that a bundle has"},
		{named("A.txt"), "no name that a bundle has"},
		{named(".hidden"), "no name that a bundle has"},
		{named("a/"), "no name that a bundle has"},
		{named("a\x00b"), "no name that a bundle has"},
		{named(strings.Repeat("a", maxMemberName+1)), "no name that a bundle has"},
		{[]zipMember{text, text}, "there are two of that name"},
		{append(named("b.txt"), text), "not in the order of names"},
	} {
		var b bytes.Buffer
		if err := writeZip(&b, x.members); err != nil {
			continue // it cannot even be written
		}
		if got := faultsOf(b.Bytes()); !strings.Contains(got, x.says) {
			t.Errorf("%q: %q, want %q", x.members[0].name, got, x.says)
		}
	}
}

// TestZipForeign: a zip of another program is refused for what it could hide.
func TestZipForeign(t *testing.T) {
	for name, x := range map[string]struct {
		header zip.FileHeader
		says   string
	}{
		"link":   {zip.FileHeader{Name: "a", ExternalAttrs: uint32(0o120777) << 16, CreatorVersion: zipVersion}, "is no plain file"},
		"packed": {zip.FileHeader{Name: "a", Method: zip.Deflate, ExternalAttrs: uint32(0o100444) << 16, CreatorVersion: zipVersion}, "is packed"},
		"extra":  {zip.FileHeader{Name: "a", Extra: []byte{1, 2, 0, 0}, ExternalAttrs: uint32(0o100444) << 16, CreatorVersion: zipVersion}, "are not those that the members"},
	} {
		var b bytes.Buffer
		zw := zip.NewWriter(&b)
		w, err := zw.CreateHeader(&x.header)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(bytes.Repeat([]byte("a"), 1000))
		if err := zw.Close(); err != nil {
			t.Fatal(err)
		}
		if got := faultsOf(b.Bytes()); !strings.Contains(got, x.says) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestZipBounded: what a file claims of itself costs nothing.
func TestZipBounded(t *testing.T) {
	data := small(t)
	many := bytes.Clone(data)
	binary.LittleEndian.PutUint16(many[len(many)-12:], maxMembers+1)
	long := bytes.Clone(data)
	binary.LittleEndian.PutUint32(long[len(long)-10:], 1<<32-1)
	for want, data := range map[string][]byte{"a bundle has at most": many, "beyond 4 GiB": long} {
		if got := faultsOf(data); !strings.Contains(got, want) {
			t.Errorf("%q: %q", want, got)
		}
	}
	if _, faults := readZip(nil, maxBundle+1); len(faults) == 0 {
		t.Error("a file of more than a bundle may have is read")
	}
}

func FuzzReadZip(f *testing.F) {
	var b bytes.Buffer
	if err := writeZip(&b, []zipMember{textMember("a.txt", []byte("text")), textMember("b/c.txt", nil)}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		members, faults := readZip(bytes.NewReader(data), int64(len(data)))
		if len(faults) > 0 {
			return
		}
		var again bytes.Buffer
		if err := writeZip(&again, members); err != nil || !bytes.Equal(again.Bytes(), data) {
			t.Fatalf("taken, and not what its members give: %v", err)
		}
	})
}

func TestEntryNames(t *testing.T) {
	for member, want := range map[string]int64{"entries/000000000041.record": 41, "entries/000000000000.proof": 0, "entries/41.record": -1,
		"entries/-00000000041.record": -1, "entries/x.record": -1, "entries/000000000041": -1} {
		if n, ok := entryIndex(member); ok != (want >= 0) || ok && n != want {
			t.Errorf("%s: %d %v", member, n, ok)
		}
	}
	for _, bad := range []string{"\n", " ", "AAAA\n", strings.Repeat("A", 43) + "="} {
		if _, err := readProof([]byte(bad)); err == nil {
			t.Errorf("%q is taken for a proof", bad)
		}
	}
}
