package capacity_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

const (
	// owners is the number of members who own the memberships, in turn, except every fourth one,
	// which belongs to busiestOwner.
	owners, busiestOwner = 20, 3
	// companyRoles is how many roles a company has.
	companyRoles = 20
	// roleApplications is how many candidates the recruiter submits to a role.
	roleApplications = 5
)

// withTag returns a template's tag with its digits replaced by n.
func withTag(tag string, n int) string { return fmt.Sprintf("%s%07d", tag[:1], n) }

// withoutDigits returns the part that the ids of a template and of its copies have in common.
func withoutDigits(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, id)
}

// tagsOf returns the tag of a copy's id, by the tag of its template's id.
func tagsOf(template, copied string) map[string]string {
	for _, tag := range []string{memberTag, membershipTag, companyTag, roleTag, candidateTag, matchTag, callTag} {
		if at := strings.Index(template, tag); at >= 0 {
			return map[string]string{tag: copied[at : at+len(tag)]}
		}
	}
	return nil
}

// hashesOf returns the hashes of the identities of the person with a tag.
func hashesOf(tag string) []string {
	if tag[:1] == membershipTag[:1] {
		return []string{identity.Hash(personEmail(tag)), identity.Hash(personURL(tag))}
	}
	return []string{identity.Hash(tag + "@example.com"), identity.Hash("https://www.linkedin.com/in/" + tag)}
}

// replacements returns pairs of a text in a template and its replacement in the nth copy.
func (s *scene) replacements(tag string, n int) (pairs []string) {
	pairs = append(pairs, repeatText(20_000), "", repeatText(8000), "", repeatText(4000), "") // no list reads these texts
	numbers := map[string]int{tag: n}
	switch tag {
	case matchTag:
		numbers[candidateTag] = n
		numbers[roleTag] = n
	case candidateTag:
		numbers[roleTag] = n / roleApplications
	case roleTag:
		numbers[companyTag] = n / companyRoles
	case membershipTag:
		numbers[memberTag] = n % owners
		if n%4 == 0 {
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
	if tag == membershipTag {
		pairs = append(pairs, s.membership, fmt.Sprintf("%s%07d", s.membership[:len(s.membership)-7], n))
	}
	return pairs
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
