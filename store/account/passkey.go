package account

// Passkey is an authenticator of a person.
type Passkey struct {
	ID          int64
	Credential  []byte // what it calls itself
	Label       string // what the person calls it
	Record      []byte // JSON: the public half with its counter, as the web keeps it
	Public      string // the public key, base64 of its COSE form, as claims name it
	Fingerprint string
	AddedUS     int64
	UsedUS      int64
}
