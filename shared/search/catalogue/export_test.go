package catalogue

import (
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// SetMaxChanges sets the number of changes over the base from which a newer base is looked for.
func (c *Catalogue) SetMaxChanges(changes int) { c.maxChanges = changes }

// SetPatience sets the time that an update may take before others are served the copy as it is.
func (c *Catalogue) SetPatience(d time.Duration) { c.patience = d }

// SetShardSize sets the maximum number of roles in a shard of a new generation.
func (c *Catalogue) SetShardSize(roles int) { c.rolesPerShard = roles }

// AddFormat turns the catalogue into that of the next version, which adds a format.
func (c *Catalogue) AddFormat() { c.formats = append([]int{Format + 1}, c.formats...) }

// CountChanges returns the number of changes that the catalogue holds over its base.
func (c *Catalogue) CountChanges() int { return len(c.own.changed) }

// DropOldFormats makes the catalogue read only the format that it writes.
func (c *Catalogue) DropOldFormats() { c.formats = c.formats[:1] }

// HeadFormat returns the format of the generation that the catalogue has loaded.
func (c *Catalogue) HeadFormat() int { return c.head.Format }

// BuildFiles returns the files of a generation of public roles.
func BuildFiles(docs []roleindex.Doc, shards int) [][]byte {
	parts := make([]map[string]*roleindex.Doc, shards)
	for i := range parts {
		parts[i] = map[string]*roleindex.Doc{}
	}
	for i, doc := range docs {
		parts[shardOf(doc.ID, shards)][doc.ID] = &docs[i]
	}
	var files [][]byte
	for _, part := range parts {
		files = append(files, joinIndexes(roleindex.Build(part), roleindex.Build(nil)))
	}
	return files
}

// OpenFiles opens the files of a generation and returns the view of a stranger.
func OpenFiles(files ...[]byte) (*roleindex.View, error) {
	var shards []indexPair
	for _, file := range files {
		shard, err := openIndexes(file)
		if err != nil {
			return nil, err
		}
		shards = append(shards, shard)
	}
	return joinShards(shards)[sharedIndex], nil
}

// Follower is a copy of roles over which digests are merged, without tables.
type Follower struct {
	*Catalogue
	bytes int
}

// NewFollower returns a follower of a base with the given roles and number of shards.
func NewFollower(docs []roleindex.Doc, shards int) *Follower {
	c := New(nil, nil)
	head := snapshot.Head{Format: Format, Generation: 1}
	for i, file := range BuildFiles(docs, shards) {
		key := strconv.Itoa(i)
		head.Files = append(head.Files, key)
		c.shards[key], _ = openIndexes(file)
	}
	c.adoptBase(head)
	c.digested = 0
	return &Follower{Catalogue: c}
}

// Merge encodes, decodes and merges a digest of documents.
func (f *Follower) Merge(docs []roleindex.Doc) {
	var d digest
	for i := range docs {
		d.Roles = append(d.Roles, roleindex.RoleDocs{ID: docs[i].ID, Shared: &docs[i]})
		d.Logged = append(d.Logged, strconv.FormatInt(f.digested, 10)+docs[i].ID)
	}
	content, _ := d.encode()
	f.bytes = len(content)
	d, _ = decodeDigest(content)
	if err := f.applyDigests([]digest{d}, snapshot.Digests{Number: f.digested + 1}, time.Unix(f.digested, 0)); err != nil {
		panic(err)
	}
}

// DigestBytes returns the size of the last digest.
func (f *Follower) DigestBytes() int { return f.bytes }

// View returns the catalogue as a stranger sees it.
func (f *Follower) View() *roleindex.View { return f.own.views[sharedIndex] }
