package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// receipt is what is kept of an erasure: no personal data.
type receipt struct {
	OccurredAt contract.Time `json:"occurredAt"`
	FinishedAt contract.Time `json:"finishedAt"`
	// CompleteAt is when the last copy to which no identity leads has expired.
	CompleteAt contract.Time `json:"completeAt"`
	// Erased counts what this run has erased, by kind.
	Erased map[string]int `json:"erased"`
}

// lastCopy is the longest life of a copy to which no identity leads: that of an uploaded resume with which no person was
// submitted, by the life cycle of uploads/. A message of the feed lives up to 28 days, in the queue and then in its
// dead-letter queue (topology.MessageDays in each), and an object of feed/ 14 (contract, Erasure).
const lastCopy = 40 * 24 * time.Hour

// applyErasure removes every copy of a person. The event is archived, and the tombstones come before anything is removed, so
// that a copy that is being written at this moment is either found or refused. A run that failed comes again and finds
// what is left; the receipt is written when nothing is. One that is done comes again once: of what was written in the
// moments before it, an index may not have known.
func (s *Service) applyErasure(ctx context.Context, e event.Envelope, person *event.Erasure) (err error) {
	defer fault.Wrap(&err, "feed.applyErasure(hashes)")

	for _, hash := range person.IdentityHashes {
		if len(hash) != 64 || strings.Trim(hash, "0123456789abcdef") != "" {
			return event.Invalidf("data.identityHashes: each must be a SHA-256 in lower-case hexadecimal.")
		}
	}
	encoded, err := json.Marshal(struct { // the event as the app sends it, with hashes and nothing else of the person
		event.Envelope
		Data *event.Erasure `json:"data"`
	}{e, person})
	if err != nil {
		return err
	}
	// In the bucket it survives the restoration of a table to a time before the erasure (topology.ErasuresPrefix).
	name := fmt.Sprintf("%s%s/%d.json", topology.ErasuresPrefix, e.EntityID, e.Version)
	if err := s.bucket.Put(ctx, name, "application/json", encoded); err != nil {
		return err
	}
	r := receipt{OccurredAt: e.OccurredAt, Erased: map[string]int{}}
	hashes := slices.Clone(person.IdentityHashes)
	before := 0
	for len(hashes) > before { // erased items may lead to further identities
		before = len(hashes)
		if err := s.eraseHashes(ctx, hashes, e.OccurredAt.Time, r.Erased); err != nil {
			return err
		}
		hashes, err = s.addLinked(ctx, hashes)
		if err != nil {
			return err
		}
	}
	k := entity.KeyOf(itemkey.ErasureReceipt, e.EntityID)
	stored, err := s.entities.Get(ctx, k)
	if err == nil && stored.Version < e.Version {
		// The queue holds it back until the indexes that find the person have caught up with the writes just before it.
		err = errors.Join(s.erasures.Send(ctx, []cloud.Message{{Body: string(encoded)}})...)
	}
	if err != nil {
		return err
	}
	r.FinishedAt = contract.At(s.host.Now())
	r.CompleteAt = contract.At(s.host.Now().Add(lastCopy))
	_, err = s.entities.Set(ctx, k, e.Version, r)
	return err
}

// eraseHashes erases everything that has one of a person's identities.
func (s *Service) eraseHashes(ctx context.Context, hashes []string, at time.Time, erased map[string]int) error {
	for _, hash := range hashes {
		if err := s.entities.MarkErased(ctx, hash, at); err != nil {
			return err
		}
	}
	// A submission that a worker holds ends because of the tombstones, and the queue delivers the erasure again.
	inFlight := submission.Erasure{
		Of: func(sub submission.Submission) bool {
			return slices.ContainsFunc(entity.PersonHashes(&sub.Email, &sub.LinkedInURL), func(h string) bool { return slices.Contains(hashes, h) })
		},
		At: at, Now: s.host.Now(), Drop: s.resumes.Delete,
		Forget: func(ctx context.Context, sub submission.Submission) error {
			linkedIn := identity.Hash(sub.LinkedInURL)
			linked := []string{network.LinkedInPrefix + linkedIn, network.EmailPrefix + identity.Hash(sub.Email)}
			return errors.Join(profile.Forget(ctx, s.profiles, linkedIn), s.entities.LinkErased(ctx, hashes[0], linked...))
		},
	}
	ended, err := s.submissions.Erase(ctx, inFlight)
	erased["submissions"] += ended
	for _, hash := range hashes {
		err = errors.Join(err, s.erasePerson(ctx, hash, hashes[0], inFlight, erased), s.submissions.EraseEnded(ctx, hash, inFlight))
	}
	return err
}

