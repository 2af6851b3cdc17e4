package compare

import "assay/store/evidence"

// SameMeaning reports whether two spellings of a key say the same by definition. Two
// spellings of one card do even when only one of them gives the power class; two
// different power classes do not.
func SameMeaning(k evidence.FactKey, x, y string) bool {
	if k != evidence.KeyGPUProduct {
		return canonical(k, x) == canonical(k, y)
	}
	a, b := parseCard(x), parseCard(y)
	return a.product != "" && a.key() == b.key() && (a.power == "" || b.power == "" || a.power == b.power)
}
