package catalogue

import (
	"context"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// ReadLate reads the states of roles, for the returned function to write them later.
func (r *Remote) ReadLate(ctx context.Context, ids []string) (write func() error, err error) {
	states, err := r.readStates(ctx, ids)
	if err != nil {
		return nil, err
	}
	writer, err := r.domain.Writer(ctx)
	return func() error { return writer.Write(ctx, states) }, err
}

// SetPartSize sets how many roles a fill writes before it notes its progress.
func (r *Remote) SetPartSize(roles int) { r.partSize = roles }

// CurrentFormat is the format that is written.
var CurrentFormat = formats[0].number

// SetMaxChanges sets how many changes over the base are worth looking for a newer one.
func (c *Catalogue) SetMaxChanges(changes int) { c.maxChanges = changes }

// SetShardSize sets how many roles a shard of a new generation has at most.
func (c *Catalogue) SetShardSize(roles int) { c.rolesPerShard = roles }

// AddFormat lets the catalogue be that of a next version, whose files begin with its number.
func (c *Catalogue) AddFormat() {
	const version = "next"
	next := format{CurrentFormat + 1, func(shared, own []byte) []byte { return append([]byte(version), joinIndexes(shared, own)...) },
		func(file []byte) (indexPair, error) {
			rest, ok := strings.CutPrefix(string(file), version)
			if !ok {
				return indexPair{}, roleindex.ErrBroken
			}
			return openIndexes([]byte(rest))
		}}
	c.formats = append([]format{next}, c.formats...)
}

// CountChanges returns how many changes the catalogue has over what it has loaded.
func (c *Catalogue) CountChanges() int { return len(c.changed) }

// DropOldFormats lets the catalogue read the format alone that it writes.
func (c *Catalogue) DropOldFormats() { c.formats = c.formats[:1] }

// HeadFormat returns the format of what the catalogue has loaded.
func (c *Catalogue) HeadFormat() int { return c.head.Format }
