// Package yamldoc reads the YAML that benchmark tools write into the same nodes as JSON,
// with the byte offsets of every scalar, so that a figure can be shown where it stands.
//
// It reads block mappings and sequences, plain and quoted scalars, comments, literal and
// folded texts, and flow collections on one line. What it does not read - anchors,
// aliases, tags, several documents, tabs as indentation - it refuses with the line,
// because a guess would be a wrong number.
//
//	a: {x: 1}      object a with x 1
//	b:
//	- .inf         list b with a number that is not finite
//
// Note: a full YAML library was no choice: none says where a scalar starts in bytes, and
// aliases let a few lines stand for gigabytes.
package yamldoc
