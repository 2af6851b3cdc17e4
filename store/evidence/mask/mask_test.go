package mask

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// made puts a credential together, so that none stands in the source.
func made(prefix string, n int) string {
	const alphabet = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z"
	var b strings.Builder
	b.WriteString(prefix)
	for i := range n {
		b.WriteByte(alphabet[i*7%len(alphabet)])
	}
	return b.String()
}

func TestSecrets(t *testing.T) {
	jwt := made("eyJ", 20) + "." + made("", 30) + "." + made("", 43)
	pem := "-----BEGIN RSA PRIVATE " + "KEY-----\n" + made("", 64) + "\n" + made("", 40) + "\n-----END RSA PRIVATE " + "KEY-----"
	tests := []struct{ in, want string }{
		{"key " + made("sk-", 40) + ".", "key sk-…[masked 40]."},
		{made("sk-proj-", 40), "sk-proj-…[masked 40]"},
		{made("sk-ant-api03-", 40), "sk-ant-…[masked 46]"},
		{made("hf_", 34), "hf_…[masked 34]"},
		{"x=" + made("ghp_", 36) + "&y", "x=ghp_…[masked 36]&y"},
		{made("github_pat_", 60), "github_pat_…[masked 60]"},
		{made("gho_", 36), "gho_…[masked 36]"},
		{made("xoxb-", 30), "xoxb-…[masked 30]"},
		{"AKIA" + "QWERTYUIOP123456", "AKIA…[masked 16]"},
		{made("AIza", 35), "AIza…[masked 35]"},
		{made("nvapi-", 60), "nvapi-…[masked 60]"},
		{"Authorization: Bearer " + made("", 30), "Authorization: Bearer …[masked 30]"},
		{"authorization: Basic " + made("", 24) + "==", "authorization: Basic …[masked 26]"},
		{"curl -H 'Authorization: Bearer " + made("", 12) + "'", "curl -H 'Authorization: Bearer …[masked 12]'"},
		{"jwt " + jwt + " end", fmt.Sprintf("jwt eyJ…[masked %d] end", len(jwt)-3)},
		{"a " + pem + " b", fmt.Sprintf("a -----BEGIN RSA PRIVATE KEY…[masked %d] b", len(pem)-len("-----BEGIN RSA PRIVATE KEY"))},
		{"postgres://bob:" + made("", 9) + "@db.internal/x", "postgres://…[masked 13]@db.internal/x"},
		{"https://" + made("", 20) + "@git.example.org", "https://…[masked 20]@git.example.org"},
		{`{"password":"hunter22"}`, `{"password":"…[masked 8]"}`},
		{`"api_key": "` + made("", 32) + `",`, `"api_key": "…[masked 32]",`},
		{"HF_TOKEN=" + made("", 20) + " python", "HF_TOKEN=…[masked 20] python"},
		{"--api-key " + made("", 24) + " --port 1", "--api-key …[masked 24] --port 1"},
		{`"--api-key", "` + made("", 24) + `"`, `"--api-key", "…[masked 24]"`},
		{`\"token\":\"` + made("", 24) + `\"`, `\"token\":\"…[masked 24]\"`},
		{`line\n` + made("sk-", 40), `line\nsk-…[masked 40]`},
		{"?token=" + made("", 24) + "&x=1", "?token=…[masked 24]&x=1"},
		{"a " + made("sk-", 20) + " b " + made("hf_", 30), "a sk-…[masked 20] b hf_…[masked 30]"},
	}
	for _, tt := range tests {
		got := Secrets(tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q:\n%s", tt.in, diff)
		}
		if again := Secrets(got); again != got {
			t.Errorf("masking twice: %q", again)
		}
		if !HasSecret(tt.in) {
			t.Errorf("%q: no secret", tt.in)
		}
	}
}

