package mask

import "strings"

// strong are endings of names whose value is a credential whatever it looks like; weak
// are endings of names whose value is one when it looks like one.
var (
	strong = []string{"password", "passwd", "passphrase"}
	weak   = []string{"secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "accountkey",
		"signingkey", "encryptionkey", "credential", "credentials", "authorization", "cookie", "sessionkey"}
)

// namedAs says how much a name promises: 0 nothing, 1 a key of some sort, 2 a
// credential, 3 a password.
func namedAs(name string) int {
	if name == "" || !promising(name) {
		return 0
	}
	name = squash(name)
	for _, w := range strong {
		if strings.HasSuffix(name, w) {
			return 3
		}
	}
	for _, w := range vocabulary {
		if strings.HasSuffix(name, w) {
			return 0
		}
	}
	for _, w := range weak {
		if strings.HasSuffix(name, w) {
			return 2
		}
	}
	if strings.HasSuffix(name, "key") {
		return 1
	}
	return 0
}

// squash leaves the letters and digits of a name, in small letters.
func squash(name string) string {
	if len(name) > maxName {
		name = name[len(name)-maxName:]
	}
	var buf [maxName]byte
	n := 0
	for i := 0; i < len(name); i++ {
		if c := name[i]; isAlnum(c) {
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			buf[n] = c
			n++
		}
	}
	return string(buf[:n])
}

// vocabulary are the tokens of models and the figures about tokens.
var vocabulary = []string{"eostoken", "bostoken", "padtoken", "unktoken", "septoken", "clstoken", "masktoken", "imagetoken", "videotoken",
	"audiotoken", "stoptoken", "specialtoken", "firsttoken", "nexttoken", "lasttoken", "pertoken", "intertoken", "outputtoken", "inputtoken", "thinktoken"}

// SecretName reports whether a name promises a credential: "apiKey", "HF_TOKEN".
func SecretName(name string) bool { return namedAs(name) >= 2 }

// Named reports whether a value is a secret because of its name.
func Named(name, value string) bool {
	switch namedAs(name) {
	case 3:
		return len(value) >= 6 && !isPlaceholder(value) && !strings.ContainsAny(value, " \n") && !isNumber(value)
	case 2:
		return len(value) >= 12 && looksRandom(value) && !isPlaceholder(value)
	case 1:
		return len(value) >= 20 && looksRandom(value) && hexRun(value) < len(value) && mixedCase(value) && !isPlaceholder(value)
	}
	return false
}

// Field masks a value that stands apart from its name: all of it when the name makes
// it a secret, else what Secrets finds in it.
func Field(name, value string) string {
	if Named(name, value) {
		return hidden(len(value))
	}
	return Secrets(value)
}

// assigned looks at NAME=VALUE and "NAME": "VALUE" around the sign at i.
func (sc *scanner) assigned(i int) (Span, bool) {
	end := i
	for end > 0 && end > i-3 && (isSpace(sc.s[end-1]) || sc.s[end-1] == '"' || sc.s[end-1] == '\'' || sc.s[end-1] == '\\') {
		end--
	}
	start := end
	for start > sc.done && end-start < maxName && (isAlnum(sc.s[start-1]) || strings.IndexByte("_-.", sc.s[start-1]) >= 0) {
		start--
	}
	if start == end || namedAs(sc.s[start:end]) == 0 {
		return Span{}, false
	}
	at := i + 1
	for at < len(sc.s) && at < i+4 && (isSpace(sc.s[at]) || sc.s[at] == '=' || sc.s[at] == '>') {
		at++
	}
	return sc.valueOf(sc.s[start:end], at)
}

// promising refuses most names at little cost: those of interest end in few letters.
func promising(name string) bool {
	switch name[len(name)-1] | 0x20 {
	case 'd', 'e', 't', 'n', 'y', 'l', 's':
		return true
	}
	return false
}

