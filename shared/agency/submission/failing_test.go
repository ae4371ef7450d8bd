package submission_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// operations are the operations of a store, each on a submission of an upload that is queued, with the wake-up message that names it.
var operations = map[string]func(ctx context.Context, d *testStore, s submission.Submission, wakeUp string) error{
	"accept new ones": func(ctx context.Context, d *testStore, _ submission.Submission, _ string) error {
		return d.acceptRepeated(ctx, "new", start)
	},
	"accept duplicates": func(ctx context.Context, d *testStore, _ submission.Submission, _ string) error {
		return d.acceptRepeated(ctx, "ada", start)
	},
	"replace": func(ctx context.Context, d *testStore, s submission.Submission, _ string) error {
		return d.acceptRepeated(ctx, "ada", s.Deadline)
	},
	"claim": func(ctx context.Context, d *testStore, _ submission.Submission, wakeUp string) error {
		_, err := d.Claim(ctx, wakeUp, "n", start, lease)
		return err
	},
	"refuse": func(ctx context.Context, d *testStore, s submission.Submission, _ string) error {
		again := s
		again.Index = 2
		again.ID = submission.NewID(s.BatchID, 2)
		outcomes := []submission.Outcome{{Status: contract.Queued}, {Status: contract.Deduplicated}}
		return d.EndRefused(ctx, []submission.Submission{s, again}, outcomes, []int{0})
	},
	"read a batch": func(ctx context.Context, d *testStore, s submission.Submission, _ string) error {
		_, _, err := d.ReadBatch(ctx, agency, s.BatchID, start)
		return err
	},
	"list batches": func(ctx context.Context, d *testStore, _ submission.Submission, _ string) error {
		_, _, err := d.ListBatches(ctx, agency, "", 10, start)
		return err
	},
	"sweep": func(_ context.Context, d *testStore, s submission.Submission, _ string) error {
		_, _, err := sweepWakeUps(d.Store, start.Add(settings.Resend))
		return err
	},
	"time out": func(_ context.Context, d *testStore, s submission.Submission, _ string) error {
		_, _, err := sweepWakeUps(d.Store, s.Deadline)
		return err
	},
	"erase": func(ctx context.Context, d *testStore, s submission.Submission, _ string) error {
		_, err := d.Erase(ctx, erasureOf(s))
		return err
	},
	"find an upload": func(ctx context.Context, d *testStore, s submission.Submission, _ string) error {
		_, _, err := d.FindUpload(ctx, newUpload(start))
		return err
	},
	"commit an upload": func(ctx context.Context, d *testStore, s submission.Submission, _ string) error {
		u := newUpload(start.Add(submission.UploadLife))
		u.ExpiresAt = start.Add(2 * submission.UploadLife).UnixMilli()
		_, err := d.CommitUpload(ctx, u)
		return err
	},
	"find uploads": func(ctx context.Context, d *testStore, s submission.Submission, _ string) error {
		_, err := d.FindUploads(ctx, agency, []uuid.UUID{s.UploadID})
		return err
	},
	"read an upload's state": func(ctx context.Context, d *testStore, s submission.Submission, _ string) error {
		_, _, err := d.UploadState(ctx, s)
		return err
	},
	"mark an upload": func(ctx context.Context, d *testStore, s submission.Submission, _ string) error {
		return d.MarkUnreadable(ctx, s, "unreadable", start)
	},
}

// claimOperations are the operations on a claim of that submission.
var claimOperations = map[string]func(ctx context.Context, d *testStore, c submission.Claim) error{
	"give back": func(ctx context.Context, d *testStore, c submission.Claim) error {
		return d.Requeue(ctx, c, start, time.Minute)
	},
	"park": func(ctx context.Context, d *testStore, c submission.Claim) error {
		return d.Park(ctx, c, start, start.Add(time.Minute))
	},
	"fail": func(ctx context.Context, d *testStore, c submission.Claim) error {
		return d.Fail(ctx, c, contract.ResumeParseFailed, "unreadable", start)
	},
	"ask whether it holds": func(ctx context.Context, d *testStore, c submission.Claim) error {
		_, err := d.Held(ctx, c)
		return err
	},
	"erase an ended one": func(ctx context.Context, d *testStore, c submission.Claim) error {
		if err := d.exhaust(ctx, c, start); err != nil {
			return err
		}
		return d.EraseEnded(ctx, identity.Hash(c.Email), erasureOf(c.Submission))
	},
}

