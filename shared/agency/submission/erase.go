package submission

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// ErasedMessage is the public message of a submission after its file was erased, by
// itself or with the person.
const ErasedMessage = "The uploaded resume was erased. Upload it again and submit the candidate."

// ErrHeld is returned when a worker runs an item that an erasure has to end. The worker
// ends it, or its lease does.
var ErrHeld = errors.New("a worker holds a submission of the erased person")

// Erasure says what of a person is to be erased.
type Erasure struct {
	// Of reports whether a submission is the person's.
	Of func(Submission) bool
	// At is up to when what was accepted or uploaded is erased; Now is the time.
	At, Now time.Time
	// Drop removes a file of the bucket; a missing one is not an error.
	Drop func(ctx context.Context, key string) error
	// Forget removes what else was kept of the submission's person.
	Forget func(context.Context, Submission) error
}

// Erase ends what is in flight of a person, with its files and uploads, and returns how
// many items it has ended. It returns [ErrHeld] where a worker holds one: what the
// worker writes is not known, so the caller has to repeat it.
//
// It reads every in-flight item that there is: they are few and live for hours, and an index of people would cost every
// submission something for the sake of rare erasures. The keys of a shard are all read first, because an item that is
// claimed or parked meanwhile moves within the index.
func (s *Store) Erase(ctx context.Context, e Erasure) (ended int, err error) {
	defer fault.Wrap(&err, "submission.Erase(person)")

	var erased atomic.Int64
	err = cloud.ForEach(inFlightParallel, shards.Names(), func(_ int, shard string) error {
		var found []cloud.DueKey
		failed := s.table.Get(topology.DueIndex.Hash, shard).Index(topology.DueIndex.Name).All(ctx, &found)
		for page := range slices.Chunk(found, inFlightPage) {
			items, err := s.readInFlightItems(ctx, page)
			if err != nil {
				return errors.Join(failed, err) // the next page would fail alike
			}
			for _, item := range items {
				over, err := s.eraseInFlight(ctx, item, e)
				failed = errors.Join(failed, err)
				if over {
					erased.Add(1)
				}
			}
		}
		return failed
	})
	return int(erased.Load()), err
}

// eraseInFlight ends an item if it is the person's. The item goes last, because it is
// what leads to the files.
func (s *Store) eraseInFlight(ctx context.Context, item inFlightItem, e Erasure) (ended bool, err error) {
	sub, err := item.decodeSubmission()
	if err != nil || sub.SubmittedAt.After(e.At) || !e.Of(sub) {
		return false, err
	}
	if item.Lease > e.Now.UnixMilli() {
		return false, ErrHeld
	}
	err = errors.Join(e.Forget(ctx, sub), e.Drop(ctx, sub.CopyKey()), s.EraseSource(ctx, sub.Tenant(), sub.CopyKey(), e))
	if err == nil && sub.UploadID != uuid.Nil {
		err = s.deleteSent(ctx, uploadKey(sub.Tenant(), sub.UploadID), uploadKind, e.At)
	}
	if err != nil {
		return false, err
	}
	err = s.endInFlight(ctx, item, contract.InvalidResumeReference, ErasedMessage, e.Now)
	if dynamo.IsCondCheckFailed(err) {
		return false, ErrHeld
	}
	return err == nil, err
}

// EraseSource removes what is left of the submission that a copied file came with: the client
// reference, the file that was copied, and its upload, unless the same file was uploaded again
// after the erasure.
func (s *Store) EraseSource(ctx context.Context, t tenant.ID, copyKey string, e Erasure) (err error) {
	defer fault.Wrap(&err, "submission.EraseSource(tenant, copyKey)")

	if place, ok := ParseCopyKey(copyKey); ok {
		_, err = s.eraseReference(ctx, place)
	}
	return errors.Join(err, s.eraseFile(ctx, t, copyKey, e))
}

// eraseReference empties the client reference of an item. found is false if no header lists the
// item: it has expired, or is not committed yet.
func (s *Store) eraseReference(ctx context.Context, p Place) (found bool, err error) {
	var headers []header
	err = s.table.Get(topology.PK, batchKey(p.Batch)).Range(topology.SK, dynamo.BeginsWith, headerKind).Consistent(true).All(ctx, &headers)
	if err != nil {
		return false, err
	}
	n := slices.IndexFunc(headers, func(h header) bool {
		_, listed := h.referenceOf(p.Index)
		return listed
	})
	if n < 0 {
		return false, nil
	}
	h := headers[n]
	if reference, _ := h.referenceOf(p.Index); reference == "" {
		return true, nil
	}
	// Nothing else changes a header, and the other places of the list are other items'.
	emptied := fmt.Sprintf("refs[%d] = ?", p.Index-h.Part*partSize)
	err = s.table.Update(topology.PK, h.ID).Range(topology.SK, h.Kind).
		SetExpr(emptied, &types.AttributeValueMemberS{}).If("attribute_exists(pk)").Run(ctx)
	return true, cloud.IgnoreCondition(err)
}

func (s *Store) eraseFile(ctx context.Context, t tenant.ID, copyKey string, e Erasure) (err error) {
	u := Upload{Tenant: t, SHA256: path.Base(copyKey)}
	var item uploadItem
	stored, err := cloud.GetItem(ctx, s.table, u.contentKey(), contentKind, &item)
	switch {
	case err != nil:
		return err
	case !stored:
		return e.Drop(ctx, u.Key())
	case item.SentAt > e.At.UnixMilli():
		return nil
	}
	err = errors.Join(e.Drop(ctx, u.Key()), s.deleteSent(ctx, uploadKey(t, item.ID), uploadKind, e.At))
	if err != nil {
		return err
	}
	return s.deleteSent(ctx, u.contentKey(), contentKind, e.At)
}

// deleteSent deletes an item of an upload, unless the upload was sent again after a time.
func (s *Store) deleteSent(ctx context.Context, pk, sk string, upTo time.Time) error {
	err := s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("sent <= ?", upTo.UnixMilli()).Run(ctx)
	return cloud.IgnoreCondition(err)
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
	place, _ := ParseCopyKey(link.Copy)
	committed, err := s.eraseReference(ctx, place)
	err = errors.Join(err, s.eraseFile(ctx, link.Tenant, link.Copy, e))
	if id, parseErr := uuid.Parse(link.UploadID); err == nil && parseErr == nil {
		err = s.deleteSent(ctx, uploadKey(link.Tenant, id), uploadKind, e.At)
	}
	if fresh := link.SubmittedAt > e.Now.Add(-commitTime).UnixMilli(); err != nil || fresh && !committed {
		return err
	}
	for _, hash := range link.Persons {
		pk, sk := linkKey(hash, link.Tenant, place)
		failed := s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("submitted <= ?", e.At.UnixMilli()).Run(ctx)
		err = errors.Join(err, cloud.IgnoreCondition(failed))
	}
	return err
}
