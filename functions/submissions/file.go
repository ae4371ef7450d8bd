package submissions

import (
	"errors"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
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
	content, err := decode.Base64(in.ContentBase64)
	if err != nil {
		return file{}, contentRefusal(contract.InvalidBase64, field, decode.NoBase64).Because(err)
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
