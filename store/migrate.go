package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"assay/migrations"
)

// migrate applies what is missing. It closes the gaps that the migration library
// leaves: an edited file, a gap in the sequence, an archive from the future, broken
// foreign keys.
func (a *Archive) migrate(ctx context.Context, fsys fs.FS) error {
	list, err := migrations.List(fsys)
	if err != nil {
		return a.fail("migrate", err)
	}
	ledger := &migrationLedger{list: list, now: a.now}
	provider, err := goose.NewProvider(goose.DialectCustom, a.writer, fsys,
		goose.WithStore(ledger), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return a.fail("migrate", err)
	}
	// Two processes may create one archive at the same time. The one that comes second
	// finds the work half or all done: it looks again as long as the version moves.
	for {
		before, err := ledger.check(ctx, a.writer)
		if err != nil {
			return a.fail("migrate", err)
		}
		if before == int64(len(list)) {
			return nil
		}
		_, upErr := provider.Up(ctx)
		if upErr == nil {
			break
		}
		after, err := ledger.check(ctx, a.writer)
		if err != nil {
			return a.fail("migrate", err)
		}
		if after == before {
			return a.fail("migrate", upErr)
		}
	}
	return a.fail("migrate", a.checkForeignKeys(ctx))
}

func (a *Archive) checkForeignKeys(ctx context.Context) error {
	rows, err := a.writer.QueryContext(ctx, "SELECT \"table\", rowid FROM pragma_foreign_key_check LIMIT 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		var table string
		var row sql.NullInt64
		if err := rows.Scan(&table, &row); err != nil {
			return err
		}
		return fmt.Errorf("row %d of %s refers to a row that is not there; restore a backup", row.Int64, table)
	}
	return rows.Err()
}

// migrationLedger is the version table of the migration library. Ours also keeps
// the name and SHA-256 of every file that was applied.
type migrationLedger struct {
	list []migrations.Migration
	now  func() time.Time
}

var _ database.StoreExtender = (*migrationLedger)(nil)

// check compares the archive with the files and returns the archive's version.
func (l *migrationLedger) check(ctx context.Context, db database.DBTxConn) (int64, error) {
	exists, err := l.TableExists(ctx, db)
	if err != nil || !exists {
		return 0, err
	}
	rows, err := db.QueryContext(ctx, "SELECT version, name, sha256 FROM schema_migration ORDER BY version")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	version := int64(0)
	for rows.Next() {
		var name string
		var sum []byte
		if err := rows.Scan(&version, &name, &sum); err != nil {
			return 0, err
		}
		if version > int64(len(l.list)) {
			return 0, fmt.Errorf("the archive has schema %d (%s), this program knows %d; use the newer program", version, name, len(l.list))
		}
		if m := l.list[version-1]; !bytes.Equal(m.SHA256[:], sum) {
			return 0, fmt.Errorf("migration %s was applied with sha256 %s and is %s in this program; use the program that made the archive",
				name, hex.EncodeToString(sum), hex.EncodeToString(m.SHA256[:]))
		}
	}
	return version, rows.Err()
}

func (l *migrationLedger) Tablename() string { return "schema_migration" }

func (l *migrationLedger) TableExists(ctx context.Context, db database.DBTxConn) (bool, error) {
	var n int
	err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_migration'").Scan(&n)
	return n > 0, err
}

func (l *migrationLedger) CreateVersionTable(ctx context.Context, db database.DBTxConn) error {
	_, err := db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_migration (
    version    INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,
    sha256     BLOB    NOT NULL CHECK (length(sha256) = 32),
    applied_us INTEGER NOT NULL
) STRICT`)
	return err
}

// Insert runs inside the transaction of the migration itself, and notes the version
// in the file header too. The library's version 0 stands for an empty file and is not
// written down.
func (l *migrationLedger) Insert(ctx context.Context, db database.DBTxConn, req database.InsertRequest) error {
	if req.Version == 0 {
		return nil
	}
	m := l.list[req.Version-1]
	_, err := db.ExecContext(ctx, "INSERT INTO schema_migration (version, name, sha256, applied_us) VALUES (?, ?, ?, ?)",
		m.Version, m.Name, m.SHA256[:], l.now().UnixMicro())
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", m.Version))
	return err
}

// Delete would be a way down; there is none.
func (l *migrationLedger) Delete(context.Context, database.DBTxConn, int64) error {
	return errors.New("an archive does not go back; restore a backup")
}

func (l *migrationLedger) GetMigration(ctx context.Context, db database.DBTxConn, version int64) (*database.GetMigrationResult, error) {
	if version == 0 {
		return &database.GetMigrationResult{IsApplied: true}, nil
	}
	var us int64
	err := db.QueryRowContext(ctx, "SELECT applied_us FROM schema_migration WHERE version = ?", version).Scan(&us)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, database.ErrVersionNotFound
	}
	return &database.GetMigrationResult{Timestamp: time.UnixMicro(us), IsApplied: true}, err
}

func (l *migrationLedger) GetLatestVersion(ctx context.Context, db database.DBTxConn) (int64, error) {
	var v int64
	err := db.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM schema_migration").Scan(&v)
	return v, err
}

func (l *migrationLedger) ListMigrations(ctx context.Context, db database.DBTxConn) ([]*database.ListMigrationsResult, error) {
	rows, err := db.QueryContext(ctx, "SELECT version FROM schema_migration ORDER BY version DESC")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []*database.ListMigrationsResult
	for rows.Next() {
		r := &database.ListMigrationsResult{IsApplied: true}
		if err := rows.Scan(&r.Version); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return append(list, &database.ListMigrationsResult{Version: 0, IsApplied: true}), rows.Err()
}
