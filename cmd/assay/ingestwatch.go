package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/ingest"
	"assay/store"
)

// A drop folder is looked through again and again. A file is taken in once its size
// and time have stood still for a moment, which also holds for one that was renamed
// into the folder; what has changed since then is taken in again, as other bytes.
//
// Note: notifications of the kernel would save looks at small folders, and do not exist
// on network file systems, overflow, and say nothing of files that were there before;
// looking has to work anyway.
const (
	watchPause  = 500 * time.Millisecond // between two looks, at least
	watchShare  = 20                     // of the time between two looks, one part at most is spent looking
	watchSettle = time.Second            // how long a file stands still
	watchFiles  = 200_000                // entries of the folder that are followed
	watchBatch  = 64                     // files that are open at a time
)

// watched is what the last look saw of a file.
type watched struct {
	size  int64
	mtime time.Time
	since time.Time // when it was first seen so
	taken bool
	seen  int // number of the look
}

// watcher follows one folder. Nothing outside of it is ever opened: os.Root refuses
// links that lead out, also those that take the place of a file at the last moment.
type watcher struct {
	root    *os.Root
	dir     string // as the caller wrote it, for names
	own     []fs.FileInfo
	now     func() time.Time
	files   map[string]*watched
	look    int
	told    map[string]bool // what was said once
	note    func(string)
	crowded bool
}

func newWatcher(dir string, own []fs.FileInfo, now func() time.Time, note func(string)) (*watcher, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", dir, err)
	}
	return &watcher{root: root, dir: dir, own: own, now: now, note: note, files: map[string]*watched{}, told: map[string]bool{}}, nil
}

// ready looks through the folder and gives the files that stand still and were not
// taken in as they are, in the order of their names.
func (w *watcher) ready(ctx context.Context) ([]string, error) {
	w.look++
	var ready []string
	count := 0
	err := fs.WalkDir(w.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == ".":
			return err
		case err != nil: // it went away, or cannot be read: the next look may see it
			if !errors.Is(err, fs.ErrNotExist) {
				w.say(name, "cannot be read: "+err.Error())
			}
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case name != "." && unfinished(path.Base(name)):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			if info, err := e.Info(); err == nil && w.isOwn(info) {
				return fs.SkipDir
			}
			return nil
		case e.Type()&fs.ModeSymlink != 0:
			w.say(name, "is a link, and links are not followed")
			return nil
		case !e.Type().IsRegular():
			w.say(name, "is not a file")
			return nil
		}
		if count++; count > watchFiles {
			if !w.crowded {
				w.crowded = true
				w.note(fmt.Sprintf("%s holds more than %d files; those beyond are not looked at, move what is done elsewhere", w.dir, watchFiles))
			}
			return fs.SkipAll
		}
		if info, err := w.root.Lstat(filepath.FromSlash(name)); err == nil && info.Mode().IsRegular() && w.still(name, info) {
			ready = append(ready, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, f := range w.files {
		if f.seen != w.look {
			delete(w.files, name)
		}
	}
	slices.Sort(ready)
	return ready, nil
}

// still notes how a file looks now and reports whether it is to be taken in.
func (w *watcher) still(name string, info fs.FileInfo) bool {
	now := w.now()
	f := w.files[name]
	if f == nil || f.size != info.Size() || !f.mtime.Equal(info.ModTime()) {
		w.files[name] = &watched{size: info.Size(), mtime: info.ModTime(), since: now, seen: w.look}
		return false
	}
	f.seen = w.look
	if f.taken || now.Sub(f.since) < watchSettle {
		return false
	}
	return !w.isOwn(info)
}

// isOwn reports whether a file or folder belongs to the archive itself.
func (w *watcher) isOwn(info fs.FileInfo) bool {
	return slices.ContainsFunc(w.own, func(own fs.FileInfo) bool { return os.SameFile(own, info) })
}

// unfinished reports whether a name says that its file is not done: what starts with a
// dot, and what copying and downloading tools write under until they rename it.
func unfinished(base string) bool {
	lower := strings.ToLower(base)
	return strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") ||
		slices.ContainsFunc([]string{".part", ".partial", ".tmp", ".crdownload", ".filepart", ".download", ".swp"}, func(end string) bool { return strings.HasSuffix(lower, end) })
}

// say tells something about a file once.
func (w *watcher) say(name, what string) {
	if !w.told[name] && len(w.told) < watchFiles {
		w.told[name] = true
		w.note(w.name(name) + " " + what)
	}
}

func (w *watcher) name(rel string) string { return filepath.Join(w.dir, filepath.FromSlash(rel)) }

// errChanged is the error of a file that did not stand still after all.
var errChanged = errors.New("the file changed while it was read; it is taken in once it stands still")

// steady reads a file and fails at its end when it is no longer the one that stood
// still, so that half a file is never kept.
type steady struct {
	*os.File
	was *watched
}

func (s *steady) Read(p []byte) (int, error) {
	n, err := s.File.Read(p)
	if err == io.EOF {
		if info, statErr := s.Stat(); statErr != nil || info.Size() != s.was.size || !info.ModTime().Equal(s.was.mtime) {
			return 0, errChanged
		}
	}
	return n, err
}

// take takes files in and tells the end of each. Those that changed under the reading
// or went away come again or are forgotten.
func (w *watcher) take(ctx context.Context, archive *store.Archive, names []string, opt ingest.Options, tell func(ingest.FileReport)) error {
	for batch := range slices.Chunk(names, watchBatch) {
		var sources []ingest.Source
		var open []*steady
		var rels []string
		closeAll := func() {
			for _, f := range open {
				f.Close()
			}
		}
		for _, rel := range batch {
			f, err := w.root.Open(filepath.FromSlash(rel))
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					w.say(rel, "cannot be read: "+err.Error())
				}
				continue
			}
			s := &steady{File: f, was: w.files[rel]}
			if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
				f.Close()
				continue
			}
			open, rels = append(open, s), append(rels, rel)
			sources = append(sources, ingest.Stream(filepath.ToSlash(w.name(rel)), "file", s))
		}
		i := 0
		opt.Done = func(f ingest.FileReport) {
			rel := rels[i]
			i++
			if f.State == ingest.Lost && (ctx.Err() != nil || w.moved(rel)) {
				delete(w.files, rel)
				return
			}
			w.files[rel].taken = true
			tell(f)
		}
		_, err := ingest.Take(ctx, archive, sources, opt)
		closeAll()
		if err != nil {
			return err
		}
	}
	return nil
}

