package mask

import (
	"strconv"
	"strings"
)

// card finds GPU-… and MIG-… ids: the name and at least eight hexadecimal digits.
func (sc *scanner) card(i int) (Span, bool) {
	rest := sc.s[i+4:]
	if len(rest) > 4 && strings.EqualFold(rest[:4], "GPU-") { // the older spelling MIG-GPU-…
		rest = rest[4:]
	}
	n := 0
	for n < len(rest) && n < 64 && (hexRun(rest[n:n+1]) == 1 || rest[n] == '-' || rest[n] == '/') {
		n++
	}
	for n > 0 && (rest[n-1] == '-' || rest[n-1] == '/') {
		n--
	}
	if hexRun(rest) < 8 || n < len(rest) && isAlnum(rest[n]) {
		return Span{}, false
	}
	end := len(sc.s) - len(rest) + n
	return Span{Start: i, End: end, Kind: CardID, Keep: 4}, true
}

const pathStops = " \t\r\n\"'<>|*?,;()[]{}`"

// drive finds C:\… and C:/… around the colon at i. Spaces belong to a Windows path
// while the next word goes on with a backslash.
func (sc *scanner) drive(i int) (Span, bool) {
	s := sc.s
	if i == 0 || i+2 >= len(s) || s[i-1]|0x20 < 'a' || s[i-1]|0x20 > 'z' || i >= 2 && isAlnum(s[i-2]) && !sc.fresh(i-1) {
		return Span{}, false
	}
	if s[i+1] != '\\' && (s[i+1] != '/' || s[i+2] == '/') {
		return Span{}, false
	}
	return sc.windows(i-1, i+1)
}

// share finds \\server\share.
func (sc *scanner) share(i int) (Span, bool) {
	s := sc.s
	if !sc.private || i > 0 && (s[i-1] == '\\' || s[i-1] == ':' || isAlnum(s[i-1])) {
		return Span{}, false
	}
	n := 0
	for i+n < len(s) && s[i+n] == '\\' {
		n++
	}
	if n != 2 && n != 4 || i+n >= len(s) || !isAlnum(s[i+n]) {
		return Span{}, false
	}
	word := run(s[i+n:], "-_.$")
	if i+n+word >= len(s) || s[i+n+word] != '\\' || strings.HasPrefix(s[i+n+word:], `\n`) || word < 2 {
		return Span{}, false
	}
	return sc.windows(i, i+n)
}

