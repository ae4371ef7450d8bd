package client

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// uploadAll uploads the resumes that are not uploaded yet, and returns the references without those
// of refused resumes.
func (r *submitRun) uploadAll(ctx context.Context, references []string) ([]string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan string)
	var workers sync.WaitGroup
	for range uploadsAtOnce {
		workers.Go(func() {
			for reference := range next {
				if err := r.upload(ctx, reference); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, reference := range references {
		if ctx.Err() == nil && !r.journal.isUploaded(reference) {
			next <- reference
		}
	}
	close(next)
	workers.Wait()
	isLeft := func(reference string) bool { return !r.journal.isUploaded(reference) }
	return slices.DeleteFunc(slices.Clone(references), isLeft), context.Cause(ctx)
}

// upload uploads a candidate's resume. If the service refuses the file, that is the candidate's
// outcome.
func (r *submitRun) upload(ctx context.Context, reference string) error {
	candidate := r.candidates[reference]
	content, err := candidate.ReadResume()
	if err != nil {
		r.hold(reference, resumeField, err.Error())
		r.update(func(p *Progress) { p.Requests-- })
		return nil
	}
	hash := hashText(string(content))
	file := contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString(content)}
	if candidate.ResumeName != "" {
		file.FileName = &candidate.ResumeName
	}
	out, err := r.client.Upload(ctx, file)
	if refused, ok := errors.AsType[*Error](err); ok && isBodyRefused(refused) {
		r.update(func(p *Progress) {
			p.Uploaded++
			p.Submitted++
			p.Requests--
		})
		outcome := Outcome{ClientReferenceID: reference, Status: OutcomeRejected, Errors: []contract.BulkItemError{describeFile(refused)}}
		return r.end(ctx, outcome, fingerprint{r.hashes[reference], hash})
	}
	if err != nil {
		return fmt.Errorf("the resume of %q: %w", reference, err)
	}
	if err := r.journal.append(record{Upload: &sentUpload{reference, out.ResumeFileID, hash}}); err != nil {
		return err
	}
	r.update(func(p *Progress) {
		p.Uploaded++
		p.Requests--
	})
	return nil
}

// isBodyRefused reports whether a body will be refused however often it is sent.
func isBodyRefused(refused *Error) bool {
	return refused.Status == http.StatusBadRequest || refused.Status == http.StatusRequestEntityTooLarge
}

// describeFile returns the refusal of a resume as that of an item.
func describeFile(refused *Error) contract.BulkItemError {
	problems := slices.Concat(refused.Form, refused.Fields["contentBase64"], refused.Fields["fileName"])
	if len(problems) == 0 {
		problems = []string{refused.Message}
	}
	return contract.BulkItemError{Code: contract.SubmissionError(refused.Code), Field: new(resumeField), Message: strings.Join(problems, " ")}
}
