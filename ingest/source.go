package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/store/evidence"
)

// Source is where inputs come from.
type Source struct {
	path   string // a file or folder
	name   string
	origin string
	data   []byte
	r      io.Reader
}

// Path is a file, or a folder with everything in it.
func Path(path string) Source { return Source{path: path, origin: "file"} }

// Stdin is one input of unknown size, known as "-".
func Stdin(r io.Reader) Source { return Stream("-", "stdin", r) }

// Stream is one input of unknown size.
func Stream(name, origin string, r io.Reader) Source { return Source{name: name, origin: origin, r: r} }

// Blob is one input in memory.
func Blob(name, origin string, data []byte) Source {
	return Source{name: name, origin: origin, data: data, r: bytes.NewReader(data)}
}

// item is one input before anything of it is read, or the reason why there is none.
type item struct {
	Source
	size  int64 // -1 when unknown
	state evidence.EndState
	code  string
	why   string
}

// listing finds the inputs of sources, in order.
type listing struct {
	ctx   context.Context
	own   []fs.FileInfo // the archive's own files and folders
	items []item
}

func list(ctx context.Context, sources []Source, own []fs.FileInfo) ([]item, error) {
	l := &listing{ctx: ctx, own: own}
	for _, s := range sources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch {
		case s.r == nil:
			l.path(s)
		case s.data != nil:
			l.items = append(l.items, item{Source: s, size: int64(len(s.data))})
		default:
			l.items = append(l.items, item{Source: s, size: -1})
		}
	}
	return l.items, ctx.Err()
}

// path lists a file or folder that somebody named: links are followed.
func (l *listing) path(s Source) {
	info, err := os.Stat(s.path)
	switch {
	case err != nil:
		l.refuse(s.path, Lost, codeOf(err), why(err))
	case info.IsDir():
		l.folder(s)
	case !info.Mode().IsRegular():
		l.refuse(s.path, Lost, CodeNotAFile, fmt.Sprintf("%s is %s, not a file; pipe it into '-' to take in what it gives", s.path, modeName(info.Mode())))
	default:
		l.file(s.path, info)
	}
}

// isOwn reports whether a file or folder belongs to the archive itself.
func (l *listing) isOwn(info fs.FileInfo) bool {
	return slices.ContainsFunc(l.own, func(own fs.FileInfo) bool { return os.SameFile(own, info) })
}

func (l *listing) file(path string, info fs.FileInfo) {
	if l.isOwn(info) {
		l.refuse(path, Skipped, CodeOwnArchive, "this is the archive that takes the evidence in")
		return
	}
	l.items = append(l.items, item{Source: Source{path: path, name: nameOf(path), origin: "file"}, size: info.Size()})
}

func (l *listing) refuse(path string, state evidence.EndState, code, why string) {
	l.items = append(l.items, item{Source: Source{path: path, name: nameOf(path)}, state: state, code: code, why: why})
}

// folder lists everything under a folder in the order of names. Names keep the
// folder as it was given.
func (l *listing) folder(s Source) {
	root, err := filepath.EvalSymlinks(s.path)
	if err != nil {
		l.refuse(s.path, Lost, codeOf(err), why(err))
		return
	}
	filepath.WalkDir(root, func(at string, e fs.DirEntry, err error) error {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		path := s.path
		if rel, relErr := filepath.Rel(root, at); relErr == nil && rel != "." {
			path = filepath.Join(s.path, rel)
		}
		switch {
		case err != nil:
			l.refuse(path, Lost, codeOf(err), why(err))
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
		case e.IsDir():
			if info, err := e.Info(); err == nil && l.isOwn(info) {
				l.refuse(path, Skipped, CodeOwnArchive, "this folder holds the secret keys of the archive that takes the evidence in")
				return fs.SkipDir
			}
		case e.Type()&fs.ModeSymlink != 0:
			l.link(root, at, path)
		case !e.Type().IsRegular():
			l.refuse(path, Skipped, CodeNotAFile, fmt.Sprintf("%s is %s, not a file", path, modeName(e.Type())))
		default:
			info, err := e.Info()
			if err != nil {
				l.refuse(path, Lost, codeOf(err), why(err))
				return nil
			}
			l.file(path, info)
		}
		return nil
	})
}

// link lists a link inside a folder. It leads to a file of the same folder, or it is
// not followed.
func (l *listing) link(root, at, path string) {
	target, err := filepath.EvalSymlinks(at)
	if err != nil {
		l.refuse(path, Lost, codeOf(err), why(err))
		return
	}
	rel, err := filepath.Rel(root, target)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		l.refuse(path, Skipped, CodeLinkOutside, "the link leads out of the folder; name its target to take it in")
		return
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		l.refuse(path, Lost, codeOf(err), why(err))
	case info.IsDir():
		l.refuse(path, Skipped, CodeLinkFolder, "the link leads to a folder that is taken in under its own name")
	case !info.Mode().IsRegular():
		l.refuse(path, Skipped, CodeNotAFile, fmt.Sprintf("%s is %s, not a file", path, modeName(info.Mode())))
	default:
		l.file(path, info)
	}
}

// nameOf is a path as the archive writes it: slashes, and text that every reader of the
// archive can show. Bytes of a name that are no UTF-8 are written as \xNN, so that the
// file can be found again; a name may hold that text itself, which happens hardly ever.
func nameOf(path string) string {
	name := filepath.ToSlash(path)
	if utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, name[0])
		} else {
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}

func codeOf(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return CodeNotFound
	}
	return CodeUnreadable
}

// why is the reason without Go's name for the call.
func why(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Sprintf("%s: %v", p.Path, p.Err)
	}
	return err.Error()
}

func modeName(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&(fs.ModeDevice|fs.ModeCharDevice) != 0:
		return "a device"
	case m.IsDir():
		return "a folder"
	}
	return "something else"
}
