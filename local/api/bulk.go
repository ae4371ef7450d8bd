package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type bulkCommand struct {
	File     string            `arg:"" type:"existingfile" help:"CSV (.csv, .tsv) with a line of headings, or objects one a line (.ndjson, .jsonl). Columns are the fields of a submission and of its preferences, and resume, a file name. Lists in a cell have semicolons between their values."`
	Resumes  string            `required:"" type:"existingdir" help:"Directory of the resumes. A link that leads out of it is not followed."`
	Map      map[string]string `placeholder:"COLUMN=HEADING" mapsep:"," help:"Headings of columns that are named otherwise, such as name=Full name."`
	OnMarket bool              `help:"You attest that every candidate of the file is on the market now."`
	DryRun   bool              `help:"Check the file and the resumes, and send nothing."`
	Journal  string            `placeholder:"FILE" help:"Where the run records what it has sent (default: the file's name and .journal)."`
	Result   string            `placeholder:"FILE" help:"CSV of the outcomes (default: the file's name and .result.csv). A text that begins with =, +, -, @ or a tab has an apostrophe before it, so that no spreadsheet computes it."`
}

// mostProblems bounds the problems that are printed.
const mostProblems = 500

// Run checks the whole file, submits it and writes the outcomes.
func (b bulkCommand) Run(c *call) error {
	rows, problems, err := readRows(b.File, b.Map)
	if err != nil {
		return err
	}
	resumes, err := os.OpenRoot(b.Resumes)
	if err != nil {
		return err
	}
	defer func() { _ = resumes.Close() }()
	all := []planned(nil)
	wrong := problems
	if len(problems) == 0 || rows != nil && problems[0].Line > 1 {
		all, wrong = planCandidates(rows, resumes, b.OnMarket)
		wrong = append(problems, wrong...)
	}
	if len(wrong) > 0 {
		return printProblems(c, b.File, wrong)
	}
	if b.DryRun {
		requests := len(all) + (len(all)+99)/100
		_, err := fmt.Fprintf(c.messages, "%d candidates have no problems; submitting them takes %d requests, at least %s\n", len(all), requests, floorOf(requests))
		return err
	}
	return b.submit(c, all)
}

// submit submits the candidates. The outcomes are written in every case but one: if nothing was sent and
// the journal could not be used, the file that is there knows more.
func (b bulkCommand) submit(c *call, all []planned) error {
	bar := newProgress(c.messages, b.File)
	api, err := c.agencyClient(client.WithRetryHook(bar.showRetry), client.WithAttempts(8))
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	journal := cmp.Or(b.Journal, b.File+".journal")
	if _, err := os.Stat(journal); !errors.Is(err, fs.ErrNotExist) {
		_, _ = fmt.Fprintf(c.messages, "continuing from %s\n", journal)
	}
	outcomes, failed := b.collect(ctx, api, all, client.SubmitAllOptions{Journal: journal, Progress: bar.show})
	bar.finish()
	result := cmp.Or(b.Result, b.File+".result.csv")
	if refused, ok := errors.AsType[*client.NotStartedError](failed); ok {
		return newExitError(exitInput, "%w; nothing was sent, and %s is as it was", refused, result)
	}
	if err := errors.Join(writeResult(result, all, outcomes), printSummary(c, all, outcomes)); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(c.messages, "%s has the outcomes\n", result)
	if failed != nil {
		_, _ = fmt.Fprintln(c.messages, "the same command continues where this one stopped")
		return explain(failed)
	}
	if n := countOutcomes(outcomes)[client.OutcomeSucceeded]; n < len(all) {
		return newExitError(exitOutcome, "%d of %d did not succeed", len(all)-n, len(all))
	}
	return nil
}

func (b bulkCommand) collect(ctx context.Context, api *client.Client, all []planned, options client.SubmitAllOptions) (map[string]client.Outcome, error) {
	outcomes := map[string]client.Outcome{}
	candidates := make([]client.Candidate, len(all))
	for i, one := range all {
		candidates[i] = one.Candidate
	}
	for outcome, err := range api.SubmitAll(ctx, candidates, options) {
		if err != nil {
			return outcomes, err
		}
		outcomes[outcome.ClientReferenceID] = outcome
	}
	return outcomes, nil
}

// floorOf returns the least time that requests of the write tier take: those of the first minute
// are sent at once.
func floorOf(requests int) time.Duration {
	return time.Duration((requests-1)/contract.WriteTier.Limit) * contract.WindowSeconds * time.Second
}

func countOutcomes(outcomes map[string]client.Outcome) map[client.OutcomeStatus]int {
	counts := map[client.OutcomeStatus]int{}
	for _, outcome := range outcomes {
		counts[outcome.Status]++
	}
	return counts
}

// printSummary prints how many candidates have each outcome and error.
func printSummary(c *call, all []planned, outcomes map[string]client.Outcome) error {
	counts := map[string]int{}
	for _, one := range all {
		outcome, ended := outcomes[*one.Item.ClientReferenceID]
		name := "not ended"
		if ended {
			name = printable(string(outcome.Status))
		}
		if len(outcome.Errors) > 0 {
			name += "\t" + printable(string(outcome.Errors[0].Code))
		}
		counts[name]++
	}
	if c.settings.JSON {
		return json.NewEncoder(c.out).Encode(countOutcomes(outcomes))
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, name := range sortedKeys(counts) {
		_, _ = fmt.Fprintf(table, "%d\t%s\n", counts[name], name)
	}
	return table.Flush()
}

// printProblems prints what is wrong with the file, and returns the error of the command.
func printProblems(c *call, file string, problems []problem) error {
	slices.SortStableFunc(problems, func(a, b problem) int { return a.Line - b.Line })
	if err := printRows(c, rowsOf(problems, nil), mostProblems,
		column[problem]{"LINE", func(p problem) string { return fmt.Sprint(p.Line) }},
		column[problem]{"COLUMN", func(p problem) string { return p.Column }},
		column[problem]{"PROBLEM", func(p problem) string { return p.Message }}); err != nil {
		return err
	}
	return newExitError(exitInput, "%s has %d problems; nothing was sent", file, len(problems))
}
