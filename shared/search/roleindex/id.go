package roleindex

import "github.com/google/uuid"

// An id is kept as its form and its bytes: uuids in 16 bytes, which is most of
// what they take, all others as they are. Ids of one form sort as their texts do.
const (
	asText = 's'
	asUUID = 'u'
)

// packID appends the kept form of an id.
func packID(dst []byte, id string) []byte {
	if u, err := uuid.Parse(id); err == nil && u.String() == id {
		return append(append(dst, asUUID), u[:]...)
	}
	return append(append(dst, asText), id...)
}

// unpackID gives the id back as it came.
func unpackID(packed []byte) string {
	if len(packed) == 17 && packed[0] == asUUID {
		return uuid.UUID(packed[1:]).String()
	}
	if len(packed) == 0 {
		return ""
	}
	return string(packed[1:])
}
