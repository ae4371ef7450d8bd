package submission

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// personUpload leads from a person to an upload with which the person was submitted. It is
// written when neither a live item nor a membership leads to the upload any more, so that
// an erasure still finds it.
type personUpload struct {
	PK     string    `dynamo:"pk"`
	SK     string    `dynamo:"sk"`
	Tenant tenant.ID `dynamo:"agency"`
	SHA256 string    `dynamo:"sha256"`
	// UploadID is empty where only the content is known.
	UploadID string `dynamo:"upload,omitempty"`
	// Persons are the hashes of all identities that lead to the upload.
	Persons     []string `dynamo:"persons,set"`
	SubmittedAt int64    `dynamo:"submitted"`
	TTL         int64    `dynamo:"ttl"`
}

// putPersonUploads returns the writes of the items that lead from a submission's identities
// to an upload of the tenant. They have no condition, and may be written at any time.
func (s *Store) putPersonUploads(sub Submission, sha256 string) (puts []*dynamo.Put) {
	link := personUpload{
		Tenant: sub.Tenant(), SHA256: sha256, Persons: []string{identity.Hash(sub.Email), identity.Hash(sub.LinkedInURL)},
		SubmittedAt: sub.SubmittedAt.UnixMilli(), TTL: sub.SubmittedAt.Add(Retention).Unix(),
	}
	if sub.contentHash() == sha256 {
		link.UploadID = sub.UploadID.String()
	}
	for _, hash := range link.Persons {
		link.PK, link.SK = itemkey.PersonUpload.Key(hash, string(link.Tenant), sha256)
		puts = append(puts, s.table.Put(link))
	}
	return puts
}

// addFileRecords adds, to a transaction that ends an item without success, the items by
// which its files are found from then on: a disposal and, for an upload, which stays, the
// links from its person.
func (s *Store) addFileRecords(tx *dynamo.WriteTx, sub Submission, now time.Time) {
	files := []string{sub.CopyKey(), sub.ResumeKey}
	if sub.UploadID != uuid.Nil {
		files = files[:1]
		s.addPersonUploads(tx, sub, sub.contentHash())
	}
	tx.Put(s.putItemDisposal(sub, now, files...))
}

func (s *Store) addPersonUploads(tx *dynamo.WriteTx, sub Submission, sha256 string) {
	for _, put := range s.putPersonUploads(sub, sha256) {
		tx.Put(put)
	}
}

// EraseUploads removes the uploads with which a person was submitted before the erasure.
// hash is that of one of the person's identities.
func (s *Store) EraseUploads(ctx context.Context, hash string, e Erasure) (err error) {
	defer fault.Wrap(&err, "submission.EraseUploads(hash)")

	var found []personUpload
	err = s.table.Get(topology.PK, itemkey.PersonUpload.PK(hash)).Consistent(true).All(ctx, &found)
	if err != nil {
		return err
	}
	for _, link := range found {
		if link.SubmittedAt <= e.At.UnixMilli() {
			err = errors.Join(err, s.erasePersonUpload(ctx, link, e))
		}
	}
	return err
}

// erasePersonUpload removes an upload, and then the items that lead to it.
func (s *Store) erasePersonUpload(ctx context.Context, link personUpload, e Erasure) error {
	err := s.EraseSource(ctx, link.Tenant, link.SHA256, e)
	if id, parseErr := uuid.Parse(link.UploadID); err == nil && parseErr == nil {
		err = s.dropUpload(ctx, link.Tenant, id)
	}
	if err != nil {
		return err
	}
	for _, hash := range link.Persons {
		pk, sk := itemkey.PersonUpload.Key(hash, string(link.Tenant), link.SHA256)
		err = errors.Join(err, ignoreLost(s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("submitted <= ?", e.At.UnixMilli()).Run(ctx)))
	}
	return err
}