func TestNoSecrets(t *testing.T) {
	for _, s := range []string{
		"", "measured", "sk-no-key-required", "sk-xxxxxxxxxxxxxxxxxxxxxxx1x", "hf_dataset_name", "hf_overrides", "api_key: EMPTY", `"apiKey": "__REDACTED__"`,
		`"api_key": "${ROUTER_TOKEN}"`, `"api_key": "***"`, "token: none", `"max_tokens": 123456789012`, `"eos_token": "<|im_end|>"`,
		`"output_tokens": 4096`, "tokenizer=Qwen/Qwen3.8-27B-A3B-Instruct", "Bearer authentication is used", "Authorization: Bearer $TOKEN",
		`"cache_key": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`, "https://huggingface.co/Qwen/Qwen3",
		"tokens=abc123def456ghi789", `"password": "<redacted>"`, "http://user@host/", "first_token: 2026-01-01T00:00:00Z later", "task-force-sk-learn", "-------Inter-token Latency----------------", "Inter-token: LatencyOfEverything", "sha256:" + strings.Repeat("ab", 32),
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "password reset: see the manual", "a:b@c", "risk-assessment-2024-planning-notes-1",
		`"secret_policy": "values are left out of this document 1"`,
	} {
		if got := Secrets(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestPrivate(t *testing.T) {
	const uuid = "GPU-1a2b3c4d-aaaa-bbbb-cccc-0123456789ab"
	tests := []struct{ in, want string }{
		{"card " + uuid + ".", "card GPU-…[" + short(uuid[4:]) + "]."},
		{"MIG-1a2b3c4d-aaaa-bbbb-cccc-0123456789ab", "MIG-…[" + short(uuid[4:]) + "]"},
		{`C:\Users\operator\x\y.json`, `C:…[path ` + short(`\Users\operator\x`) + `]\y.json`},
		{`"C:\\Users\\me\\y.json"`, `"C:…[path ` + short(`\\Users\\me`) + `]\\y.json"`},
		{`at C:\Users\John Smith\a.txt now`, `at C:…[path ` + short(`\Users\John Smith`) + `]\a.txt now`},
		{"see /home/ann/runs/a.log, ok", "see /home/…[path " + short("ann/runs") + "]/a.log, ok"},
		{"/Users/ann", "/Users/…[path " + short("ann") + "]"},
		{"/mnt/c/Users/ann/a", "/mnt/c/Users/…[path " + short("ann") + "]/a"},
		{"http://box-7.corp.example.org:8000/v1", "http://host-" + short("box-7.corp.example.org") + ":8000/v1"},
		{"http://10.1.2.3:8000", "http://ip-" + short("10.1.2.3") + ":8000"},
		{"peer 172.22.0.4 up", "peer ip-" + short("172.22.0.4") + " up"},
		{"http://100.64.0.10:1/", "http://ip-" + short("100.64.0.10") + ":1/"},
		{"mac 02:42:ac:11:00:02.", "mac mac-" + short("02:42:ac:11:00:02") + "."},
		{`\\fileserver\share\a.txt`, `…[path ` + short(`\\fileserver\share`) + `]\a.txt`},
	}
	for _, tt := range tests {
		got := Private(tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q:\n%s", tt.in, diff)
		}
		if again := Private(got); again != got {
			t.Errorf("masking twice: %q", again)
		}
		if Secrets(tt.in) != tt.in {
			t.Errorf("%q is no secret", tt.in)
		}
	}
	for _, s := range []string{"http://127.0.0.1:8000", "http://localhost:1", "http://0.0.0.0:1", "http://[::1]:1", "https://huggingface.co/a/b", "580.95.05",
		"v1.2.3.4", "12.8.0.1.2", "256.1.1.1", "/root/.cache/huggingface", "GPU-count", "1:2:3", "https://www.github.com/x", "C: drive", "12:30:45"} {
		if got := Private(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestField(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"password", "hunter22", "…[masked 8]"},
		{"apiKey", made("", 20), "…[masked 20]"},
		{"apiKey", "EMPTY", "EMPTY"},
		{"tokens", made("", 20), made("", 20)},
		{"note", "with " + made("sk-", 30), "with sk-…[masked 30]"},
		{"signingKey", made("", 30), "…[masked 30]"},
		{"ttft", "0.25", "0.25"},
	} {
		if got := Field(tt.name, tt.value); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
}

// TestLinear holds the time of hostile texts against their length.
func TestLinear(t *testing.T) {
	const n = 1 << 20
	for _, unit := range []string{"a", "=", ":", "://", "sk-", "eyJaaaaaaaaaaaa.", "Bearer ", "--token ", "password=", "C:\\", "/home/", "1.", "GPU-", "@", "://a:b", "-----BEGIN PRIVATE KEY", "\\\\a\\", "00:", "token:a ", "token=" + strings.Repeat("a", 40)} {
		s := strings.Repeat(unit, n/len(unit))
		start := time.Now()
		Private(s)
		if d := time.Since(start); d > 30*time.Second { // a bound that only a quadratic scan passes
			t.Errorf("%q: %s for 1 MiB", unit, d)
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, s := range []string{`{"password":"hunter22"}`, "http://a:b@c", `C:\Users\a b\c`, "-----BEGIN PRIVATE KEY", "eyJaaaaaaaaa.bbbbbbbb.", "--token \"", "\\\\a\\b", "00:00:00:00:00:00", "GPU-", "Bearer "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at := 0
		for _, p := range Find(s) {
			if p.Start < at || p.End > len(s) || p.Start+p.Keep > p.End-p.Tail {
				t.Fatalf("span %+v after %d in %q", p, at, s)
			}
			at = p.End
		}
		once := Secrets(s)
		if twice := Secrets(once); twice != once {
			t.Errorf("%q then %q", once, twice)
		}
	})
}

func BenchmarkSecrets(b *testing.B) {
	line := `{"request_index": 17, "ttft_ms": 317.1, "model": "qwen", "base_url": "http://127.0.0.1:8000/v1", "text": "The quick brown fox jumps over the lazy dog"}` + "\n"
	for name, f := range map[string]func(string) string{"secrets": Secrets, "private": Private} {
		s := strings.Repeat(line, 1000)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for range b.N {
				f(s)
			}
		})
	}
}
