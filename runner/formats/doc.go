// Package formats writes a run as the files of other tools, so that what reads those can read
// it. Units are theirs, percentiles follow their rule, and what a format has no place for is
// left out: nothing is made up to fill a member.
package formats
