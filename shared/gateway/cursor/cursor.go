// Package cursor encodes and decodes the opaque string cursors of lists: a version, a
// hash of the filters, a checksum and a position. The position is up to the list: the
// key of the last row that it looked at, never a count. A cursor holds no secret and
// no filter in clear text.
//
// [Read] refuses what [New] did not return. The checksum is not a signature; a list
// treats a position like any other input.
package cursor

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// MaxLength is the length of the longest cursor, in characters.
const MaxLength = 2048

// version is the first byte of every cursor; it changes with the layout:
// version, filters (8 bytes), checksum (4 bytes), position.
const version = 1

const (
	filtersEnd  = 1 + 8
	checksumEnd = filtersEnd + 4
)

// New returns the cursor that continues after a position. filters are all that the
// list was restricted to, in a fixed order; "" for one that is not used.
func New(position string, filters ...string) string {
	raw := append([]byte{version}, hashFilters(filters)...)
	raw = append(raw, checksumOf(raw, position)...)
	return encoding.EncodeToString(append(raw, position...))
}

// Read returns the position of the cursor that a request sent; "" for the first page,
// when sent is nil. A text that is not a cursor, or has a position that valid refuses, is a
// [fault.Error] (invalid_cursor). Filters other than the cursor's are not an error; the
// response then has the header X-Cursor-Warning.
func Read(call *gateway.Call, sent *string, valid func(position string) bool, filters ...string) (string, error) {
	if sent == nil {
		return "", nil
	}
	position, made, ok := parseCursor(*sent)
	if !ok || !valid(position) {
		return "", fault.Field(contract.InvalidCursor, "cursor",
			"cursor: is not a valid cursor; use the nextCursor of the previous page, or no cursor for the first page.")
	}
	if !bytes.Equal(made, hashFilters(filters)) {
		call.Header().Set("X-Cursor-Warning", "filters-changed")
	}
	return position, nil
}

// encoding is strict: one text for one value.
var encoding = base64.RawURLEncoding.Strict()

// parseCursor returns the parts of a cursor; filters is their hash.
func parseCursor(text string) (position string, filters []byte, ok bool) {
	if len(text) > MaxLength || strings.ContainsAny(text, "\r\n") { // which base64 would pass over
		return "", nil, false
	}
	raw, err := encoding.DecodeString(text)
	if err != nil || len(raw) <= checksumEnd || raw[0] != version {
		return "", nil, false
	}
	position = string(raw[checksumEnd:])
	ok = bytes.Equal(raw[filtersEnd:checksumEnd], checksumOf(raw[:filtersEnd], position))
	return position, raw[1:filtersEnd], ok
}

func checksumOf(head []byte, position string) []byte {
	return binary.BigEndian.AppendUint32(nil, crc32.Update(crc32.ChecksumIEEE(head), crc32.IEEETable, []byte(position)))
}

// hashFilters quotes the filters, so that "a", "b" and "ab" differ.
func hashFilters(filters []string) []byte {
	h := sha256.New()
	for _, f := range filters {
		_, _ = h.Write(strconv.AppendQuote(nil, f))
	}
	return h.Sum(nil)[:filtersEnd-1]
}
