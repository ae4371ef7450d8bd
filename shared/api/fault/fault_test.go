package fault_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// TestEveryKindHasOneRow holds the table to the kinds, and to the published codes.
func TestEveryKindHasOneRow(t *testing.T) {
	t.Parallel()
	seen := map[fault.Kind]bool{}
	statuses := map[int]bool{}
	types := map[string]bool{}
	for _, c := range fault.Categories {
		if seen[c.Kind] || statuses[c.Status] || types[c.Type] && c.Kind != fault.Unavailable {
			t.Errorf("row %+v occurs twice", c)
		}
		if c.Type == "" || c.Meaning == "" || c.Retry == "" || c.Kind.Category() != c {
			t.Errorf("row %+v is incomplete", c)
		}
		seen[c.Kind], statuses[c.Status], types[c.Type] = true, true, true
	}
	for kind := fault.Internal; kind <= fault.Unavailable; kind++ {
		if !seen[kind] {
			t.Errorf("kind %d has no row", kind)
		}
	}
	if !slices.IsSortedFunc(fault.Categories, func(a, b fault.Category) int { return a.Status - b.Status }) {
		t.Error("the rows are not in the order of their statuses")
	}
	for code, status := range contract.Codes {
		if !statuses[status] {
			t.Errorf("code %s comes with %d, which no kind has", code, status)
		}
	}
}

func TestUnknownKindIsInternal(t *testing.T) {
	t.Parallel()
	for _, kind := range []fault.Kind{-1, fault.Unavailable + 1} {
		if got := kind.Category().Kind; got != fault.Internal {
			t.Errorf("kind %d: got the row of %d", kind, got)
		}
	}
}

// GET /enumerations lists the types of errors, which are those of the categories.
func TestTypesArePublished(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range fault.Categories {
		got = append(got, c.Type)
	}
	got = slices.Compact(got) // two statuses have api_error
	if want := contract.ErrorTypes.Values; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAs(t *testing.T) {
	t.Parallel()
	cause := errors.New("inner")
	missing := fault.Missing().Because(cause)
	if got := fault.As(errors.Join(missing)); got != missing || !errors.Is(got, cause) {
		t.Errorf("got %v, want the fault itself", got)
	}
	if got := fault.As(cause); got.Kind != fault.Internal || !errors.Is(got, cause) || got.Message == cause.Error() {
		t.Errorf("got %+v, want an internal error that hides its cause", got)
	}
}
