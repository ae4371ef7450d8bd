package ingest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

var accepted = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// serviceAt returns a service without stores whose clock shows a time after the acceptance.
func serviceAt(after time.Duration) *Service {
	return &Service{
		host:       cloud.Host{Now: func() time.Time { return accepted.Add(after) }},
		leaseGrace: 30 * time.Second, retryDelay: time.Minute,
	}
}

// newClaim returns a claim of a submission that times out so long after its acceptance.
func newClaim(timeout time.Duration) submission.Claim {
	return submission.Claim{Attempt: 1, Submission: submission.Submission{SubmittedAt: accepted, Deadline: accepted.Add(timeout)}}
}

// TestTimeOfAnAttempt fails unless work ends a minute before the item's deadline, or a tenth of a short time-out before it.
func TestTimeOfAnAttempt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ timeout, after, want time.Duration }{
		{4 * time.Hour, 0, 4*time.Hour - time.Minute},
		{4 * time.Hour, time.Hour, 3*time.Hour - time.Minute},
		{10 * time.Minute, 0, 9 * time.Minute},
		{5 * time.Minute, time.Minute, 3*time.Minute + 30*time.Second},
		{5 * time.Minute, 5 * time.Minute, -30 * time.Second},
	} {
		s := serviceAt(test.after)
		claim := newClaim(test.timeout)
		if got := s.workBudget(t.Context(), claim); got != test.want {
			t.Errorf("%v after the acceptance, of %v: got %v, want %v", test.after, test.timeout, got, test.want)
		}
	}
}

// TestTimeOfAnInvocation fails unless work ends three seconds before the function is stopped, and a lease 30 seconds after that.
func TestTimeOfAnInvocation(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	stop, _ := ctx.Deadline()
	s := serviceAt(0)
	claim := newClaim(4 * time.Hour)
	most := time.Until(stop)
	budget := s.workBudget(ctx, claim)
	lease := s.leaseTime(ctx)
	least := time.Until(stop)
	if left := budget + 3*time.Second; left > most || left < least {
		t.Errorf("got %v for the work, want 3 s less than %v to %v", budget, least, most)
	}
	if left := lease - 30*time.Second; left > most || left < least {
		t.Errorf("got a lease of %v, want 30 s more than %v to %v", lease, least, most)
	}
	if got, want := s.leaseTime(t.Context()), topology.Ingest.Timeout+30*time.Second; got != want {
		t.Errorf("without an end: got a lease of %v, want %v", got, want)
	}
}

// TestWaitsOfParkedItems fails unless the wait doubles up to ten minutes, is at least what the provider asks for up to an hour, is up to a
// half longer by the id, and ends five minutes before the last deadline, six time-outs after the submission, or a tenth of a shorter time
// before it.
func TestWaitsOfParkedItems(t *testing.T) {
	t.Parallel()
	const hours, minutes = time.Hour, time.Minute
	for _, test := range []struct {
		name                        string
		parks                       int
		id                          byte // each of the last two of the submission's id
		timeout, passed, retryAfter time.Duration
		want                        time.Duration // 0: it is too late
	}{
		{"the first", 0, 0, 4 * hours, 0, 0, minutes},
		{"the second", 1, 0, 4 * hours, 0, 0, 2 * minutes},
		{"the fourth", 3, 0, 4 * hours, 0, 0, 8 * minutes},
		{"the fifth", 4, 0, 4 * hours, 0, 0, 10 * minutes},
		{"the hundredth", 99, 0, 4 * hours, 0, 0, 10 * minutes},
		{"the greatest id", 0, 0xff, 4 * hours, 0, 0, minutes + 30*time.Second},
		{"a half of the greatest id", 0, 0x80, 4 * hours, 0, 0, minutes + 30*time.Second*0x8080/0xffff},
		{"the provider asks", 0, 0, 4 * hours, 0, 30 * minutes, 30 * minutes},
		{"the provider asks for less", 4, 0, 4 * hours, 0, minutes, 10 * minutes},
		{"the provider asks for a day", 0, 0, 4 * hours, 0, 24 * hours, hours},
		{"after the first time-out", 0, 0, 4 * hours, 5 * hours, 0, minutes},
		{"just in time", 0, 0, 4 * hours, 24*hours - 6*minutes - 1, 0, minutes},
		{"the last call", 0, 0, 4 * hours, 24*hours - 6*minutes, 0, minutes},
		{"after the wait it were too late", 0, 0, 4 * hours, 24*hours - 5*minutes - 1, 0, 1},
		{"too late", 0, 0, 4 * hours, 24*hours - 5*minutes, 0, 0},
		{"the last call of a short time-out", 0, 0, 5 * minutes, 27*minutes - 1, 0, 1},
		{"too late of a short time-out", 0, 0, 5 * minutes, 27 * minutes, 0, 0},
	} {
		claim := newClaim(test.timeout)
		claim.Parks = test.parks
		claim.ID = uuid.UUID{14: test.id, 15: test.id}
		s := serviceAt(test.passed)
		s.submissions = submission.NewStore(dynamo.Table{}, nil, submission.Settings{Timeout: test.timeout})
		until, ok := s.parkingEnd(claim, test.retryAfter)
		if got := until.Sub(accepted.Add(test.passed)); ok != (test.want > 0) || ok && got != test.want {
			t.Errorf("%s: got %v, %t, want %v", test.name, got, ok, test.want)
		}
	}
}

