package decode

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

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

// FuzzEscapedBase64 holds that a JSON string decodes as the text that it holds, however its characters are
// escaped.
func FuzzEscapedBase64(f *testing.F) {
	for _, text := range []string{
		"QWRh", "QWRh\r\n==", "QQ=\n=\r", "QQ=Q", "Q", "====", "", "+/+/", "-_-_", "+_", "QQ\tQQ", "QQ\"", "QQ\\n", "é", "😀", "\x00",
		"data:text/plain;base64,-_8", "data:a/b;name=é;base64,+/8=", "data:,QQ", "data:;base64,,;base64,QQ", "data", "data:", "xdata:;base64,QQ",
	} {
		f.Add(text, uint64(0))
		f.Add(text, ^uint64(0))
		f.Add(text, uint64(0x5a5a5a5a5a5a5a5a))
	}
	f.Fuzz(func(t *testing.T, text string, escapes uint64) {
		text = strings.ToValidUTF8(text, "?")
		if strings.HasPrefix(text, `"`) {
			return // which only a text with an escape begins with
		}
		literal := escapeSome(text, escapes)
		var held string
		if err := json.Unmarshal([]byte(literal), &held); err != nil || held != text {
			t.Fatalf("%s holds %q, %v; want %q", literal, held, err, text)
		}
		want, wantErr := Base64(text)
		got, err := Base64(literal)
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
			t.Errorf("%s: got %x, %v; want %x, %v", literal, got, err, want, wantErr)
		}
	})
}

// escapeSome returns a JSON string whose characters are escaped where escapes has a bit, in turn, and where they must be.
func escapeSome(text string, escapes uint64) string {
	var literal strings.Builder
	literal.WriteByte('"')
	for i, unit := range utf16.Encode([]rune(text)) {
		switch chosen := escapes>>(i%64)&1 == 1; {
		case unit == '/' && chosen:
			literal.WriteString(`\/`)
		case unit == '\n' && chosen:
			literal.WriteString(`\n`)
		case unit == '\r' && chosen:
			literal.WriteString(`\r`)
		case chosen || unit < ' ' || unit == '"' || unit == '\\' || unit >= utf8.RuneSelf:
			fmt.Fprintf(&literal, `\u%04x`, unit)
		default:
			literal.WriteByte(byte(unit))
		}
	}
	literal.WriteByte('"')
	return literal.String()
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

// A text with escapes is bound for Base64 as it was sent.
func TestEscapedBase64IsBound(t *testing.T) {
	t.Parallel()
	type upload struct {
		File string `json:"file" check:"required,min=1,encoding=base64"`
	}
	in, _, err := decodeInto[upload](Request{Body: `{"file":"data:a\/b;base64,\u002B\/\r\n8\u003d"}`})
	if err != nil {
		t.Fatal(err)
	}
	if content, err := Base64(in.File); err != nil || !bytes.Equal(content, []byte{0xfb, 0xff}) {
		t.Errorf("got %x, %v; want fbff", content, err)
	}
}
