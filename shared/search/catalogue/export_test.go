package catalogue

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// SetMaxChanges sets the number of changes over the base from which a newer base is looked for.
func (c *Catalogue) SetMaxChanges(changes int) { c.maxChanges = changes }

// SetShardSize sets the maximum number of roles in a shard of a new generation.
func (c *Catalogue) SetShardSize(roles int) { c.rolesPerShard = roles }

// AddFormat turns the catalogue into that of the next version, which adds a format whose files
// begin with a version string.
func (c *Catalogue) AddFormat() {
	const version = "next"
	next := format{Format + 1, func(shared, own []byte) []byte { return append([]byte(version), joinIndexes(shared, own)...) },
		func(file []byte) (indexPair, error) {
			rest, ok := strings.CutPrefix(string(file), version)
			if !ok {
				return indexPair{}, roleindex.ErrBroken
			}
			return openIndexes([]byte(rest))
		}}
	c.formats = append([]format{next}, c.formats...)
}

// CountChanges returns the number of changes that the catalogue holds over its base.
func (c *Catalogue) CountChanges() int { return len(c.changed) }

// DropOldFormats makes the catalogue read only the format that it writes.
func (c *Catalogue) DropOldFormats() { c.formats = c.formats[:1] }

// HeadFormat returns the format of the generation that the catalogue has loaded.
func (c *Catalogue) HeadFormat() int { return c.head.Format }
