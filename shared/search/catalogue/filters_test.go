package catalogue

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// notFilters are the parameters of listRoles that ask nothing of a document: what to
// search, which page, and what the caller is to a role.
var notFilters = []string{"query", "cursor", "limit", "sort", "matchMyPreferences", "trialOnly", "primaryOnly", "approvedOnly"}

// TestEveryFilterParameterHasOneEntry holds that the contract and the table agree, and that
// a request with one parameter alone changes the query.
func TestEveryFilterParameterHasOneEntry(t *testing.T) {
	t.Parallel()
	var parameters []string
	for field := range reflect.TypeFor[contract.ListRolesRequest]().Fields() {
		name := field.Tag.Get("query")
		if slices.Contains(notFilters, name) {
			continue
		}
		parameters = append(parameters, name)
		var in contract.ListRolesRequest
		fill(reflect.ValueOf(&in).Elem().FieldByIndex(field.Index))
		filtered, open := newQuery(), newQuery()
		AddFilters(&filtered, in, time.Unix(1<<30, 0))
		if cmp.Equal(filtered, open) {
			t.Errorf("%s restricts nothing", name)
		}
	}
	if len(parameters) != len(filters) {
		t.Errorf("%d filters for %d parameters", len(filters), len(parameters))
	}
	for _, name := range parameters {
		if _, ok := filters[name]; !ok {
			t.Errorf("%s has no filter", name)
		}
	}
}

// TestEveryFilterHasDocumentField holds that a role of which everything is known leaves no
// field empty that a filter looks at.
func TestEveryFilterHasDocumentField(t *testing.T) {
	t.Parallel()
	r := shownRole{selfServeClosed: true}
	fill(reflect.ValueOf(&r.Listing).Elem())
	fill(reflect.ValueOf(&r.company).Elem())
	for name, f := range filters {
		var d roleindex.Doc
		if f.index != nil {
			f.index(&d, r)
		}
		if cmp.Equal(d, roleindex.Doc{}) != (name == "maxCompanySize") {
			t.Errorf("%s indexes %+v", name, d)
		}
	}
}

// A request that asks for nothing leaves a query as it was.
func TestNoFilters(t *testing.T) {
	t.Parallel()
	q := newQuery()
	AddFilters(&q, contract.ListRolesRequest{Locations: []contract.Location{}, Investors: []string{}}, time.Now())
	if diff := cmp.Diff(newQuery(), q); diff != "" {
		t.Error(diff)
	}
}

func newQuery() roleindex.Query {
	return roleindex.Query{
		AnyOf: map[roleindex.Field][]string{roleindex.Status: {string(contract.RoleStatusActive)}},
		Flags: map[roleindex.Flag]bool{roleindex.SelfServeClosed: false},
	}
}

// fill gives a value, and every field of a struct, content that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("not_available")
	case reflect.Int64:
		v.SetInt(5)
	case reflect.Float64:
		v.SetFloat(5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[contract.Time]() {
			v.Set(reflect.ValueOf(contract.At(time.Unix(1<<30, 0))))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}
