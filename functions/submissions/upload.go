package submissions

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
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
	if err == nil && !exists {
		upload, err = s.storeUpload(ctx, upload, file)
	}
	if err != nil {
		return contract.ResumeUpload{}, err
	}
	return toResumeUpload(upload), nil
}

func (s *Service) storeUpload(ctx context.Context, upload submission.Upload, file file) (submission.Upload, error) {
	if err := s.resumes.Put(ctx, upload.Key(), file.contentType, file.content); err != nil {
		return submission.Upload{}, err
	}
	return s.submissions.CommitUpload(ctx, upload)
}

func toResumeUpload(u submission.Upload) contract.ResumeUpload {
	return contract.ResumeUpload{
		ResumeFileID: u.ID.String(), FileName: u.FileName, ContentType: u.ContentType, SizeBytes: u.Size, SHA256: u.SHA256,
		CreatedAt: contract.At(cloud.FromMillis(u.CreatedAt)), ExpiresAt: contract.At(cloud.FromMillis(u.ExpiresAt)),
	}
}
