package submission

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// UploadLife is how long an upload can be referred to.
const UploadLife = 30 * 24 * time.Hour

const (
	// renewal: the same bytes sent within the last day of an upload renew it, since
	// an id that is good for another minute is of no use to the caller.
	renewal = 24 * time.Hour
	// repeat: the same bytes sent again within it are one sending, of which the first
	// request's time stands, so that the others write nothing.
	repeat = time.Minute
	// uploadKept is how long the record outlives the upload. The file is there as
	// long, so work that was accepted in time finds both, and a record that is
	// missing at ingestion was erased.
	uploadKept = 10 * 24 * time.Hour
)

// Upload is a resume that an agency sent ahead of the submissions that use it.
type Upload struct {
	ID     uuid.UUID `dynamo:"id"`
	Tenant tenant.ID `dynamo:"agency"`
	// FileName is as sent; nil when it was not.
	FileName    *string `dynamo:"name,allowempty"`
	ContentType string  `dynamo:"type"`
	// Size is in bytes, SHA256 in hexadecimal.
	Size   int64  `dynamo:"size"`
	SHA256 string `dynamo:"sha256"`
	// CreatedAt is when it was first sent, SentAt when it was last: an erasure of before leaves
	// it. ExpiresAt ends its use. All are in milliseconds.
	CreatedAt int64 `dynamo:"created"`
	SentAt    int64 `dynamo:"sent"`
	ExpiresAt int64 `dynamo:"expires"`
}

// Key is where the file lies. It names the content, so the same bytes sent twice
// at once leave one file, not one that no record knows.
func (u Upload) Key() string { return "uploads/" + string(u.Tenant) + "/" + u.SHA256 }

// FindUpload returns the upload that u, which is sent now, leads to, and whether it is
// stored already: the tenant's unexpired upload of the same bytes that was sent a moment ago,
// or else what CommitUpload has to store once the file is in place. One consistent read.
func (s *Store) FindUpload(ctx context.Context, u Upload) (_ Upload, existing bool, err error) {
	defer fault.Wrap(&err, "submission.FindUpload(tenant, id)")

	now := time.UnixMilli(u.CreatedAt)
	u.SentAt = u.CreatedAt
	u.ExpiresAt = now.Add(UploadLife).UnixMilli()
	var item uploadItem
	_, err = cloud.GetItem(ctx, s.table, u.contentKey(), contentKind, &item)
	found := item.Upload // the zero Upload, which is not usable, if there is none
	if err != nil || !found.Usable(now) {
		return u, false, err
	}
	last := !found.Usable(now.Add(renewal))
	if !last && found.SentAt > now.Add(-repeat).UnixMilli() {
		return found, true, nil
	}
	if last {
		found.ExpiresAt = u.ExpiresAt
	}
	found.SentAt = u.SentAt
	return found, false, nil
}

// CommitUpload stores an upload once its file is in place, and returns it; or the one that
// another request stored for the same bytes concurrently.
func (s *Store) CommitUpload(ctx context.Context, u Upload) (_ Upload, err error) {
	defer fault.Wrap(&err, "submission.CommitUpload(tenant, id)")

	now := time.UnixMilli(u.SentAt)
	err = s.write().
		Put(s.table.Put(u.toItem(u.contentKey(), contentKind)).
			If("attribute_not_exists(pk) OR expires <= ? OR sent <= ?", now.Add(renewal).UnixMilli(), now.Add(-repeat).UnixMilli())).
		Put(s.table.Put(u.toItem(uploadKey(u.Tenant, u.ID), uploadKind))).
		IncludeAllItemsInCondCheckFail(true).Run(ctx)
	if err == nil {
		return u, nil
	}
	var existing []uploadItem
	if failed, decodeErr := dynamo.UnmarshalItemsFromTxCondCheckFailed(err, &existing); !failed || decodeErr != nil || len(existing) != 1 {
		return Upload{}, errors.Join(err, decodeErr)
	}
	return existing[0].Upload, nil
}

// Usable reports whether a submission at a time may name the upload.
func (u Upload) Usable(at time.Time) bool { return u.ExpiresAt > at.UnixMilli() }

// FindUploads returns a tenant's uploads by id, used up ones among them. At most 100
// different ids; one consistent call. An id that is unknown and one of another tenant are
// both missing.
func (s *Store) FindUploads(ctx context.Context, t tenant.ID, ids []uuid.UUID) (_ map[uuid.UUID]Upload, err error) {
	defer fault.Wrap(&err, "submission.FindUploads(tenant, ids)")

	keys := make([]dynamo.Keyed, len(ids))
	for i, id := range ids {
		keys[i] = dynamo.Keys{uploadKey(t, id), uploadKind}
	}
	items, err := cloud.GetItems[uploadItem](ctx, s.table, keys, true)
	found := map[uuid.UUID]Upload{}
	for _, item := range items {
		found[item.ID] = item.Upload
	}
	return found, err
}

// UploadState returns what became of a submission's upload after the submission was accepted; nothing if it has none.
// erased says that the record was deleted: an expired upload is not erased, as the submission was accepted in time.
// unreadable is the public message of a failed reading, "" if there is none; for a submission accepted after that reading
// the file is read again. One consistent read.
func (s *Store) UploadState(ctx context.Context, sub Submission) (erased bool, unreadable string, err error) {
	defer fault.Wrap(&err, "submission.UploadState(tenant, uploadID)")

	if sub.UploadID == uuid.Nil {
		return false, "", nil
	}
	var item uploadItem
	found, err := cloud.GetItem(ctx, s.table, uploadKey(sub.Tenant(), sub.UploadID), uploadKind, &item)
	if item.UnreadableAt >= sub.SubmittedAt.UnixMilli() {
		unreadable = item.Unreadable
	}
	return err == nil && !found, unreadable, err
}

// MarkUnreadable stores with the submission's upload, if it has one that was not erased, why
// it cannot be read.
func (s *Store) MarkUnreadable(ctx context.Context, sub Submission, message string, now time.Time) (err error) {
	defer fault.Wrap(&err, "submission.MarkUnreadable(tenant, uploadID)")

	if sub.UploadID == uuid.Nil {
		return nil
	}
	upload := s.table.Update(topology.PK, uploadKey(sub.Tenant(), sub.UploadID)).Range(topology.SK, uploadKind)
	return cloud.IgnoreCondition(
		upload.Set("unreadable", message).Set("unreadableAt", now.UnixMilli()).If("attribute_exists(pk)").Run(ctx))
}

// uploadItem is an Upload as stored, under either of its keys.
type uploadItem struct {
	PK string `dynamo:"pk"`
	SK string `dynamo:"sk"`
	Upload
	TTL int64 `dynamo:"ttl"`
	// Unreadable is why the last reading failed, and UnreadableAt when.
	Unreadable   string `dynamo:"unreadable,omitempty"`
	UnreadableAt int64  `dynamo:"unreadableAt,omitempty"`
}

var (
	contentKind = itemkey.UploadedContent.SK()
	uploadKind  = itemkey.Upload.SK()
)

func (u Upload) contentKey() string { return itemkey.UploadedContent.PK(string(u.Tenant), u.SHA256) }

// uploadKey contains the tenant, so that another tenant's id is like one that never existed.
func uploadKey(t tenant.ID, id uuid.UUID) string {
	return itemkey.Upload.PK(string(t), id.String())
}

func (u Upload) toItem(pk, sk string) uploadItem {
	return uploadItem{PK: pk, SK: sk, Upload: u, TTL: time.UnixMilli(u.ExpiresAt).Add(uploadKept).Unix()}
}
