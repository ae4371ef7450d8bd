package catalogue_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// notFilters are the parameters of listRoles that ask nothing of a document: what to
// search, which page, and what the caller is to a role.
var notFilters = []string{"query", "cursor", "limit", "sort", "matchMyPreferences", "trialOnly", "primaryOnly", "approvedOnly"}

// TestEveryFilterParameterRestricts holds that a request with one parameter alone changes the query.
func TestEveryFilterParameterRestricts(t *testing.T) {
	t.Parallel()
	for field := range reflect.TypeFor[contract.ListRolesRequest]().Fields() {
		name := field.Tag.Get("query")
		if slices.Contains(notFilters, name) {
			continue
		}
		var in contract.ListRolesRequest
		fill(reflect.ValueOf(&in).Elem().FieldByIndex(field.Index))
		filtered := newQuery()
		open := newQuery()
		catalogue.AddFilters(&filtered, in, time.Unix(1<<30, 0))
		if cmp.Equal(filtered, open) {
			t.Errorf("%s restricts nothing", name)
		}
	}
}

// TestEveryFieldOfADocumentIsFilled holds that a role of which everything is known leaves no field of its document empty, and has the flags
// that filters look at.
func TestEveryFieldOfADocumentIsFilled(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	r := role.Role{Prose: role.Prose{Description: new("Builds ledgers.")}}
	company := role.Company{}
	fill(reflect.ValueOf(&r.Listing).Elem())
	fill(reflect.ValueOf(&company.CompanyFacts).Elem())
	must(t, b.roles.PutCompany(t.Context(), r.CompanyID, entity.Stamp{Version: 1, At: b.now}, &company))
	must(t, b.roles.Put(t.Context(), "role", entity.Stamp{Version: 1, At: b.now}, r))
	read, err := b.roles.ReadRoles(t.Context(), []string{"role"}, role.ReadOptions{Consistent: true, Description: true})
	must(t, err)
	doc := *catalogue.NewRoleDocs("role", read["role"]).Shared
	for field, value := range reflect.ValueOf(doc).Fields() {
		if value.IsZero() {
			t.Errorf("%s is empty", field.Name)
		}
	}
	want := []roleindex.Flag{roleindex.SelfServeClosed, roleindex.VisaSponsorship, catalogue.OffBrowse}
	if diff := cmp.Diff(want, doc.Flags); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
}

// A request that asks for nothing leaves a query as it was.
func TestNoFilters(t *testing.T) {
	t.Parallel()
	q := newQuery()
	catalogue.AddFilters(&q, contract.ListRolesRequest{Locations: []contract.Location{}, Investors: []string{}}, time.Now())
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
