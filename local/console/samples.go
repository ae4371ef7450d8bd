package console

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

// outcomes are the slugs with a fixed outcome with every key of environment test, and how long each takes here.
var outcomes = []struct{ slug, outcome, status, takes string }{
	{"sandbox-verified", "Verified, like every slug that is not listed here", "succeeded", "1 s"},
	{profile.SlugSlow, "Verifies after 8 seconds", "succeeded", "9 s"},
	{profile.SlugNotFound, "There is no such profile", string(contract.LinkedInProfileNotFound), "1 s"},
	{profile.SlugNoExperience, "The profile has no experience", string(contract.LinkedInNoExperience), "1 s"},
	{profile.SlugUnavailable, "The profile provider is down", string(contract.VerificationUnavailable), "1 s"},
	{profile.SlugCrash, "The worker dies at each attempt", string(contract.InternalError), "25 s"},
}

// files are sample resumes that do not lead to success, with another outcome than the slug's.
var files = []struct{ file, name, outcome, status string }{
	{"viktor-halvorsen.libreoffice.pdf", "Maya Okafor", "The resume is another person's", string(contract.ResumeIdentityMismatch)},
	{"tomas-novak.scan.pdf", "Tomas Novak", "The resume is a picture without text", string(contract.ResumeParseFailed)},
}

// newBody returns the smallest body that the contract accepts. Without content, its resume is a text.
func newBody(name, slug, fileName string, content []byte) map[string]any {
	email := slug + "@example.com"
	address := "https://www.linkedin.com/in/" + slug
	if content == nil {
		const experience = "Experience\n\nBackend Engineer, Brightwater\nJan 2020 - Present\nBuilt services in Go.\n"
		content = fmt.Appendf(nil, "%s\n%s\n%s\n\n%s", name, email, address, experience)
	}
	return map[string]any{
		"name": name, "email": email, "linkedinUrl": address,
		"preferences": map[string]any{
			"locations": []string{"europe"}, "workplaceTypes": []string{"REMOTE"}, "salaryMin": 90_000,
			"idealFundingRounds": []string{"SERIES_A"}, "visaAuthorization": "HAS_VISA_AUTHORIZATION",
		},
		"resume": map[string]any{"fileName": fileName, "contentBase64": base64.StdEncoding.EncodeToString(content)},
	}
}

// describeStart returns what a page needs first, with a minimal submission for each outcome.
func (c *Console) describeStart(*http.Request) (any, error) {
	var samples []map[string]any
	add := func(id, outcome, status, takes string, body map[string]any) {
		samples = append(samples, map[string]any{"id": id, "outcome": outcome, "status": status, "takes": takes, "body": body})
	}
	for _, o := range outcomes {
		add(o.slug, o.outcome, o.status, o.takes, newBody("Robin Sandbox", o.slug, "resume.txt", nil))
	}
	for _, f := range files {
		content, err := resumes.Files.ReadFile(f.file)
		if err != nil {
			return nil, err
		}
		add(f.file, f.outcome, f.status, "2 s", newBody(f.name, "sandbox-verified", f.file, content))
	}
	var agencies []map[string]string
	for _, a := range demo.Agencies() {
		agencies = append(agencies, map[string]string{"id": a.ID, "name": a.Name})
	}
	return map[string]any{"baseUrl": "http://" + c.address + contract.BasePath, "agencies": agencies, "samples": samples}, nil
}

type sentFile struct {
	Content []byte `json:"content"`
}

// readResume returns the owner of a resume file, as ingestion will understand it, so that the page
// can fill in its form: "" for what the file does not state. The file is not kept.
func (c *Console) readResume(r *http.Request, in sentFile) (any, error) {
	document, err := resume.Read(r.Context(), in.Content)
	if unreadable, ok := errors.AsType[*resume.Failure](err); ok {
		return nil, fault.New(fault.Invalid, contract.NoCode, "The file cannot be read: "+unreadable.Message+".")
	}
	if err != nil {
		return nil, err
	}
	fields := resume.Extract(document, c.config.Host.Now())
	return map[string]string{"name": fields.Name, "email": cmp.Or(fields.Emails...), "linkedinUrl": cmp.Or(fields.LinkedIn...)}, nil
}
