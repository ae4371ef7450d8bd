package terminal

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
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

type listFlags struct {
	Max int `default:"100" help:"Maximum number of rows to print; 0 for all."`
}

// Validate returns an error for a number that is too small. Kong calls it.
func (l listFlags) Validate() error {
	if l.Max < 0 {
		return fmt.Errorf("--max must be 0 or more, not %d", l.Max)
	}
	return nil
}

type batchesCommand struct {
	listFlags
	Reference string `help:"Only batches of a single candidate with this reference."`
	Since     string `placeholder:"TIME" help:"Only batches that are newer than this: 2026-03-01, 2026-03-01T09:00:00Z, or 90m or 24h ago."`
}

// parseSince returns the time that --since means; the zero time without it.
func (b batchesCommand) parseSince(now time.Time) (time.Time, error) {
	if b.Since == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(b.Since); err == nil {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, b.Since); err == nil {
			return at, nil
		}
	}
	return time.Time{}, newExitError(exitInput, "--since: %q is not a time; write 2026-03-01, 2026-03-01T09:00:00Z or 24h", b.Since)
}

// Run lists the batches.
func (b batchesCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	since, err := b.parseSince(time.Now())
	if err != nil {
		return err
	}
	rows := func(yield func(contract.BatchSummary, error) bool) {
		for batch, err := range api.AllBatches(ctx, contract.ListBatchesRequest{}) { // newest first
			isOther := err == nil && b.Reference != "" && batch.ClientReferenceID != b.Reference
			switch {
			case err == nil && batch.CreatedAt.Before(since):
				return
			case !isOther && !yield(batch, err):
				return
			}
		}
	}
	const headings = "BATCH, CREATED, ITEMS, OPEN, SUCCEEDED, FAILED, DEDUPLICATED, REFERENCE"
	return printRows(c, rows, b.Max, headings, func(r contract.BatchSummary) []any {
		n := r.Counts
		return []any{
			r.BatchID, r.CreatedAt, r.ItemCount, n.Queued + n.Processing, n.Succeeded, n.Failed, n.Deduplicated, r.ClientReferenceID,
		}
	})
}

type batchShow struct {
	Batch string `arg:"" help:"Id of the batch."`
}

type batchWatch struct{ batchShow }

// Run shows the batch.
func (b batchShow) Run(ctx context.Context, c *call, api *client.Client) error {
	batch, err := api.Batch(ctx, b.Batch)
	return printItems(c, batch.Items, err)
}

// Run prints the items as they end. It fails with its own exit code if one of them did.
func (b batchWatch) Run(ctx context.Context, c *call, api *client.Client) error {
	printed := map[int]bool{}
	failed := 0
	for batch, err := range api.FollowBatch(ctx, b.Batch) {
		if err != nil {
			return explain(err)
		}
		var ended []contract.BatchItem
		for _, item := range batch.Items {
			if !item.Status.Terminal() || printed[item.Index] {
				continue
			}
			ended = append(ended, item)
			printed[item.Index] = true
			if item.Status == contract.Failed {
				failed++
			}
		}
		if len(ended) > 0 {
			if err := printItems(c, ended, nil); err != nil {
				return err
			}
		}
	}
	if failed > 0 {
		return newExitError(exitOutcome, "%d of %d failed", failed, len(printed))
	}
	return nil
}

func printItems(c *call, items []contract.BatchItem, err error) error {
	const headings = "ITEM, STATUS, CANDIDATE, REFERENCE, UPDATED, ERROR, MESSAGE"
	return printRows(c, rowsOf(items, err), 0, headings, func(i contract.BatchItem) []any {
		return []any{i.Index, i.Status, i.CandidateUserID, i.ClientReferenceID, i.UpdatedAt, i.ErrorCode, i.ErrorMessage}
	})
}

type changeFlags struct {
	Type   []contract.ChangeType `help:"Only these types." values:"changeType"`
	Cursor string                `help:"Continue after this position, which follow prints at its end."`
}

type changesList struct {
	changeFlags
	listFlags
}

type changesFollow struct{ changeFlags }

func (f changeFlags) newRequest(first string) contract.ListChangesRequest {
	return contract.ListChangesRequest{Types: f.Type, Cursor: optional.NonZero(cmp.Or(f.Cursor, first))}
}

// Run lists the changes.
func (l changesList) Run(ctx context.Context, c *call, api *client.Client) error {
	const headings = "AT, TYPE, STATUS, CANDIDATE, REFERENCE, BATCH, ERROR"
	return printRows(c, api.AllChanges(ctx, l.newRequest("")), l.Max, headings, func(r contract.Change) []any {
		return []any{r.OccurredAt, r.Type, r.Status, r.CandidateUserID, r.ClientReferenceID, r.BatchID, r.ErrorCode}
	})
}

// Run prints changes as they happen: from now on, without a cursor. At the end, also after an error, it prints the
// cursor after the last one.
func (f changesFollow) Run(ctx context.Context, c *call, api *client.Client) error {
	in := f.newRequest("latest")
	if f.Cursor == "" {
		now, err := api.Changes(ctx, in)
		if err != nil {
			return explain(err)
		}
		in.Cursor = &now.NextCursor
	}
	cursor := *in.Cursor
	defer func() { _, _ = fmt.Fprintf(c.messages, "continue with --cursor %s\n", cursor) }()
	for page, err := range api.FollowChanges(ctx, in) {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return explain(err)
		}
		for _, change := range page.Changes { // columns of a fixed width replace those of a table
			text := fmt.Sprintf("%s  %-29s %-10s %-26s %s %s",
				cellOf(change.OccurredAt), printable(string(change.Type)), printable(string(change.Status)),
				printable(change.CandidateUserID), printable(change.ClientReferenceID), printable(string(change.ErrorCode)))
			if err := printNow(c, change, text); err != nil {
				return err
			}
		}
		cursor = page.NextCursor
	}
	return nil
}
