package terminal

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type bulkCommand struct {
	File    string `arg:"" type:"existingfile" help:"CSV (.csv, .tsv) with a line of headings, or objects one a line (.ndjson, .jsonl). Columns are the fields of a submission and of its preferences, and resume, a file name. Lists in a cell have semicolons between their values."`
	Resumes string `required:"" type:"existingdir" placeholder:"DIRECTORY" help:"Directory of the resumes. A link that leads out of it is not followed."`
	layout
	SkipBadRows bool   `help:"Submit the rows without problems and skip the others."`
	OnMarket    bool   `help:"You attest that every candidate of the file is on the market now."`
	DryRun      bool   `short:"n" help:"Check the file, the resumes and earlier runs without sending anything."`
	RetryFailed bool   `help:"Resubmit failed and rejected rows even if neither they nor their resumes have changed."`
	Journal     string `placeholder:"FILE" help:"Where the run records what it has sent (default: the file's name and .journal)."`
	Result      string `short:"o" placeholder:"FILE" help:"CSV of the outcomes (default: the file's name and .result.csv). A text that begins with =, +, -, @ or a tab has an apostrophe before it, so that no spreadsheet computes it."`
}

// Run checks the whole file, submits it and writes the outcomes.
func (b bulkCommand) Run(c *call) error {
	b.Journal = cmp.Or(b.Journal, b.File+".journal")
	b.Result = cmp.Or(b.Result, b.File+".result.csv")
	names := []string{b.File, b.Journal, b.Result}
	for i, name := range names {
		if slices.ContainsFunc(names[:i], func(other string) bool { return isSameFile(name, other) }) {
			return newExitError(exitInput, "%s is two of the file, the journal and the result; nothing was sent", name)
		}
	}
	rows, headings, err := readRows(b.File, b.layout)
	if err != nil {
		return err
	}
	resumes, err := os.OpenRoot(b.Resumes)
	if err != nil {
		return err
	}
	defer func() { _ = resumes.Close() }()
	all, wrong := planCandidates(rows, resumes, b.OnMarket)
	problems := gatherProblems(headings, wrong, len(rows))
	canSkip := len(headings) == 0 && len(all.candidates) > 0
	switch {
	case len(problems) > 0 && canSkip && !b.SkipBadRows:
		return printProblems(c, b.File, problems, "nothing was sent; --skip-bad-rows sends the rows without")
	case len(problems) > 0 && !canSkip:
		return printProblems(c, b.File, problems, "nothing was sent")
	}
	if err := b.run(c, all); err != nil || len(problems) == 0 {
		return err
	}
	return printProblems(c, b.File, problems, "rows that have them were skipped")
}

func (b bulkCommand) run(c *call, all plan) error {
	bar := &progress{out: c.messages, name: printable(filepath.Base(b.File)), begun: time.Now(), reported: time.Now()}
	_, err := os.Stat(b.Journal)
	api := client.New("", "")
	if !b.DryRun || !errors.Is(err, fs.ErrNotExist) { // a dry run without a journal needs no key
		api, err = c.newClient(agencyVariable, client.WithRetryHook(bar.showRetry), client.WithAttempts(8))
		if err != nil {
			return err
		}
	}
	run := bulkRun{bulkCommand: b, call: c, plan: all, api: api, bar: bar}
	run.options = client.SubmitAllOptions{Journal: b.Journal, RetryFailed: b.RetryFailed, Progress: bar.show}
	run.before, err = api.PlanAll(run.candidates, run.options)
	if err != nil {
		return newExitError(exitInput, "%w; nothing was sent, and %s is as it was", err, b.Result)
	}
	if b.DryRun {
		return run.describe()
	}
	return run.submit()
}

type bulkRun struct {
	bulkCommand
	*call
	plan
	api     *client.Client
	bar     *progress
	options client.SubmitAllOptions
	before  client.Plan // what SubmitAll would do
}

// The fates of candidates, in the order in which a dry run counts them.
const (
	fateSucceeded    = "%d succeeded before"
	fateDeduplicated = "%d deduplicated before"
	fateFailed       = "%d did not succeed before, and will be sent again only when corrected or with --retry-failed"
	fateAgain        = "%d will be sent again"
	fateUnderWay     = "%d were sent before and have not ended"
	fateNew          = "%d will be sent for the first time"
)

func (r bulkRun) describe() error {
	counts := r.countFates()
	parts := []string{}
	for _, fate := range []string{fateSucceeded, fateDeduplicated, fateFailed, fateAgain, fateUnderWay, fateNew} {
		if n := counts[fate]; n > 0 {
			parts = append(parts, fmt.Sprintf(fate, n))
		}
	}
	least := ""
	if windows := (r.before.Requests - 1) / contract.WriteTier.Limit; windows > 0 { // those of the first are sent at once
		least = fmt.Sprintf(", at least %s", time.Duration(windows)*contract.WindowSeconds*time.Second)
	}
	have := map[bool]string{true: "has", false: "have"}[len(r.candidates) == 1]
	_, _ = fmt.Fprintf(r.messages, "%s %s no problems; submitting them takes %s%s\n",
		count(len(r.candidates), "candidate"), have, count(r.before.Requests, "request"), least)
	if len(parts) > 0 && counts[fateNew] < len(r.candidates) {
		_, _ = fmt.Fprintf(r.messages, "%s\n", strings.Join(parts, "; "))
	}
	if len(r.before.Held) > 0 {
		return r.printHeld(r.before.Held, "these candidates would not be sent, and the others would")
	}
	return nil
}

