package account

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// attrRevision changes with every write of an account's or member's item, so that others
// notice; it is the nonce of the last write.
const attrRevision = "revision"

// itemHeader has the attributes of both kinds of account item except the account itself.
type itemHeader struct {
	PK       string `dynamo:"pk,hash"`
	SK       string `dynamo:"sk,range"`
	Version  int64  `dynamo:"version"`
	Revision string `dynamo:"revision"`
	// KeysOn says that the principal's keys are not disabled.
	KeysOn bool `dynamo:"keysOn"`
	// NetworkOff says that the keys are refused on the Talent Network.
	NetworkOff bool `dynamo:"networkOff,omitempty"`
	// KeysOwner is the id of the primary owner that the keys have.
	KeysOwner string `dynamo:"keysOwner,omitempty"`
	// Absent marks the item of a deleted account.
	Absent bool `dynamo:"absent,omitempty"`
}

type agencyItem struct {
	itemHeader
	Agency
}

type recruiterItem struct {
	itemHeader
	Recruiter
}

// missingIfAbsent returns err, and fault.Missing for an item without its account.
func (m *itemHeader) missingIfAbsent(err error) error {
	if err == nil && m.Absent {
		return fault.Missing()
	}
	return err
}

// ifUnchanged adds the condition that the item still has the revision that was read; "" means
// that there was no item.
func ifUnchanged(put *dynamo.Put, revision string) *dynamo.Put {
	if revision == "" {
		return put.If("attribute_not_exists($)", topology.PK)
	}
	return put.If("$ = ?", attrRevision, revision)
}

// switchKeys adds to the transaction what the change means for the principal's
// keys: a new principal gets its keyring, a switched one has every key on the
// ring switched, provided the ring did not change since it was read.
func (s *Store) switchKeys(ctx context.Context, tx *dynamo.WriteTx, p Principal, old, next itemHeader) error {
	isSame := old.KeysOn == next.KeysOn && old.NetworkOff == next.NetworkOff && old.KeysOwner == next.KeysOwner
	if isSame && old.Revision != "" && !old.Absent {
		return nil
	}
	ring := emptyRing(p)
	isNew := old.Revision == ""
	if !isNew {
		err := s.readItem(ctx, ring.PK, ring.SK, &ring)
		if err != nil && !fault.IsMissing(err) {
			return err
		}
		isNew = fault.IsMissing(err)
	}
	if isNew {
		tx.Put(s.table.Put(ring).If("attribute_not_exists($)", topology.PK))
		return nil
	}
	tx.Check(s.table.Check(topology.PK, ring.PK).Range(topology.SK, ring.SK).If("$ = ?", attrVersion, ring.Version))
	for _, e := range ring.Keys {
		u := apikey.Update(s.table, e.Hash).If("attribute_exists($)", topology.PK)
		setAttribute(u, apikey.AttrDisabled, !next.KeysOn)
		setAttribute(u, apikey.AttrNetworkOff, next.NetworkOff)
		setAttribute(u, apikey.AttrPrimaryOwner, next.KeysOwner)
		tx.Update(u)
	}
	return nil
}

// setAttribute sets an attribute that exists only while it is not zero.
func setAttribute[T comparable](u *dynamo.Update, name string, value T) {
	var zero T
	if value == zero {
		u.Remove(name)
		return
	}
	u.Set(name, value)
}
