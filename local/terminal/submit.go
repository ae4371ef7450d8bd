package terminal

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

// preferenceFlags are the fields of work preferences.
type preferenceFlags struct {
	Locations              []string `required:"" values:"location" placeholder:"PLACE" help:"Where the candidate wants to work, such as Europe or \"New York\": enumerations location lists them."`
	WorkplaceTypes         []string `required:"" values:"workplaceType" placeholder:"TYPE" help:"REMOTE, HYBRID, ON_SITE."`
	SalaryMin              *int64   `required:"" placeholder:"NUMBER" help:"Lowest acceptable annual salary, such as 90000."`
	SalaryMax              *int64   `placeholder:"NUMBER" help:"Hoped-for annual salary."`
	OTE                    *int64   `name:"ote" placeholder:"NUMBER" help:"On-target earnings."`
	IdealFundingRounds     []string `required:"" name:"funding-rounds" values:"fundingRound" placeholder:"ROUND" help:"Funding rounds of the companies wanted: PRE_SEED, SEED, SERIES_A, SERIES_B, SERIES_C, SERIES_D_PLUS, UNKNOWN."`
	VisaAuthorization      string   `required:"" name:"visa" values:"visaAuthorization" placeholder:"VALUE" help:"Work authorization: NO_VISA_AUTHORIZATION_NEEDED, HAS_VISA_AUTHORIZATION, NEEDS_NEW_VISA_AUTHORIZATION."`
	RoleType               []string `values:"roleType" placeholder:"TYPE" help:"Kinds of role wanted."`
	ExcludedIndustries     []string `values:"industry" placeholder:"INDUSTRY" help:"Industries not wanted."`
	CompanySizePreferences []string `name:"company-sizes" values:"companySize" placeholder:"SIZE" help:"Company sizes wanted."`
}

// values returns the fields that are set, by name, as a row of a file has them.
func (p preferenceFlags) values() map[string]any {
	all := map[string]any{}
	names := contract.SchemaOf(reflect.TypeFor[contract.WorkPreferences]()).Fields
	flags := reflect.ValueOf(p)
	for i := range flags.NumField() { // the flags have the order of the fields
		if flag := flags.Field(i); !flag.IsZero() {
			all[names[i].Name] = readFlag(names[i], flag.Interface())
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
	Name      string `required:"" placeholder:"NAME" help:"The candidate's full name."`
	Email     string `required:"" placeholder:"ADDRESS" help:"The candidate's e-mail address."`
	LinkedIn  string `name:"linkedin" required:"" placeholder:"URL" help:"The candidate's LinkedIn profile."`
	Member    string `placeholder:"ADDRESS" help:"The member to attribute the candidate to, by e-mail address (default: the agency's owner)."`
	Screening string `placeholder:"URL" help:"Recording or notes of a screening call."`
	Reference string `help:"Your own reference; it must not name the person."`
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
	row := inputRow{values: s.values()}
	for name, value := range map[string]string{
		"name": s.Name, "email": s.Email, "linkedinUrl": s.LinkedIn, "recruiterEmail": s.Member, "screeningCallLink": s.Screening, "clientReferenceId": s.Reference,
	} {
		if value != "" {
			row.values[name] = value
		}
	}
	in, problems := checkRow(row)
	content, err := s.readResume(c)
	if err != nil {
		return err
	}
	if err := checkContent(s.File, content); err != nil {
		problems = append(problems, problem{Column: resumeColumn, Message: err.Error()})
	}
	if len(problems) > 0 {
		return printFlagProblems(c, problems)
	}
	in.IdempotencyKey = s.Key
	in.Resume = contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString(content)}
	if s.File != standardInput {
		in.Resume.FileName = new(filepath.Base(s.File))
	}
	api, err := c.agencyClient()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	accepted, err := api.Submit(ctx, in)
	if err != nil {
		return explain(err)
	}
	_, _ = fmt.Fprintf(c.messages, "accepted as batch %s\n", accepted.BatchID)
	if s.NoWait {
		return printOne(c, accepted, [2]string{"batch", accepted.BatchID}, [2]string{"submission", accepted.SubmissionID})
	}
	return watchBatch(ctx, c, api, accepted.BatchID)
}

type resumesCommands struct {
	Upload resumesUpload `cmd:"" help:"Upload resumes for bulk submissions, and print their ids."`
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
	if len(problems) > 0 {
		return printFlagProblems(c, problems)
	}
	api, err := c.agencyClient()
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
	return printRows(c, rows, 0,
		column[row]{"RESUME", func(r row) string { return r.ResumeFileID }},
		column[row]{"FILE", func(r row) string { return optional.Value(r.FileName) }},
		column[row]{"TYPE", func(r row) string { return r.ContentType }},
		column[row]{"BYTES", func(r row) string { return fmt.Sprint(r.SizeBytes) }},
		column[row]{"EXPIRES", func(r row) string { return formatTime(&r.ExpiresAt) }})
}
