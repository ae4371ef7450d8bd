package capacity_test

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// copyTemplates copies the items of the templates as often as the scale says.
func (s *scene) copyTemplates(size scale) {
	s.t.Helper()
	for _, part := range []struct {
		tag    string
		copies int
		// skip reports whether items with a partition key are not copied.
		skip func(pk string) bool
	}{
		{memberTag, size.members, copyAll},
		{membershipTag, size.memberships, copyAll},
		{companyTag, size.roles / companyRoles, copyAll},
		{roleTag, size.roles, ofRecruiter},
		{roleTag, size.ownRoles, func(pk string) bool { return !ofRecruiter(pk) }},
		{candidateTag, size.candidates, copyAll},
		{matchTag, size.ownRoles, copyAll},
		{callTag, size.calls, copyAll},
	} {
		s.copyItems(part.tag, 1, part.copies, part.skip)
	}
}

func copyAll(string) bool { return false }

func ofRecruiter(pk string) bool { return pk == "U#"+recruiterID }

// copyItems copies the items of templates whose keys have the tag, or what stands for it. The
// copies are numbered from first up to but excluding end.
func (s *scene) copyItems(tag string, first, end int, skip func(pk string) bool) {
	s.t.Helper()
	var templates []templateItem
	for _, t := range s.templates {
		pk := textOf(t.item[topology.PK])
		sk := textOf(t.item[topology.SK])
		if s.groupOf(pk+" "+sk) == tag && !isLogEntry(pk, sk) && !skip(pk) {
			templates = append(templates, t)
		}
	}
	if len(templates) == 0 {
		s.t.Fatalf("there is no template of %s", tag)
	}
	requests := make(chan templateItem, 100)
	var g errgroup.Group
	for range 3 {
		g.Go(func() error { return s.writeItems(requests) })
	}
	for n := first; n < end; n++ {
		replacer := strings.NewReplacer(s.replacements(tag, n)...)
		for _, t := range templates {
			item := replaceItem(replacer, t.item)
			rankRow(item)
			requests <- templateItem{t.table, item}
		}
	}
	close(requests)
	s.must(g.Wait())
}

// rankRow gives a copied row of a list the rank of its own id, at the time of the row that it is copied from.
func rankRow(item map[string]types.AttributeValue) {
	for _, kind := range []itemkey.Kind{itemkey.CandidateRow, itemkey.RecruiterCall} {
		values, isRow := kind.Parse(textOf(item[topology.PK]), textOf(item[topology.SK]))
		if !isRow {
			continue
		}
		copied, _ := strconv.ParseInt(values[1], 16, 64)
		const hashBits = 11 // of a rank; the others are of its time
		age := time.Duration(int64(entity.MaxRank)-copied) >> hashBits * time.Millisecond
		rank := entity.RankOf(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(age), values[2])
		item[topology.SK] = &types.AttributeValueMemberS{Value: kind.SK(rank.Key(), values[2])}
	}
}

// isLogEntry reports whether an item is an entry of a log of changes. Entries are not copied,
// because published data has none.
func isLogEntry(pk, sk string) bool {
	kinds := []itemkey.Kind{
		itemkey.SnapshotHead, itemkey.SnapshotDraft, itemkey.SnapshotChange, itemkey.SnapshotDigests, itemkey.CandidateChange,
	}
	return slices.ContainsFunc(kinds, func(k itemkey.Kind) bool { return k.Has(pk, sk) })
}

// groupOf returns the tag to which an item belongs: the first one that its keys contain.
func (s *scene) groupOf(keys string) string {
	if s.membership != "" && strings.Contains(keys, s.membership) {
		return membershipTag
	}
	for _, tag := range []string{matchTag, callTag, candidateTag, roleTag, companyTag, membershipTag, memberTag} {
		for _, text := range append([]string{tag}, hashesOf(tag)...) {
			if strings.Contains(keys, text) {
				return tag
			}
		}
	}
	return ""
}
