package signoff

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"regexp"
)

// Bounds of a bundle. They keep the plain form of a zip: nothing in it needs the longer
// fields of large ones.
const (
	maxBundle      = 3 << 30
	maxMembers     = 10_000
	maxMemberName  = 160
	maxMemberText  = 16 << 20 // of a member that is read into memory
	memberMode     = fs.FileMode(0o444)
	zipVersion     = 20 | 3<<8 // made by: Unix attributes
	zipNeeds       = 20
	zipFirstDay    = 1<<5 | 1 // 1980-01-01, the first date that a zip can hold
	endRecordBytes = 22
	endSignature   = 0x06054b50
)

// memberName is what names of members look like: no part is empty or starts with a dot.
var memberName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*$`)

// zipMember is one member of a zip: its name, and where its bytes come from. Size and sum
// stand before the bytes, so they are known before the bytes are written.
type zipMember struct {
	name string
	size int64
	crc  uint32
	open func() (io.ReadCloser, error)
}

func textMember(name string, data []byte) zipMember {
	return zipMember{name, int64(len(data)), crc32.ChecksumIEEE(data), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	}}
}

// read is the whole of a small member.
func (m *zipMember) read() ([]byte, error) {
	if m.size > maxMemberText {
		return nil, fmt.Errorf("%s: %d bytes, more than the %d that such a member may have", m.name, m.size, int64(maxMemberText))
	}
	r, err := m.open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxMemberText+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.name, err)
	}
	return data, nil
}

// writeZip writes members in their order. The same members are the same bytes, in every
// version of every program: they are stored as they are (what deflate makes of a text is
// not the same for good), have one date and one mode, and no field that could say more.
func writeZip(w io.Writer, members []zipMember) error {
	zw := zip.NewWriter(w)
	for i := range members {
		m := &members[i]
		h := &zip.FileHeader{Name: m.name, Method: zip.Store, CRC32: m.crc, CompressedSize64: uint64(m.size), UncompressedSize64: uint64(m.size)}
		//lint:ignore SA1019 Modified is not written for what is stored raw, and would add a field with a time
		h.ModifiedDate = zipFirstDay
		h.SetMode(memberMode)
		h.CreatorVersion, h.ReaderVersion = zipVersion, zipNeeds
		part, err := zw.CreateRaw(h)
		if err != nil {
			return fmt.Errorf("bundle member %s: %w", m.name, err)
		}
		if err := m.copyTo(part); err != nil {
			return err
		}
	}
	if err := zw.Close(); err != nil {
		return fmt.Errorf("end of bundle: %w", err)
	}
	return nil
}

func (m *zipMember) copyTo(w io.Writer) error {
	r, err := m.open()
	if err != nil {
		return fmt.Errorf("bundle member %s: %w", m.name, err)
	}
	defer r.Close()
	sum := crc32.NewIEEE()
	n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(r, m.size+1))
	switch {
	case err != nil:
		return fmt.Errorf("bundle member %s: %w", m.name, err)
	case n != m.size || sum.Sum32() != m.crc:
		return fmt.Errorf("bundle member %s: its bytes are not those that were announced", m.name)
	}
	return nil
}

// readZip lists the members of a bundle, or says all that is wrong with it as a zip. A
// zip that is not byte for byte what [writeZip] makes of its members is no bundle: so no
// field of it can be changed, whether it means anything or not.
func readZip(r io.ReaderAt, size int64) ([]zipMember, []error) {
	if err := checkEnd(r, size); err != nil {
		return nil, []error{err}
	}
	zr, err := zip.NewReader(r, size)
	if err != nil {
		return nil, []error{fmt.Errorf("not a zip that can be read: %w", err)}
	}
	var faults []error
	members := make([]zipMember, 0, len(zr.File))
	before := ""
	for i, f := range zr.File {
		if err := checkMember(f, before, i > 0); err != nil {
			faults = append(faults, err)
			continue
		}
		before = f.Name
		members = append(members, zipMember{f.Name, int64(f.UncompressedSize64), f.CRC32, func() (io.ReadCloser, error) {
			raw, err := f.OpenRaw()
			if err != nil {
				return nil, err
			}
			return io.NopCloser(raw), nil
		}})
	}
	if len(faults) > 0 {
		return nil, faults
	}
	same := &sameBytes{r: r, size: size}
	if err := writeZip(same, members); err != nil {
		return nil, []error{err}
	}
	if same.at != size {
		return nil, []error{fmt.Errorf("%d bytes, of which %d are the bundle", size, same.at)}
	}
	return members, nil
}

// checkEnd looks at the end of the file before anything is made of it: how many members
// there are bounds what reading them takes.
func checkEnd(r io.ReaderAt, size int64) error {
	if size > maxBundle {
		return fmt.Errorf("%d bytes: a bundle has at most %d", size, int64(maxBundle))
	}
	if size < endRecordBytes {
		return fmt.Errorf("%d bytes are no zip", size)
	}
	var end [endRecordBytes]byte
	if _, err := r.ReadAt(end[:], size-endRecordBytes); err != nil {
		return fmt.Errorf("end of the zip: %w", err)
	}
	if binary.LittleEndian.Uint32(end[:]) != endSignature || end[20] != 0 || end[21] != 0 {
		return errors.New("the file does not end as a bundle does")
	}
	if n := binary.LittleEndian.Uint16(end[10:]); n > maxMembers {
		return fmt.Errorf("%d members: a bundle has at most %d", n, maxMembers)
	}
	if binary.LittleEndian.Uint32(end[12:]) == 1<<32-1 || binary.LittleEndian.Uint32(end[16:]) == 1<<32-1 {
		return errors.New("the zip has the form of those beyond 4 GiB")
	}
	return nil
}

// checkMember refuses what no bundle has: names that lead elsewhere or come twice, links
// and folders, what is packed (and may unpack to any size).
func checkMember(f *zip.File, before string, follows bool) error {
	switch {
	case len(f.Name) > maxMemberName || !memberName.MatchString(f.Name):
		return fmt.Errorf("member %.80q: no name that a bundle has", f.Name)
	case follows && f.Name == before:
		return fmt.Errorf("member %s: there are two of that name", f.Name)
	case follows && f.Name < before:
		return fmt.Errorf("member %s: not in the order of names", f.Name)
	case f.Mode() != memberMode:
		return fmt.Errorf("member %s: %s is no plain file of a bundle", f.Name, f.Mode())
	case f.Method != zip.Store || f.CompressedSize64 != f.UncompressedSize64:
		return fmt.Errorf("member %s: is packed; members of a bundle are stored", f.Name)
	case f.UncompressedSize64 > maxBundle:
		return fmt.Errorf("member %s: claims %d bytes", f.Name, f.UncompressedSize64)
	}
	return nil
}

// sameBytes takes only the bytes that stand in a file.
type sameBytes struct {
	r        io.ReaderAt
	at, size int64
	buf      [32 << 10]byte
}

func (w *sameBytes) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		n := min(len(p)-done, len(w.buf))
		if w.at+int64(n) > w.size {
			return done, errors.New("the file ends within the bundle")
		}
		if _, err := w.r.ReadAt(w.buf[:n], w.at); err != nil {
			return done, fmt.Errorf("bundle at byte %d: %w", w.at, err)
		}
		if !bytes.Equal(w.buf[:n], p[done:done+n]) {
			return done, fmt.Errorf("bytes %d to %d are not those that the members of this bundle give", w.at, w.at+int64(n))
		}
		w.at += int64(n)
		done += n
	}
	return len(p), nil
}
