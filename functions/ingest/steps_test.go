package ingest_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/ingest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

const words = "Ada Example\nSenior carpenter at Example Works in Berlin since 2019\n"

// acceptPerson accepts a submission of a person, whose resume has some words, under the key uploads/agy_1/<file>.
func (w *worker) acceptPerson(slug, mailbox, file string) (batch uuid.UUID, wakeUp string) {
	w.t.Helper()
	key := "uploads/agy_1/" + file
	w.must(w.resumes.Put(w.t.Context(), key, "text/plain", []byte(words)))
	batch, wakeUps := w.accept(submission.Submission{
		Name: "Ada Example", Email: mailbox + "@example.com", LinkedInURL: "https://www.linkedin.com/in/" + slug, ResumeKey: key,
		ScreeningCallLink: "https://example.com/call",
	})
	return batch, wakeUps[0]
}

// setMember changes the owner of the submissions, once.
func (w *worker) setMember(change func(*account.Member)) {
	w.t.Helper()
	member := account.Member{ID: "rec_1", Name: "Olga Owner", Email: "olga@example.com", Owner: true, Approved: true}
	change(&member)
	w.must(account.Open(w.host.Opener()).ApplyMember(w.t.Context(), "agy_1", member.ID, 2, &member))
}

func (w *worker) erasePerson(mailbox string, at time.Time) {
	w.t.Helper()
	w.must(entity.Open(w.host.Opener()).MarkErased(w.t.Context(), identity.Hash(mailbox+"@example.com"), at))
}

// fileExists reports whether the bucket has a file.
func (w *worker) fileExists(key string) bool {
	w.t.Helper()
	content, err := w.resumes.Get(w.t.Context(), key, 1<<20)
	return err == nil && string(content) == words
}

// membership returns the membership that an item has led to.
func (w *worker) membership(item contract.BatchItem) network.Membership {
	w.t.Helper()
	m, found, err := network.Open(w.host.Opener()).Membership(w.t.Context(), item.CandidateUserID)
	if w.must(err); !found {
		w.t.Fatalf("%+v: there is no membership", item)
	}
	return m
}

// changes are what happens to a submission after its acceptance, and with which code it ends; "" for success.
var changes = map[string]struct {
	slug   string
	change func(w *worker)
	code   contract.SubmissionError
}{
	"nothing":                      {"ada", func(*worker) {}, ""},
	"no profile":                   {profile.SlugNotFound, func(*worker) {}, contract.LinkedInProfileNotFound},
	"no experience":                {profile.SlugNoExperience, func(*worker) {}, contract.LinkedInNoExperience},
	"the provider is down":         {profile.SlugUnavailable, func(*worker) {}, contract.VerificationUnavailable},
	"the owner is deactivated":     {"ada", func(w *worker) { w.setMember(func(m *account.Member) { m.Deactivated = true }) }, contract.RecruiterDeactivated},
	"the owner is removed":         {"ada", func(w *worker) { w.setMember(func(m *account.Member) { m.Approved = false }) }, contract.RecruiterNotFound},
	"the person is erased":         {"ada", func(w *worker) { w.erasePerson("ada", w.now) }, contract.InvalidResumeReference},
	"the person was erased before": {"ada", func(w *worker) { w.erasePerson("ada", w.now.Add(-time.Millisecond)) }, ""},
	"another person is erased":     {"ada", func(w *worker) { w.erasePerson("bob", w.now) }, ""},
}

// TestHowSubmissionsEnd fails unless each submission ends with its code, whether the change comes before the attempt or at the moment of its
// end, and no file is left that nothing leads to.
func TestHowSubmissionsEnd(t *testing.T) {
	t.Parallel()
	for name, test := range changes {
		for _, isLate := range []bool{false, true} {
			t.Run(name+map[bool]string{false: ", before", true: ", at the end"}[isLate], func(t *testing.T) {
				t.Parallel()
				w := newWorker(t)
				batch, wakeUp := w.acceptPerson(test.slug, "ada", "1")
				if isLate {
					w.beforeWrite(2, func() { test.change(w) })
				} else {
					test.change(w)
				}
				w.deliver(wakeUp)
				item := w.readItems(batch)[0]
				copied := copyKey(batch, "1")
				if item.ErrorCode != test.code || (item.Status == contract.Succeeded) != (test.code == "") || (item.ErrorMessage == "") != (test.code == "") {
					t.Fatalf("got %+v, want the code %q", item, test.code)
				}
				if w.fileExists("uploads/agy_1/1") || w.fileExists(copied) != (test.code == "") {
					t.Errorf("the file that was sent is there: %t, and its copy: %t", w.fileExists("uploads/agy_1/1"), w.fileExists(copied))
				}
				if test.code == "" {
					w.wantMembership(item, copied)
				}
			})
		}
	}
}

