package itemkey_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

func Example() {
	pk, sk := itemkey.UnresolvedMatch.Key("rec_1", "cand_2", "role_3", "match_4")
	fmt.Println(pk, sk)
	fmt.Println(itemkey.UnresolvedMatch.Prefix("cand_2"))
	fmt.Println(itemkey.UnresolvedMatch.Parse(pk, sk))
	fmt.Println(itemkey.RecruiterMatch.Has(pk, sk))
	// Output:
	// U#rec_1 Q#cand_2#role_3#match_4
	// Q#cand_2#
	// [rec_1 cand_2 role_3 match_4] true
	// false
}

// accepted are the pairs of kinds whose keys can be equal, with the reason why
// they are not in fact.
var accepted = map[[2]string]string{
	{itemkey.ListedRole.String(), itemkey.Call.String()}:       "the feed refuses roles with the id L or D",
	{itemkey.ListedRole.String(), itemkey.CallDetail.String()}: "the feed refuses roles with the id L or D",
}

func TestNoTwoKindsShareAKey(t *testing.T) {
	t.Parallel()
	for table, kinds := range itemkey.Tables {
		for i, a := range kinds {
			for _, b := range kinds[i+1:] {
				if accepted[[2]string{a.String(), b.String()}] != "" {
					continue
				}
				if overlap(parse(a.Partition), parse(b.Partition)) && overlap(parse(a.Sort), parse(b.Sort)) {
					t.Errorf("%s: a key can be of both %q and %q", table, a, b)
				}
			}
		}
	}
}

func TestNoPrefixCatchesAnotherKind(t *testing.T) {
	t.Parallel()
	for table, kinds := range itemkey.Tables {
		for _, a := range kinds {
			for n := range strings.Count(a.Sort, "<") {
				prefix := prefixOf(a.Sort, n)
				for _, b := range kinds {
					if a != b && len(prefix) > 0 && overlap(parse(a.Partition), parse(b.Partition)) &&
						overlap(append(prefix, place{wild: true, hash: true}), parse(b.Sort)) {
						t.Errorf("%s: a query for %q by %d values finds %q", table, a, n, b)
					}
				}
			}
		}
	}
}

func TestParseReadsWhatKeyBuilds(t *testing.T) {
	t.Parallel()
	for table, kinds := range itemkey.Tables {
		for _, k := range kinds {
			values := make([]string, strings.Count(k.String(), "<"))
			for i := range values {
				values[i] = fmt.Sprint(1000 + i)
			}
			pk, sk := k.Key(values...)
			if got, ok := k.Parse(pk, sk); !ok || !slices.Equal(got, values) {
				t.Errorf("%s: %q parses %q, %q as %q, %t", table, k, pk, sk, got, ok)
			}
			for _, other := range kinds {
				if k != other && other.Has(pk, sk) && accepted[[2]string{other.String(), k.String()}] == "" {
					t.Errorf("%s: %q, %q of %q is of %q too", table, pk, sk, k, other)
				}
			}
		}
	}
}

func TestKeyWantsEveryValue(t *testing.T) {
	t.Parallel()
	for _, values := range [][]string{{"rec_1"}, {"rec_1", "cand_1", "app_1", "more"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Key(%q) did not panic", values)
				}
			}()
			itemkey.CandidateApplication.Key(values...)
		}()
	}
}

// place is a byte of a form, or any text in it.
type place struct {
	wild bool
	// hash says that the text may hold a "#".
	hash    bool
	literal byte
}

func parse(form string) (places []place) {
	for form != "" {
		literal, rest, more := strings.Cut(form, "<")
		for i := range len(literal) {
			places = append(places, place{literal: literal[i]})
		}
		name, after, _ := strings.Cut(rest, ">")
		form = after
		if more {
			places = append(places, place{wild: true, hash: strings.HasSuffix(name, "…")})
		}
	}
	return places
}

// prefixOf returns a form up to its place number n.
func prefixOf(form string, n int) []place {
	all := parse(form)
	for i, p := range all {
		if p.wild {
			if n == 0 {
				return slices.Clone(all[:i])
			}
			n--
		}
	}
	return all
}

// overlap reports whether a text is of both forms.
func overlap(a, b []place) bool {
	switch {
	case len(a) > 0 && a[0].wild:
		return overlap(a[1:], b) || len(b) > 0 && a[0].takes(b[0]) && overlap(a, b[1:])
	case len(b) > 0 && b[0].wild:
		return overlap(b, a)
	case len(a) == 0 || len(b) == 0:
		return len(a) == len(b)
	}
	return a[0] == b[0] && overlap(a[1:], b[1:])
}

func (p place) takes(next place) bool { return next.wild || p.hash || next.literal != '#' }
