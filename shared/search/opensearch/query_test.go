package opensearch

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// TestNoConditionHasMoreTermsThanADomainTakes fails if a condition has more values than a domain takes, or if the conditions together have others
// than the roles that changed: three minutes of 1,000 changes a second.
func TestNoConditionHasMoreTermsThanADomainTakes(t *testing.T) {
	t.Parallel()
	const most = 65_536
	for _, n := range []int{0, 1, most, most + 1, 180_000} {
		changed := make([]string, n)
		for i := range changed {
			changed[i] = fmt.Sprintf("role-%06d", i)
		}
		var got []string
		for _, condition := range excludedOf(t, Scope{Changed: changed}.conditions()) {
			if len(condition.Terms.ID) > most {
				t.Errorf("%d values in one condition", len(condition.Terms.ID))
			}
			got = append(got, condition.Terms.ID...)
		}
		slices.Sort(got)
		if !slices.Equal(got, changed) {
			t.Errorf("of %d changed roles %d are excluded, or others", n, len(got))
		}
	}
}

// termsCondition is a condition of one of the given ids, or of any of several conditions.
type termsCondition struct {
	Terms struct {
		ID []string `json:"id"`
	} `json:"terms"`
	Bool struct {
		Should []termsCondition `json:"should"`
	} `json:"bool"`
}

// excludedOf returns the conditions of what a query excludes.
func excludedOf(t *testing.T, query object) (conditions []termsCondition) {
	t.Helper()
	raw, err := json.Marshal(query)
	var decoded struct {
		Bool struct {
			MustNot []termsCondition `json:"must_not"`
		} `json:"bool"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &decoded)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, condition := range decoded.Bool.MustNot {
		conditions = append(append(conditions, condition), condition.Bool.Should...)
	}
	return conditions
}