// moved reports whether a file is no longer as it was when it stood still.
func (w *watcher) moved(rel string) bool {
	info, err := w.root.Lstat(filepath.FromSlash(rel))
	was := w.files[rel]
	return err != nil || info.Size() != was.size || !info.ModTime().Equal(was.mtime)
}

// watch takes in what comes into a folder until it is told to stop, which is no error.
func (r *root) watch(ctx context.Context, dir string, fl ingestFlags) (err error) {
	archive, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	note := func(s string) { fmt.Fprintf(r.env.Stderr, "assay: %s\n", oneLine(s)) }
	w, err := newWatcher(dir, ownFiles(r.db, r.ring().Dir()), time.Now, note)
	if err != nil {
		return err
	}
	defer w.root.Close()
	if err := resume(ctx, archive); err != nil {
		return err
	}
	lines := &watchLines{fileLines: fileLines{out: r.env.Stdout}, json: fl.json}
	note(fmt.Sprintf("watching %s (stop with Ctrl-C)", dir))
	for {
		start := time.Now()
		names, err := w.ready(ctx)
		if ctx.Err() != nil {
			return lines.end()
		}
		if err != nil {
			return fmt.Errorf("watch %s: %w", dir, err)
		}
		looked := time.Since(start)
		err = w.take(ctx, archive, names, ingest.Options{Campaign: fl.campaign, NoResume: true, Now: r.env.Now}, lines.file)
		switch {
		case ctx.Err() != nil:
			return lines.end()
		case err != nil:
			return err
		case lines.err != nil:
			return lines.err
		}
		select {
		case <-ctx.Done():
			return lines.end()
		case <-time.After(max(watchPause, watchShare*looked)):
		}
	}
}

// ownFiles are the files of an archive, which is never taken into itself.
func ownFiles(db, keys string) []fs.FileInfo {
	var own []fs.FileInfo
	if info, err := os.Stat(keys); err == nil {
		own = append(own, info)
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if info, err := os.Stat(db + suffix); err == nil {
			own = append(own, info)
		}
	}
	return own
}

// watchLines prints one line for each file, as words or as JSON, and sums up at the end.
type watchLines struct {
	fileLines
	json   bool
	report ingest.Report
}

func (l *watchLines) file(f ingest.FileReport) {
	l.report.Count(f)
	if !l.json {
		l.fileLines.file(f)
		return
	}
	if l.err != nil {
		return
	}
	b, err := json.Marshal(f)
	if err == nil {
		_, err = l.out.Write(append(b, '\n'))
	}
	l.err = err
}

func (l *watchLines) end() error {
	if !l.json {
		l.summary(&l.report)
	}
	return l.err
}
