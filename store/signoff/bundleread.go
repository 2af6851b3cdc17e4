package signoff

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"assay/store/evidence"
)

// needed are members that every bundle has, beside its signature, artifacts and entries.
var needed = []string{memberCheckpoint, memberClaim, memberServerKeys, memberManifest, memberPolicy, memberReadme, memberStatement,
	folderTables + "acknowledged.csv", folderTables + "artifacts.csv", folderTables + "figures.csv", folderTables + "gates.csv"}

// readMembers takes the members that are read whole, and says which are missing and which
// have no place in a bundle.
func (b *bundleReader) readMembers() (faults []error) {
	known := map[string]bool{memberComparison: true}
	for _, name := range needed {
		known[name] = true
	}
	for _, name := range signatureMembers {
		known[name] = true
	}
	for i := range b.members {
		m := &b.members[i]
		if strings.HasPrefix(m.name, folderArtifacts) {
			if d, err := evidence.ParseDigest(strings.TrimPrefix(m.name, folderArtifacts)); err != nil || folderArtifacts+d.String() != m.name {
				faults = append(faults, fmt.Errorf("%s: is no name of an artifact", m.name))
			}
			continue
		}
		_, entry := entryIndex(m.name)
		if !known[m.name] && !(entry && (strings.HasSuffix(m.name, ".record") || strings.HasSuffix(m.name, ".proof"))) {
			faults = append(faults, fmt.Errorf("%s: has no place in a bundle", m.name))
			continue
		}
		data, err := m.read()
		if err != nil {
			faults = append(faults, err)
			continue
		}
		b.texts[m.name] = data
	}
	for _, name := range needed {
		if _, ok := b.texts[name]; !ok {
			faults = append(faults, fmt.Errorf("%s: is missing", name))
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return append(append(b.readManifest(), b.readClaim()...), b.readEntries()...)
}

// strictly reads JSON that must be written exactly as it would be written again.
func strictly(name string, data []byte, into any, again func() ([]byte, error)) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if want, err := again(); err != nil || !bytes.Equal(want, data) {
		return fmt.Errorf("%s: is not written as bundles write it", name)
	}
	return nil
}

func (b *bundleReader) readManifest() []error {
	if err := strictly(memberManifest, b.texts[memberManifest], &b.manifest, func() ([]byte, error) { return b.manifest.bytes() }); err != nil {
		return []error{err}
	}
	if b.manifest.Format != BundleFormat {
		return []error{fmt.Errorf("%s: the format %.40q; this program reads %s", memberManifest, b.manifest.Format, BundleFormat)}
	}
	return nil
}

// readClaim reads who signed, and the one signature.
func (b *bundleReader) readClaim() []error {
	var c claimFile
	if err := strictly(memberClaim, b.texts[memberClaim], &c, func() ([]byte, error) { return c.bytes() }); err != nil {
		return []error{err}
	}
	b.Claim = Claim{Account: c.Account, Kind: c.Kind, Fingerprint: c.Fingerprint, Public: c.Public}
	var faults []error
	for kind, name := range signatureMembers {
		data, ok := b.texts[name]
		switch {
		case kind == c.Kind && !ok:
			faults = append(faults, fmt.Errorf("%s: is missing", name))
		case kind == c.Kind:
			b.Claim.Signature = data
		case ok:
			faults = append(faults, fmt.Errorf("%s: is no signature of the claim, which is of the kind %s", name, c.Kind))
		}
	}
	if signatureMembers[c.Kind] == "" {
		faults = append(faults, fmt.Errorf("%s: %.40q is no kind of key", memberClaim, string(c.Kind)))
	}
	return faults
}

// readEntries pairs records with their proofs.
func (b *bundleReader) readEntries() (faults []error) {
	for i := range b.members {
		name := b.members[i].name
		index, ok := entryIndex(name)
		switch {
		case !ok:
		case strings.HasSuffix(name, ".record"):
			text, there := b.texts[entryName(index)+".proof"]
			if !there {
				faults = append(faults, fmt.Errorf("%s: its proof is missing", name))
				continue
			}
			proof, err := readProof(text)
			if err != nil {
				faults = append(faults, fmt.Errorf("%s.proof: %w", entryName(index), err))
				continue
			}
			b.entries = append(b.entries, BundleEntry{Index: index, Record: b.texts[name], Proof: proof})
		default:
			if _, there := b.texts[entryName(index)+".record"]; !there {
				faults = append(faults, fmt.Errorf("%s: is the proof of no record", name))
			}
		}
	}
	return faults
}

// checkManifest holds every member against the manifest, and the manifest against the
// members.
func (b *bundleReader) checkManifest() (faults []error) {
	listed := map[string]manifestMember{}
	for _, m := range b.manifest.Members {
		listed[m.Name] = m
	}
	if len(listed) != len(b.manifest.Members) || len(listed) != len(b.members)-1 {
		faults = append(faults, fmt.Errorf("%s lists %d members, and there are %d beside it", memberManifest, len(b.manifest.Members), len(b.members)-1))
	}
	for i := range b.members {
		m := &b.members[i]
		if m.name == memberManifest {
			continue
		}
		want, ok := listed[m.name]
		if !ok {
			faults = append(faults, fmt.Errorf("%s: is not in the manifest", m.name))
			continue
		}
		sum, err := m.sha256()
		switch {
		case err != nil:
			faults = append(faults, err)
		case sum != want.SHA256 || m.size != want.Size:
			faults = append(faults, fmt.Errorf("%s: has %d bytes and the SHA-256 %s, the manifest says %d and %s", m.name, m.size, sum, want.Size, want.SHA256))
		case strings.HasPrefix(m.name, folderArtifacts) && m.name != folderArtifacts+sum:
			faults = append(faults, fmt.Errorf("%s: has the SHA-256 %s", m.name, sum))
		}
	}
	if got := Digest(string(b.texts[memberStatement])); b.manifest.Statement != got {
		faults = append(faults, fmt.Errorf("%s: the statement has the SHA-256 %s, not %s", memberManifest, got, b.manifest.Statement))
	}
	return faults
}

func (m *zipMember) sha256() (string, error) {
	r, err := m.open()
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.name, err)
	}
	defer r.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return "", fmt.Errorf("%s: %w", m.name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
