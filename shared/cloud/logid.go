package cloud

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// maxLogID is more than any id of ours has.
const maxLogID = 64

// keyMark is in every API key and in no id.
const keyMark = "rmk_"

// LogID returns an id from outside as a log may hold it: short, of the characters of ids,
// and no API key. It returns "" for anything else, which may be an address, a name or a
// secret in the wrong place.
func LogID(id string) string {
	if len(id) > maxLogID || strings.Contains(id, keyMark) || strings.ContainsFunc(id, isForbiddenInLogID) {
		return ""
	}
	return id
}

func isForbiddenInLogID(r rune) bool {
	switch {
	case '0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z':
		return false
	}
	return !strings.ContainsRune("-_.:", r)
}

// Panicked returns a recovered panic as a log may hold it: what the runtime says (of
// indexes, nil pointers and types), and of any other value its type alone, since it may
// contain what was being read.
func Panicked(value any) error {
	var err runtime.Error
	if e, is := value.(error); is && errors.As(e, &err) {
		return fmt.Errorf("panic: %s", err.Error())
	}
	return fmt.Errorf("panic: a value of type %T", value)
}
