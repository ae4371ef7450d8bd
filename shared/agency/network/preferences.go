package network

import (
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// toSavedPreferences returns what is read back of the request form: no list is null.
func toSavedPreferences(p contract.WorkPreferences) *contract.SavedWorkPreferences {
	list := func(s []string) []string {
		if s == nil {
			return []string{}
		}
		return s
	}
	return &contract.SavedWorkPreferences{
		Locations: list(p.Locations), WorkplaceTypes: list(p.WorkplaceTypes),
		SalaryMin: &p.SalaryMin, SalaryMax: p.SalaryMax, OTE: p.OTE,
		IdealFundingRounds: list(p.IdealFundingRounds), VisaAuthorization: &p.VisaAuthorization,
		RoleType: list(p.RoleType), ExcludedIndustries: list(p.ExcludedIndustries),
		CompanySizePreferences: list(p.CompanySizePreferences),
	}
}

// samePreferences reports whether two preferences read back alike.
func samePreferences(a, b *contract.SavedWorkPreferences) bool { return reflect.DeepEqual(a, b) }