// TestFailuresOfTheProvider fails unless each of its errors has its code, and an outage parks an item of a live key.
func TestFailuresOfTheProvider(t *testing.T) {
	t.Parallel()
	errOther := errors.New("other")
	down := &profile.Unavailable{Reason: profile.Status, StatusCode: 503, Retryable: true, RetryAfter: 2 * time.Minute}
	refused := &profile.Unavailable{Reason: profile.Status, StatusCode: 401, Operator: true}
	for name, test := range map[string]struct {
		err                error
		code               contract.SubmissionError
		retry, alarm, park bool
	}{
		"no profile":    {profile.ErrNotFound, contract.LinkedInProfileNotFound, false, false, false},
		"no experience": {profile.ErrNoExperience, contract.LinkedInNoExperience, false, false, false},
		"down":          {down, contract.VerificationUnavailable, true, false, true},
		"refused":       {refused, contract.VerificationUnavailable, false, true, true},
	} {
		for _, environment := range []string{"live", "test"} {
			claim := newClaim(time.Hour)
			claim.Environment = environment
			var f *itemFailure
			if err := publishOutcome(claim, test.err); !errors.As(err, &f) {
				t.Errorf("%s: got %v, want a failure", name, err)
				continue
			}
			if f.code != test.code || f.message == "" || f.retry != test.retry || f.alarm != test.alarm || f.park != (test.park && environment == "live") {
				t.Errorf("%s, %s: got %+v", name, environment, f)
			}
			if f.Error() != string(test.code) {
				t.Errorf("%s: the log has %q", name, f)
			}
		}
	}
	if err := publishOutcome(newClaim(time.Hour), errOther); !errors.Is(err, errOther) {
		t.Errorf("another error: got %v", err)
	}
	if err := publishOutcome(newClaim(time.Hour), nil); err != nil {
		t.Errorf("no error: got %v", err)
	}
}

// TestCurrentJobs fails unless the current job is the profile's, or the resume's if the profile has none.
func TestCurrentJobs(t *testing.T) {
	t.Parallel()
	fields := resume.Fields{Title: "Carpenter", Company: "Example Works"}
	for _, test := range []struct {
		profile        profile.Profile
		title, company string
	}{
		{profile.Profile{Title: "Plumber", Company: "Example Pipes"}, "Plumber", "Example Pipes"},
		{profile.Profile{Title: "Plumber"}, "Plumber", ""},
		{profile.Profile{Company: "Example Pipes"}, "", "Example Pipes"},
		{profile.Profile{Location: "Berlin"}, "Carpenter", "Example Works"},
	} {
		got := newCandidate(newClaim(time.Hour), fields, test.profile, accepted)
		if got.Title != test.title || got.Company != test.company || got.Location != test.profile.Location {
			t.Errorf("%+v: got %q, %q, %q", test.profile, got.Title, got.Company, got.Location)
		}
	}
}

// TestKeptFacts fails unless the facts of a resume are kept with the confidence in them, and that in others is not.
func TestKeptFacts(t *testing.T) {
	t.Parallel()
	fields := resume.Fields{
		Skills: []string{"Go"}, Languages: []string{"English"}, Years: 2.5,
		Education:  []resume.Education{{School: "Example University", Degree: "MSc", Start: resume.Month{Year: 2012}, End: resume.Month{Year: 2013}}},
		Confidence: map[string]float64{"skills": 0.5, "education": 0.25, "name": 1},
	}
	want := network.Resume{
		ReadAt: accepted, Skills: []string{"Go"}, Languages: []string{"English"}, Years: 2.5,
		Education:  []network.Study{{School: "Example University", Degree: "MSc", From: 2012, To: 2013}},
		Confidence: map[string]float64{"skills": 0.5, "education": 0.25},
	}
	if diff := cmp.Diff(want, newCandidate(newClaim(time.Hour), fields, profile.Profile{}, accepted).Resume); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
