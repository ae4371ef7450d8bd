package role

import (
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// DecodedRoles keeps roles as they were decoded, because the same ones are on many pages. A kept role
// is used only where the item that has just been read has the same revision, and so is the same
// ([entity.Item.Revision]). It is safe for concurrent use. A nil *DecodedRoles keeps nothing.
type DecodedRoles struct {
	mu   sync.Mutex
	kept map[string]Unredacted
}

// maxDecoded bounds the roles that are kept: up to 10 KB each.
const maxDecoded = 1000

// NewDecodedRoles returns an empty cache.
func NewDecodedRoles() *DecodedRoles { return &DecodedRoles{kept: map[string]Unredacted{}} }

// decode is unredactedIn, with the kept role if the item has not changed.
func (d *DecodedRoles) decode(item entity.Item) (r Unredacted, found bool, err error) {
	if d == nil {
		return unredactedIn(item)
	}
	if kept, ok := d.find(item.PK); ok && kept.revision == item.Revision() {
		return kept, true, nil
	}
	r, found, err = unredactedIn(item)
	if found && err == nil {
		d.keep(item.PK, r)
	}
	return r, found, err
}

func (d *DecodedRoles) find(pk string) (kept Unredacted, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	kept, ok = d.kept[pk]
	return kept, ok
}

// keep replaces what is kept of a role, and drops another one, in no particular order, if there are
// too many.
func (d *DecodedRoles) keep(pk string, r Unredacted) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept[pk] = r
	for other := range d.kept {
		if len(d.kept) <= maxDecoded {
			return
		}
		delete(d.kept, other)
	}
}
