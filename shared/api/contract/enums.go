package contract

import "slices"

// Enum is a closed set of accepted values, in the contract's alphabetical order.
type Enum struct {
	// Name is the set's name in a "check" tag and in the reference.
	Name string
	// Values are case-sensitive and exactly as sent.
	Values []string
}

// Has reports whether v is one of the values.
func (e *Enum) Has(v string) bool { return slices.Contains(e.Values, v) }

// enums holds every enumeration by name; tags refer to it.
var enums = map[string]*Enum{}

// EnumByName returns the enumeration that a "check" tag names; nil if there is none.
func EnumByName(name string) *Enum { return enums[name] }

// ConvertValues returns texts as values of an enumeration, or the other way round. nil stays nil.
func ConvertValues[To, From ~string](all []From) []To {
	if all == nil {
		return nil
	}
	converted := make([]To, len(all))
	for i, value := range all {
		converted[i] = To(value)
	}
	return converted
}

// newEnum returns an enumeration that tags can refer to by name.
func newEnum[T ~string](name string, values ...T) *Enum {
	e := &Enum{Name: name, Values: ConvertValues[string](values)}
	enums[name] = e
	return e
}

// The enumerations of candidates and roles (contract, Shared enumerations).

// Locations holds the 21 places of candidates and roles.
var Locations = newEnum[Location]("location",
	"asia", "australia", "boston", "canada", "chicago", "denver", "europe", "florida", "india", "korea",
	"latam", "los_angeles", "minnesota", "new_york", "sacramento", "san_francisco", "seattle",
	"south_bay_area", "texas", "uk", "washington_dc",
)

// WorkplaceTypes holds where work is done.
var WorkplaceTypes = newEnum[WorkplaceType]("workplaceType",
	"REMOTE", "ON_SITE", "HYBRID",
)

// FundingRounds holds the funding rounds of a company.
var FundingRounds = newEnum[FundingRound]("fundingRound",
	"PRE_SEED", "SEED", "SERIES_A", "SERIES_B", "SERIES_C", "SERIES_D_PLUS", "UNKNOWN",
)

// VisaAuthorizations holds the three work authorizations.
var VisaAuthorizations = newEnum[VisaAuthorization]("visaAuthorization",
	"NO_VISA_AUTHORIZATION_NEEDED", "HAS_VISA_AUTHORIZATION", "NEEDS_NEW_VISA_AUTHORIZATION",
)

// CompanySizes holds head-count bands, spaces and symbols included.
var CompanySizes = newEnum[CompanySize]("companySize",
	"< 10 employees",
	"10 - 50 employees",
	"50 - 200 employees",
	"200 - 1000 employees",
	"> 1000 employees",
)

// RoleTypes holds the 83 kinds of role.
var RoleTypes = newEnum[RoleType]("roleType",
	"account_executives_sales", "account_management_customer_success", "aerospace_flight_engineer",
	"ai_engineer", "ai_ml_researcher", "backend_engineer", "blockchain_protocol_engineer",
	"brand_marketing", "brand_visual_design", "business_development", "chief_of_staff",
	"clinical_healthcare", "communications_pr", "computer_vision_engineer", "content_copywriting",
	"content_marketing", "customer_marketing", "customer_technical_support", "data_analyst",
	"data_engineer", "data_science_analytics", "data_scientist_applied_scientist", "demand_generation",
	"developer_relations_advocacy", "electrical_engineer", "embedded_firmware_engineer",
	"engineering_leadership", "events_field_marketing", "executive_assistant", "executive_leadership",
	"finance_accounting", "forward_deployed_engineer_solutions_support", "founding_engineer",
	"founding_marketer_generalist", "frontend_engineer", "full_stack_engineer", "growth_engineer",
	"growth_marketing", "infrastructure_devops_sre", "legal_admin", "legal_associate",
	"legal_compliance", "legal_compliance_officer", "legal_counsel", "legal_in_house_counsel",
	"legal_operations", "legal_paralegal", "legal_partner", "lifecycle_crm_email",
	"machine_learning_engineer", "machine_learning_infrastructure", "machine_learning_ops_platform",
	"marketing_growth", "marketing_leadership", "marketing_ops_analytics", "mechanical_engineer",
	"mobile_engineer", "operations_strategy", "partnerships", "people_talent", "performance_paid_media",
	"product_design_ux_ui", "product_engineer", "product_management", "product_marketing",
	"program_project_management", "qa_test_engineering", "research_engineer",
	"research_engineer_applied_research", "research_scientist", "research_scientist_applied_research",
	"revenue_operations", "robotics_hardware_engineer", "robotics_ml_engineer",
	"robotics_operations_engineer", "robotics_platform_engineer", "robotics_software_engineer",
	"sales_development_rep", "sales_gtm_leadership", "sales_solutions_engineer", "security_engineer",
	"seo_organic_growth", "social_media_influencer",
)

// Industries holds the 39 industries.
var Industries = newEnum[Industry]("industry",
	"ad_tech", "ai", "api_sdk", "autonomous_vehicles", "b2b", "construction", "consumer",
	"creator_economy", "crypto", "cybersecurity", "data", "defense", "devtools", "ecommerce", "edtech",
	"education", "enterprise", "environment", "finance", "financial_services", "fintech", "gaming",
	"government", "hardware", "healthcare", "insurance", "law", "life_sciences", "logistics",
	"manufacturing", "marketing", "marketplace", "media", "real_estate", "robotics", "security",
	"software_development", "transportation", "venture_capital",
)
