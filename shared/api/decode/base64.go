package decode

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// NoBase64 is the message, after the path, for a text that [Base64] refuses.
const NoBase64 = "is not base64; use standard or URL-safe base64"

// Base64 decodes a text with the standard or the URL-safe alphabet, padded or not, with line
// breaks anywhere, and with or without a data: URL's prefix.
func Base64(s string) ([]byte, error) {
	if strings.HasPrefix(s, "data:") {
		_, after, found := strings.Cut(s, ";base64,")
		if !found {
			return nil, errors.New("the data: URL is not base64")
		}
		s = after
	}
	s = strings.TrimRight(s, "=\r\n")
	if strings.ContainsAny(s, "-_") {
		return base64.RawURLEncoding.DecodeString(s)
	}
	return base64.RawStdEncoding.DecodeString(s)
}

// encodedText is a text in base64, which is decoded by the handler, or here if the request is
// refused anyway, so that the refusal lists all its problems.
type encodedText struct {
	field       string
	path, value string
}

func (c *checker) checkEncoded() {
	for _, text := range c.encoded {
		if c.count == 0 {
			return
		}
		if _, err := Base64(text.value); err != nil {
			c.add(text.field, contract.InvalidBase64, text.path+": "+NoBase64)
		}
	}
}
