// Package ingest takes artifacts in: it keeps their bytes first and understands them
// afterwards, and every input ends in a state with a reason.
//
// The journey of a file:
//
//  1. [Take] lists what the sources hold (source.go): files, folders with everything
//     in them, standard input, bytes in memory. What cannot be read is "lost" and
//     named; nothing is passed over in silence.
//  2. Inputs are read in batches; the archive keeps and commits their bytes. From
//     here on a crash loses nothing: [Resume] reads what is kept and not yet read.
//  3. Package jsondoc scans the bytes of each artifact (interpret.go): encoding,
//     defects with their places, values as trees. The readers of the registry are
//     asked one after the other whether they know the label and the shape of a value;
//     names of files are never asked. Text that is not JSON goes to the text readers
//     (text.go); values that are rows of one run go to one series (series.go).
//  4. The first reader that matches lifts an [evidence.Document]. Intake settles the
//     campaign (campaign.go), collects the words for search (words.go) and decides
//     the end state.
//  5. Readings are committed in batches, a large one alone. Only then is a file reported
//     as done. What an artifact may bring is bounded (bounds.go): beyond that it is kept
//     and not read, and a finding names the reader and the bound.
//
// End states:
//
//	accepted       a reader knows a value, and no defect puts the bytes in doubt
//	archived-only  sound, and nobody knows it: other JSON, other text, binaries, nothing at all
//	quarantined    meant as JSON and defective, or a reader failed on it; findings say where
//	duplicate      the same bytes were in the archive before
//	lost           no bytes could be read or kept: no such file, no permission, a full disk
//	pending        kept and not read, as the archive failed; the next intake reads it
//	skipped        found in a folder, and not a file: a device, a link that leads outside
//
// For example, assay ingest results/ with a summary that anvil/decision-summary knows
// gives {"path":"results/summary.json","state":"accepted","runs":5,...}, and giving it
// again gives "duplicate".
//
// [Reindex] forgets everything derived and reads all artifacts again; [Verify] reads
// them again and compares.
package ingest
