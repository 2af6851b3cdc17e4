package ingest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/ingest"
	"assay/store/evidence"
)

// credential puts a secret together, so that none stands in the source.
func credential(prefix string, n int) string {
	return prefix + strings.Repeat("aB3dE5gH7jK9mN1pQ2rS", n/20+1)[:n]
}

func findingsOf(f ingest.FileReport, codes ...string) (out []string) {
	for _, x := range f.Findings {
		if slices.Contains(codes, x.Code) {
			out = append(out, fmt.Sprintf("%s %s %s", x.Severity, x.Code, x.Pointer))
		}
	}
	return out
}

// driveLetter is a driveLetter's letter by itself.
var driveLetter = regexp.MustCompile(`\b[A-Za-z]:\\\\`)

var private = []string{ingest.CodeSecret, ingest.CodeSecretName, ingest.CodeCardID, ingest.CodeWindowsPath, ingest.CodeUserPath,
	ingest.CodePlaceholder, ingest.CodeAddress, ingest.CodeHost, ingest.CodeHardware}

func TestConfidentialFindings(t *testing.T) {
	key := credential("sk-", 40)
	tests := []struct {
		name, text string
		want       []string
	}{
		{"none", `{"a": "b", "eos_token": "<|im_end|>", "tokens": "12345678901234567890"}`, nil},
		{"member", `{"a": [0, {"key~/x": "` + key + `"}]}`, []string{"warning secret /a/1/key~0~1x"}},
		{"named", `{"db": {"password": "hunter22"}}`, []string{"warning secret /db/password"}},
		{"placeholder", `{"apiKey": "***"}`, []string{"info secret-named-key /apiKey"}},
		{"second value", `{"a": 1}` + "\n" + `{"a": "` + key + `"}`, []string{"warning secret /1/a"}},
		{"many", `["` + key + `", "` + key + `", "GPU-1a2b3c4d-aaaa-bbbb-cccc-0123456789ab", "C:\\Users\\ann\\x.json", "/home/ann/x", "http://100.64.0.10/", "10.0.0.1"]`,
			[]string{"warning secret /0", "info gpu-uuid /2", "info windows-path /3", "info unix-user-path /4", "info placeholder-ip /5", "info ip-address /6"}},
		{"text", "one\ntwo " + key + "\n", []string{"warning secret /lines/1"}},
	}
	a := newArchive(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := take(t, a, ingest.Options{}, blob(tt.name, tt.text)).Files[0]
			got := findingsOf(f, private...)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
			for _, x := range f.Findings {
				if strings.Contains(x.Message, key[5:25]) || strings.Contains(x.Message, "hunter22") {
					t.Errorf("the message holds the secret: %s", x.Message)
				}
			}
		})
	}
}

// TestSecretInLargeText: a secret at the end of a log that is never in memory is found.
func TestSecretInLargeText(t *testing.T) {
	if testing.Short() {
		t.Skip("large input")
	}
	line := "INFO 03-01 10:00:00 engine is warming up\n"
	n := 9 << 20 / len(line)
	a := newArchive(t)
	f := take(t, a, ingest.Options{}, blob("long.log", strings.Repeat(line, n)+"key "+credential("hf_", 34)+"\n")).Files[0]
	if got, want := findingsOf(f, private...), []string{fmt.Sprintf("warning secret /lines/%d", n)}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAwkwardPrivate holds what is found in real evidence against what is known of it.
func TestAwkwardPrivate(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of files")
	}
	root := filepath.Join(corpus(t), "anvil")
	data, err := os.ReadFile(filepath.Join(root, "..", "..", "golden", "awkward.json"))
	if err != nil {
		t.Skip(err)
	}
	var known []struct{ File, Kind, Pointer string }
	if err := json.Unmarshal(data, &known); err != nil {
		t.Fatal(err)
	}
	a := newArchive(t)
	found := map[string]evidence.Pointer{}
	secrets := 0
	for _, f := range take(t, a, ingest.Options{}, ingest.Path(root)).Files {
		for _, x := range f.Findings {
			found[f.SHA256+" "+x.Code] = x.Pointer
			if x.Code == ingest.CodeSecret {
				secrets++
				t.Errorf("%s: %s %s", f.Path, x.Pointer, x.Message)
			}
		}
	}
	n := 0
	for _, k := range known {
		if !slices.Contains(private, k.Kind) {
			continue
		}
		n++
		bytes, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(k.File)))
		if err != nil {
			t.Fatal(err)
		}
		if k.Kind == ingest.CodeWindowsPath && !driveLetter.Match(bytes) {
			continue // "…is:\n", as it is printed inside a sentence
		}
		p, ok := found[evidence.DigestOf(bytes).String()+" "+k.Kind]
		if !ok || k.Pointer != "" && string(p) != k.Pointer {
			t.Errorf("%s %s %s: %v at %s", k.File, k.Kind, k.Pointer, ok, p)
		}
	}
	t.Logf("%d known, %d secrets", n, secrets)
}
