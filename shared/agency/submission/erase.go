package submission

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
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
	"github.com/recruiting-marketplace/external-api/shared/identity"
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
// It reads every live item that there is: they are few and live for hours, and an index of people would cost every
// submission something for the sake of rare erasures. The keys of a shard are all read first, because an item that is
// claimed or parked meanwhile moves within the index.
func (s *Store) Erase(ctx context.Context, e Erasure) (ended int, err error) {
	defer fault.Wrap(&err, "submission.Erase(person)")

	var erased atomic.Int64
	err = cloud.ForEach(liveParallel, shards.Names(), func(_ int, shard string) error {
		var found []cloud.DueKey
		failed := s.table.Get(topology.DueIndex.Hash, shard).Index(topology.DueIndex.Name).All(ctx, &found)
		for page := range slices.Chunk(found, livePage) {
			items, err := s.readLiveItems(ctx, page)
			if err != nil {
				return errors.Join(failed, err) // the next page would fail alike
			}
			for _, item := range items {
				over, err := s.eraseLive(ctx, item, e)
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

// readLiveItems reads the items themselves, consistently, because an index may be stale.
func (s *Store) readLiveItems(ctx context.Context, page []cloud.DueKey) ([]liveItem, error) {
	keys := make([]dynamo.Keyed, len(page))
	for n, key := range page {
		keys[n] = dynamo.Keys{key.PK, liveKind}
	}
	return cloud.GetItems[liveItem](ctx, s.table, keys, true)
}

// eraseLive ends an item if it is the person's. The item goes last, because it is
// what leads to the files.
func (s *Store) eraseLive(ctx context.Context, item liveItem, e Erasure) (ended bool, err error) {
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
	err = s.endLive(ctx, item, contract.InvalidResumeReference, ErasedMessage, e.Now)
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

// disposalItem names files that nothing needs any more. It is written in the transaction
// that takes away what led to them, so that a file is never without an item that leads to
// it, and the sweeper removes the files and then the disposal.
type disposalItem struct {
	ID    string   `dynamo:"pk"`
	Kind  string   `dynamo:"sk"`
	Keys  []string `dynamo:"keys"`
	Shard string   `dynamo:"shard"`
	Due   int64    `dynamo:"due"`
}

// disposalDelay is how long a disposal waits: longer than a worker lives that may still
// be writing one of the files.
const disposalDelay = 10 * time.Minute

// disposalShard is the partition of the due index that holds disposals alone.
const disposalShard = "X"

var disposalKind = itemkey.Disposal.SK()

// putDisposal returns the write of a disposal; name is its own within the batch: of files that an item leaves behind, the index.
func (s *Store) putDisposal(batch uuid.UUID, name string, now time.Time, keys ...string) *dynamo.Put {
	pk, sk := itemkey.Disposal.Key(batch.String(), name)
	return s.table.Put(disposalItem{pk, sk, keys, disposalShard, now.Add(disposalDelay).UnixMilli()})
}

// disposalPage is how many disposals a turn processes, one after the other.
const disposalPage = 100

// RemoveFiles removes the files of the next disposals that are due. left reports whether
// another turn is needed.
func (w *Sweep) RemoveFiles(ctx context.Context, more func() bool) (left bool, err error) {
	defer fault.Wrap(&err, "submission.RemoveFiles")

	if w.store.Discard == nil {
		return false, nil
	}
	return w.disposals.Turn(ctx, more, func(ctx context.Context, page []cloud.DueKey) (failed error) {
		for _, key := range page {
			failed = errors.Join(failed, w.store.dispose(ctx, key.PK))
		}
		return failed
	})
}

// dispose reads the disposal, because the index knows only its key.
func (s *Store) dispose(ctx context.Context, id string) error {
	var item disposalItem
	found, err := cloud.GetItem(ctx, s.table, id, disposalKind, &item)
	if !found {
		return err
	}
	for _, key := range item.Keys {
		err = errors.Join(err, s.Discard(ctx, key))
	}
	if err != nil {
		return err
	}
	return s.table.Delete(topology.PK, id).Range(topology.SK, disposalKind).Run(ctx)
}

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
	if place != (Place{sub.BatchID, sub.Index}) {
		link.SubmittedAt = min(link.SubmittedAt, time.Unix(place.Batch.Time().UnixTime()).UnixMilli()) // when the batch was created
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

// files returns the files to which only the submission leads: its copy, and the one that came with a single submit.
func (s Submission) files() []string {
	if s.UploadID == uuid.Nil {
		return []string{s.CopyKey(), s.ResumeKey}
	}
	return []string{s.CopyKey()}
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
