package page

import (
	"strconv"
	"strings"
)

// ruleHref leads to a rule's section of the catalogue.
func ruleHref(rule string) string { return "/guardrails#" + strings.ToLower(rule) }

func unitAndBetter(unit, better string) string {
	if unit == "" || better == "" {
		return unit + better
	}
	return unit + ", " + better
}

// pickID ties a tick box to its label.
func pickID(group, row int) string { return "p" + strconv.Itoa(group) + "-" + strconv.Itoa(row) }
