package reset

import (
	"context"
	"path"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// itemID is the key of an item.
type itemID struct {
	PK string `dynamo:"pk"`
	SK string `dynamo:"sk"`
}

// deleteRecords deletes the tenant's batches, uploads and Idempotency-Keys. It reads the whole table,
// since the items of a claim and of an upload are in no list; on this machine there are few.
func (r *run) deleteRecords(ctx context.Context) error {
	table := r.opener.Table(topology.Submissions)
	var all []itemID
	if err := table.Scan().Consistent(true).Project(topology.PK, topology.SK).All(ctx, &all); err != nil {
		return err
	}
	batches := map[string]bool{}
	for _, item := range all {
		if values, ok := itemkey.BatchRow.Parse(item.PK, item.SK); ok && values[0] == string(r.tenant) {
			batches[values[1]] = true
		}
	}
	r.removed.Batches = len(batches)
	var keys []dynamo.Keyed
	for _, item := range all {
		ours := r.isRecord(item, batches)
		if values, ok := itemkey.UploadedContent.Parse(item.PK, item.SK); ok && ours {
			if err := r.resumes.Delete(ctx, path.Join("uploads", string(r.tenant), values[1])); err != nil {
				return err
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
		&itemkey.Claim: &r.removed.Claims, &itemkey.Upload: &r.removed.Uploads, &itemkey.UploadedContent: nil, &itemkey.BatchRow: nil,
	} {
		values, ok := kind.Parse(item.PK, item.SK)
		if !ok || values[0] != string(r.tenant) {
			continue
		}
		if count != nil {
			*count++
		}
		return true
	}
	return false
}

// deleteExclusions deletes the identities that lead to no membership: people who were taken off
// the market before they were submitted.
func (r *run) deleteExclusions(ctx context.Context) error {
	table := r.opener.Table(topology.Network)
	var all []itemID
	if err := table.Scan().Consistent(true).Project(topology.PK, topology.SK).All(ctx, &all); err != nil {
		return err
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
