package soak

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// hostileLimit is how long a hostile file may take from its submission to the end of its item. A
// bulk of 100 that names one may take bulkLimit, because every worker may begin to read the file
// before the first one has failed.
const (
	hostileLimit = 12 * time.Second
	bulkLimit    = 4 * hostileLimit
)

// hostileFile is a file that takes a reader as long as its format allows.
type hostileFile struct {
	name    string
	content []byte
}

// largestText is about the largest size in bytes that a request can carry in base64.
const largestText = 89 << 20 / 10

func hostileFiles() []hostileFile {
	fill := func(head, unit string) []byte {
		return []byte(head + strings.Repeat(unit, (largestText-len(head))/len(unit)))
	}
	return []hostileFile{
		{"md: open brackets", fill("# Curriculum vitae\n", "[")},
		{"docx: 90,000 relationships", resumetest.DOCXOfRelationships(90_000)},
		{"odt: rows in a row", resumetest.ODTOfRows(60_000)},
		{"pdf: forms of forms", resumetest.PDFOfForms(10, 12)},
		{"txt: dates", fill("Priya Raman\n", "Experience\nEngineer, Acme Ltd\nJan 2019 – Feb 2020\n")},
		{"html: tables in tables", fill("<html>", "<table><tr><td>")},
		{"rtf: groups in groups", fill(`{\rtf1 `, `{\*\a}{\fldinst HYPERLINK "a"}`)},
	}
}

// hostileRun submits hostile files for one agency, and ordinary ones for another at the same time.
type hostileRun struct {
	o                Options
	hostile, beside  *client.Client
	besideSubmission int
}

// runHostile measures how long hostile files take, and how long the submissions of another agency
// take at the same time.
func runHostile(ctx context.Context, o Options) error {
	return withChild(ctx, o, func(c *child) error {
		m, err := newAccountMaker(ctx, c)
		if err != nil {
			return err
		}
		h := &hostileRun{o: o}
		for name, to := range map[string]**client.Client{"hostile": &h.hostile, "beside": &h.beside} {
			keys, err := m.createAgency(ctx, name, 1)
			if err != nil {
				return err
			}
			*to = c.client(keys[0], client.WithAttempts(20))
		}
		return h.runFiles(ctx)
	})
}

func (h *hostileRun) runFiles(ctx context.Context) error {
	for _, of := range samples { // the first PDF compiles its reader
		if _, err := h.submitAndWait(ctx, h.hostile, newSubmission("warm-"+of.file[:5], of, of.readFile())); err != nil {
			return err
		}
	}
	alone, err := h.submitBeside(ctx, closeAfter(5*time.Second))
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(h.o.Out, 0, 0, 2, ' ', 0)
	defer func() { _ = table.Flush() }()
	printf(table, "file\tended after\tas\tlongest other submission (%s alone)\n", roundDuration(alone))
	var failed []error
	for i, f := range hostileFiles() {
		in := newSubmission(fmt.Sprint("hostile-", i), samples[0], f.content)
		failed = append(failed, h.runBeside(ctx, table, f.name, hostileLimit, func() ([]contract.BatchItem, error) {
			return h.submitAndWait(ctx, h.hostile, in)
		}))
	}
	upload, err := h.hostile.Upload(ctx, contract.ResumeFile{ContentBase64: base64.StdEncoding.EncodeToString(resumetest.PDFOfForms(11, 12))})
	if err != nil {
		return errors.Join(append(failed, err)...)
	}
	failed = append(failed, h.runBeside(ctx, table, "a bulk of 100 with one pdf", bulkLimit, func() ([]contract.BatchItem, error) {
		out, err := h.hostile.SubmitBulk(ctx, newBulk("hostile-bulk", 100, samples[0], upload.ResumeFileID))
		if err != nil {
			return nil, err
		}
		return h.waitForEnd(ctx, h.hostile, out.BatchID)
	}))
	return errors.Join(failed...)
}

// runBeside runs a hostile submission while the other agency submits, prints a row, and returns
// an error if the submission took longer than limit or ended with an unexpected code.
func (h *hostileRun) runBeside(ctx context.Context, table *tabwriter.Writer, name string, limit time.Duration, submit func() ([]contract.BatchItem, error)) error {
	type ending struct {
		items []contract.BatchItem
		took  time.Duration
		err   error
	}
	ended := make(chan ending, 1)
	over := make(chan struct{})
	go func() {
		defer close(over)
		begun := time.Now()
		items, err := submit()
		ended <- ending{items, time.Since(begun), err}
	}()
	longest, err := h.submitBeside(ctx, over)
	e := <-ended
	err = errors.Join(err, e.err)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	outcomes := map[string]int{}
	for _, item := range e.items {
		outcomes[string(item.Status)+" "+string(item.ErrorCode)]++
		if item.Status != contract.Succeeded && !slices.Contains([]contract.SubmissionError{contract.ResumeParseFailed, contract.ResumeIdentityMismatch}, item.ErrorCode) {
			err = fmt.Errorf("%s: ended as %s %s", name, item.Status, item.ErrorCode)
		}
	}
	printf(table, "%s\t%s\t%v\t%s\n", name, roundDuration(e.took), outcomes, roundDuration(longest))
	if e.took > limit {
		err = errors.Join(err, fmt.Errorf("%s: ended after %s, want %s", name, roundDuration(e.took), limit))
	}
	return err
}

// submitBeside submits at least one candidate, and further ones until over is closed. It returns
// the longest time from a submission to its end.
func (h *hostileRun) submitBeside(ctx context.Context, over <-chan struct{}) (longest time.Duration, err error) {
	for {
		h.besideSubmission++
		in := newSubmission(fmt.Sprint("beside-", h.besideSubmission), samples[0], samples[0].readFile())
		begun := time.Now()
		items, err := h.submitAndWait(ctx, h.beside, in)
		if err != nil {
			return longest, err
		}
		longest = max(longest, time.Since(begun))
		if items[0].Status != contract.Succeeded {
			return longest, fmt.Errorf("another submission: %s %s", items[0].Status, items[0].ErrorCode)
		}
		select {
		case <-over:
			return longest, nil
		case <-time.After(time.Second): // within the key's rate
		}
	}
}

func (h *hostileRun) submitAndWait(ctx context.Context, api *client.Client, in contract.SubmitRequest) ([]contract.BatchItem, error) {
	out, err := api.Submit(ctx, in)
	if err != nil {
		return nil, err
	}
	return h.waitForEnd(ctx, api, out.BatchID)
}

// waitForEnd polls a batch more often than the server advises.
func (h *hostileRun) waitForEnd(ctx context.Context, api *client.Client, id string) ([]contract.BatchItem, error) {
	for {
		batch, err := api.Batch(ctx, id)
		if err != nil || !slices.ContainsFunc(batch.Items, func(item contract.BatchItem) bool { return !item.Status.Terminal() }) {
			return batch.Items, err
		}
		pause(ctx, 600*time.Millisecond)
	}
}

// closeAfter returns a channel that is closed after d.
func closeAfter(d time.Duration) <-chan struct{} {
	over := make(chan struct{})
	time.AfterFunc(d, func() { close(over) })
	return over
}

func roundDuration(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }
