// Package example holds the example evidence of the demo.
//
// [Documents] are three documents with the structure, labels and figures of published
// campaigns on local Blackwell cards. The sentences in them are written for this repository.
//
//   - decision-table.json: a decision summary whose figures stand in rows, one of them
//     an interval, one of an arm that was rejected.
//   - decision-narrative.json: a decision summary whose figures stand in sentences.
//   - tp-mtp-matrix.json: sixteen arms over checkpoint, TP, MTP depth and context.
//
// [Complete] is a campaign that can be signed: made up, with everything that a promotion
// asks for. Its files name each other and belong to the campaign [Campaign], which only
// the summary says itself. [Later] is what was found out afterwards: a file that takes the
// place of [Superseded], so that a sign-off on the campaign turns stale.
package example

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
)

//go:embed *.json complete/*.json complete/*.toml later/*.json
var files embed.FS

// Campaign is the id of the campaign that [Complete] holds.
const Campaign = "example-2026-09-02-qwen38-27b-fp8-promotion"

// Superseded is the file of [Complete] that the one of [Later] supersedes.
const Superseded = "telemetry-fp8.json"

// Document is one example file.
type Document struct {
	Name string
	Data []byte
}

// Documents are the example files in the order of their names.
func Documents() ([]Document, error) { return documents("*.json") }

// Complete are the files of the campaign that can be signed, in the order of their names.
func Complete() ([]Document, error) { return documents("complete/*") }

// Later are the files that are kept beside it: nothing takes them in at the start.
func Later() ([]Document, error) { return documents("later/*") }

func documents(pattern string) ([]Document, error) {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return nil, fmt.Errorf("list example evidence: %w", err)
	}
	docs := make([]Document, 0, len(names))
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read example evidence %s: %w", name, err)
		}
		docs = append(docs, Document{Name: path.Base(name), Data: data})
	}
	return docs, nil
}
