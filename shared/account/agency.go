package account

import (
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// Agency is a recruiting agency with its capabilities. Its members are separate items, so
// reading it costs the same for any number of members.
type Agency struct {
	ID   string `dynamo:"id"`
	Name string `dynamo:"name"`
	// APIAccess lets owners create agency keys; without it the agency's keys
	// are refused.
	APIAccess bool `dynamo:"apiAccess"`
	// TalentNetworkAccess offers the talent_network scopes.
	TalentNetworkAccess bool `dynamo:"talentNetworkAccess"`
	// TalentNetworkManagement lets the agency submit and take off market.
	TalentNetworkManagement bool `dynamo:"talentNetworkManagement"`
	// HidesPayment hides fees from its members, owners aside.
	HidesPayment bool `dynamo:"hidesPayment,omitempty"`
	// PrimaryOwner is the id of the one member that candidates belong to if the
	// submission names no member.
	PrimaryOwner string `dynamo:"primaryOwner"`
}

// RequireManagement refuses, with fault.Forbidden, an agency that may neither submit
// candidates nor take them off the market.
func (a Agency) RequireManagement() error {
	if a.TalentNetworkManagement {
		return nil
	}
	return fault.New(fault.Forbidden, contract.TalentNetworkDisabled,
		"Talent Network management is not enabled for this agency. Ask your marketplace contact to enable it.")
}
