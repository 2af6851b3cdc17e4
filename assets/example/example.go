// Package example holds the example evidence of the demo: three documents with the
// structure, labels and figures of published campaigns on local Blackwell cards. The
// sentences in them are written for this repository.
//
//   - decision-table.json: a decision summary whose figures stand in rows, one of them
//     an interval, one of an arm that was rejected.
//   - decision-narrative.json: a decision summary whose figures stand in sentences.
//   - tp-mtp-matrix.json: sixteen arms over checkpoint, TP, MTP depth and context.
package example

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed *.json
var files embed.FS

// Document is one example file.
type Document struct {
	Name string
	Data []byte
}

// Documents are the example files in the order of their names.
func Documents() ([]Document, error) {
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		return nil, fmt.Errorf("list example evidence: %w", err)
	}
	docs := make([]Document, 0, len(names))
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read example evidence %s: %w", name, err)
		}
		docs = append(docs, Document{Name: name, Data: data})
	}
	return docs, nil
}
