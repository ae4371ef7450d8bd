package roleindex

import (
	"strings"

	"github.com/google/uuid"
)

// An id is stored as its form and its bytes: a UUID in 16 bytes, any other id as its
// text. Ids of one form sort as their texts do.
const (
	asText = 's'
	asUUID = 'u'
)

// uuidLength is the length of a UUID's text.
const uuidLength = 36

// packID appends the stored form of an id.
func packID(dst []byte, id string) []byte {
	if len(id) == uuidLength && !strings.ContainsAny(id, "ABCDEF") {
		if u, err := uuid.Parse(id); err == nil {
			return append(append(dst, asUUID), u[:]...)
		}
	}
	return append(append(dst, asText), id...)
}

// unpackID returns the id of a stored form.
func unpackID(packed []byte) string {
	if len(packed) == 17 && packed[0] == asUUID {
		return uuid.UUID(packed[1:]).String()
	}
	if len(packed) == 0 {
		return ""
	}
	return string(packed[1:])
}
