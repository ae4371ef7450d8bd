// Package account stores agencies with their capabilities and members, recruiters, and
// the API keys of both.
//
// All of it lives in the table topology.Accounts:
//
//	A#<agency>     / A           an agency with its members
//	U#<recruiter>  / U           a recruiter
//	P#<type>#<principal> / P     the keyring: a principal's unrevoked keys
//	P#<type>#<principal> / K#<key id>   a pointer to a key's item
//	K#<hash>       / K           a key's item, laid out by package apikey
//
// A key is created, revoked, disabled and restored in transactions over these
// items, so that the number of active keys and the state of a switched-off
// account are exact at every moment. Writes are safe to repeat: a repeat whose first
// answer was lost finds its own mark and returns the same.
//
// The package decides who may administer which key. It does not authenticate:
// who acts comes in as a parameter, and so do the time, ids and the new key's
// hash. It never sees a key.
package account

import (
	"context"
	"errors"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

const attrMembers = "members"

var (
	agencySK    = itemkey.Agency.SK()
	recruiterSK = itemkey.Recruiter.SK()
)

func agencyKey(id string) string    { return itemkey.Agency.PK(id) }
func recruiterKey(id string) string { return itemkey.Recruiter.PK(id) }

// Store reads and writes accounts. It is safe for use by several goroutines.
type Store struct {
	table dynamo.Table
	write func() *dynamo.WriteTx
}

// Open opens the store by the names in the function's environment.
func Open(o *cloud.Opener) *Store { return NewStore(o.Table(topology.Accounts), o.Write) }

// NewStore returns a store on the table topology.Accounts; write starts a transaction
// on the database that the table is in.
func NewStore(table dynamo.Table, write func() *dynamo.WriteTx) *Store {
	return &Store{table: table, write: write}
}

// Agency returns an agency as it is now; fault.Missing if there is none.
func (s *Store) Agency(ctx context.Context, id string) (Agency, error) {
	var item agencyItem
	err := s.readItem(ctx, agencyKey(id), agencySK, &item)
	return item.Agency, item.missingIfAbsent(err)
}

// Recruiter returns a recruiter as it is now; fault.Missing if there is none.
func (s *Store) Recruiter(ctx context.Context, id string) (Recruiter, error) {
	var item recruiterItem
	err := s.readItem(ctx, recruiterKey(id), recruiterSK, &item)
	return item.Recruiter, item.missingIfAbsent(err)
}

// readItem reads one item consistently.
func (s *Store) readItem(ctx context.Context, pk, sk string, out any) error {
	err := s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).Consistent(true).One(ctx, out)
	if errors.Is(err, dynamo.ErrNotFound) {
		return fault.Missing()
	}
	return err
}

// Standing is a recruiter with the agency that he or she works for.
type Standing struct {
	Recruiter Recruiter
	// Agency is nil for a recruiter of none.
	Agency *Agency
}

// Member returns the recruiter as a member of the agency; the zero one if he or she is
// no active member.
func (s Standing) Member() Member {
	if s.Agency == nil {
		return Member{}
	}
	if m := s.Agency.Members[s.Recruiter.ID]; m.Active() {
		return m
	}
	return Member{}
}

// FeesHidden reports whether the agency hides payment from the recruiter: from all
// members but its owners.
func (s Standing) FeesHidden() bool {
	return s.Agency != nil && s.Agency.HidesPayment && !s.Member().Owner
}

// Standing returns a recruiter with the agency as they are now; fault.Missing if there
// is no such recruiter. It costs one call if the agency is the one that is guessed
// ("" guesses none), else two.
func (s *Store) Standing(ctx context.Context, recruiterID, guess string) (Standing, error) {
	wanted := []dynamo.Keyed{dynamo.Keys{recruiterKey(recruiterID), recruiterSK}}
	if guess != "" {
		wanted = append(wanted, dynamo.Keys{agencyKey(guess), agencySK})
	}
	var found []dynamo.Item
	if err := s.table.Batch(topology.PK, topology.SK).Get(wanted...).Consistent(true).All(ctx, &found); err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return Standing{}, err
	}
	var recruiter recruiterItem
	var agency agencyItem
	for _, item := range found {
		var of itemHeader
		if err := dynamo.UnmarshalItem(item, &of); err != nil {
			return Standing{}, err
		}
		out := any(&recruiter)
		if of.SK == agencySK {
			out = &agency
		}
		if err := dynamo.UnmarshalItem(item, out); err != nil {
			return Standing{}, err
		}
	}
	if recruiter.PK == "" || recruiter.Absent {
		return Standing{}, fault.Missing()
	}
	return s.withAgency(ctx, Standing{Recruiter: recruiter.Recruiter}, agency)
}

func (s *Store) withAgency(ctx context.Context, out Standing, guessed agencyItem) (Standing, error) {
	id := out.Recruiter.AgencyID
	if id == "" {
		return out, nil
	}
	var err error
	if guessed.ID != id {
		err = s.readItem(ctx, agencyKey(id), agencySK, &guessed)
	}
	if err = guessed.missingIfAbsent(err); err != nil && fault.As(err).Kind == fault.NotFound {
		return out, nil // the agency has not come yet
	}
	out.Agency = &guessed.Agency
	return out, err
}
