package submissions

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
)

// FuzzDecodeBase64 holds that content comes back whole in every spelling, and
// that no text is taken for more than it can hold.
func FuzzDecodeBase64(f *testing.F) {
	f.Add([]byte("Ada"), "QWRh\r\n==")
	f.Add([]byte{0xfb, 0xff}, "data:text/plain;base64,-_8")
	f.Add([]byte(nil), "data:,")
	f.Fuzz(func(t *testing.T, content []byte, text string) {
		std, url := base64.StdEncoding.EncodeToString(content), base64.URLEncoding.EncodeToString(content)
		for _, spelling := range []string{
			std, url, strings.TrimRight(std, "="), strings.TrimRight(url, "="), "data:application/pdf;base64," + std,
			std[:len(std)/2] + "\r\n" + std[len(std)/2:] + "\n",
		} {
			if got, err := decodeBase64(spelling); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%q: got %x, %v; want %x", spelling, got, err, content)
			}
		}
		if got, err := decodeBase64(text); err == nil && len(got) > base64.RawStdEncoding.DecodedLen(len(text)) {
			t.Errorf("%q: got %d bytes", text, len(got))
		}
	})
}
