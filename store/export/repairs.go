package export

import "assay/store/evidence"

var repairColumns = []column[evidence.Repair]{
	{Column{"repair", Figure, "number of the repair"}, func(r *evidence.Repair) Cell { return Integer(r.ID) }},
	{Column{"kind", Code, "alias, fact or move"}, func(r *evidence.Repair) Cell { return Text(r.Kind) }},
	{Column{"target", Prose, "the spelling; the scope of a fact: artifact:SHA256, artifact:SHA256#POINTER or campaign:ID; the moved artifact"}, func(r *evidence.Repair) Cell { return Text(r.Target) }},
	{Column{"key", Code, "fact key; absent for a move"}, func(r *evidence.Repair) Cell { return Optional(r.Key) }},
	{Column{"value", Prose, "what the spelling means, the fact's value, the campaign"}, func(r *evidence.Repair) Cell { return Text(r.Value) }},
	{Column{"author", Prose, "who said so"}, func(r *evidence.Repair) Cell { return Text(r.Author) }},
	{Column{"reason", Prose, "why"}, func(r *evidence.Repair) Cell { return Text(r.Reason) }},
	{Column{"at", Code, "when, UTC"}, func(r *evidence.Repair) Cell { return instant(r.AtUS) }},
	{Column{"state", Code, "holds or withdrawn"}, repairState},
	{Column{"withdrawn_by", Prose, "who withdrew it"}, func(r *evidence.Repair) Cell { return Optional(r.WithdrawnBy) }},
	{Column{"withdrawn_reason", Prose, "why it was withdrawn"}, func(r *evidence.Repair) Cell { return Optional(r.WithdrawnReason) }},
	{Column{"withdrawn", Code, "when it was withdrawn, UTC"}, func(r *evidence.Repair) Cell { return instant(r.WithdrawnUS) }},
}

func repairState(r *evidence.Repair) Cell {
	if r.Holds() {
		return Text("holds")
	}
	return Text("withdrawn")
}
