package store

import (
	"encoding/hex"
	"strconv"

	"assay/store/evidence"
	"assay/store/signoff"
)

// What the log says of each kind of row. A record is made of the row alone, so that
// verification can make it again and hold one against the other.

func recordOfArtifact(d evidence.Digest, size, storedUS int64) signoff.Record {
	return signoff.NewRecord(signoff.RecordArtifact, "sha256", hex.EncodeToString(d[:]), "size", number(size), "time", micros(storedUS))
}

func recordOfArrival(id int64, d evidence.Digest, in evidence.Incoming, atUS int64) signoff.Record {
	return signoff.NewRecord(signoff.RecordArrival, "arrival", number(id), "sha256", hex.EncodeToString(d[:]), "name", in.Name, "origin", in.Origin,
		"campaign", in.Campaign, "time", micros(atUS))
}

func recordOfRepair(r *evidence.Repair) signoff.Record {
	return signoff.NewRecord(signoff.RecordRepair, "repair", number(r.ID), "what", string(r.Kind), "target", r.Target, "key", string(r.Key),
		"value", r.Value, "author", r.Author, "reason", r.Reason, "time", micros(r.AtUS))
}

func recordOfRepairWithdrawn(r *evidence.Repair) signoff.Record {
	return signoff.NewRecord(signoff.RecordRepairWithdrawn, "repair", number(r.ID), "author", r.WithdrawnBy, "reason", r.WithdrawnReason, "time", micros(r.WithdrawnUS))
}

func recordOfWaiver(x *evidence.Waiver) signoff.Record {
	r := signoff.NewRecord(signoff.RecordWaiver, "waiver", number(x.ID), "control", x.Control, "arm", x.Arm, "metric", string(x.Metric), "stat", string(x.Stat))
	for _, s := range x.Stops {
		r.Fields = append(r.Fields, signoff.Field{Key: "rule", Value: s.Rule}, signoff.Field{Key: "key", Value: string(s.Key)},
			signoff.Field{Key: "left", Value: s.Left}, signoff.Field{Key: "right", Value: s.Right})
	}
	r.Fields = append(r.Fields, signoff.Field{Key: "author", Value: x.Person}, signoff.Field{Key: "reason", Value: x.Reason}, signoff.Field{Key: "time", Value: micros(x.AtUS)})
	return r
}

func recordOfWaiverWithdrawn(x *evidence.Waiver) signoff.Record {
	return signoff.NewRecord(signoff.RecordWaiverWithdrawn, "waiver", number(x.ID), "author", x.WithdrawnBy, "reason", x.WithdrawnReason, "time", micros(x.WithdrawnUS))
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// micros is a time as the archive keeps it: Unix microseconds.
func micros(us int64) string { return strconv.FormatInt(us, 10) }
