package network

import (
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// toSavedPreferences returns what is read back of the request form: no list is null.
func toSavedPreferences(p contract.WorkPreferences) *contract.SavedWorkPreferences {
	return &contract.SavedWorkPreferences{
		Locations: nonNil(p.Locations), WorkplaceTypes: nonNil(p.WorkplaceTypes),
		SalaryMin: &p.SalaryMin, SalaryMax: p.SalaryMax, OTE: p.OTE,
		IdealFundingRounds: nonNil(p.IdealFundingRounds), VisaAuthorization: &p.VisaAuthorization,
		RoleType: nonNil(p.RoleType), ExcludedIndustries: nonNil(p.ExcludedIndustries),
		CompanySizePreferences: nonNil(p.CompanySizePreferences),
	}
}

// nonNil returns an empty list for nil.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// samePreferences reports whether two preferences read back alike.
func samePreferences(a, b *contract.SavedWorkPreferences) bool { return reflect.DeepEqual(a, b) }
