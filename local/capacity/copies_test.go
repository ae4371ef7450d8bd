package capacity_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

const (
	// owners is how many members own the memberships, in turn, but for each fourth one, which
	// busiestOwner has.
	owners, busiestOwner = 20, 3
	// companyRoles is how many roles a company has.
	companyRoles = 20
	// roleApplications is how many candidates the recruiter submits to a role.
	roleApplications = 5
)

// withTag returns a template's tag, or a text with tags, with the digits of the nth copy.
func withTag(tag string, n int) string { return fmt.Sprintf("%s%07d", tag[:1], n) }

// withoutDigits returns what ids of a template and of its copies have in common.
func withoutDigits(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, id)
}

// tagsOf returns by the tag of a template's id that of a copy's.
func tagsOf(template, copied string) map[string]string {
	for _, tag := range []string{memberTag, membershipTag, companyTag, roleTag, candidateTag, matchTag, callTag} {
		if at := strings.Index(template, tag); at >= 0 {
			return map[string]string{tag: copied[at : at+len(tag)]}
		}
	}
	return nil
}

// copyTemplates copies the items of the templates as often as the scale says.
func (s *scene) copyTemplates(size scale) {
	s.t.Helper()
	templates := s.scanAll()
	ofRecruiter := func(pk string) bool { return pk == "U#"+recruiterID }
	ofOthers := func(pk string) bool { return !ofRecruiter(pk) }
	for _, part := range []struct {
		tag    string
		copies int
		// skip selects what is not copied, by the partition key; nil copies all.
		skip func(pk string) bool
	}{
		{memberTag, size.members, nil},
		{membershipTag, size.memberships, nil},
		{companyTag, size.roles / companyRoles, nil},
		{roleTag, size.roles, ofRecruiter},
		{roleTag, size.ownRoles, ofOthers},
		{candidateTag, size.candidates, nil},
		{matchTag, size.ownRoles, nil},
		{callTag, size.calls, nil},
	} {
		s.copyItems(templates, part.tag, part.copies, part.skip)
	}
}

// templateItem is an item of a table.
type templateItem struct {
	table string
	item  map[string]types.AttributeValue
}

