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

// events are what may have become of a claim before its worker speaks up: each
// answers the time of the next event.
var events = map[string]func(d *desk, c submission.Claim, hint string) time.Time{
	"it failed": func(d *desk, c submission.Claim, _ string) time.Time {
		must(d.t, d.Fail(context.Background(), c, contract.ResumeParseFailed, "unreadable", start))
		return start
	},
	"it succeeded": func(d *desk, c submission.Claim, _ string) time.Time {
		must(d.t, d.succeed(c, start))
		return start
	},
	"it was given back": func(d *desk, c submission.Claim, _ string) time.Time {
		must(d.t, d.Requeue(context.Background(), c, start, time.Minute))
		return start
	},
	"the sweeper queued it again": func(d *desk, _ submission.Claim, _ string) time.Time {
		d.sweep(start.Add(lease))
		return start.Add(lease)
	},
	"another worker took over": func(d *desk, _ submission.Claim, hint string) time.Time {
		d.claim(hint, start.Add(lease))
		return start.Add(lease)
	},
	"another worker took over and failed": func(d *desk, _ submission.Claim, hint string) time.Time {
		other := d.claim(hint, start.Add(lease))
		must(d.t, d.Fail(context.Background(), other, contract.LinkedInNoExperience, "no experience", start.Add(lease)))
		return start.Add(lease)
	},
	"another worker gave it back": func(d *desk, _ submission.Claim, hint string) time.Time {
		other := d.claim(hint, start.Add(lease))
		must(d.t, d.Requeue(context.Background(), other, start.Add(lease), time.Minute))
		return start.Add(lease)
	},
	"it reads as timed out": func(d *desk, c submission.Claim, _ string) time.Time { return c.Deadline },
	"it was timed out": func(d *desk, c submission.Claim, _ string) time.Time {
		d.sweep(c.Deadline)
		return c.Deadline
	},
	"it was timed out and submitted again": func(d *desk, c submission.Claim, _ string) time.Time {
		d.sweep(c.Deadline)
		d.one("ada", c.Deadline)
		return c.Deadline
	},
	"it gave way to another submission that runs": func(d *desk, c submission.Claim, _ string) time.Time {
		_, hint := d.one("ada", c.Deadline)
		d.claim(hint, c.Deadline)
		return c.Deadline
	},
}

func TestALateWorkerLoses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	late := map[string]func(d *desk, c submission.Claim, at time.Time) error{
		"fails": func(d *desk, c submission.Claim, at time.Time) error {
			return d.Fail(ctx, c, contract.RecruiterNotFound, "late", at)
		},
		"is exhausted": func(d *desk, c submission.Claim, at time.Time) error { return d.FailExhausted(ctx, c, at) },
		"gives back":   func(d *desk, c submission.Claim, at time.Time) error { return d.Requeue(ctx, c, at, time.Hour) },
		"succeeds": func(d *desk, c submission.Claim, at time.Time) error {
			if err := d.succeed(c, at); !dynamo.IsCondCheckFailed(err) {
				d.t.Errorf("got %v, want a failed condition", err)
			}
			return nil
		},
		"was never queued": func(d *desk, c submission.Claim, at time.Time) error {
			if ended, err := d.FailEnqueue(ctx, c.Submission, at); ended || err != nil {
				d.t.Errorf("got %v, %v; want nothing ended", ended, err)
			}
			return nil
		},
	}
	for before, event := range events {
		for name, speak := range late {
			t.Run(before+", then a worker "+name, func(t *testing.T) {
				t.Parallel()
				d := open(t)
				s, hint := d.one("ada", start)
				c := d.claim(hint, start)
				at := event(d, c, hint)
				row, live := d.item(s, at), d.live(hint)
				must(t, speak(d, c, at))
				if diff := cmp.Diff(row, d.item(s, at)); diff != "" {
					t.Errorf("the row changed (-before +after):\n%s", diff)
				}
				if diff := cmp.Diff(live, d.live(hint)); diff != "" {
					t.Errorf("the live item changed (-before +after):\n%s", diff)
				}
			})
		}
	}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// exists tells whether an item of the test's own is there.
func (d *desk) exists(key string) bool {
	n, err := d.table.Get(topology.PK, key).Consistent(true).Count(context.Background())
	must(d.t, err)
	return n > 0
}
