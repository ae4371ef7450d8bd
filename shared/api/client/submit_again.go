package client

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// The fields that HeldCandidate names.
const (
	resumeField    = "resume"
	referenceField = "clientReferenceId"
)

// Why a candidate is held.
const (
	reasonSucceeded = "has changed since it succeeded, and is not sent again; " +
		"to submit it once more, give it another clientReferenceId"
	reasonTooOld = "was sent at %s without an answer, too long ago to be sent again; look for it among the batches"
	reasonGone   = "was sent, without an answer so far, and is not among the candidates; " +
		"put it back as it was, and submit once more"
	reasonUnanswered = "has changed since it was sent, and that request has no answer; " +
		"restore it, submit once, and change it then"
	reasonForgotten = "was sent as batch %s, which has expired; look for the candidate in the talent network"
	reasonBeside    = "was sent in one request with %q, which is not as it was"
)

// HeldCandidate is a candidate that [Client.SubmitAll] could not send, and why.
type HeldCandidate struct {
	ClientReferenceID string
	// Field is what to change, such as "resume" or "clientReferenceId"; "" if the candidate is as it should be.
	Field string
	// Reason is the end of a sentence that begins with the candidate.
	Reason string
}

// HeldError has the candidates that were not sent, in a call that has done everything else.
type HeldError struct{ Candidates []HeldCandidate }

// Error names the first candidate.
func (e *HeldError) Error() string {
	first := e.Candidates[0]
	return fmt.Sprintf("not sent: %d; the first is %q: %s", len(e.Candidates), first.ClientReferenceID, first.Reason)
}

// Plan is what [Client.SubmitAll] would do now.
type Plan struct {
	// Outcomes are the last outcomes that the journal has, by reference, also of candidates that are not
	// among those of the call. Those of the candidates of Again are going to be replaced.
	Outcomes map[string]Outcome
	// Again has the references of candidates that did not succeed and are sent again.
	Again []string
	// UnderWay has the references of candidates that were sent and have not ended.
	UnderWay []string
	// Held has the candidates that cannot be sent.
	Held []HeldCandidate
	// Requests is the number of requests of the write tier that are to be sent.
	Requests int
}

// PlanAll returns what [Client.SubmitAll] would do with the same candidates and options, based on the
// journal. It sends nothing. Its error is the one that SubmitAll wraps in a [NotStartedError].
func (c *Client) PlanAll(candidates []Candidate, options SubmitAllOptions) (Plan, error) {
	if _, err := os.Lstat(options.Journal); errors.Is(err, fs.ErrNotExist) {
		options.Journal = ""
	}
	r, err := c.openRun(candidates, options)
	if err != nil {
		return Plan{}, err
	}
	defer r.journal.close()
	plan := Plan{Outcomes: map[string]Outcome{}, Held: r.held, Requests: r.progress.Requests}
	for reference, s := range r.journal.states {
		if s.last != nil {
			plan.Outcomes[reference] = *s.last.Outcome
		}
	}
	for _, reference := range r.order {
		s := r.journal.at(reference)
		switch {
		case r.isHeld(reference):
		case s.bulk != nil && !s.isEnded():
			plan.UnderWay = append(plan.UnderWay, reference)
		case s.last != nil && s.again:
			plan.Again = append(plan.Again, reference)
		}
	}
	return plan, nil
}

// chooseAgain begins the next attempt of a candidate that did not succeed, if it has changed or retry
// is set. One that succeeded and has changed is held. A resume that was replaced after its upload is
// uploaded again.
func (r *submitRun) chooseAgain(reference string, retry bool) {
	s := r.journal.at(reference)
	if !s.isEnded() {
		isPending := s.isUploaded() && s.bulk == nil
		if isPending && r.hashResume(reference, "") != s.upload.Resume {
			r.again = append(r.again, reference)
		}
		return
	}
	status := s.last.Outcome.Status
	unreadable := ""
	if status == OutcomeSucceeded {
		unreadable = s.last.Sent.Resume // the file is not needed any more
	}
	field := "" // what is not as it was sent
	switch {
	case s.last.Sent.Item != r.hashItem(reference):
		field = referenceField
	case s.last.Sent.Resume != r.hashResume(reference, unreadable):
		field = resumeField
	}
	failed := status == OutcomeFailed || status == OutcomeRejected
	switch {
	case status == OutcomeSucceeded && field != "":
		r.hold(reference, field, reasonSucceeded)
	case status != OutcomeSucceeded && field != "", failed && retry:
		r.again = append(r.again, reference)
	}
}

// hashResume returns the hash of a resume, or unreadable for one that cannot be read: the upload
// reports why.
func (r *submitRun) hashResume(reference, unreadable string) string {
	content, err := r.candidates[reference].ReadResume()
	if err != nil {
		return unreadable
	}
	return hashText(string(content))
}

// holdUnanswered holds the candidates of a bulk that has no answer and cannot be sent as it was: it is
// too old, or one of its candidates is gone or has changed.
func (r *submitRun) holdUnanswered(b *sentBulk) {
	if b.Response != nil {
		return
	}
	tooOld := time.Since(b.At) > keyLife
	i := slices.IndexFunc(b.References, func(reference string) bool { return !r.isAsSent(b, reference) })
	if i < 0 && !tooOld {
		return
	}
	for _, reference := range b.References {
		_, present := r.candidates[reference]
		switch {
		case tooOld:
			r.hold(reference, "", fmt.Sprintf(reasonTooOld, b.At.Format(time.RFC3339)))
		case !present:
			r.hold(reference, "", reasonGone)
		case !r.isAsSent(b, reference):
			r.hold(reference, referenceField, reasonUnanswered)
		default:
			r.hold(reference, "", fmt.Sprintf(reasonBeside, b.References[i]))
		}
	}
}

// itemProblem is how the service names an item in the problems of a bulk: "items[3].preferences.salaryMin: …".
var itemProblem = regexp.MustCompile(`^items\[(\d+)\](?:\.preferences)?\.?([A-Za-z]*)[^:]*: (.*)$`)

// holdRefused holds the candidates for which the service refused a bulk as a whole, and reports whether
// there are any.
func (r *submitRun) holdRefused(refused *Error, b *sentBulk) bool {
	found := false
	for _, message := range refused.Fields["items"] {
		m := itemProblem.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		i, err := strconv.Atoi(m[1])
		if err != nil || i >= len(b.References) || r.isHeld(b.References[i]) {
			continue
		}
		r.hold(b.References[i], m[2], "was refused: "+m[3])
		found = true
	}
	return found
}

func (r *submitRun) isAsSent(b *sentBulk, reference string) bool {
	return r.hashItem(reference) == b.Hashes[slices.Index(b.References, reference)]
}

func (r *submitRun) hold(reference, field, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = append(r.held, HeldCandidate{reference, field, reason})
	r.isNotSent[reference] = true
}

func (r *submitRun) isHeld(reference string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.isNotSent[reference]
}
