// Command assay keeps evidence of LLM-serving benchmark campaigns in one file and
// shows, compares and exports it.
//
// The journey of a call:
//
//  1. main hands arguments, environment, streams and clock to [run]; nothing below
//     reads them from anywhere else, so that tests call run as the shell does.
//  2. root.go builds the cobra commands. What cobra refuses (an unknown command or
//     flag, a wrong number of arguments) ends with the usage exit code.
//  3. A command opens the archive (archive.go) and calls the package that does the
//     work: ingest, store, store/compare, store/export, web. Commands hold no
//     knowledge of evidence.
//  4. exit.go turns the error into an exit code and one line on standard error.
package main