// copyKey returns the key of the copy that a membership has of the file of a batch's only submission.
func copyKey(batch uuid.UUID, file string) string { return "resumes/" + batch.String() + ".0/" + file }

// beforeWrite does something once, before the n-th transaction of the function: the first one is the claim, the second one the end.
func (w *worker) beforeWrite(n int64, do func()) {
	w.t.Helper()
	var count atomic.Int64
	host := w.host
	host.AWS = cloud.WithHook(host.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "TransactWriteItems" && count.Add(1) == n {
			do()
		}
		return send()
	})
	var err error
	w.service, err = ingest.New(w.t.Context(), host)
	w.must(err)
}

func (w *worker) wantMembership(item contract.BatchItem, resumeKey string) {
	w.t.Helper()
	m := w.membership(item)
	p := profile.Invent("ada")
	if m.OwnerID != "rec_1" || m.Title != p.Title || m.Company != p.Company || m.Location != p.Location || m.Tenant != testTenant {
		w.t.Errorf("got %+v, want the facts of %+v", m, p)
	}
	if m.ResumeKey != resumeKey || m.ScreeningCallLink != "https://example.com/call" || !m.SubmittedAt.Equal(w.now) || !m.Resume.ReadAt.Equal(w.now) {
		w.t.Errorf("got %+v, want what was submitted", m)
	}
	if !m.Market.ExpiresAt.Equal(w.now.Add(90*24*time.Hour)) || m.Preferences == nil || *m.Preferences.SalaryMin != 100_000 {
		w.t.Errorf("got %+v, %+v", m.Market, m.Preferences)
	}
}

// TestTheNewestFileIsKept fails unless the membership has the file of the newest submission, in whatever order they are ingested, and no
// other file is left.
func TestTheNewestFileIsKept(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]int{"in order": {0, 1}, "the newer one first": {1, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorker(t)
			var wakeUps [2]string
			var batches [2]uuid.UUID
			for i, mailbox := range []string{"ada", "ada.b"} {
				batches[i], wakeUps[i] = w.acceptPerson("ada", mailbox, mailbox)
				w.now = w.now.Add(time.Second)
			}
			for _, i := range order {
				w.deliver(wakeUps[i])
			}
			older := w.readItems(batches[0])[0]
			newer := w.readItems(batches[1])[0]
			if older.CandidateUserID != newer.CandidateUserID || newer.CandidateUserID == "" {
				t.Fatalf("got %+v and %+v, want one membership", older, newer)
			}
			kept := copyKey(batches[1], "ada.b")
			if got := w.membership(newer).ResumeKey; got != kept {
				t.Errorf("the membership has %s, want %s", got, kept)
			}
			for key, want := range map[string]bool{
				kept: true, copyKey(batches[0], "ada"): false, "uploads/agy_1/ada": false, "uploads/agy_1/ada.b": false,
			} {
				if w.fileExists(key) != want {
					t.Errorf("%s is there: %t, want %t", key, !want, want)
				}
			}
		})
	}
}

// TestAPlaceThatIsTakenMeanwhile fails unless a submission goes to the membership that another one has made since its place was found.
func TestAPlaceThatIsTakenMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	other := w.service
	first, wakeUp := w.acceptPerson("ada", "ada", "1")
	second, otherWakeUp := w.acceptPerson("ada", "ada.b", "2")
	w.beforeWrite(2, func() {
		_, err := other.Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m2", Body: otherWakeUp}}})
		w.must(err)
	})
	w.deliver(wakeUp)
	a := w.readItems(first)[0]
	b := w.readItems(second)[0]
	if a.Status != contract.Succeeded || a.CandidateUserID != b.CandidateUserID || a.CandidateUserID == "" {
		t.Errorf("got %+v and %+v, want one membership", a, b)
	}
}
