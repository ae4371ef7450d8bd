package terminal

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

type bulkCommand struct {
	File    string `arg:"" type:"existingfile" help:"CSV (.csv, .tsv) with a line of headings, or objects one a line (.ndjson, .jsonl). Columns are the fields of a submission and of its preferences, and resume, a file name. Lists in a cell have semicolons between their values."`
	Resumes string `required:"" type:"existingdir" placeholder:"DIRECTORY" help:"Directory of the resumes. A link that leads out of it is not followed."`
	layout
	SkipBadRows bool   `help:"Submit the rows without problems, though others have some."`
	OnMarket    bool   `help:"You attest that every candidate of the file is on the market now."`
	DryRun      bool   `short:"n" help:"Check the file, the resumes and what was sent before, and send nothing."`
	RetryFailed bool   `help:"Send rows again that failed or were rejected, though neither they nor their resumes have changed."`
	Journal     string `placeholder:"FILE" help:"Where the run records what it has sent (default: the file's name and .journal)."`
	Result      string `short:"o" placeholder:"FILE" help:"CSV of the outcomes (default: the file's name and .result.csv). A text that begins with =, +, -, @ or a tab has an apostrophe before it, so that no spreadsheet computes it."`
}

// Run checks the whole file, submits it and writes the outcomes.
func (b bulkCommand) Run(c *call) error {
	if err := b.checkFiles(); err != nil {
		return err
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

// run does what the command does with the candidates that have no problems.
func (b bulkCommand) run(c *call, all plan) error {
	bar := newProgress(c.messages, b.File)
	api, err := b.newClient(c, client.WithRetryHook(bar.showRetry), client.WithAttempts(8))
	if err != nil {
		return err
	}
	run := bulkRun{bulkCommand: b, call: c, plan: all, api: api, bar: bar}
	run.options = client.SubmitAllOptions{Journal: b.journal(), RetryFailed: b.RetryFailed, Progress: bar.show}
	run.before, err = api.PlanAll(run.candidates, run.options)
	if err != nil {
		return newExitError(exitInput, "%w; nothing was sent, and %s is as it was", err, b.result())
	}
	if b.DryRun {
		return run.describe()
	}
	return run.submit()
}

// checkFiles returns an error if the result or the journal would replace another file of the command.
func (b bulkCommand) checkFiles() error {
	names := []string{b.File, b.journal(), b.result()}
	for i, name := range names {
		if slices.ContainsFunc(names[:i], func(other string) bool { return isSameFile(name, other) }) {
			return newExitError(exitInput, "%s is two of the file, the journal and the result; nothing was sent", name)
		}
	}
	return nil
}

func (b bulkCommand) journal() string { return cmp.Or(b.Journal, b.File+".journal") }

func (b bulkCommand) result() string { return cmp.Or(b.Result, b.File+".result.csv") }

// newClient returns a client with the agency key. A dry run without a journal needs none.
func (b bulkCommand) newClient(c *call, options ...client.Option) (*client.Client, error) {
	if _, err := os.Stat(b.journal()); errors.Is(err, fs.ErrNotExist) && b.DryRun {
		return client.New("", ""), nil
	}
	return c.newClient(agencyVariable, options...)
}
