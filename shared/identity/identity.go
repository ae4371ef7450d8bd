// Package identity decides when two references mean the same person. It is the one
// implementation behind dedupe, lookup, off-market marks and the resume's identity
// check, so that they can never disagree.
//
// It knows two kinds of reference; names, which are evidence and never a key, are compared by
// package personname:
//
//   - [LinkedIn]: a profile URL becomes https://www.linkedin.com/in/<slug>.
//   - [Email]: an address becomes its lower-cased NFC form. Plus tags and dots are
//     kept: at most providers they are different mailboxes.
//
// A canonical form is a fixed point: canonicalising it again changes nothing.
// The package does no I/O, so short links (lnkd.in) are not profile URLs.
package identity

import (
	"crypto/sha256"
	"encoding/hex"
)

// Hash returns the SHA-256 of an identity's canonical form in lower-case hexadecimal.
// It names the identity without revealing it; erasures are stored by it.
func Hash(canonical string) string {
	sum := sha256.Sum256([]byte(canonical))
	return hex.EncodeToString(sum[:])
}
