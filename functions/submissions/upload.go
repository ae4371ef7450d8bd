package submissions

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// UploadResume serves POST /resumes. The file is stored before the record that names
// it, and the same bytes lead to the same upload.
func (s *Service) UploadResume(ctx context.Context, call *gateway.Call, in contract.ResumeFile) (contract.ResumeUpload, error) {
	file, err := readFile(in, "contentBase64")
	if err != nil {
		return contract.ResumeUpload{}, err
	}
	upload, exists, err := s.submissions.FindUpload(ctx, submission.Upload{
		ID: call.NewID(), Tenant: call.Caller.Tenant(), FileName: in.FileName, ContentType: file.contentType,
		Size: int64(len(file.content)), SHA256: fmt.Sprintf("%x", sha256.Sum256(file.content)), CreatedAt: call.Now.UnixMilli(),
	})
	if err != nil || exists {
		return toResumeUpload(upload), err
	}
	if err := s.resumes.Put(ctx, upload.Key(), file.contentType, file.content); err != nil {
		return contract.ResumeUpload{}, err
	}
	upload, err = s.submissions.CommitUpload(ctx, upload)
	return toResumeUpload(upload), err
}

func toResumeUpload(u submission.Upload) contract.ResumeUpload {
	return contract.ResumeUpload{
		ResumeFileID: u.ID.String(), FileName: u.FileName, ContentType: u.ContentType, SizeBytes: u.Size, SHA256: u.SHA256,
		CreatedAt: contract.At(cloud.FromMillis(u.CreatedAt)), ExpiresAt: contract.At(cloud.FromMillis(u.ExpiresAt)),
	}
}

// file is a resume as sent; its type is detected from its content.
type file struct {
	content     []byte
	contentType string
}

// readFile decodes a resume, and refuses a file that is recognisably of another kind. The errors name the field of the
// request that holds the content, or the object that it is in.
func readFile(in contract.ResumeFile, field string) (file, error) {
	refuse := func(code contract.Code, message string) *fault.Error {
		path := "contentBase64"
		if field != path {
			path = field + "." + path
		}
		return fault.Field(code, field, path+": "+message)
	}
	content, err := decode.Base64(in.ContentBase64)
	if err != nil {
		return file{}, refuse(contract.InvalidBase64, decode.NoBase64).Because(err)
	}
	kind, err := filetype.Sniff(content)
	var refused *filetype.Refusal
	switch {
	case errors.As(err, &refused) && refused.Empty:
		return file{}, refuse(contract.EmptyFile, refused.Message)
	case errors.As(err, &refused):
		return file{}, refuse(contract.UnsupportedFileType, refused.Message)
	case err != nil:
		return file{}, err
	}
	return file{content, kind.ContentType()}, nil
}
