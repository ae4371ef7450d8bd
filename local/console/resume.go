package console

import (
	"errors"
	"net/http"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

// person is the owner of a resume, as it states; "" where it does not.
type person struct {
	Name        string `json:"name"`
	Email       string `json:"email"`
	LinkedInURL string `json:"linkedinUrl"`
}

// sentFile is a file of a page.
type sentFile struct {
	Content []byte `json:"content"`
}

// readResume returns the owner of a resume file, as ingestion will understand it, so that the page
// can fill in its form. The file is not kept.
func (c *Console) readResume(r *http.Request, in sentFile) (any, error) {
	document, err := resume.Read(r.Context(), in.Content)
	var unreadable *resume.Failure
	if errors.As(err, &unreadable) {
		return nil, fault.New(fault.Invalid, contract.NoCode, "The file cannot be read: "+unreadable.Message+".")
	}
	if err != nil {
		return nil, err
	}
	fields := resume.Extract(document, c.config.Host.Now())
	return person{fields.Name, first(fields.Emails), first(fields.LinkedIn)}, nil
}

func first(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[0]
}
