package terminal

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// preferenceFlags are the fields of work preferences, which their tags name.
type preferenceFlags struct {
	Locations              []string `field:"locations" required:"" values:"location" placeholder:"PLACE" help:"Where the candidate wants to work, such as Europe or \"New York\": enumerations location lists them."`
	WorkplaceTypes         []string `field:"workplaceTypes" required:"" values:"workplaceType" placeholder:"TYPE" help:"REMOTE, HYBRID, ON_SITE."`
	SalaryMin              *int64   `field:"salaryMin" required:"" placeholder:"NUMBER" help:"Lowest acceptable annual salary, such as 90000."`
	SalaryMax              *int64   `field:"salaryMax" placeholder:"NUMBER" help:"Hoped-for annual salary."`
	OTE                    *int64   `field:"ote" name:"ote" placeholder:"NUMBER" help:"On-target earnings."`
	IdealFundingRounds     []string `field:"idealFundingRounds" required:"" name:"funding-rounds" values:"fundingRound" placeholder:"ROUND" help:"Funding rounds of the companies wanted: PRE_SEED, SEED, SERIES_A, SERIES_B, SERIES_C, SERIES_D_PLUS, UNKNOWN."`
	VisaAuthorization      string   `field:"visaAuthorization" required:"" name:"visa" values:"visaAuthorization" placeholder:"VALUE" help:"Work authorization: NO_VISA_AUTHORIZATION_NEEDED, HAS_VISA_AUTHORIZATION, NEEDS_NEW_VISA_AUTHORIZATION."`
	RoleType               []string `field:"roleType" values:"roleType" placeholder:"TYPE" help:"Kinds of role wanted."`
	ExcludedIndustries     []string `field:"excludedIndustries" values:"industry" placeholder:"INDUSTRY" help:"Industries not wanted."`
	CompanySizePreferences []string `field:"companySizePreferences" name:"company-sizes" values:"companySize" placeholder:"SIZE" help:"Company sizes wanted."`
}

// fieldValues returns the fields whose flags are set, by name, as a row of a file has them.
func fieldValues(flags any) map[string]any {
	all := map[string]any{}
	v := reflect.ValueOf(flags)
	for _, flag := range reflect.VisibleFields(v.Type()) {
		field, ok := fields[flag.Tag.Get("field")]
		if value := v.FieldByIndex(flag.Index); ok && !value.IsZero() {
			all[field.Name] = readFlag(field, value.Interface())
		}
	}
	return all
}

func readFlag(field contract.Field, value any) any {
	switch value := value.(type) {
	case string:
		return readWords(field, value)
	case []string:
		words := make([]string, len(value))
		for i, word := range value {
			words[i] = readWords(field, word)
		}
		return words
	}
	return value
}

type submitCommand struct {
	File      string `arg:"" type:"existingfile" help:"The resume; - reads it from standard input."`
	Name      string `field:"name" required:"" placeholder:"NAME" help:"The candidate's full name."`
	Email     string `field:"email" required:"" placeholder:"ADDRESS" help:"The candidate's e-mail address."`
	LinkedIn  string `field:"linkedinUrl" name:"linkedin" required:"" placeholder:"URL" help:"The candidate's LinkedIn profile."`
	Member    string `field:"recruiterEmail" placeholder:"ADDRESS" help:"The member to attribute the candidate to, by e-mail address (default: the agency's owner)."`
	Screening string `field:"screeningCallLink" placeholder:"URL" help:"Recording or notes of a screening call."`
	Reference string `field:"clientReferenceId" help:"Your own reference; it must not name the person."`
	Key       string `name:"idempotency-key" help:"Makes it safe to repeat the command: the same key and candidate are submitted once."`
	NoWait    bool   `help:"Do not wait for the outcome."`
	preferenceFlags
}

// standardInput is the name of a file that is read from it.
const standardInput = "-"

func (s submitCommand) readResume(c *call) ([]byte, error) {
	if s.File == standardInput {
		return io.ReadAll(io.LimitReader(c.in, contract.MaxFileBytes+1))
	}
	return readRegular(os.OpenFile, s.File)
}

// Run checks and submits the candidate, and waits for the outcome.
func (s submitCommand) Run(c *call) error {
	in, problems := checkRow(inputRow{values: fieldValues(s)})
	content, err := s.readResume(c)
	if err != nil {
		return err
	}
	if err := checkContent(s.File, content); err != nil {
		problems = append(problems, problem{Column: resumeColumn, Message: err.Error()})
	}
	api, err := c.accept(problems)
	if err != nil {
		return err
	}
	in.IdempotencyKey = s.Key
	in.Resume = contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString(content)}
	if s.File != standardInput {
		in.Resume.FileName = new(filepath.Base(s.File))
	}
	ctx, stop := interruptible()
	defer stop()
	accepted, err := api.Submit(ctx, in)
	if err != nil {
		return explain(err)
	}
	_, _ = fmt.Fprintf(c.messages, "accepted as batch %s\n", accepted.BatchID)
	if s.NoWait {
		return printOne(c, accepted, nil, line{"batch", accepted.BatchID}, line{"submission", accepted.SubmissionID})
	}
	return batchWatch{batchShow{accepted.BatchID}}.Run(ctx, c, api)
}

type resumesUpload struct {
	Files []string `arg:"" name:"file" type:"existingfile" help:"Files to upload."`
}

// Run checks all files and uploads them.
func (u resumesUpload) Run(c *call) error {
	contents := make([][]byte, len(u.Files))
	problems := []problem{}
	for i, name := range u.Files {
		content, err := readRegular(os.OpenFile, name)
		if err == nil {
			err = checkContent(name, content)
		}
		if err != nil {
			problems = append(problems, problem{Column: resumeColumn, Message: err.Error()})
		}
		contents[i] = content
	}
	api, err := c.accept(problems)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	type row = contract.ResumeUpload
	rows := func(yield func(row, error) bool) {
		for i, name := range u.Files {
			file := contract.ResumeFile{FileName: new(filepath.Base(name)), ContentBase64: base64.StdEncoding.EncodeToString(contents[i])}
			upload, err := api.Upload(ctx, file)
			if !yield(upload, err) || err != nil {
				return
			}
		}
	}
	return printRows(c, rows, 0, "RESUME, FILE, TYPE, BYTES, EXPIRES", func(r row) []any {
		return []any{r.ResumeFileID, r.FileName, r.ContentType, r.SizeBytes, r.ExpiresAt}
	})
}
