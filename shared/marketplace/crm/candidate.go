package crm

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

// Candidate is one of a recruiter's candidates.
type Candidate struct {
	RecruiterID string `json:"recruiterId" check:"required,format=id"`
	CandidateID string `json:"candidateId" check:"required,format=id"`
	Name        string `json:"name" check:"required,min=1,max=300"`
	// Email is used for erasure alone; no response contains it.
	Email              *string                  `json:"email" check:"nullable,format=email"`
	LinkedInURL        *string                  `json:"linkedinUrl" check:"nullable,max=2048"`
	PersonalURL        *string                  `json:"personalUrl" check:"nullable,max=2048"`
	GitHubURL          *string                  `json:"githubUrl" check:"nullable,max=2048"`
	Location           *string                  `json:"location" check:"nullable,max=300"`
	OneLiner           *string                  `json:"oneLiner" check:"nullable,max=1000" doc:"Headline."`
	CurrentRole        contract.Position        `json:"currentRole"`
	RelationshipStatus string                   `json:"relationshipStatus" check:"required,enum=relationshipStatus"`
	Tags               []string                 `json:"tags"`
	AddedAt            contract.Time            `json:"addedAt" check:"required"`
	Hidden             bool                     `json:"hidden"`
	Archived           bool                     `json:"archived"`
	YearsOfExperience  *float64                 `json:"yearsOfExperience" check:"nullable,min=0,max=100"`
	Note               *string                  `json:"note" check:"nullable,max=50000"`
	ResumeOnFile       bool                     `json:"resumeOnFile"`
	Preferences        []Preferences            `json:"preferences" check:"max=20" doc:"All that are saved; the newest typed ones go first in answers."`
	Experiences        []contract.CRMExperience `json:"experiences"`
	Education          []contract.CRMEducation  `json:"education"`
	Skills             []string                 `json:"skills" check:"max=300"`
}

// Listed reports whether lists and details show the candidate.
func (c Candidate) Listed() bool { return !c.Hidden && !c.Archived }

// Preferences are a candidate's, from one source.
type Preferences struct {
	Source             contract.PreferenceSource `json:"source" check:"required,enum=preferenceSource"`
	UpdatedAt          contract.Time             `json:"updatedAt" check:"required"`
	Locations          []string                  `json:"locations" check:"enum=location"`
	SalaryMin          *int64                    `json:"salaryMin" check:"nullable,min=0,max=9007199254740991"`
	SalaryMax          *int64                    `json:"salaryMax" check:"nullable,min=0,max=9007199254740991"`
	OTE                *int64                    `json:"ote" check:"nullable,min=0,max=9007199254740991"`
	Workplace          []string                  `json:"workplace" check:"enum=workplaceType"`
	RoleTypes          []string                  `json:"roleTypes" check:"enum=roleType"`
	FundingRounds      []string                  `json:"fundingRounds" check:"enum=fundingRound"`
	Visa               []string                  `json:"visa"`
	VisaAuthorization  []string                  `json:"visaAuthorization" check:"enum=visaAuthorization"`
	ExcludedIndustries []string                  `json:"excludedIndustries" check:"enum=industry"`
	CompanySizes       []string                  `json:"companySizes" check:"enum=companySize"`
}