// addLinked returns the hashes together with those that their erasure has found. A LinkedIn URL identifies one person; an
// e-mail address that still leads to a membership also belongs to another person, without an erasure request.
func (s *Service) addLinked(ctx context.Context, hashes []string) ([]string, error) {
	linked, err := s.entities.LinkedErased(ctx, hashes[0])
	for _, l := range linked {
		hash := strings.TrimPrefix(strings.TrimPrefix(l, network.LinkedInPrefix), network.EmailPrefix)
		if err != nil || slices.Contains(hashes, hash) {
			continue
		}
		shared := false
		if strings.HasPrefix(l, network.EmailPrefix) {
			shared, err = s.network.LeadsToMember(ctx, hash)
		}
		if !shared {
			hashes = append(hashes, hash)
		}
	}
	return hashes, err
}

// erasePerson erases everything that has the identity with this hash, up to the time of the erasure. What fails does not keep
// the rest.
func (s *Service) erasePerson(ctx context.Context, hash, root string, e submission.Erasure, erased map[string]int) error {
	var failed error
	for k, err := range s.entities.Copies(ctx, hash) {
		if err != nil {
			failed = errors.Join(failed, err)
			break
		}
		kind, done, err := s.eraseCopy(ctx, k, hash, e.At)
		failed = errors.Join(failed, err)
		if done {
			erased[kind]++
		}
	}
	removed, err := s.network.Erase(ctx, hash, e.At, func(ctx context.Context, m network.Membership) error {
		if err := s.entities.LinkErased(ctx, root, m.PersonHashes()...); err != nil {
			return err
		}
		err := profile.Forget(ctx, s.profiles, identity.Hash(m.LinkedInURL))
		if m.ResumeKey == "" {
			return err
		}
		return errors.Join(err, s.submissions.EraseSource(ctx, m.Tenant, m.ResumeKey, e), s.resumes.Delete(ctx, m.ResumeKey))
	})
	erased["memberships"] += removed
	return errors.Join(failed, err, profile.Forget(ctx, s.profiles, hash))
}

// eraseCopy erases an entity of the person, unless it is of an event after at. kind is the name in the receipt.
func (s *Service) eraseCopy(ctx context.Context, k entity.Key, hash string, at time.Time) (kind string, erased bool, err error) {
	defer fault.Wrap(&err, "feed.eraseCopy(key, hash)")

	application, isApplication := itemkey.Application.Parse(k.PK, k.SK)
	match, isMatch := itemkey.Match.Parse(k.PK, k.SK)
	call, isCall := itemkey.Call.Parse(k.PK, k.SK)
	candidate, isCandidate := itemkey.Candidate.Parse(k.PK, k.SK)
	switch {
	case isApplication:
		erased, err = s.roles.EraseApplication(ctx, application[0], at, s.updateCandidate)
		return "applications", erased, err
	case isMatch:
		erased, err = s.matches.Erase(ctx, match[0], at)
		return "matches", erased, err
	case isCall:
		erased, err = s.calls.Erase(ctx, call[0], at)
		return "calls", erased, err
	case isCandidate:
		if err := s.sendNote(ctx, candidate[0]); err != nil { // first: who is erased is not found again
			return "", false, err
		}
		erased, err = s.crm.Erase(ctx, candidate[0], candidate[1], hash, at)
		return "crmCandidates", erased, err
	}
	return "", false, fmt.Errorf("no erasure for entities with keys %.1s %.1s", k.PK, k.SK)
}
