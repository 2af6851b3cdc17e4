// Package lifttest holds the checks that every reader of another tool's files passes:
// golden dumps, every number accounted for, every place leads to the digits it claims,
// and no change of a member goes unseen.
package lifttest
