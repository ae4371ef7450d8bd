package role

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

// Company is a hiring company as the marketplace sends it: the facts that lists
// show and the rest. Logos and hiring managers' contacts are not kept at all.
type Company struct {
	CompanyFacts
	CompanyDetails
}

// CompanyFacts holds the facts that a list shows of a company. Each role's item has a copy.
type CompanyFacts struct {
	Name string `json:"name" check:"required,min=1,max=300" doc:"The company's name."`
	// Aliases are other names that identify the company.
	Aliases []string `json:"aliases" doc:"Other names by which the company is known, former ones among them: strangers to its stealth roles see none of them."`
	// WebsiteURL is a fact because its host identifies the company in texts.
	WebsiteURL   *string  `json:"websiteUrl" plain:"-" check:"nullable,format=uri,max=2048" doc:"The company's website. Strangers to its stealth roles do not see its domain."`
	OneLiner     *string  `json:"oneLiner" check:"nullable,max=1000" doc:"What the company does."`
	Industries   []string `json:"industries" plain:"-" check:"enum=industry" doc:"Industries."`
	Size         *float64 `json:"size" check:"nullable,min=0" doc:"Head count."`
	Tier         *string  `json:"tier" plain:"-" check:"nullable,enum=companyTier" doc:"The marketplace's ranking."`
	FundingRound *string  `json:"fundingRound" plain:"-" check:"nullable,enum=fundingRound" doc:"Last funding round, to filter by."`
	Investors    []string `json:"investors" doc:"Investors' names."`
}

// CompanyDetails is the rest of a company: what the detail and the brief show.
type CompanyDetails struct {
	UpdatedAt          *contract.Time `json:"updatedAt" check:"nullable" doc:"When the company last changed."`
	Description        *string        `json:"description" check:"nullable,max=50000"`
	TeamAbout          *string        `json:"teamAbout" check:"nullable,max=20000"`
	FoundingYear       *float64       `json:"foundingYear" check:"nullable,min=1500,max=2200"`
	Locations          []string       `json:"locations"`
	OfficeLocations    []string       `json:"officeLocations"`
	LinkedInURL        *string        `json:"linkedinUrl" plain:"-" check:"nullable,format=uri,max=2048"`
	FundingAmount      *string        `json:"fundingAmount" check:"nullable,max=300"`
	TotalFundingAmount *string        `json:"totalFundingAmount" check:"nullable,max=300"`
	LastFundingRound   *string        `json:"lastFundingRound" check:"nullable,max=300"`
	FundingInfoURL     *string        `json:"fundingInfoUrl" plain:"-" check:"nullable,format=uri,max=2048"`
	PressURLs          []string       `json:"pressUrls" plain:"-" check:"format=uri"`
	Benefits           []string       `json:"benefits"`
	CultureValues      []string       `json:"cultureValues"`
	TeamImageURLs      []string       `json:"teamImageUrls" plain:"-" check:"format=uri"`
	ProductImageURLs   []string       `json:"productImageUrls" plain:"-" check:"format=uri"`
}
