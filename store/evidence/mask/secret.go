package mask

import "strings"

// token is a credential that its issuer marks with a prefix.
type token struct {
	prefix string
	more   string // bytes it may hold besides letters and digits
	min    int    // bytes after the prefix
	mixed  bool   // words can look like it: a digit must be in it
}

// tokens are the prefixes known, the longer of two that fit first.
var tokens = []token{
	{"sk-proj-", "-_", 12, true}, {"sk-ant-", "-_", 12, true}, {"sk-or-", "-_", 12, true}, {"sk-svcacct-", "-_", 12, true},
	{"sk-", "-_", 16, true}, {"sk_live_", "", 10, true}, {"sk_test_", "", 10, true}, {"rk_live_", "", 10, true},
	{"hf_", "", 20, false}, {"api_org_", "", 20, false},
	{"github_pat_", "_", 16, true}, {"ghp_", "", 16, true}, {"gho_", "", 16, true}, {"ghu_", "", 16, true}, {"ghs_", "", 16, true}, {"ghr_", "", 16, true},
	{"glpat-", "-_", 16, true}, {"xoxb-", "-", 10, true}, {"xoxp-", "-", 10, true}, {"xoxa-", "-", 10, true}, {"xoxr-", "-", 10, true},
	{"xoxs-", "-", 10, true}, {"xoxe-", "-.", 10, true}, {"xapp-", "-", 10, true},
	{"AKIA", "", 16, false}, {"ASIA", "", 16, false}, {"AIza", "-_", 30, false}, {"ya29.", "-_", 20, true},
	{"nvapi-", "-_", 16, true}, {"gsk_", "", 20, true}, {"xai-", "", 20, true}, {"pplx-", "", 20, true}, {"r8_", "", 20, true},
	{"fw_", "", 20, true}, {"tgp_v1_", "-_", 20, true}, {"lsv2_", "_", 20, true}, {"esecret_", "", 16, true},
	{"npm_", "", 30, false}, {"pypi-", "-_", 30, true}, {"hvs.", "-_", 20, true}, {"tskey-", "-", 12, true}, {"dop_v1_", "", 30, true},
}

// tokensBy are the tokens by their first byte.
var tokensBy = func() (t [256][]token) {
	for _, k := range tokens {
		t[k.prefix[0]] = append(t[k.prefix[0]], k)
	}
	return t
}()

func (sc *scanner) token(i int) (Span, bool) {
	rest := sc.s[i:]
	for _, k := range tokensBy[rest[0]] {
		if !strings.HasPrefix(rest, k.prefix) {
			continue
		}
		n := run(rest[len(k.prefix):], k.more)
		tail := rest[len(k.prefix) : len(k.prefix)+n]
		if n >= k.min && (!k.mixed || strings.ContainsAny(tail, "0123456789")) && !isPlaceholder(tail) &&
			(k.prefix != "AKIA" && k.prefix != "ASIA" || tail == strings.ToUpper(tail)) {
			return Span{Start: i, End: sc.onward(i+len(k.prefix), n, k.more), Kind: APIKey, Keep: len(k.prefix)}, true
		}
	}
	return Span{}, false
}

const credentialBytes = "-_.~+/="

// bearer finds "Bearer TOKEN".
func (sc *scanner) bearer(i int) (Span, bool) {
	const word = "bearer "
	rest := sc.s[i:]
	if len(rest) <= len(word) || !strings.EqualFold(rest[:len(word)], word) {
		return Span{}, false
	}
	n := run(rest[len(word):], credentialBytes)
	value := strings.TrimRight(rest[len(word):len(word)+n], ".")
	if len(value) < 8 || isPlaceholder(value) || !strings.ContainsAny(value, "0123456789") && len(value) < 20 {
		return Span{}, false
	}
	return Span{Start: i, End: sc.onward(i+len(word), len(value), credentialBytes), Kind: Bearer, Keep: len(word)}, true
}

// jwt finds three parts of base64 of which the first begins a JSON object.
func (sc *scanner) jwt(i int) (Span, bool) {
	rest := sc.s[i:]
	if !strings.HasPrefix(rest, "eyJ") {
		return Span{}, false
	}
	head := run(rest, "-_")
	if head < 12 || head >= len(rest) || rest[head] != '.' {
		return Span{}, false
	}
	body := run(rest[head+1:], "-_")
	if body < 8 {
		return Span{}, false
	}
	end := sc.onward(i+head+1, body, "-_")
	if end < len(sc.s) && sc.s[end] == '.' {
		end = sc.onward(end+1, run(sc.s[end+1:], "-_"), "-_")
	}
	return Span{Start: i, End: end, Kind: JWT, Keep: 3}, true
}

// dashes finds PEM blocks of private keys, and the values of command-line flags.
func (sc *scanner) dashes(i int) (Span, bool) {
	rest := sc.s[i:]
	const begin = "-----BEGIN "
	if strings.HasPrefix(rest, begin) {
		line := rest[len(begin):min(len(rest), 80)]
		stop := strings.Index(line, "PRIVATE KEY")
		if stop < 0 || strings.Contains(line[:stop], "-----") {
			return Span{}, false
		}
		keep := len(begin) + stop + len("PRIVATE KEY")
		if isMasked(rest[keep:]) {
			return Span{}, false
		}
		end := len(rest)
		if k := strings.Index(rest[keep:], "-----END "); k >= 0 {
			end = keep + k
			if e := strings.Index(rest[end+9:min(len(rest), end+80)], "-----"); e >= 0 {
				end += 9 + e + 5
			}
		}
		return Span{Start: i, End: i + end, Kind: PrivateKey, Keep: keep}, true
	}
	if len(rest) > 2 && rest[1] == '-' && alnum[rest[2]] && (i == 0 || sc.s[i-1] != '-') {
		return sc.flag(i)
	}
	return Span{}, false
}

// url looks at what follows "://": user and password, then the host.
func (sc *scanner) url(i int) (Span, bool) {
	rest := sc.s[i:min(len(sc.s), i+maxHost+maxName)]
	end := strings.IndexAny(rest, " \t\r\n\"'<>/?#\\`|)")
	if end < 0 {
		end = len(rest)
	}
	authority := rest[:end]
	host := 0
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		login := authority[:at]
		user, password, two := strings.Cut(login, ":")
		if two && password != "" && !isPlaceholder(password) {
			return Span{Start: i, End: i + at, Kind: URLLogin}, true
		}
		if !two && len(user) >= 16 && strings.ContainsAny(user, "0123456789") && !isPlaceholder(user) {
			return Span{Start: i, End: i + at, Kind: URLLogin}, true
		}
		host = at + 1
	}
	if !sc.private {
		return Span{}, false
	}
	return sc.host(i+host, authority[host:])
}
