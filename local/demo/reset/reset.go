// Package reset brings the demo agency in one environment of its keys back to where it began.
//
// It removes memberships, and ends submissions that are in flight, by the code with which the product
// erases people, so rows, identities, files and the change feed agree at any time: a reader of the feed
// sees each removal. Only records of submissions are left then, which expire by themselves in a
// deployment: batches, uploads and Idempotency-Keys. They are deleted by their keys.
//
// Keys, members and what belongs to recruiters stay, and so does the change feed, so that a reader's
// cursor stays valid.
package reset

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Removed counts what was removed.
type Removed struct {
	Memberships int `json:"memberships"`
	InFlight    int `json:"inFlight"`
	Batches     int `json:"batches"`
	Uploads     int `json:"uploads"`
	Claims      int `json:"idempotencyKeys"`
	Exclusions  int `json:"exclusions"`
}

type run struct {
	host        cloud.Host
	tenant      tenant.ID
	network     *network.Store
	submissions *submission.Store
	resumes     objectstore.Bucket
	opener      *cloud.Opener
	erasure     submission.Erasure
	removed     Removed
}

// Agency resets an agency in an environment: the demo's, of which it loads the candidates. It waits
// for workers that hold a submission, at most half a minute.
func Agency(ctx context.Context, host cloud.Host, agencyID, environment string) (Removed, error) {
	o := host.Opener()
	r := &run{
		host: host, tenant: tenant.Of(agencyID, environment), network: network.Open(o), submissions: submission.Open(o),
		resumes: objectstore.Open(o, topology.Resumes), opener: o,
	}
	if err := o.Err(); err != nil {
		return Removed{}, err
	}
	r.erasure = submission.Erasure{
		Of: func(sub submission.Submission) bool { return sub.Tenant() == r.tenant },
		At: host.Now(), Drop: r.resumes.Delete,
		Forget: func(context.Context, submission.Submission) error { return nil },
	}
	for _, step := range []func(context.Context) error{r.endSubmissions, r.removeMembers, r.deleteRecords, r.deleteExclusions} {
		if err := step(ctx); err != nil {
			return r.removed, err
		}
	}
	return r.removed, demo.LoadPeople(ctx, r.network, o.Write, environment, host.Now())
}

// patience is how long a worker that holds a submission is waited for: longer than one works.
const patience = 30 * time.Second

// endSubmissions ends what is in flight. A submission that a worker holds ends by itself.
func (r *run) endSubmissions(ctx context.Context) error {
	for until := r.host.Now().Add(patience); ; {
		r.erasure.Now = r.host.Now()
		ended, err := r.submissions.Erase(ctx, r.erasure)
		r.removed.InFlight += ended
		if !errors.Is(err, submission.ErrHeld) || r.host.Now().After(until) {
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *run) removeMembers(ctx context.Context) error {
	for after := ""; ; {
		part := network.Page{After: after, Limit: 100, Now: r.host.Now()}
		page, next, err := r.network.List(ctx, r.tenant, network.Filter{}, part, demo.EveryOwner)
		if err != nil {
			return fmt.Errorf("list the memberships: %w", err)
		}
		for _, row := range page {
			removed, _, err := r.network.EraseMembership(ctx, row.ID, r.erasure.At, r.forgetFiles)
			r.removed.Memberships += removed
			if err != nil {
				return err
			}
		}
		after = next
		if next == "" {
			return nil
		}
	}
}

func (r *run) forgetFiles(ctx context.Context, m network.Membership) error {
	if m.ResumeKey == "" {
		return nil
	}
	return errors.Join(r.submissions.EraseSource(ctx, m.Tenant, m.ResumeKey, r.erasure), r.resumes.Delete(ctx, m.ResumeKey))
}

type itemID struct {
	PK string `dynamo:"pk"`
	SK string `dynamo:"sk"`
}

// deleteRecords reads the whole table, since the items of a claim and of an upload are in no list. Here it is small.
func (r *run) deleteRecords(ctx context.Context) error {
	table := r.opener.Table(topology.Submissions)
	var all []itemID
	if err := table.Scan().Consistent(true).Project(topology.PK, topology.SK).All(ctx, &all); err != nil {
		return fmt.Errorf("read the keys of the table: %w", err)
	}
	batches := map[string]bool{}
	for _, item := range all {
		if values, ok := itemkey.BatchRow.Parse(item.PK, item.SK); ok && values[0] == string(r.tenant) {
			batches[values[1]] = true
		}
	}
	var keys []dynamo.Keyed
	for _, item := range all {
		ours := r.isRecord(item, batches)
		if values, ok := itemkey.UploadedContent.Parse(item.PK, item.SK); ok && ours {
			if err := r.resumes.Delete(ctx, path.Join("uploads", string(r.tenant), values[1])); err != nil {
				return fmt.Errorf("delete an uploaded file: %w", err)
			}
		}
		if ours {
			keys = append(keys, dynamo.Keys{item.PK, item.SK})
		}
	}
	return deleteItems(ctx, table, keys)
}

// isRecord reports whether an item is a record of the tenant, and counts it.
func (r *run) isRecord(item itemID, batches map[string]bool) bool {
	for _, kind := range []itemkey.Kind{itemkey.Batch, itemkey.BatchPart, itemkey.BatchItem} {
		if values, ok := kind.Parse(item.PK, item.SK); ok && batches[values[0]] {
			return true
		}
	}
	if values, ok := itemkey.PersonSubmission.Parse(item.PK, item.SK); ok {
		return values[1] == string(r.tenant)
	}
	for kind, count := range map[*itemkey.Kind]*int{
		&itemkey.Claim: &r.removed.Claims, &itemkey.Upload: &r.removed.Uploads, &itemkey.BatchRow: &r.removed.Batches,
		&itemkey.UploadedContent: new(int), // its upload is counted
	} {
		if values, ok := kind.Parse(item.PK, item.SK); ok && values[0] == string(r.tenant) {
			*count++
			return true
		}
	}
	return false
}

// deleteExclusions deletes the identities of people who were taken off the market before they were submitted.
func (r *run) deleteExclusions(ctx context.Context) error {
	table := r.opener.Table(topology.Network)
	var all []itemID
	if err := table.Scan().Consistent(true).Project(topology.PK, topology.SK).All(ctx, &all); err != nil {
		return fmt.Errorf("read the exclusions: %w", err)
	}
	var keys []dynamo.Keyed
	for _, item := range all {
		for _, kind := range []itemkey.Kind{itemkey.LinkedInIdentity, itemkey.EmailIdentity} {
			if values, ok := kind.Parse(item.PK, item.SK); ok && values[0] == string(r.tenant) {
				keys = append(keys, dynamo.Keys{item.PK, item.SK})
			}
		}
	}
	r.removed.Exclusions = len(keys)
	return deleteItems(ctx, table, keys)
}

func deleteItems(ctx context.Context, table dynamo.Table, keys []dynamo.Keyed) error {
	if len(keys) == 0 {
		return nil
	}
	_, err := table.Batch(topology.PK, topology.SK).Write().Delete(keys...).Run(ctx)
	return err
}
