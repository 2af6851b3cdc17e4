// Package assayrun reads the artifacts of our own runner (package artifact) into the
// archive.
//
// The journey of a document:
//
//  1. Match takes the label with the blocks of the format.
//  2. The campaign, the arm and the facts are lifted as they stand: what the runner says
//     of the configuration belongs to the arm, the rest to the run. A key without a value
//     becomes an absent fact, so that a page can say why.
//  3. Every request becomes a sample, with its times in seconds after it was sent.
//  4. The summary is lifted, and then made again from the raw times by this package's own
//     arithmetic. Where the two differ a finding says so, with both numbers, and the
//     figure is in conflict.
//  5. Gates, limitations and failures are lifted word for word; a client that was part of
//     what it measured is a finding.
package assayrun
