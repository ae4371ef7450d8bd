package submission

import (
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// uploadItem is the stored form of an Upload, under either of its keys.
type uploadItem struct {
	PK          string    `dynamo:"pk"`
	SK          string    `dynamo:"sk"`
	ID          string    `dynamo:"id"`
	Tenant      tenant.ID `dynamo:"agency"`
	FileName    *string   `dynamo:"name,allowempty"`
	ContentType string    `dynamo:"type"`
	Size        int64     `dynamo:"size"`
	SHA256      string    `dynamo:"sha256"`
	CreatedAt   int64     `dynamo:"created"`
	ExpiresAt   int64     `dynamo:"expires"`
	TTL         int64     `dynamo:"ttl"`
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
	return uploadItem{
		PK: pk, SK: sk, ID: u.ID.String(), Tenant: u.Tenant, FileName: u.FileName, ContentType: u.ContentType,
		Size: u.Size, SHA256: u.SHA256, CreatedAt: u.CreatedAt.UnixMilli(), ExpiresAt: u.ExpiresAt.UnixMilli(),
		TTL: u.ExpiresAt.Add(uploadKept).Unix(),
	}
}

func (i uploadItem) toUpload() (Upload, error) {
	id, err := uuid.Parse(i.ID)
	return Upload{
		ID: id, Tenant: i.Tenant, FileName: i.FileName, ContentType: i.ContentType, Size: i.Size, SHA256: i.SHA256,
		CreatedAt: time.UnixMilli(i.CreatedAt).UTC(), ExpiresAt: time.UnixMilli(i.ExpiresAt).UTC(),
	}, err
}
