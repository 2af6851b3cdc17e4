package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
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
	{signoff.RecordArrival, "arrival", eachArrivalRecord},
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
	recorded, err := v.tx.PrepareContext(v.ctx, "SELECT n, body FROM log_record WHERE kind = ? AND subject = ? ORDER BY n LIMIT 1")
	if err != nil {
		return err
	}
	defer recorded.Close()
	err = k.each(v, func(subject int64, want signoff.Record) error {
		v.report.Rows++
		var n int64
		var body []byte
		err := recorded.QueryRowContext(v.ctx, string(k.kind), subject).Scan(&n, &body)
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

type arrivalLine struct {
	id, at int64
	sum    []byte
	in     evidence.Incoming
}

const arrivalLines = "SELECT x.id, a.sha256, x.name, x.origin, x.campaign, x.at_us FROM arrival x JOIN artifact a ON a.id = x.artifact_id"

func scanArrivalLine(rows *sql.Rows) (x arrivalLine, err error) {
	return x, rows.Scan(&x.id, &x.sum, &x.in.Name, &x.in.Origin, &x.in.Campaign, &x.at)
}

func (x *arrivalLine) record() signoff.Record {
	var d evidence.Digest
	copy(d[:], x.sum)
	return recordOfArrival(x.id, d, x.in, x.at)
}

func eachArrivalRecord(v *logVerifier, each func(int64, signoff.Record) error) error {
	return eachOf(v, arrivalLines+" ORDER BY x.id", scanArrivalLine, func(x arrivalLine) error { return each(x.id, x.record()) })
}

type nameLine struct {
	artifact      int64
	name, base    string
	listed, arose bool // among the names, among the arrivals
}

// names holds the names of artifacts, which are listed for looking them up, against the
// arrivals that gave them.
func (v *logVerifier) names() error {
	scan := func(rows *sql.Rows) (x nameLine, err error) {
		return x, rows.Scan(&x.artifact, &x.name, &x.base, &x.listed, &x.arose)
	}
	return eachOf(v, `SELECT n.artifact_id, n.name, n.base, 1, EXISTS (SELECT 1 FROM arrival x WHERE x.artifact_id = n.artifact_id AND x.name = n.name) FROM artifact_name n
		UNION ALL SELECT DISTINCT x.artifact_id, x.name, '', 0, 1 FROM arrival x
		WHERE NOT EXISTS (SELECT 1 FROM artifact_name n WHERE n.artifact_id = x.artifact_id AND n.name = x.name)`, scan, func(x nameLine) error {
		switch {
		case !x.listed:
			v.report.fault("row", -1, "artifact %d came in as %.80q, which is not among its names", x.artifact, x.name)
		case !x.arose:
			v.report.fault("row", -1, "artifact %d has the name %.80q, under which it never came in", x.artifact, x.name)
		case x.base != baseName(x.name):
			v.report.fault("row", -1, "artifact %d: the name %.80q is looked up as %.80q", x.artifact, x.name, x.base)
		}
		return nil
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

// waiverTexts holds the rules of waivers, which are kept as JSON, against the one way to
// write them: a record is made of what they say.
func (v *logVerifier) waiverTexts() error {
	type line struct {
		id   int64
		text string
	}
	scan := func(rows *sql.Rows) (x line, err error) { return x, rows.Scan(&x.id, &x.text) }
	return eachOf(v, "SELECT id, stops FROM waiver ORDER BY id", scan, func(x line) error {
		var stops []evidence.WaivedStop
		err := json.Unmarshal([]byte(x.text), &stops)
		again, _ := json.Marshal(stops)
		if err != nil || string(again) != x.text {
			v.report.fault("row", -1, "waiver %d: its rules are not written as waivers are", x.id)
		}
		return nil
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
