package filetype

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// isText looks through a file without decoding it; it must say what a look at
// the decoded text says.
func TestIsTextAgreesWithDecodeUnicode(t *testing.T) {
	t.Parallel()
	pieces := rapid.SampledFrom([]string{
		"\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "Ada\r\n\t", "é", "\xe9", "\x80", "\x81", "\x85", "\x9d", "\x00", "\x07", "\x7f",
		"\u0085", "\u0081", "A\x00", "\x00A", "\xd8\x3d", "\xdc\x00", "\x3d\xd8", "\ufeff", "\ufffd", "𝄞",
	})
	rapid.Check(t, func(t *rapid.T) {
		content := []byte(strings.Join(rapid.SliceOfN(pieces, 0, 8).Draw(t, "pieces"), ""))
		text, ok := DecodeUnicode(content)
		if _, isOld := DecodeUnicode(content); !isOld && !strings.HasPrefix(string(content), "\xff\xfe") && !strings.HasPrefix(string(content), "\xfe\xff") {
			return // in an old encoding
		}
		want := ok && utf8.ValidString(text) && !strings.ContainsFunc(text, isBinary)
		if got := isText(content); got != want {
			t.Errorf("isText(%q) = %v, want %v", content, got, want)
		}
	})
}
