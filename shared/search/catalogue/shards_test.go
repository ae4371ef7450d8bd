package catalogue

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// TestNumberOfShards fails unless there are as few shards as can hold the roles, a power of two, and at most 32.
func TestNumberOfShards(t *testing.T) {
	t.Parallel()
	c := New(nil, nil)
	for roles, want := range map[int]int{
		0: 1, 1: 1, 65_536: 1, 65_537: 2, 131_072: 2, 131_073: 4, 1_000_000: 16, 16 * 65_536: 16, 16*65_536 + 1: 32, 32*65_536 + 1: 32, 10_000_000: 32,
	} {
		if got := c.countShards(roles); got != want {
			t.Errorf("%d roles: got %d shards, want %d", roles, got, want)
		}
	}
}

// TestShardsOfRoles fails if the shard of a role changes: published files would be searched for roles that they do not have.
func TestShardsOfRoles(t *testing.T) {
	t.Parallel()
	want := []int{4, 23, 10, 29, 24, 11, 30, 17, 12, 31, 5, 18}
	var ids []string
	for i := range want {
		ids = append(ids, fmt.Sprint("role-", i))
	}
	for i, id := range ids {
		if got := shardOf(id, 32); got != want[i] {
			t.Errorf("%s: got the shard %d, want %d", id, got, want[i])
		}
	}
	groups := groupByShard(ids, 32)
	if len(groups) != 32 {
		t.Fatalf("got %d groups, want 32", len(groups))
	}
	for i, id := range ids {
		if !slices.Contains(groups[want[i]], id) {
			t.Errorf("%s is not among %v", id, groups[want[i]])
		}
	}
}

// TestFilesOfShards fails unless a file has the length of the shared index, that index and the other one, and no other file is opened.
func TestFilesOfShards(t *testing.T) {
	t.Parallel()
	shared := roleindex.Build(map[string]*roleindex.Doc{"a": {ID: "a"}, "b": {ID: "b"}})
	approved := roleindex.Build(map[string]*roleindex.Doc{"a": {ID: "a"}})
	file := joinIndexes(shared, approved)
	if n := binary.LittleEndian.Uint64(file); n != uint64(len(shared)) || len(file) != 8+len(shared)+len(approved) {
		t.Errorf("the file of %d bytes begins with %d; want 8 bytes more than %d and %d", len(file), n, len(shared), len(approved))
	}
	pair, err := openIndexes(file)
	if err != nil || pair[sharedIndex].Len() != 2 || pair[approvedIndex].Len() != 1 {
		t.Errorf("got %v, %v, want two roles and one", pair, err)
	}
	long := slices.Clone(file)
	binary.LittleEndian.PutUint64(long, uint64(len(file)-8+1))
	for name, broken := range map[string][]byte{
		"nothing": nil, "seven bytes": file[:7], "eight bytes": file[:8], "cut short": file[:8+len(shared)-1], "no second index": file[:8+len(shared)],
		"too long": long,
	} {
		if _, err := openIndexes(broken); !errors.Is(err, roleindex.ErrBroken) {
			t.Errorf("%s: got %v, want %v", name, err, roleindex.ErrBroken)
		}
		if _, err := OpenFiles(file, broken); !errors.Is(err, roleindex.ErrBroken) {
			t.Errorf("%s as a second file: got %v, want %v", name, err, roleindex.ErrBroken)
		}
	}
}

// TestFilesOfAGeneration fails unless each role is in the file of its shard.
func TestFilesOfAGeneration(t *testing.T) {
	t.Parallel()
	docs := make([]roleindex.Doc, 20)
	for i := range docs {
		docs[i].ID = fmt.Sprint("role-", i)
	}
	files := BuildFiles(docs, 4)
	for i, file := range files {
		pair, err := openIndexes(file)
		if err != nil {
			t.Fatal(err)
		}
		view := joinShards([]indexPair{pair})[sharedIndex]
		for _, doc := range docs {
			found := len(view.Search(roleindex.Query{Only: []string{doc.ID}}).Rows) == 1
			if found != (shardOf(doc.ID, 4) == i) {
				t.Errorf("%s is in the file %d: %t", doc.ID, i, found)
			}
		}
	}
	all, err := OpenFiles(files...)
	if err != nil {
		t.Fatal(err)
	}
	if page := all.Search(roleindex.Query{Limit: 100}); len(page.Rows) != 20 {
		t.Errorf("all files have %d roles, want 20", len(page.Rows))
	}
}