// flag looks at "--name value"; "--name=value" is an assignment.
func (sc *scanner) flag(i int) (Span, bool) {
	start := i + 2
	end := start
	for end < len(sc.s) && end-start < maxName && (isAlnum(sc.s[end]) || sc.s[end] == '-' || sc.s[end] == '_') {
		end++
	}
	if start == end || namedAs(sc.s[start:end]) < 2 {
		return Span{}, false
	}
	at := end
	for at < len(sc.s) && at < end+4 && strings.IndexByte(" \t\"',", sc.s[at]) >= 0 { // also as items of a list
		at++
	}
	if at == end {
		return Span{}, false
	}
	return sc.valueOf(sc.s[start:end], at)
}

// valueOf reads the value at a place and judges it by its name.
func (sc *scanner) valueOf(name string, at int) (Span, bool) {
	rest := sc.s[at:min(len(sc.s), at+judged)]
	quote := 0
	for quote < len(rest) && quote < 3 && (rest[quote] == '"' || rest[quote] == '\'' || rest[quote] == '\\' || rest[quote] == '`') {
		quote++
	}
	at, rest = at+quote, rest[quote:]
	if scheme := authScheme(rest); scheme > 0 {
		at, rest = at+scheme, rest[scheme:]
	}
	stops := " \t\r\n\"'`,;)}]<>&|\\"
	if quote > 0 {
		stops = " \t\r\n\"'`\\"
	}
	end := strings.IndexAny(rest, stops)
	if end < 0 {
		end = len(rest)
	}
	value := rest[:end]
	if !Named(name, value) {
		return Span{}, false
	}
	keep := 0
	for _, k := range tokensBy[value[0]] {
		if strings.HasPrefix(value, k.prefix) && len(value) >= len(k.prefix)+8 {
			keep = len(k.prefix)
			break
		}
	}
	stop := at + end
	for end >= judged-16 && stop < len(sc.s) && stop-at < maxToken && strings.IndexByte(stops, sc.s[stop]) < 0 {
		stop++
	}
	return Span{Start: at, End: stop, Kind: NamedValue, Keep: keep}, true
}

// authScheme is the length of "Bearer " or the like at the start of a value.
func authScheme(s string) int {
	for _, w := range []string{"bearer ", "basic ", "token ", "apikey "} {
		if len(s) > len(w) && strings.EqualFold(s[:len(w)], w) {
			return len(w)
		}
	}
	return 0
}

// looksRandom refuses words, paths and references: a credential mixes digits with
// letters, or the cases of letters.
func looksRandom(v string) bool {
	if strings.ContainsAny(v, " \n") || strings.HasPrefix(v, "/") || strings.Contains(v, "://") || isNumber(v) {
		return false
	}
	letters, digits := 0, 0
	for i := 0; i < len(v); i++ {
		switch classes[v[i]] {
		case letter:
			letters++
		case digit:
			digits++
		}
	}
	switch {
	case letters == 0 || letters+digits < 12:
		return false
	case digits > 0:
		return true
	}
	return mixedCase(v) && letters >= 16 || letters >= 24 && letters == len(v)
}

func mixedCase(v string) bool { return v != strings.ToLower(v) && v != strings.ToUpper(v) }

func isNumber(v string) bool {
	return v != "" && strings.Trim(v, "0123456789.+-eE") == ""
}

// placeholders are words that stand where a credential would.
var placeholders = []string{"redact", "masked", "placeholder", "example", "changeme", "change-me", "change_me", "dummy", "not-needed",
	"notneeded", "not-used", "no-key", "nokey", "your-", "your_", "insert", "xxxx", "****", "...."}

// isPlaceholder reports whether a value only holds the place of a secret.
func isPlaceholder(v string) bool {
	switch {
	case v == "":
		return true
	case strings.ContainsAny(v, "<>{}$%…") || strings.HasPrefix(v, "__"):
		return true
	}
	if strings.Count(v, v[:1]) == len(v) {
		return true
	}
	switch low := strings.ToLower(v); low {
	case "empty", "none", "null", "nil", "unset", "undefined", "hidden", "secret", "token", "password", "true", "false", "yes", "no":
		return true
	default:
		if len(low) > 256 {
			return false
		}
		for _, p := range placeholders {
			if strings.Contains(low, p) {
				return true
			}
		}
	}
	return false
}
