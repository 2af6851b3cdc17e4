// Package lifttest holds what the tests of the evidence readers share: finding real
// files by label, holding a reading against a golden one, accounting for every number
// of a reading from the outside, and changing one member of a document at a time.
package lifttest
