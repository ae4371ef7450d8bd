// Package account holds who there is: agencies with their capabilities and
// members, recruiters, and the API keys of both (supplement §2).
//
// All of it lives in the table topology.Accounts:
//
//	A#<agency>     / A           an agency with its members
//	U#<recruiter>  / U           a recruiter
//	P#<type>#<principal> / P     the keyring: a principal's unrevoked keys
//	P#<type>#<principal> / K#<key id>   a pointer to a key's item
//	K#<hash>       / K           a key's item, laid out by package gate
//
// A key is created, revoked, disabled and restored in transactions over these
// items, so that the number of active keys and the state of a switched-off
// account are exact at every moment. Writes are safe to repeat: a repeat whose
// first answer was lost finds its own mark and answers alike.
//
// The package decides who may administer which key. It does not authenticate:
// who acts comes in as a parameter, and so do the time, ids and the new key's
// hash. It never sees a key.
package account

import (
	"context"
	"errors"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/fault"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

const (
	agencySK    = "A"
	recruiterSK = "U"
	attrMembers = "members"
)

func agencyKey(id string) string    { return "A#" + id }
func recruiterKey(id string) string { return "U#" + id }

// Store reads and writes accounts. It is safe for use by several goroutines.
type Store struct {
	table dynamo.Table
	write func() *dynamo.WriteTx
}

// NewStore makes a store on the table topology.Accounts; write starts a transaction
// on the database that the table is in.
func NewStore(table dynamo.Table, write func() *dynamo.WriteTx) *Store {
	return &Store{table: table, write: write}
}

// Agency reads an agency as it is now; fault.Missing if there is none.
func (s *Store) Agency(ctx context.Context, id string) (Agency, error) {
	var item agencyItem
	err := s.read(ctx, agencyKey(id), agencySK, &item)
	return item.Agency, item.present(err)
}

// Recruiter reads a recruiter as it is now; fault.Missing if there is none.
func (s *Store) Recruiter(ctx context.Context, id string) (Recruiter, error) {
	var item recruiterItem
	err := s.read(ctx, recruiterKey(id), recruiterSK, &item)
	return item.Recruiter, item.present(err)
}

// read is a consistent read of one item.
func (s *Store) read(ctx context.Context, pk, sk string, out any) error {
	err := s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).Consistent(true).One(ctx, out)
	if errors.Is(err, dynamo.ErrNotFound) {
		return fault.Missing()
	}
	return err
}
