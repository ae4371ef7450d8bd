package match

import (
	"cmp"
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Pause marks a recruiter with auto-match paused because too many expired matches are unresolved.
type Pause struct {
	Since contract.Time `json:"since"`
}

func pauseKey(recruiterID string) entity.Key { return entity.KeyOf(itemkey.MatchPause, recruiterID) }

// Paused returns the pause of a recruiter's auto-match, or nil if it is not paused.
func (s *Store) Paused(ctx context.Context, recruiterID string) (_ *Pause, err error) {
	defer fault.Wrap(&err, "match.Paused(recruiterID)")

	stored, err := s.entities.Get(ctx, pauseKey(recruiterID))
	return decodePause(stored), err
}

// decodePause returns the pause that is stored; nil for none, and for one that cannot be decoded.
func decodePause(s entity.State) *Pause {
	p, err := entity.Decode[Pause](s)
	if err != nil || p.Since.IsZero() {
		return nil
	}
	return &p
}

// maxRounds bounds the attempts to store a pause: each that is lost is a change of the recruiter's matches.
const maxRounds = 50

// decidePause stores whether a recruiter is paused, by the matches past their expiry, whether or not a sweep has
// stored them as expired yet. If a match changes in between, they are counted again.
func (s *Store) decidePause(ctx context.Context, k entity.Key, limit int, now time.Time) error {
	for range maxRounds {
		read, err := s.entities.Get(ctx, k)
		if err != nil {
			return err
		}
		unresolved := 0 // the recruiter's matches that are past their expiry, up to the limit
		for row, err := range s.entities.Query(ctx, entity.Query{PK: k.PK, Prefix: itemkey.UnresolvedMatch.Prefix()}) {
			var o unresolvedRow
			if err == nil {
				err = row.Into(&o)
			}
			if err != nil {
				return err
			}
			if o.Expires <= now.UnixMilli() {
				unresolved++
			}
			if unresolved == limit {
				break
			}
		}
		var body any
		if unresolved == limit {
			body = cmp.Or(decodePause(read), &Pause{contract.At(now)})
		}
		done, err := s.entities.ClearDue(ctx, k, read, body)
		if done || err != nil {
			return err
		}
	}
	return entity.ErrContention
}

// unresolvedRow is the content of the row that an unresolved match has: a pending or an
// expired one. Storing that the match expired does not change the row.
type unresolvedRow struct {
	// Expires is in milliseconds since 1970.
	Expires int64 `json:"e"`
}

func (m Match) unresolvedRow(id string) (row entity.Row, isOpen bool) {
	var o unresolvedRow
	switch m.Status {
	case contract.MatchStatusPending:
		o.Expires = m.ExpiresAt().UnixMilli()
	case contract.MatchStatusExpired: // even before its expiry, if the marketplace says so
	default:
		return row, false
	}
	return entity.RowOf(itemkey.UnresolvedMatch, o, m.RecruiterID, m.Candidate.CandidateID, m.RoleID, id), true
}
