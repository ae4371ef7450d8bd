package identity

import (
	"crypto/sha256"
	"encoding/hex"
)

// Hash names an identity without telling it: the SHA-256, in lower-case
// hexadecimal, of its canonical form. Erasure knows persons by it.
func Hash(canonical string) string {
	sum := sha256.Sum256([]byte(canonical))
	return hex.EncodeToString(sum[:])
}
