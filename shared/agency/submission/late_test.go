package submission_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// events are what may have become of a claim before its worker reports: each
// answers the time of the next event.
var events = map[string]func(d *testStore, c submission.Claim, wakeUp string) time.Time{
	"it failed": func(d *testStore, c submission.Claim, _ string) time.Time {
		must(d.t, d.Fail(context.Background(), c, contract.ResumeParseFailed, "unreadable", start))
		return start
	},
	"it succeeded": func(d *testStore, c submission.Claim, _ string) time.Time {
		must(d.t, d.succeedAt(c, start))
		return start
	},
	"it was given back": func(d *testStore, c submission.Claim, _ string) time.Time {
		must(d.t, d.Requeue(context.Background(), c, start, time.Minute))
		return start
	},
	"it was parked": func(d *testStore, c submission.Claim, _ string) time.Time {
		must(d.t, d.Park(context.Background(), c, start, start.Add(time.Minute)))
		return start
	},
	"the sweeper queued it again": func(d *testStore, _ submission.Claim, _ string) time.Time {
		d.sweepAt(start.Add(lease))
		return start.Add(lease)
	},
	"another worker took over": func(d *testStore, _ submission.Claim, wakeUp string) time.Time {
		d.mustClaim(wakeUp, start.Add(lease))
		return start.Add(lease)
	},
	"another worker took over and failed": func(d *testStore, _ submission.Claim, wakeUp string) time.Time {
		other := d.mustClaim(wakeUp, start.Add(lease))
		must(d.t, d.Fail(context.Background(), other, contract.LinkedInNoExperience, "no experience", start.Add(lease)))
		return start.Add(lease)
	},
	"another worker gave it back": func(d *testStore, _ submission.Claim, wakeUp string) time.Time {
		other := d.mustClaim(wakeUp, start.Add(lease))
		must(d.t, d.Requeue(context.Background(), other, start.Add(lease), time.Minute))
		return start.Add(lease)
	},
	"it reads as timed out": func(d *testStore, c submission.Claim, _ string) time.Time { return c.Deadline },
	"it was timed out": func(d *testStore, c submission.Claim, _ string) time.Time {
		d.sweepAt(c.Deadline)
		return c.Deadline
	},
	"it was timed out and submitted again": func(d *testStore, c submission.Claim, _ string) time.Time {
		d.sweepAt(c.Deadline)
		d.acceptOne("ada", c.Deadline)
		return c.Deadline
	},
	"it gave way to another submission that runs": func(d *testStore, c submission.Claim, _ string) time.Time {
		_, wakeUp := d.acceptOne("ada", c.Deadline)
		d.mustClaim(wakeUp, c.Deadline)
		return c.Deadline
	},
}

func TestALateWorkerLoses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	late := map[string]func(d *testStore, c submission.Claim, at time.Time) error{
		"fails": func(d *testStore, c submission.Claim, at time.Time) error {
			return d.Fail(ctx, c, contract.RecruiterNotFound, "late", at)
		},
		"is exhausted": func(d *testStore, c submission.Claim, at time.Time) error { return d.exhaust(ctx, c, at) },
		"gives back":   func(d *testStore, c submission.Claim, at time.Time) error { return d.Requeue(ctx, c, at, time.Hour) },
		"parks": func(d *testStore, c submission.Claim, at time.Time) error {
			return d.Park(ctx, c, at, at.Add(time.Hour))
		},
		"succeeds": func(d *testStore, c submission.Claim, at time.Time) error {
			if err := d.succeedAt(c, at); !dynamo.IsCondCheckFailed(err) {
				d.t.Errorf("got %v, want a failed condition", err)
			}
			return nil
		},
		"was never queued": func(d *testStore, c submission.Claim, at time.Time) error {
			if ended, err := d.FailEnqueue(ctx, c.Submission, at); ended || err != nil {
				d.t.Errorf("got %v, %v; want nothing ended", ended, err)
			}
			return nil
		},
	}
	for before, event := range events {
		for name, report := range late {
			t.Run(before+", then a worker "+name, func(t *testing.T) {
				t.Parallel()
				d := newTestStore(t)
				s, wakeUp := d.acceptOne("ada", start)
				c := d.mustClaim(wakeUp, start)
				at := event(d, c, wakeUp)
				row := d.readItem(s, at)
				live := d.inFlightAttributes(wakeUp)
				must(t, report(d, c, at))
				if diff := cmp.Diff(row, d.readItem(s, at)); diff != "" {
					t.Errorf("the row changed (-before +after):\n%s", diff)
				}
				if diff := cmp.Diff(live, d.inFlightAttributes(wakeUp)); diff != "" {
					t.Errorf("the in-flight item changed (-before +after):\n%s", diff)
				}
			})
		}
	}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// fileExists reports whether an item of the test's own is there.
func (d *testStore) fileExists(key string) bool {
	n, err := d.table.Get(topology.PK, key).Consistent(true).Count(context.Background())
	must(d.t, err)
	return n > 0
}
