package roleindex

// Field is a property of roles that a query filters by ([Query].AnyOf).
type Field byte

// The fields. Their numbers are part of the file.
const (
	Location Field = iota + 1
	RoleType
	Industry
	Workplace
	FundingRound
	CompanyTier
	Density
	Status
	FlagField // its values are the flags
	// TechStack is compared folded; the others exactly. It is the last field, since its
	// values are free text and their number is unbounded.
	TechStack
)

// Flag is a fact that holds for a role or does not.
type Flag string

// The flags.
const (
	// SelfServeClosed: recruiters cannot join the role without an invitation.
	SelfServeClosed Flag = "self_serve_closed"
	// StoppedReviewing: the hiring manager no longer reviews submissions.
	StoppedReviewing Flag = "stopped_reviewing"
	// VisaSponsorship: the company sponsors visas.
	VisaSponsorship Flag = "visa_sponsorship"
)

// spokenNames holds what people call a key where its own words do not say it.
var spokenNames = map[string]string{
	"new_york":                  "NYC",
	"san_francisco":             "SF Bay Area",
	"south_bay_area":            "Silicon Valley",
	"los_angeles":               "LA",
	"uk":                        "United Kingdom",
	"latam":                     "Latin America",
	"korea":                     "South Korea",
	"ai":                        "Artificial Intelligence",
	"ai_engineer":               "Artificial Intelligence",
	"ai_ml_researcher":          "Artificial Intelligence Machine Learning",
	"machine_learning_engineer": "ML",
	"infrastructure_devops_sre": "Site Reliability",
	"qa_test_engineering":       "Quality Assurance Tester",
	"product_design_ux_ui":      "Product Designer",
	"product_management":        "Product Manager",
	"sales_development_rep":     "SDR Representative",
	"people_talent":             "HR Recruiter",
}

// searchedTexts returns the texts by which a query finds the roles with a value of the field.
func (f Field) searchedTexts(value string) []string {
	switch f {
	case TechStack:
		return []string{value}
	case Location, RoleType, Industry:
		if name, ok := spokenNames[value]; ok {
			return []string{value, name}
		}
		return []string{value}
	}
	return nil
}

// appendTerm appends a facet as the file has it: the field's number and the value.
func (f Field) appendTerm(dst []byte, value string) []byte {
	return append(append(dst, byte(f)), FoldValue(f, value)...)
}
