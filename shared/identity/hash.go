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
