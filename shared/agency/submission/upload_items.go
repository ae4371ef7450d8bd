package submission

import (
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

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
