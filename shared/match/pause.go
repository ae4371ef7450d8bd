package match

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/entity"
)

// Pause is a recruiter's mark that auto-match is paused, because too many expired
// matches stay unresolved.
type Pause struct {
	Since contract.Time `json:"since"`
}

func pauseKey(recruiterID string) entity.Key { return entity.Key{PK: "U#" + recruiterID, SK: pauseSK} }

const pauseSK = "W"

// Paused tells whether auto-match is paused for a recruiter; nil if it is not.
func (s *Store) Paused(ctx context.Context, recruiterID string) (*Pause, error) {
	stored, err := s.entities.Get(ctx, pauseKey(recruiterID))
	return pauseOf(stored), err
}

func pauseOf(s entity.State) *Pause {
	var p Pause
	if s.Into(&p) != nil || p.Since.IsZero() {
		return nil
	}
	return &p
}

// reconsider marks a recruiter as paused, or not, by the matches that are stored as
// expired. What changes meanwhile pokes the mark, and it is looked at again.
func (s *Store) reconsider(ctx context.Context, k entity.Key, limit int, now contract.Time) error {
	read, err := s.entities.Get(ctx, k)
	if err != nil {
		return err
	}
	unresolved, _, err := s.entities.List(ctx, k.PK, expiredPrefix, "", limit)
	if err != nil {
		return err
	}
	var body any
	if len(unresolved) >= limit {
		if was := pauseOf(read); was != nil {
			now = was.Since
		}
		body = Pause{now}
	}
	return s.entities.Settle(ctx, k, read, body)
}
