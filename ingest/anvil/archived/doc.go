// Package archived knows what is kept to be found and what measured without saying so:
// configuration inputs, and the many values without a label that lie beside real evidence.
//
// The journey of a value:
//
//  1. [Reader.Match] takes the labels of configuration inputs byte for byte. A value without
//     a label is told by its shape alone: a suite by its evals, a container's inspection by
//     its members, a decision log by its records. A number for a label names nothing.
//  2. What a shape is, a finding says: "the definition of a suite". Sentences become notes,
//     files and digests references, and every number is listed with its reason.
//  3. Three shapes truly measured: candidates of a speech comparison, a voice turn, and the
//     validation of a voice pipeline. They give runs of one observation each, of the class
//     speech.
//
// For example {"suite": "arc-5", "evals": [...]} ends archived-only with the finding that it
// is the definition of a suite, and nothing of it is a result.
//
// Note: the shapes are asked after every other reader. A value without a label that no shape
// fits and that carries a date is an observation of something nobody named; what carries not
// even that is left to the finding that no reader knows it.
package archived
