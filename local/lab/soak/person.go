package soak

import (
	"encoding/base64"
	"fmt"

	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// sample is an invented person's resume.
type sample struct{ name, file string }

// samples are resumes that ingestion reads, of three formats.
var samples = []sample{
	{"Priya Raman", "priya-raman.txt"}, {"Jonas Lindqvist", "jonas-lindqvist.docx"}, {"Maya Okafor", "maya-okafor.libreoffice.pdf"},
}

// readFile returns the resume's bytes.
func (s sample) readFile() []byte {
	content, err := resumes.Files.ReadFile(s.file)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return content
}

func newPreferences() contract.WorkPreferences {
	return contract.WorkPreferences{
		Locations: []contract.Location{"europe", "uk"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: 90_000,
		IdealFundingRounds: []contract.FundingRound{"SERIES_A"}, VisaAuthorization: "HAS_VISA_AUTHORIZATION",
	}
}

func emailOf(slug string) string { return slug + "@example.com" }

// newSubmission returns the submission of the person with this slug.
func newSubmission(slug string, of sample, content []byte) contract.SubmitRequest {
	return contract.SubmitRequest{
		IdempotencyKey: slug, Name: of.name, Email: emailOf(slug), LinkedInURL: "https://www.linkedin.com/in/" + slug,
		Preferences: newPreferences(), Resume: contract.ResumeFile{FileName: &of.file, ContentBase64: base64.StdEncoding.EncodeToString(content)},
	}
}

// newBulk returns a bulk submission of n people who share an upload of the sample; prefix is
// that of their slugs.
func newBulk(prefix string, n int, of sample, uploadID string) contract.BulkRequest {
	in := contract.BulkRequest{IdempotencyKey: prefix}
	for i := range n {
		slug := fmt.Sprintf("%s-%d", prefix, i)
		in.Items = append(in.Items, contract.BulkItem{
			Name: of.name, Email: emailOf(slug), LinkedInURL: "https://www.linkedin.com/in/" + slug, Preferences: newPreferences(),
			Resume: contract.ResumeReference{ResumeFileID: uploadID}, OnMarketConfirmed: true,
		})
	}
	return in
}

// checkBulk returns an error unless every item of a bulk was accepted.
func checkBulk(out contract.BulkResponse) error {
	for _, item := range out.Items {
		if item.Status != contract.BulkQueued {
			return fmt.Errorf("item %d of a bulk is %s: %+v", item.Index, item.Status, item.Errors)
		}
	}
	return nil
}
