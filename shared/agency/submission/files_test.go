package submission_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Whoever ends an item removes its files; who has lost it leaves what was sent to
// the one who has it.
func TestFilesGoWithTheirItem(t *testing.T) {
	t.Parallel()
	const copied, sent = "resumes", "uploads"
	fail := func(d *testStore, c submission.Claim, at time.Time) {
		must(d.t, d.Fail(context.Background(), c, contract.ResumeParseFailed, "unreadable", at))
	}
	for name, tt := range map[string]struct {
		uploaded bool
		do       func(d *testStore, hint string)
		want     []string
	}{
		"a worker fails":                  {false, func(d *testStore, hint string) { fail(d, d.mustClaim(hint, start), start) }, []string{copied, sent}},
		"a worker fails with an upload":   {true, func(d *testStore, hint string) { fail(d, d.mustClaim(hint, start), start) }, []string{copied}},
		"the sweeper times it out":        {false, func(d *testStore, _ string) { d.sweepAt(start.Add(settings.Timeout)) }, []string{sent}},
		"the sweeper times an upload out": {true, func(d *testStore, _ string) { d.sweepAt(start.Add(settings.Timeout)) }, nil},
		"a worker died, the sweeper times it out": {false, func(d *testStore, hint string) {
			d.mustClaim(hint, start)
			d.sweepAt(start.Add(settings.Timeout))
		}, []string{copied, sent}},
		"the last attempt fails": {false, func(d *testStore, hint string) {
			must(d.t, d.FailExhausted(context.Background(), d.mustClaim(hint, start), start))
		}, []string{copied, sent}},
		"a late worker fails": {false, func(d *testStore, hint string) {
			late := d.mustClaim(hint, start)
			d.mustClaim(hint, start.Add(lease))
			fail(d, late, start.Add(lease))
		}, []string{copied}},
		"it is given back": {false, func(d *testStore, hint string) {
			must(d.t, d.Requeue(context.Background(), d.mustClaim(hint, start), start, time.Minute))
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			d := newTestStore(t)
			d.Discarding(func(_ context.Context, key string) error {
				folder, _, _ := strings.Cut(key, "/")
				got = append(got, folder)
				return nil
			})
			b, subs := d.newBatch(1, "ada", start)
			subs[0].ResumeKey = subs[0].UploadKey()
			if tt.uploaded {
				subs[0].UploadID = uuid.Must(uuid.NewV7())
			}
			tt.do(d, d.mustAccept(b, subs)[0].Hint)
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("files removed (-want +got):\n%s", diff)
			}
		})
	}
}
