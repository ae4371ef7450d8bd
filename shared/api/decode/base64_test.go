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
		std := base64.StdEncoding.EncodeToString(content)
		url := base64.URLEncoding.EncodeToString(content)
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
		`{"file":"\n?"}`:           {"file": "file: " + NoBase64, "name": "name: is required."},
		`{"file":"Q\n\u0051=="}`:   {"name": "name: is required."},
		`{"file":"","name":"a"}`:   {"file": "file: must not be empty."},
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

// A text with escapes is bound as the text that it holds.
func TestEscapedBase64IsBound(t *testing.T) {
	t.Parallel()
	type upload struct {
		File string `json:"file" check:"required,min=1,encoding=base64"`
	}
	in, _, wrong := decodeInto[upload](Request{Body: `{"file":"data:a\/b;base64,\u002B\/\r\n8\u003d"}`})
	if wrong != nil {
		t.Fatal(wrong)
	}
	content, err := Base64(in.File)
	if want := "data:a/b;base64,+/\r\n8="; in.File != want || err != nil || !bytes.Equal(content, []byte{0xfb, 0xff}) {
		t.Errorf("got %q, %x, %v; want %q, fbff", in.File, content, err, want)
	}
}
