package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/mod/sumdb/note"
	_ "modernc.org/sqlite" // the driver

	"assay/migrations"
	"assay/store/evidence"
)

// Options are the parts of an archive that a caller may choose.
type Options struct {
	Now func() time.Time // the clock of arrivals; time.Now when nil
	// Same reports whether two spellings of a key have one meaning by definition: then a
	// declaration does not contradict what is recorded. Aliases, which people add, come
	// first. Without it only equal texts are equal.
	Same func(k evidence.FactKey, x, y string) bool
	// Signers sign a checkpoint of the log with every transaction that appends to it: the
	// server's key, and for one time its successor's. Without any the log grows unsigned.
	Signers []note.Signer
	// Verifier is the public half of the first signer, which the archive keeps.
	Verifier string
}

// Archive is an open archive. All methods may be used from several goroutines, and
// several processes may have the same archive open.
type Archive struct {
	path   string // as the caller wrote it, for messages
	abs    string
	now    func() time.Time
	writer *sql.DB // one connection
	reader *sql.DB // several connections that cannot write

	same     func(k evidence.FactKey, x, y string) bool
	signers  []note.Signer
	verifier string
	unlogged bool                    // in benchmarks only, which measure what the log costs
	over     atomic.Pointer[overlay] // the latest that was loaded
}

// busyWait is how long a statement waits for another process that writes.
const busyWait = 15 * time.Second

// idleAfter is when an idle connection is closed: a server that nobody asks gives its
// page caches back.
const idleAfter = 30 * time.Second

// Open opens the archive at path, creates it when there is none, and brings its
// schema up to date.
func Open(ctx context.Context, path string, opt Options) (*Archive, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("archive %s: %w", path, err)
	}
	a := &Archive{path: path, abs: abs, now: opt.Now, same: opt.Same, signers: opt.Signers, verifier: opt.Verifier}
	if a.now == nil {
		a.now = time.Now
	}
	if err := checkFile(abs); err != nil {
		return nil, fmt.Errorf("archive %s: %w", path, err)
	}
	if err := a.open(ctx); err != nil {
		a.release()
		return nil, err
	}
	return a, nil
}

// open opens the writer first: it makes the file and its write-ahead log, which the
// readers then find.
func (a *Archive) open(ctx context.Context) error {
	var err error
	if a.writer, err = sql.Open("sqlite", writerDSN(a.abs)); err != nil {
		return a.fail("open", err)
	}
	a.writer.SetMaxOpenConns(1)
	a.writer.SetConnMaxIdleTime(idleAfter)
	if err := a.checkIdentity(ctx); err != nil {
		return err
	}
	if err := a.retryBusy(ctx, func() error {
		_, err := a.writer.ExecContext(ctx, "PRAGMA journal_mode = WAL")
		return err
	}); err != nil {
		return a.fail("open", err)
	}
	if err := a.migrate(ctx, migrations.FS); err != nil {
		return err
	}
	if a.reader, err = sql.Open("sqlite", readerDSN(a.abs)); err != nil {
		return a.fail("open for reading", err)
	}
	readers := min(max(4, runtime.NumCPU()), 16)
	a.reader.SetMaxOpenConns(readers)
	a.reader.SetMaxIdleConns(readers)
	a.reader.SetConnMaxIdleTime(idleAfter)
	if err := a.reader.PingContext(ctx); err != nil {
		return a.fail("open for reading", err)
	}
	return a.beginLog(ctx)
}

// checkFile says plainly what SQLite would say obscurely.
func checkFile(abs string) error {
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if parent, err := os.Stat(filepath.Dir(abs)); err != nil || !parent.IsDir() {
			return fmt.Errorf("folder %s does not exist; create it first", filepath.Dir(abs))
		}
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("is a folder; name a file in it, for example %s", filepath.Join(abs, "assay.db"))
	case !info.Mode().IsRegular():
		return errors.New("is not a regular file; name another file")
	}
	return checkHeader(abs)
}

const sqliteMagic = "SQLite format 3\x00"

func checkHeader(abs string) error {
	f, err := os.Open(abs)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, len(sqliteMagic))
	n, _ := f.Read(head)
	if n > 0 && string(head[:n]) != sqliteMagic[:n] {
		return errors.New("is not an archive (not a database file); it was left as it is, name another file with --db")
	}
	return nil
}

// fileURL is the data source name. A name that does not start with "file:" would
// drop mode=ro without a word.
func fileURL(abs string, q url.Values) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: q.Encode()}).String()
}

// shared are the settings of every connection. They stand in the data source name:
// a PRAGMA sent through the pool would reach one connection only.
func shared() url.Values {
	return url.Values{
		"_busy_timeout": {fmt.Sprint(busyWait.Milliseconds())},
		"_foreign_keys": {"on"},
		"_dqs":          {"0"},
		"_defensive":    {"1"},
		"_error_rc":     {"1"},
	}
}

func writerDSN(abs string) string {
	q := shared()
	q.Set("_txlock", "immediate")
	q.Set("_synchronous", "FULL")
	q["_pragma"] = []string{"cache_size(-16000)", "journal_size_limit(67108864)", "trusted_schema(0)"}
	return fileURL(abs, q)
}

func readerDSN(abs string) string {
	q := shared()
	q.Set("mode", "ro")
	q.Set("_query_only", "1")
	q["_pragma"] = []string{"cache_size(-4000)", "trusted_schema(0)"}
	return fileURL(abs, q)
}

// checkIdentity refuses a database that is not an archive before anything is
// written to it.
func (a *Archive) checkIdentity(ctx context.Context) error {
	var app, objects int64
	err := a.retryBusy(ctx, func() error {
		return a.writer.QueryRowContext(ctx,
			"SELECT (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)").
			Scan(&app, &objects)
	})
	if err != nil {
		return a.fail("open", err)
	}
	if objects > 0 && app != applicationID {
		var ours int
		err := a.writer.QueryRowContext(ctx,
			"SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migration'").Scan(&ours)
		if err != nil {
			return a.fail("open", err)
		}
		if ours == 0 {
			return fmt.Errorf("archive %s: is a database of another program; it was left as it is, name another file with --db", a.path)
		}
	}
	return nil
}

// applicationID stands in the file header of every archive ("asay").
const applicationID = 0x61736179

// Path is the path the archive was opened with.
func (a *Archive) Path() string { return a.path }

// Close lets SQLite update its statistics and closes both handles.
func (a *Archive) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), busyWait)
	defer cancel()
	err := a.Optimize(ctx)
	if isBusy(err) {
		err = nil // another process writes; the statistics can wait
	}
	return errors.Join(err, a.release())
}

// Optimize lets SQLite update the statistics its planner works from.
func (a *Archive) Optimize(ctx context.Context) error {
	_, err := a.writer.ExecContext(ctx, "PRAGMA optimize")
	return a.fail("optimize", err)
}

// release closes the handles, the readers first: the last connection to close folds
// the log into the file, and only the writer can.
func (a *Archive) release() error {
	var errs []error
	for _, db := range []*sql.DB{a.reader, a.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return a.fail("close", errors.Join(errs...))
}