// countFates gives no fate to those that would not be sent, because they are listed, unless they have succeeded.
func (r bulkRun) countFates() map[string]int {
	fates := map[string]string{}
	for _, one := range r.before.Held {
		fates[one.ClientReferenceID] = ""
	}
	for _, reference := range r.before.Again {
		fates[reference] = fateAgain
	}
	for _, reference := range r.before.UnderWay {
		fates[reference] = fateUnderWay
	}
	counts := map[string]int{}
	for _, one := range r.candidates {
		outcome, ended := r.before.Outcomes[*one.Item.ClientReferenceID]
		fate, decided := fates[*one.Item.ClientReferenceID]
		switch {
		case outcome.Status == client.OutcomeSucceeded:
			fate = fateSucceeded
		case decided:
		case !ended:
			fate = fateNew
		case outcome.Status == client.OutcomeDeduplicated:
			fate = fateDeduplicated
		default:
			fate = fateFailed
		}
		counts[fate]++
	}
	return counts
}

// submit writes the outcomes in every case but one: if the journal could not be used, the file that is there
// knows more. They begin with those of earlier runs, so that the file has never less than it had.
func (r bulkRun) submit() error {
	ctx, stop := interruptible()
	defer stop()
	if len(r.before.Outcomes) > 0 {
		_, _ = fmt.Fprintf(r.messages, "continuing from %s\n", r.Journal)
	}
	outcomes := r.before.Outcomes
	failed := error(nil)
	for outcome, err := range r.api.SubmitAll(ctx, r.candidates, r.options) {
		if err != nil {
			failed = err
			break
		}
		outcomes[outcome.ClientReferenceID] = outcome
	}
	r.bar.finish()
	if refused, ok := errors.AsType[*client.NotStartedError](failed); ok {
		return newExitError(exitInput, "%w; nothing was sent, and %s is as it was", refused, r.Result)
	}
	if err := errors.Join(r.writeResult(outcomes), r.printSummary(outcomes)); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(r.messages, "%s has the outcomes\n", r.Result)
	if held, ok := errors.AsType[*client.HeldError](failed); ok {
		return r.printHeld(held.Candidates, "these candidates were not sent, and the others were")
	}
	if failed != nil {
		_, _ = fmt.Fprintln(r.messages, "the same command continues where this one stopped")
		return explain(failed)
	}
	counts := r.countOutcomes(outcomes)
	if n := len(r.candidates) - counts[client.OutcomeSucceeded]; n > 0 {
		advice := ""
		if counts[client.OutcomeFailed]+counts[client.OutcomeRejected] > 0 {
			advice = "; correct their rows or resumes and run the same command, or send them as they are with --retry-failed"
		}
		return newExitError(exitOutcome, "%d of %d did not succeed%s", n, len(r.candidates), advice)
	}
	return nil
}

// printHeld prints the candidates that cannot be sent, by line, and returns the error of the command, which ends with a consequence.
func (r bulkRun) printHeld(held []client.HeldCandidate, consequence string) error {
	problems := []problem{}
	for _, one := range held {
		line, present := r.lines[one.ClientReferenceID]
		p := problem{line, one.Field, one.Reason}
		if !present {
			p.Message = fmt.Sprintf("%q %s", one.ClientReferenceID, one.Reason)
		}
		problems = append(problems, p)
	}
	return printProblems(r.call, r.File, gatherProblems(problems, nil, 0), consequence)
}

func (r bulkRun) countOutcomes(outcomes map[string]client.Outcome) map[client.OutcomeStatus]int {
	counts := map[client.OutcomeStatus]int{}
	for _, one := range r.candidates {
		if outcome, ended := outcomes[*one.Item.ClientReferenceID]; ended {
			counts[outcome.Status]++
		}
	}
	return counts
}

func (r bulkRun) printSummary(outcomes map[string]client.Outcome) error {
	if r.settings.JSON {
		return json.NewEncoder(r.out).Encode(r.countOutcomes(outcomes))
	}
	counts := map[string]int{}
	for _, one := range r.candidates {
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
	table := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	for _, name := range sortedKeys(counts) {
		_, _ = fmt.Fprintf(table, "%d\t%s\n", counts[name], name)
	}
	return table.Flush()
}

// writeResult writes a line for each candidate, in the order of the input, without a status if it has no outcome,
// and one without a number for each outcome of a candidate that is not in the input any more.
func (r bulkRun) writeResult(outcomes map[string]client.Outcome) error {
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	_ = out.Write([]string{"line", "clientReferenceId", "status", "candidateUserId", "errorCode", "errorMessage", "batchId", "submissionId"})
	for _, one := range r.candidates {
		reference := *one.Item.ClientReferenceID
		_ = out.Write(resultCells(fmt.Sprint(r.lines[reference]), reference, outcomes[reference]))
	}
	for _, reference := range sortedKeys(outcomes) {
		if r.lines[reference] == 0 {
			_ = out.Write(resultCells("", reference, outcomes[reference]))
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return replaceFile(r.Result, text.Bytes())
}

func resultCells(line, reference string, outcome client.Outcome) []string {
	var codes, messages []string
	for _, e := range outcome.Errors {
		codes = append(codes, string(e.Code))
		messages = append(messages, e.Message)
	}
	cells := []string{
		line, reference, string(outcome.Status), outcome.CandidateUserID,
		strings.Join(codes, ";"), strings.Join(messages, " "), outcome.BatchID, outcome.SubmissionID,
	}
	for i, text := range cells {
		cells[i] = resultCell(text)
	}
	return cells
}

// resultCell puts an apostrophe before a text that begins as a formula does, so that no spreadsheet computes it.
func resultCell(text string) string {
	clean := blankControls(text)
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + clean
	}
	return clean
}
