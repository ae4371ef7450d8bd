package submissions

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// file is a resume as sent; its type is detected from its content.
type file struct {
	content     []byte
	contentType string
}

// readFile decodes a resume, and refuses a file that is recognisably of another kind.
// The errors name the field of the request that holds the content.
func readFile(in contract.ResumeFile, field string) (file, error) {
	content, err := decodeBase64(in.ContentBase64)
	if err != nil {
		return file{}, contentRefusal(contract.InvalidBase64, field, "is no base64; send the file's bytes in standard or URL-safe base64").Because(err)
	}
	kind, err := filetype.Sniff(content)
	var refused *filetype.Refusal
	switch {
	case errors.As(err, &refused) && refused.Empty:
		return file{}, contentRefusal(contract.EmptyFile, field, refused.Message)
	case errors.As(err, &refused):
		return file{}, contentRefusal(contract.UnsupportedFileType, field, refused.Message)
	case err != nil:
		return file{}, err
	}
	return file{content, kind.ContentType()}, nil
}

// contentRefusal returns the error of a file's content, which is at the top of the
// request or in the object named by field.
func contentRefusal(code contract.Code, field, message string) *fault.Error {
	const content = "contentBase64"
	path := content
	if field != content {
		path = field + "." + content
	}
	return fault.Field(code, field, path+": "+message)
}

// decodeBase64 takes the standard and the URL-safe alphabet, padded or not, line
// breaks anywhere, and a data: URL's prefix.
func decodeBase64(s string) ([]byte, error) {
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
