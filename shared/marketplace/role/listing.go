package role

import (
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

// ID returns the role's id.
func (v View) ID() string { return v.id }

// Listing returns what lists show of the role. Without a right to the company it names
// none; its fee is the one that the caller is offered.
func (v View) Listing() Listing { return v.role.Listing }

// Company returns the company's facts: of a company that is withheld, the placeholder
// for its name and its industries.
func (v View) Company() CompanyFacts {
	facts := v.company.CompanyFacts
	facts.Name = v.companyName()
	return facts
}

// Description returns the role's description, "" if it has none or was read without it.
func (v View) Description() string { return optional.Value(v.role.Description) }

// SelfServeClosed reports whether the role keeps the caller from joining without an invitation.
func (v View) SelfServeClosed() bool {
	return v.role.NotAcceptingRecruiters && !v.caller.Assignment.Approved()
}

// StoppedReviewing reports whether the hiring manager no longer reviews submissions.
func (v View) StoppedReviewing() bool { return v.metrics != nil && v.metrics.StoppedReviewing }

// Browsable reports whether the list of roles shows the role to its caller.
func (v View) Browsable() bool {
	isClosed := v.SelfServeClosed() || v.StoppedReviewing()
	return v.role.Status == contract.RoleStatusActive && !isClosed
}

// Status returns the role's status.
func (v View) Status() contract.RoleStatus { return v.role.Status }

// AgencyRow is the row of the agency's lists.
func (v View) AgencyRow() contract.AgencyRole {
	r := v.role
	row := contract.AgencyRole{
		ID: v.id, Title: r.Title, Status: r.Status, Locations: r.Locations,
		WorkplaceType: (*contract.WorkplaceType)(r.WorkplaceType), BaseSalary: r.Salary.baseSalary(), RoleTypes: r.RoleTypes, PostedAt: r.PostedAt, UpdatedAt: r.UpdatedAt,
		Company: contract.AgencyRoleCompany{
			Name: v.companyName(), ConfidentialSearch: r.ConfidentialSearch, AnonymizedName: v.anonymizedName(),
		},
	}
	if r.CompanyID != "" {
		row.Company.ID = &r.CompanyID
	}
	return row
}
