package view

import (
	"slices"
	"strings"

	"assay/store/evidence"
)

// RepairInput is what stands in a repair's form, and what is wrong with it.
type RepairInput struct {
	Kind   string // declare, alias, move or withdraw
	Values map[string]string
	Field  string // the field that is wrong
	Fault  string
}

// RepairForm is a form that makes or withdraws a repair.
type RepairForm struct {
	Kind, Title, Intro string
	Action, Submit     string
	Fields             []FormField
	Fault              string // "" when nothing is wrong
	FaultField         string // the id of the field, "" when none
	Subject            *RepairLine
	Local              bool
	Command            string // the same on the command line
}

// FormField is one field.
type FormField struct {
	ID, Name, Label, Hint string
	Value                 string
	Keys                  []KeyGroup // a chooser of fact keys
	Long, Hidden          bool
	Fault                 string
	Max                   string
}

// KeyGroup is the keys of one class.
type KeyGroup struct {
	Title string
	Keys  []Choice
}

// keyGroups are the fact keys that a form offers; aliases are for words only.
func keyGroups(chosen string, words bool) []KeyGroup {
	var groups []KeyGroup
	for _, c := range classOrder {
		g := KeyGroup{Title: c.title}
		for _, k := range evidence.Keys {
			if k.Class == c.class && (!words || k.Unit == "") {
				label := k.Title
				if k.Unit != "" {
					label += " (" + string(k.Unit) + ")"
				}
				g.Keys = append(g.Keys, Choice{Value: string(k.Key), Label: label + ": " + string(k.Key), Chosen: string(k.Key) == chosen})
			}
		}
		if len(g.Keys) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// repairWords name the parts of each form.
var repairWords = map[string]struct{ title, intro, submit, command string }{
	"declare": {"Declare a fact", "For what a source does not record. Where it records something else, the fact becomes a conflict and both values show; nothing is overwritten.",
		"Declare it", "assay declare TARGET KEY VALUE --author NAME --reason WHY"},
	"alias": {"Add an alias", "Says that a spelling means the same as another word. It holds for every fact of that key, now and later; sources keep what they say.",
		"Add the alias", "assay alias add KEY SPELLING MEANING --author NAME --reason WHY"},
	"move": {"Move an artifact", "Puts an artifact into another campaign. The latest move wins over the campaign that came with the file.",
		"Move it", "assay move ARTIFACT CAMPAIGN --author NAME --reason WHY"},
	"withdraw": {"Withdraw a repair", "It stays listed and has no effect any more: what it changed is as if it had never been made.",
		"Withdraw it", "assay withdraw REPAIR --author NAME --reason WHY"},
}

// BuildRepairForm is a form with what stands in it; old is the repair to withdraw.
func BuildRepairForm(in RepairInput, old *evidence.Repair, local bool) RepairForm {
	w := repairWords[in.Kind]
	v := RepairForm{Kind: in.Kind, Title: w.title, Intro: w.intro, Submit: w.submit, Command: w.command, Action: "/repair/" + in.Kind, Local: local, Fault: plain(in.Fault, maxValue)}
	field := func(name, label, hint, max string) *FormField {
		v.Fields = append(v.Fields, FormField{ID: "r-" + name, Name: name, Label: label, Hint: hint, Value: in.Values[name], Max: max})
		return &v.Fields[len(v.Fields)-1]
	}
	switch in.Kind {
	case "declare":
		field("target", "For what", "a run id, artifact:SHA256, artifact:SHA256#POINTER or campaign:ID", "4000")
		field("key", "Fact", "", "").Keys = keyGroups(in.Values["key"], false)
		field("value", "Value", "numbers may carry a unit: 96 GiB, 12.5 %", "2000")
	case "alias":
		field("key", "Of which fact", "", "").Keys = keyGroups(in.Values["key"], true)
		field("spelling", "Spelling", "exactly as it stands in evidence", "4000")
		field("meaning", "Means", "the word that shall stand for it", "2000")
	case "move":
		field("artifact", "Artifact", "six or more digits of its SHA-256", "80")
		field("campaign", "Campaign", "its whole id; a new one begins a campaign", "200")
	case "withdraw":
		field("repair", "", "", "20").Hidden = true
		if old != nil {
			line := repairLine(old)
			v.Subject = &line
		}
	}
	field("author", "Your name", "kept with the repair, for whoever asks", "200")
	field("reason", "Reason", "for whoever reads it later", "4000").Long = true
	if in.Fault != "" {
		v.blame(in.Field)
	}
	return v
}

// blame marks the field that is wrong. The archive names parts of a repair; forms name
// some of them otherwise.
func (v *RepairForm) blame(field string) {
	also := map[string][]string{"target": {"artifact", "spelling"}, "value": {"meaning", "campaign"}}
	i := slices.IndexFunc(v.Fields, func(f FormField) bool { return f.Name == field || slices.Contains(also[field], f.Name) })
	if i < 0 {
		return
	}
	f := &v.Fields[i]
	f.Fault, v.FaultField = v.Fault, f.ID
	v.Fault = strings.TrimSpace(f.Label + " " + v.Fault)
}
