package role

import (
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// DecodedRoles keeps roles as they were decoded, because the same ones are on many pages. A kept role
// is used only where the item that has just been read has the same revision, and so is the same
// ([entity.Item.Revision]). It is safe for concurrent use. A nil *DecodedRoles keeps nothing.
type DecodedRoles struct{ kept *cloud.Cache[Unredacted] }

// maxDecoded bounds the roles that are kept: up to 10 KB each.
const maxDecoded = 1000

// NewDecodedRoles returns an empty cache.
func NewDecodedRoles() *DecodedRoles { return &DecodedRoles{cloud.NewCache[Unredacted](maxDecoded)} }

// decode is unredactedIn, with the kept role if the item has not changed.
func (d *DecodedRoles) decode(item entity.Item) (r Unredacted, found bool, err error) {
	if d == nil {
		return unredactedIn(item)
	}
	if kept, ok := d.kept.Get(item.PK); ok && kept.revision == item.Revision() {
		return kept, true, nil
	}
	r, found, err = unredactedIn(item)
	if found && err == nil {
		d.kept.Put(item.PK, r, 1)
	}
	return r, found, err
}
