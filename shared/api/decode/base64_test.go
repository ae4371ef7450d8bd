package decode

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// FuzzBase64 holds that content comes back whole in every spelling, and
// that no text is taken for more than it can hold.
func FuzzBase64(f *testing.F) {
	f.Add([]byte("Ada"), "QWRh\r\n==")
	f.Add([]byte{0xfb, 0xff}, "data:text/plain;base64,-_8")
	f.Add([]byte(nil), "data:,")
	f.Fuzz(func(t *testing.T, content []byte, text string) {
		std, url := base64.StdEncoding.EncodeToString(content), base64.URLEncoding.EncodeToString(content)
		for _, spelling := range []string{
			std, url, strings.TrimRight(std, "="), strings.TrimRight(url, "="), "data:application/pdf;base64," + std,
			std[:len(std)/2] + "\r\n" + std[len(std)/2:] + "\n",
		} {
			if got, err := Base64(spelling); err != nil || !bytes.Equal(got, content) {
				t.Errorf("%q: got %x, %v; want %x", spelling, got, err, content)
			}
		}
		if got, err := Base64(text); err == nil && len(got) > base64.RawStdEncoding.DecodedLen(len(text)) {
			t.Errorf("%q: got %d bytes", text, len(got))
		}
	})
}

// A request that is refused anyway is also told of content that is no base64, which the handler
// would find alone.
func TestBase64IsReportedWithOtherProblems(t *testing.T) {
	t.Parallel()
	type upload struct {
		File string `json:"file" check:"required,min=1,encoding=base64"`
		Name string `json:"name" check:"required"`
	}
	for body, want := range map[string]map[string]string{
		`{"file":"?"}`:             {"file": "file: " + NoBase64, "name": "name: is required."},
		`{"file":"QQ==","name":1}`: {"name": "name: must be a string, not a number."},
		`{"file":"?","name":"a"}`:  nil,
	} {
		_, _, err := decodeInto[upload](Request{Body: body})
		if want == nil {
			if err != nil {
				t.Errorf("%s: %v, want it left to the handler", body, err)
			}
			continue
		}
		checkFault(t, body, err, contract.ValidationFailed, want)
	}
}
