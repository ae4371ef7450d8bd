package recommend

// families are groups of role types between which people change without learning
// another trade. A type may be in several.
var families = [][]string{
	// Building applications.
	{"backend_engineer", "full_stack_engineer", "product_engineer", "founding_engineer", "blockchain_protocol_engineer"},
	{"frontend_engineer", "full_stack_engineer", "product_engineer", "growth_engineer", "mobile_engineer"},
	{"founding_engineer", "engineering_leadership", "full_stack_engineer"},
	{
		"forward_deployed_engineer_solutions_support", "sales_solutions_engineer", "full_stack_engineer",
		"developer_relations_advocacy",
	},
	{"qa_test_engineering", "full_stack_engineer"},
	// Running them.
	{
		"infrastructure_devops_sre", "machine_learning_ops_platform", "machine_learning_infrastructure",
		"security_engineer", "backend_engineer",
	},
	// Data and models.
	{"data_engineer", "backend_engineer", "machine_learning_ops_platform"},
	{
		"data_analyst", "data_science_analytics", "data_scientist_applied_scientist", "marketing_ops_analytics",
		"revenue_operations",
	},
	{
		"ai_engineer", "machine_learning_engineer", "data_scientist_applied_scientist",
		"machine_learning_infrastructure", "computer_vision_engineer", "robotics_ml_engineer",
	},
	{
		"ai_ml_researcher", "research_engineer", "research_engineer_applied_research", "research_scientist",
		"research_scientist_applied_research", "machine_learning_engineer",
	},
	{"ai_engineer", "full_stack_engineer", "research_engineer"},
	// Machines.
	{"electrical_engineer", "embedded_firmware_engineer", "robotics_hardware_engineer"},
	{"mechanical_engineer", "robotics_hardware_engineer", "aerospace_flight_engineer"},
	{
		"robotics_software_engineer", "robotics_platform_engineer", "robotics_ml_engineer",
		"robotics_operations_engineer", "embedded_firmware_engineer", "computer_vision_engineer",
	},
	// Product and design.
	{"product_management", "program_project_management", "product_marketing"},
	{"product_design_ux_ui", "brand_visual_design"},
	// Selling.
	{"account_executives_sales", "sales_development_rep", "business_development", "partnerships", "sales_gtm_leadership"},
	{
		"account_management_customer_success", "customer_technical_support", "account_executives_sales",
		"customer_marketing",
	},
	{"revenue_operations", "operations_strategy", "marketing_ops_analytics"},
	// Marketing.
	{
		"marketing_growth", "growth_marketing", "demand_generation", "performance_paid_media",
		"lifecycle_crm_email", "seo_organic_growth", "founding_marketer_generalist",
	},
	{"brand_marketing", "brand_visual_design", "social_media_influencer", "communications_pr", "events_field_marketing"},
	{"content_marketing", "content_copywriting", "seo_organic_growth", "social_media_influencer"},
	{"product_marketing", "customer_marketing", "growth_marketing"},
	{"marketing_leadership", "founding_marketer_generalist"},
	// Running a company.
	{"chief_of_staff", "operations_strategy", "program_project_management", "business_development"},
	{"executive_assistant", "legal_admin", "people_talent"},
	{"executive_leadership", "engineering_leadership", "sales_gtm_leadership", "marketing_leadership", "chief_of_staff"},
	{"finance_accounting", "operations_strategy"},
	// Law.
	{"legal_counsel", "legal_in_house_counsel", "legal_associate", "legal_partner"},
	{"legal_compliance", "legal_compliance_officer", "legal_in_house_counsel"},
	{"legal_operations", "legal_paralegal", "legal_admin"},
	// Alone.
	{"clinical_healthcare"},
}
