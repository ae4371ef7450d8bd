package contract

// RoleBrief is a role as an agency reads it on behalf of a member. What is
// unknown or withheld is null, and collections are empty.
type RoleBrief struct {
	ID                  string              `json:"id"`
	Title               string              `json:"title"`
	Company             BriefCompany        `json:"company"`
	Status              RoleStatus          `json:"status" check:"enum=roleStatus" doc:"State of the role."`
	Locations           []string            `json:"locations" doc:"Display names of locations."`
	WorkplaceType       *WorkplaceType      `json:"workplaceType" check:"enum=workplaceType" doc:"Where the work is done."`
	BaseSalary          *BaseSalary         `json:"baseSalary" doc:"Annual, in whole units, not converted; null when unknown."`
	UpdatedAt           Time                `json:"updatedAt" doc:"Last change of role, company or guidance."`
	Description         *string             `json:"description"`
	Responsibilities    []string            `json:"responsibilities"`
	TechStack           []string            `json:"techStack"`
	Experience          BriefExperience     `json:"experience"`
	VisaInformation     *string             `json:"visaInformation"`
	Equity              *string             `json:"equity"`
	SalaryDetails       *string             `json:"salaryDetails"`
	PositionExplanation *string             `json:"positionExplanation"`
	HiringGoals         *string             `json:"hiringGoals"`
	WorkplaceDetails    *string             `json:"workplaceDetails"`
	EmploymentType      *string             `json:"employmentType"`
	PostedAt            *Time               `json:"postedAt"`
	Requirements        []BriefRequirement  `json:"requirements"`
	InterviewStages     []InterviewStage    `json:"interviewStages"`
	SubmissionQuestions []BriefQuestion     `json:"submissionQuestions"`
	RecruitingGuidance  Guidance            `json:"recruitingGuidance"`
	CandidateTargeting  CandidateTargeting  `json:"candidateTargeting"`
	AdditionalContext   AdditionalContext   `json:"additionalContext"`
	IntakeTranscripts   *[]IntakeTranscript `json:"intakeTranscripts,omitzero" doc:"Transcripts that the member may read; absent unless requested."`
}

// BriefCompany is the company as the brief shows it.
type BriefCompany struct {
	ID                 *string  `json:"id"`
	Name               *string  `json:"name"`
	ConfidentialSearch bool     `json:"confidentialSearch" doc:"True: candidate-facing copy must use anonymizedName instead of the company's name."`
	AnonymizedName     *string  `json:"anonymizedName"`
	OneLiner           *string  `json:"oneLiner"`
	Description        *string  `json:"description"`
	Industries         []string `json:"industries"`
	Size               *float64 `json:"size"`
	FoundingYear       *float64 `json:"foundingYear"`
	TeamAbout          *string  `json:"teamAbout"`
	Locations          []string `json:"locations" doc:"Display names of locations."`
	OfficeLocations    []string `json:"officeLocations"`
	WebsiteURL         *string  `json:"websiteUrl"`
	LinkedInURL        *string  `json:"linkedinUrl"`
	FundingAmount      *string  `json:"fundingAmount"`
	TotalFundingAmount *string  `json:"totalFundingAmount"`
	LastFundingRound   *string  `json:"lastFundingRound"`
	FundingInfoURL     *string  `json:"fundingInfoUrl"`
	PressURLs          []string `json:"pressUrls"`
	Benefits           []string `json:"benefits"`
	CultureValues      []string `json:"cultureValues"`
	TeamImageURLs      []string `json:"teamImageUrls"`
	ProductImageURLs   []string `json:"productImageUrls"`
}

// BriefExperience is in years, and in words.
type BriefExperience struct {
	YearsMin    *float64 `json:"yearsMin"`
	YearsMax    *float64 `json:"yearsMax"`
	Description *string  `json:"description"`
}

// BriefRequirement is a requirement; it is Required unless its type is OPTIONAL.
type BriefRequirement struct {
	RoleRequirement
	Required bool `json:"required" doc:"Whether candidates must meet the requirement."`
}

// BriefQuestion is a question that a submission answers.
type BriefQuestion struct {
	ID            string    `json:"id"`
	Question      string    `json:"question"`
	Explanation   *string   `json:"explanation"`
	Required      bool      `json:"required"`
	RecruiterOnly bool      `json:"recruiterOnly" doc:"Answered by the recruiter, not the candidate."`
	Priority      *Priority `json:"priority" check:"enum=priority" doc:"Importance of the answer."`
}

// CandidateTargeting is which candidates to look for.
type CandidateTargeting struct {
	IdealTraits               []string        `json:"idealTraits"`
	AvoidTraits               []string        `json:"avoidTraits"`
	IdealCandidateDescription *string         `json:"idealCandidateDescription" doc:"Always null at present."`
	TargetCompanies           TargetCompanies `json:"targetCompanies"`
	AvoidCompanies            AvoidCompanies  `json:"avoidCompanies"`
}

// AdditionalContext is what else helps to present the role.
type AdditionalContext struct {
	HighlightTitle       *string            `json:"highlightTitle"`
	HighlightDescription *string            `json:"highlightDescription"`
	FAQs                 []QuestionAnswer   `json:"faqs"`
	Announcements        []RoleAnnouncement `json:"announcements"`
}

// IntakeTranscript is the transcript of an intake call with the hiring manager.
type IntakeTranscript struct {
	ID         string  `json:"id"`
	Title      *string `json:"title"`
	RecordedAt *Time   `json:"recordedAt"`
	UpdatedAt  Time    `json:"updatedAt"`
	Text       string  `json:"text" doc:"Text of the transcript."`
	Summary    *string `json:"summary"`
}
