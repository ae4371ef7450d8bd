package role

import (
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// DecodedRoles keeps roles as they were decoded, because the same ones are on many pages. A kept role
// is used only where the item that has just been read is the same. It is safe for concurrent use.
// A nil *DecodedRoles keeps nothing.
type DecodedRoles struct {
	mu   sync.Mutex
	kept map[string]decodedRole
}

type decodedRole struct {
	item entity.Item
	role Unredacted
}

// maxDecoded bounds the roles that are kept: up to 10 KB each.
const maxDecoded = 1000

// NewDecodedRoles returns an empty cache.
func NewDecodedRoles() *DecodedRoles { return &DecodedRoles{kept: map[string]decodedRole{}} }

// decode is unredactedIn, with the kept role if the item has not changed.
func (d *DecodedRoles) decode(item entity.Item) (r Unredacted, found bool, err error) {
	if d == nil {
		return unredactedIn(item)
	}
	if kept, ok := d.find(item.PK); ok && kept.item.Equal(item) {
		return kept.role, true, nil
	}
	r, found, err = unredactedIn(item)
	if found && err == nil {
		d.keep(item, r)
	}
	return r, found, err
}

func (d *DecodedRoles) find(pk string) (kept decodedRole, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	kept, ok = d.kept[pk]
	return kept, ok
}

// keep replaces what is kept of a role, and drops another one, in no particular order, if there are
// too many.
func (d *DecodedRoles) keep(item entity.Item, r Unredacted) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept[item.PK] = decodedRole{item, r}
	for pk := range d.kept {
		if len(d.kept) <= maxDecoded {
			return
		}
		delete(d.kept, pk)
	}
}
