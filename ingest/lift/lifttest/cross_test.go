package lifttest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest/aiperf"
	"assay/ingest/console"
	"assay/ingest/guidellm"
	"assay/ingest/inferenceperf"
	"assay/ingest/inferencex"
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/ingest/lift/lifttest"
	"assay/ingest/llamabench"
	"assay/ingest/llamabenchy"
	"assay/ingest/llmd"
	"assay/ingest/lmeval"
	"assay/ingest/mlperf"
	"assay/ingest/sglang"
	"assay/ingest/trtllm"
	"assay/ingest/vllm"
)

func appendTo[R lifttest.Reader](all []lifttest.Reader, rs []R) []lifttest.Reader {
	for _, r := range rs {
		all = append(all, r)
	}
	return all
}

func readers() []lifttest.Reader {
	all := appendTo(nil, vllm.Readers())
	all = appendTo(all, sglang.Readers())
	all = appendTo(all, aiperf.Readers())
	all = appendTo(all, guidellm.Readers())
	all = appendTo(all, llamabench.Readers())
	all = appendTo(all, inferencex.Readers())
	all = appendTo(all, inferenceperf.Readers())
	all = appendTo(all, llmd.Readers())
	all = appendTo(all, lmeval.Readers())
	all = appendTo(all, lmeval.SamplesReaders())
	all = appendTo(all, llamabenchy.Readers())
	return appendTo(all, trtllm.Readers())
}

func textReaders() []lift.TextReader {
	var all []lift.TextReader
	for _, r := range aiperf.TextReaders() {
		all = append(all, r)
	}
	for _, r := range guidellm.TextReaders() {
		all = append(all, r)
	}
	for _, r := range llamabench.TextReaders() {
		all = append(all, r)
	}
	for _, r := range inferenceperf.TextReaders() {
		all = append(all, r)
	}
	for _, r := range llmd.TextReaders() {
		all = append(all, r)
	}
	for _, r := range console.TextReaders() {
		all = append(all, r)
	}
	for _, r := range mlperf.TextReaders() {
		all = append(all, r)
	}
	for _, r := range mlperf.DetailReaders() {
		all = append(all, r)
	}
	for _, r := range guidellm.CopyReaders() {
		all = append(all, r)
	}
	for _, r := range vllm.TextReaders() {
		all = append(all, r)
	}
	return all
}

// matched names the readers that take a file: of text where it is not JSON.
func matched(tb testing.TB, path string) (found []string, values int) {
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	values = 1
	if doc := jsondoc.Parse(data, jsondoc.Limits{}); doc.Form == jsondoc.JSON {
		values = len(doc.Values)
		for _, v := range doc.Values {
			for _, r := range readers() {
				if _, ok := r.Match("", v); ok {
					found = append(found, r.ID())
				}
			}
		}
		return found, values
	}
	for _, r := range textReaders() { // of what is JSON nobody asks them
		if _, ok := r.MatchText(data[:min(len(data), 64<<10)]); ok {
			found = append(found, r.ID())
		}
	}
	return found, values
}

// TestEveryForeignSampleHasOneReader also holds for our own fixtures, which stand for
// the formats that no sample was found of.
func TestEveryForeignSampleHasOneReader(t *testing.T) {
	folders := []string{lifttest.Corpus(t, "corpus", "foreign"), lifttest.Corpus(t, "parts", "samples-llama"), filepath.Join("..", "..")}
	for _, folder := range folders {
		filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			ext := filepath.Ext(path)
			own := folder == folders[2]
			if err != nil || e.IsDir() || ext == ".golden" || ext == ".tsv" || ext == ".md" && !own || filepath.Base(path) == "quoted.txt" ||
				own && (filepath.Base(filepath.Dir(path)) != "testdata" || strings.Contains(path, "anvil") || strings.Contains(path, "prose") || strings.Contains(path, "jsondoc")) {
				return nil
			}
			if own && !ours(path) {
				return nil
			}
			found, values := matched(t, path)
			if len(found) != values || values == 0 {
				t.Errorf("%s: %d values, readers %v", filepath.Base(path), values, found)
			}
			return nil
		})
	}
}

// ours tells the fixtures of these readers from those of intake.
func ours(path string) bool {
	for _, name := range []string{"vllm", "sglang", "aiperf", "guidellm", "llamabench", "inferencex", "inferenceperf", "llmd", "lmeval", "llamabenchy", "trtllm", "console", "mlperf"} {
		if filepath.Base(filepath.Dir(filepath.Dir(path))) == name {
			return true
		}
	}
	return false
}

func TestNoReaderTakesTheFamily(t *testing.T) {
	for _, folder := range []string{"anvil", "seeds", "recipes"} {
		root := lifttest.Corpus(t, "corpus", folder)
		filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil
			}
			if found, _ := matched(t, path); len(found) > 0 {
				t.Errorf("%s: taken by %v", path, found[:min(3, len(found))])
			}
			return nil
		})
	}
}
