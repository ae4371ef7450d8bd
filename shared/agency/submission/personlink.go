package submission

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// personLink leads from a person to a submission, and so to its upload and its client reference.
// It is written when neither a live item nor a membership leads to the submission any more, so
// that an erasure still finds it.
type personLink struct {
	PK     string    `dynamo:"pk"`
	SK     string    `dynamo:"sk"`
	Tenant tenant.ID `dynamo:"agency"`
	// Copy is the submission's [Submission.CopyKey].
	Copy string `dynamo:"copy"`
	// UploadID is empty where only the content is known.
	UploadID string `dynamo:"upload,omitempty"`
	// Persons are the hashes of all identities that lead to the submission.
	Persons     []string `dynamo:"persons,set"`
	SubmittedAt int64    `dynamo:"submitted"`
	TTL         int64    `dynamo:"ttl"`
}

// putPersonLinks returns the writes of the items that lead from a submission's identities to the
// submission with a copy key: itself, or an earlier one of the same person. They have no
// condition, and may be written at any time.
func (s *Store) putPersonLinks(sub Submission, copyKey string) (puts []*dynamo.Put) {
	link := personLink{
		Tenant: sub.Tenant(), Copy: copyKey, Persons: []string{identity.Hash(sub.Email), identity.Hash(sub.LinkedInURL)},
		SubmittedAt: sub.SubmittedAt.UnixMilli(), TTL: sub.SubmittedAt.Add(Retention).Unix(),
	}
	place, _ := ParseCopyKey(copyKey)
	if place != sub.Place() {
		link.SubmittedAt = min(link.SubmittedAt, place.createdAt().UnixMilli())
	} else if sub.UploadID != uuid.Nil {
		link.UploadID = sub.UploadID.String()
	}
	for _, hash := range link.Persons {
		link.PK, link.SK = linkKey(hash, link.Tenant, place)
		puts = append(puts, s.table.Put(link))
	}
	return puts
}

func linkKey(hash string, t tenant.ID, p Place) (pk, sk string) {
	return itemkey.PersonSubmission.Key(hash, string(t), p.Batch.String(), strconv.Itoa(p.Index))
}

// needsLink reports whether something is left of the submission, when it has ended without
// success, that an erasure has to find.
func (s Submission) needsLink() bool { return s.UploadID != uuid.Nil || s.ClientReferenceID != "" }

// addEndRecords adds, to a transaction that ends an item without success, the items by which
// is found what is left of it: a disposal of its files and, for an upload and a client reference,
// which stay, the links from its person.
func (s *Store) addEndRecords(tx *dynamo.WriteTx, sub Submission, now time.Time) {
	files := []string{sub.CopyKey(), sub.ResumeKey}
	if sub.UploadID != uuid.Nil {
		files = files[:1]
	}
	if sub.needsLink() {
		s.addPersonLinks(tx, sub, sub.CopyKey())
	}
	tx.Put(s.putItemDisposal(sub, now, files...))
}

func (s *Store) addPersonLinks(tx *dynamo.WriteTx, sub Submission, copyKey string) {
	for _, put := range s.putPersonLinks(sub, copyKey) {
		tx.Put(put)
	}
}

// EraseEnded removes the uploads and client references of a person's submissions that were sent
// before the erasure and have ended. hash is that of one of the person's identities. A submission
// that became a membership is found by the membership instead ([Store.EraseSource]).
func (s *Store) EraseEnded(ctx context.Context, hash string, e Erasure) (err error) {
	defer fault.Wrap(&err, "submission.EraseEnded(hash)")

	var found []personLink
	err = s.table.Get(topology.PK, itemkey.PersonSubmission.PK(hash)).Consistent(true).All(ctx, &found)
	if err != nil {
		return err
	}
	for _, link := range found {
		if link.SubmittedAt <= e.At.UnixMilli() {
			err = errors.Join(err, s.eraseLinked(ctx, link, e))
		}
	}
	return err
}

// commitTime is longer than the transaction of a submission can come after the items that lead to it.
const commitTime = time.Minute

// eraseLinked removes what is left of a submission, and then the items that lead to it. They stay
// while the submission may not be committed yet, for the erasure that comes again.
func (s *Store) eraseLinked(ctx context.Context, link personLink, e Erasure) error {
	committed, err := s.eraseSource(ctx, link.Tenant, link.Copy, e)
	if id, parseErr := uuid.Parse(link.UploadID); err == nil && parseErr == nil {
		err = s.dropUpload(ctx, link.Tenant, id, e.At)
	}
	if fresh := link.SubmittedAt > e.Now.Add(-commitTime).UnixMilli(); err != nil || fresh && !committed {
		return err
	}
	place, _ := ParseCopyKey(link.Copy)
	for _, hash := range link.Persons {
		pk, sk := linkKey(hash, link.Tenant, place)
		failed := s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("submitted <= ?", e.At.UnixMilli()).Run(ctx)
		err = errors.Join(err, cloud.IgnoreCondition(failed))
	}
	return err
}