func (sc *scanner) windows(start, from int) (Span, bool) {
	s := sc.s
	end := from
	for end < len(s) && end-start < maxPath {
		c := s[end]
		if c == ' ' {
			word := s[end+1 : min(len(s), end+1+maxName)]
			if k := strings.IndexAny(word, " \t\r\n\"'<>|*?,;:"); k >= 0 {
				word = word[:k]
			}
			if !strings.Contains(word, `\`) {
				break
			}
		} else if strings.IndexByte(pathStops, c) >= 0 || c == ':' {
			break
		}
		end++
	}
	if end-from < 2 {
		return Span{}, false
	}
	keep := 0
	if s[start] != '\\' {
		keep = 2
	}
	return Span{Start: start, End: end, Kind: WindowsPath, Keep: keep, Tail: lastName(s[from:end])}, true
}

// lastName is the length of a path's last part with its separator, 0 when the path
// has only one.
func lastName(path string) int {
	i := strings.LastIndexAny(path, `/\`)
	if i <= 0 || strings.Trim(path[:i], `/\`) == "" {
		return 0
	}
	for i > 0 && path[i-1] == '\\' { // a backslash that is escaped in JSON text
		i--
	}
	return len(path) - i
}

// homes are folders of people.
var homes = []string{"/home/", "/Users/"}

// slash finds /home/NAME/… and /Users/NAME/…
func (sc *scanner) slash(i int) (Span, bool) {
	if !sc.private {
		return Span{}, false
	}
	for _, h := range homes {
		if !strings.HasPrefix(sc.s[i:], h) {
			continue
		}
		if i > 0 && isAlnum(sc.s[i-1]) && !sc.mounted(i) && !sc.fresh(i) {
			return Span{}, false
		}
		rest := sc.s[i+len(h) : min(len(sc.s), i+maxPath)]
		n := strings.IndexAny(rest, pathStops+":\\")
		if n < 0 {
			n = len(rest)
		}
		if n == 0 || isMasked(rest) {
			return Span{}, false
		}
		tail := 0
		if k := strings.LastIndexByte(rest[:n], '/'); k > 0 {
			tail = n - k
		}
		return Span{Start: i, End: i + len(h) + n, Kind: UserPath, Keep: len(h), Tail: tail}, true
	}
	return Span{}, false
}

// mounted reports whether a drive of Windows is mounted right before i: /mnt/c, /c.
func (sc *scanner) mounted(i int) bool {
	return i >= 2 && sc.s[i-2] == '/'
}

// loopback addresses and names say nothing about a machine.
func loopback(host string) bool {
	switch host {
	case "localhost", "0.0.0.0", "::1", "::", "host.docker.internal":
		return true
	}
	return strings.HasPrefix(host, "127.")
}

// public are hosts of everybody: models, code, papers. They name no machine of a user.
var public = []string{"huggingface.co", "hf.co", "github.com", "githubusercontent.com", "github.io", "gitlab.com", "arxiv.org", "docker.io",
	"docker.com", "ghcr.io", "nvcr.io", "quay.io", "pypi.org", "pythonhosted.org", "vllm.ai", "sglang.io", "sglang.ai", "lmsys.org", "nvidia.com",
	"pytorch.org", "readthedocs.io", "reddit.com", "json-schema.org", "w3.org", "wikipedia.org", "modelscope.cn", "ggml.ai", "mlcommons.org",
	"openai.com", "anthropic.com", "googleapis.com"}

func isPublic(host string) bool {
	host = strings.ToLower(host)
	for _, p := range public {
		if strings.HasSuffix(host, p) && (len(host) == len(p) || host[len(host)-len(p)-1] == '.') {
			return true
		}
	}
	return false
}

// host judges the host of a URL.
func (sc *scanner) host(i int, authority string) (Span, bool) {
	host := authority
	if strings.HasPrefix(host, "[") {
		k := strings.IndexByte(host, ']')
		if k < 0 {
			return Span{}, false
		}
		host, i = host[1:k], i+1
	} else {
		host = host[:run(host, "-._~")]
		host = strings.TrimRight(host, ".")
	}
	if host == "" || loopback(strings.ToLower(host)) || isPublic(host) || strings.HasPrefix(host, "host-") || strings.HasPrefix(host, "ip-") {
		return Span{}, false
	}
	kind := Host
	if k, ok := addressKind(host); ok {
		if kind = k; kind == "" {
			return Span{}, false
		}
	}
	return Span{Start: i, End: i + len(host), Kind: kind}, true
}

// number finds addresses of four numbers.
func (sc *scanner) number(i int) (Span, bool) {
	if !sc.private || i > 0 && (sc.s[i-1] == '.' || !sc.fresh(i)) {
		return Span{}, false
	}
	rest := sc.s[i:min(len(sc.s), i+16)]
	n := 0
	for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '.') {
		n++
	}
	text := strings.TrimRight(rest[:n], ".")
	if len(text) < 7 || i+n < len(sc.s) && (isAlnum(sc.s[i+n]) || sc.s[i+n] == '_') {
		return Span{}, false
	}
	kind, ok := addressKind(text)
	if !ok || kind == "" {
		return Span{}, false
	}
	return Span{Start: i, End: i + len(text), Kind: kind}, true
}

// addressKind judges four numbers; "" for an address that says nothing.
func addressKind(s string) (Kind, bool) {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return "", false
	}
	var a [4]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v > 255 || len(p) > 3 || len(p) > 1 && p[0] == '0' {
			return "", false
		}
		a[i] = v
	}
	switch {
	case loopback(s), a[0] == 255, a[0] == 0:
		return "", true
	case a[0] == 192 && a[1] == 0 && a[2] == 2, a[0] == 198 && a[1] == 51 && a[2] == 100, a[0] == 203 && a[1] == 0 && a[2] == 113,
		a[0] == 100 && a[1] >= 64 && a[1] < 128:
		return Placeholder, true
	}
	return Address, true
}

// mac finds six pairs of hexadecimal digits; i is the first colon.
func (sc *scanner) mac(i int) (Span, bool) {
	const size = len("00:00:00:00:00:00")
	start := i - 2
	if start < 0 || start+size > len(sc.s) || start > 0 && (isAlnum(sc.s[start-1]) || sc.s[start-1] == ':') {
		return Span{}, false
	}
	text := sc.s[start : start+size]
	for k := 0; k < size; k++ {
		if k%3 == 2 != (text[k] == ':') || k%3 != 2 && hexRun(text[k:k+1]) == 0 {
			return Span{}, false
		}
	}
	if end := start + size; end < len(sc.s) && (isAlnum(sc.s[end]) || sc.s[end] == ':') {
		return Span{}, false
	}
	return Span{Start: start, End: start + size, Kind: Hardware}, true
}
