package store

import (
	"bytes"
	"database/sql"
	"errors"

	"assay/store/evidence"
	"assay/store/signoff"
)

// subjectKind ties the rows of one table to the records of one kind: how the record of
// every row is made again. A kind that is not here is still part of the tree.
type subjectKind struct {
	kind signoff.RecordKind
	name string
	// each calls back with the id and the record of every row that must have one.
	each func(v *logVerifier, each func(subject int64, r signoff.Record) error) error
}

// subjectKinds are filled by the files that own the tables.
var subjectKinds = []subjectKind{
	{signoff.RecordArtifact, "artifact", eachArtifactRecord},
	{signoff.RecordRepair, "repair", eachRepairRecord},
	{signoff.RecordRepairWithdrawn, "withdrawal of repair", eachRepairWithdrawnRecord},
	{signoff.RecordWaiver, "waiver", eachWaiverRecord},
	{signoff.RecordWaiverWithdrawn, "withdrawal of waiver", eachWaiverWithdrawnRecord},
	{signoff.RecordServerKey, "server key", eachServerKeyRecord},
	{signoff.RecordPolicy, "policy", eachPolicyRecord},
	{signoff.RecordGateWaiver, "waiver of gate", eachGateWaiverRecord},
	{signoff.RecordGateWaiverWithdrawn, "withdrawal of waiver of gate", eachGateWaiverWithdrawnRecord},
	{signoff.RecordKey, "key", eachKeyRecord},
	{signoff.RecordKeyRevoked, "revocation of key", eachKeyRevokedRecord},
	{signoff.RecordStatement, "statement", eachStatementRecord},
	{signoff.RecordWithdrawal, "withdrawal of statement", eachWithdrawalRecord},
	{signoff.RecordStanding, "mark on artifact", eachMarkRecord},
	{signoff.RecordStandingWithdrawn, "withdrawal of mark", eachMarkWithdrawnRecord},
}

// rows holds every row against its record and counts records that speak of none.
func (v *logVerifier) rows() error {
	for _, k := range subjectKinds {
		if err := v.subjects(k); err != nil {
			return err
		}
	}
	return nil
}

func (v *logVerifier) subjects(k subjectKind) error {
	found := int64(0)
	err := k.each(v, func(subject int64, want signoff.Record) error {
		v.report.Rows++
		var n int64
		var body []byte
		err := v.tx.QueryRowContext(v.ctx, "SELECT n, body FROM log_record WHERE kind = ? AND subject = ? ORDER BY n LIMIT 1", string(k.kind), subject).Scan(&n, &body)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			v.report.fault("row", -1, "%s %d is in no record of the log", k.name, subject)
			return nil
		case err != nil:
			return err
		}
		found++
		if !bytes.Equal(body, want.Bytes()) {
			v.report.fault("row", n, "%s %d says something else than record %d of the log", k.name, subject, n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var records int64
	if err := v.tx.QueryRowContext(v.ctx, "SELECT count(*) FROM log_record WHERE kind = ?", string(k.kind)).Scan(&records); err != nil {
		return err
	}
	if records != found {
		v.report.fault("row", -1, "the log has %d records of the kind %s, and %d rows answer to them", records, k.kind, found)
	}
	return nil
}

// eachOf streams rows of a query inside the verification.
func eachOf[T any](v *logVerifier, query string, scan func(*sql.Rows) (T, error), each func(T) error) error {
	rows, err := v.tx.QueryContext(v.ctx, query)
	if err != nil {
		return err
	}
	list, err := collect(rows, scan) // read whole: the callback queries on the same transaction
	if err != nil {
		return err
	}
	for _, x := range list {
		if err := each(x); err != nil {
			return err
		}
	}
	return nil
}

type artifactLine struct {
	id, size, at int64
	digest       evidence.Digest
}

func eachArtifactRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	scan := func(rows *sql.Rows) (x artifactLine, err error) {
		var sum []byte
		if err = rows.Scan(&x.id, &sum, &x.size, &x.at); err == nil {
			copy(x.digest[:], sum)
		}
		return x, err
	}
	return eachOf(v, "SELECT id, sha256, size, stored_us FROM artifact ORDER BY id", scan, func(x artifactLine) error {
		return each(x.id, recordOfArtifact(x.digest, x.size, x.at))
	})
}

func eachRepairRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+repairColumns+" FROM repair ORDER BY id", scanRepair, func(r evidence.Repair) error {
		return each(r.ID, recordOfRepair(&r))
	})
}

func eachRepairWithdrawnRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+repairColumns+" FROM repair WHERE withdrawn_us <> 0 ORDER BY id", scanRepair, func(r evidence.Repair) error {
		return each(r.ID, recordOfRepairWithdrawn(&r))
	})
}

func eachWaiverRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+waiverColumns+" FROM waiver ORDER BY id", scanWaiver, func(x evidence.Waiver) error {
		return each(x.ID, recordOfWaiver(&x))
	})
}

func eachWaiverWithdrawnRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, "SELECT "+waiverColumns+" FROM waiver WHERE withdrawn_us <> 0 ORDER BY id", scanWaiver, func(x evidence.Waiver) error {
		return each(x.ID, recordOfWaiverWithdrawn(&x))
	})
}

type keyLine struct {
	id, at   int64
	verifier string
}

func eachServerKeyRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	scan := func(rows *sql.Rows) (x keyLine, err error) { return x, rows.Scan(&x.id, &x.verifier, &x.at) }
	return eachOf(v, "SELECT id, verifier, added_us FROM server_key ORDER BY id", scan, func(x keyLine) error {
		return each(x.id, recordOfServerKey(x.verifier, x.at))
	})
}
