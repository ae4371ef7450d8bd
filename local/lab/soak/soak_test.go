package soak

import (
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

var (
	soakScale = flag.Float64("soak", 0, "run the parts of TestSoak at this fraction of their full size, above 0 and at most 1")
	soakParts = flag.String("parts", "", "names of the parts of TestSoak to run, with spaces between them (default: all)")
)

// soakPart is a check that takes minutes.
type soakPart struct {
	name string
	run  func(t *testing.T, out io.Writer)
}

// soakTests have the parts in their order.
var soakTests = []soakPart{{"outage", soakOutage}, {"kill", soakKills}, {"flood", soakFlood}, {"bulk", soakFile}}

// Checks that take minutes, all of one promise: what was accepted is kept. An hour passes without the
// profile provider, the system is killed forty times, one agency submits thousands of candidates, and a
// tool that submits a file of them is killed. Each part drives the real system over its API, prints figures, and
// fails if the promise is not kept. The figures depend on the machine, and the promises are made for the
// full size, so the parts run with the flag -soak alone (make soak). Kills and a killed tool have a small form,
// of the same code, without it: TestKilledSystemLosesNothing (make large) and TestFileIsSubmittedDespiteKills.
func TestSoak(t *testing.T) {
	if *soakScale == 0 {
		t.Skip("most of an hour, with the flag -soak: make soak")
	}
	if *soakScale < 0 || *soakScale > 1 {
		t.Fatalf("SCALE must be above 0 and at most 1, not %v", *soakScale)
	}
	wanted := strings.Fields(*soakParts)
	for _, name := range wanted {
		if !slices.ContainsFunc(soakTests, func(p soakPart) bool { return p.name == name }) {
			t.Fatalf("there is no part %q: choose among outage, kill, flood, bulk", name)
		}
	}
	for _, part := range soakTests {
		if len(wanted) == 0 || slices.Contains(wanted, part.name) {
			t.Run(part.name, func(t *testing.T) { part.run(t, cloudtest.Output(t)) })
		}
	}
}

// scaled returns n multiplied by the scale, at least 1.
func scaled(n int) int { return max(1, int(float64(n)**soakScale)) }

// printf prints a line of a report. An error is ignored: it means that the reader of the report has closed the output.
func printf(to io.Writer, format string, values ...any) { _, _ = fmt.Fprintf(to, format, values...) }

// newSoakDir returns a directory for the state and the log of a system, which stays if the test fails.
func newSoakDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("state and log: %s", dir)
		} else {
			_ = os.RemoveAll(dir)
		}
	})
	return dir
}

// openLog returns where a process with its state in dir logs: the test's output, or in a long check or a benchmark the
// file "log".
func openLog(t testing.TB, dir string) io.Writer {
	t.Helper()
	if _, isTest := t.(*testing.T); isTest && *soakScale == 0 {
		return cloudtest.Output(t)
	}
	file, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

// createKeys creates eight keys for an agency of the demo, each with a rate of its own.
func createKeys(t *testing.T, host cloud.Host, environment, agency, owner string) (secrets []string) {
	t.Helper()
	service, err := keys.New(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		out, err := service.Handle(t.Context(), keys.Request{
			Action: keys.Create, Type: contract.AgencyKey, Principal: agency, Actor: owner,
			Name: fmt.Sprint("soak ", i), Scopes: contract.AgencyKey.Scopes(), Environment: environment,
		})
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, out.Secret)
	}
	return secrets
}

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