// TestFailedCallsAreErrors fails if an operation reports success although one of its calls failed.
func TestFailedCallsAreErrors(t *testing.T) {
	t.Parallel()
	all := map[string]func(ctx context.Context, d *testStore, s submission.Submission, wakeUp string, failing *atomic.Int64) error{}
	for name, do := range operations {
		all[name] = func(ctx context.Context, d *testStore, s submission.Submission, wakeUp string, failing *atomic.Int64) error {
			failing.Store(-failing.Load())
			return do(ctx, d, s, wakeUp)
		}
	}
	for name, do := range claimOperations {
		all[name] = func(ctx context.Context, d *testStore, _ submission.Submission, wakeUp string, failing *atomic.Int64) error {
			c := d.mustClaim(wakeUp, start)
			failing.Store(-failing.Load())
			return do(ctx, d, c)
		}
	}
	for name, do := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := int64(1); ; n++ {
				var failing atomic.Int64
				d := newTestStore(t, failCall(&failing))
				s, wakeUp := d.acceptUploaded("ada")
				failing.Store(-n)
				err := do(t.Context(), d, s, wakeUp, &failing)
				if failing.Load() > 0 { // it made fewer calls
					must(t, err)
					return
				}
				if !errors.Is(err, errCut) {
					t.Errorf("call %d: got %v, want %v", n, err, errCut)
				}
			}
		})
	}
}

// failCall fails one call: while left is n, above 0, the n-th from now on.
func failCall(left *atomic.Int64) cloud.Hook {
	return func(_ context.Context, _ cloud.Call, send func() error) error {
		for n := left.Load(); n > 0; n = left.Load() {
			if left.CompareAndSwap(n, n-1) {
				if n == 1 {
					return errCut
				}
				break
			}
		}
		return send()
	}
}

// acceptRepeated accepts a batch of two different candidates and of the first one again, with another address.
func (d *testStore) acceptRepeated(ctx context.Context, who string, at time.Time) error {
	b, subs := d.newBatch(3, who, at)
	subs[2].LinkedInURL = subs[0].LinkedInURL
	_, err := d.Accept(ctx, b, subs)
	return err
}

func newUpload(at time.Time) submission.Upload {
	return submission.Upload{
		ID: uuid.Must(uuid.NewV7()), Tenant: agency, ContentType: "application/pdf", Size: 1000, SHA256: strings.Repeat("ab", 32),
		CreatedAt: at.UnixMilli(), SentAt: at.UnixMilli(),
	}
}

func erasureOf(s submission.Submission) submission.Erasure {
	return submission.Erasure{
		Of: func(other submission.Submission) bool { return other.Email == s.Email }, At: start, Now: start,
		Drop:   func(context.Context, string) error { return nil },
		Forget: func(context.Context, submission.Submission) error { return nil },
	}
}

// acceptUploaded accepts a candidate, the first and the last of a batch of three, whose resume was uploaded before.
func (d *testStore) acceptUploaded(who string) (submission.Submission, string) {
	d.t.Helper()
	u := newUpload(start)
	u.ExpiresAt = start.Add(submission.UploadLife).UnixMilli()
	_, err := d.CommitUpload(d.t.Context(), u)
	must(d.t, err)
	b, subs := d.newBatch(3, who, start)
	subs[2].LinkedInURL = subs[0].LinkedInURL
	subs[0].UploadID = u.ID
	subs[0].ResumeKey = u.Key()
	return subs[0], d.mustAccept(b, subs)[0].WakeUp.Body
}