// copyItems copies all items whose keys have the tag, or what stands for it.
func (s *scene) copyItems(all []templateItem, tag string, copies int, skip func(pk string) bool) {
	s.t.Helper()
	var templates []templateItem
	for _, t := range all {
		pk, sk := textOf(t.item[topology.PK]), textOf(t.item[topology.SK])
		if isLogEntry(pk, sk) {
			continue // what is published has no log
		}
		if groupOf(pk+" "+sk, s.standIns(membershipTag, 0)) == tag && (skip == nil || !skip(pk)) {
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
	for n := 1; n < copies; n++ {
		replacer := strings.NewReplacer(s.replacements(tag, n)...)
		for _, t := range templates {
			requests <- templateItem{t.table, replaceItem(replacer, t.item)}
		}
	}
	close(requests)
	s.must(g.Wait())
}

// isLogEntry reports whether an item is an entry of a log of changes.
func isLogEntry(pk, sk string) bool {
	for _, kinds := range itemkey.Tables {
		for _, kind := range kinds {
			if kind.Owner == itemkey.SnapshotHead.Owner && kind.Has(pk, sk) {
				return true
			}
		}
	}
	return false
}

// groupOf returns the tag to which an item belongs by its keys: the first of those that it has.
func groupOf(keys string, membership []string) string {
	for i := 0; i < len(membership); i += 2 {
		if strings.Contains(keys, membership[i]) {
			return membershipTag
		}
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

// hashesOf returns the hashes that stand for the person of a tag.
func hashesOf(tag string) []string {
	prefix := ""
	if tag[:1] == membershipTag[:1] {
		prefix = "p-"
	}
	return []string{identity.Hash(prefix + tag + "@example.com"), identity.Hash("https://www.linkedin.com/in/" + prefix + tag)}
}

// standIns returns what stands for the tag of memberships in items, and for the nth copy.
func (s *scene) standIns(tag string, n int) (pairs []string) {
	if tag == membershipTag && s.membership != "" {
		pairs = append(pairs, s.membership, fmt.Sprintf("%s%07d", s.membership[:len(s.membership)-7], n))
	}
	return pairs
}

// replacements returns pairs of what is replaced in the nth copy.
func (s *scene) replacements(tag string, n int) (pairs []string) {
	pairs = append(pairs, prose(20_000), "", prose(4000), "") // no list reads it
	numbers := map[string]int{tag: n}
	switch tag {
	case matchTag:
		numbers[candidateTag], numbers[roleTag] = n, n
	case candidateTag:
		numbers[roleTag] = n / roleApplications
	case roleTag:
		numbers[companyTag] = n / companyRoles
	case membershipTag:
		if numbers[memberTag] = n % owners; n%4 == 0 {
			numbers[memberTag] = busiestOwner
		}
	}
	for other, number := range numbers {
		pairs = append(pairs, other, withTag(other, number))
		own := hashesOf(withTag(other, number))
		for i, hash := range hashesOf(other) {
			pairs = append(pairs, hash, own[i])
		}
	}
	return append(pairs, s.standIns(tag, n)...)
}

// scanAll returns all items of all tables.
func (s *scene) scanAll() (all []templateItem) {
	s.t.Helper()
	for _, table := range topology.Tables {
		for _, item := range s.scanTable(table) {
			all = append(all, templateItem{s.host.Getenv(table.Env), item})
		}
	}
	return all
}

// scanTable returns all items of a table.
func (s *scene) scanTable(table topology.Table) (items []map[string]types.AttributeValue) {
	s.t.Helper()
	pages := dynamodb.NewScanPaginator(s.rows, &dynamodb.ScanInput{TableName: new(s.host.Getenv(table.Env))})
	for pages.HasMorePages() {
		page, err := pages.NextPage(s.t.Context())
		s.must(err)
		items = append(items, page.Items...)
	}
	return items
}

// writeItems writes what it receives, 25 items a call.
func (s *scene) writeItems(items <-chan templateItem) error {
	batch := map[string][]types.WriteRequest{}
	size := 0
	flush := func() error {
		if size == 0 {
			return nil
		}
		out, err := s.rows.BatchWriteItem(s.t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: maps.Clone(batch)})
		if err == nil && len(out.UnprocessedItems) > 0 {
			err = fmt.Errorf("items were left over")
		}
		clear(batch)
		size = 0
		return err
	}
	var failed error
	for i := range items {
		batch[i.table] = append(batch[i.table], types.WriteRequest{PutRequest: &types.PutRequest{Item: i.item}})
		if size++; size == 25 && failed == nil {
			failed = flush()
		}
	}
	if failed == nil {
		failed = flush()
	}
	return failed
}

func textOf(value types.AttributeValue) string {
	if s, ok := value.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// replaceItem returns an item with texts replaced in names and values.
func replaceItem(r *strings.Replacer, item map[string]types.AttributeValue) map[string]types.AttributeValue {
	replaced := make(map[string]types.AttributeValue, len(item))
	for name, value := range item {
		replaced[r.Replace(name)] = replaceValue(r, value)
	}
	return replaced
}

func replaceValue(r *strings.Replacer, value types.AttributeValue) types.AttributeValue {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return &types.AttributeValueMemberS{Value: r.Replace(v.Value)}
	case *types.AttributeValueMemberB:
		return &types.AttributeValueMemberB{Value: []byte(r.Replace(string(bytes.Clone(v.Value))))}
	case *types.AttributeValueMemberSS:
		texts := slices.Clone(v.Value)
		for i := range texts {
			texts[i] = r.Replace(texts[i])
		}
		return &types.AttributeValueMemberSS{Value: texts}
	case *types.AttributeValueMemberM:
		return &types.AttributeValueMemberM{Value: replaceItem(r, v.Value)}
	case *types.AttributeValueMemberL:
		list := slices.Clone(v.Value)
		for i := range list {
			list[i] = replaceValue(r, list[i])
		}
		return &types.AttributeValueMemberL{Value: list}
	}
	return value
}
