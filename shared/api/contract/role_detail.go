package contract

// RoleDetail is one role in full, as a recruiter reads it.
type RoleDetail struct {
	Summary                RoleSummary       `json:"summary" doc:"The row of the role list."`
	About                  RoleAbout         `json:"about"`
	Requirements           []RoleRequirement `json:"requirements"`
	CandidateTraits        []string          `json:"candidateTraits"`
	AvoidTraits            []string          `json:"avoidTraits"`
	HiringManagerQuestions []RoleQuestion    `json:"hiringManagerQuestions"`
	InterviewProcess       []InterviewStage  `json:"interviewProcess"`
	Pitch                  RolePitch         `json:"pitch" doc:"How to present the role."`
	Company                DetailCompany     `json:"company"`
	Pipeline               DetailPipeline    `json:"pipeline"`
}

// RoleAbout describes the work.
type RoleAbout struct {
	Description         *string  `json:"description"`
	Responsibilities    []string `json:"responsibilities"`
	Experience          *string  `json:"experience"`
	PositionExplanation *string  `json:"positionExplanation"`
	HiringGoals         *string  `json:"hiringGoals"`
	SalaryDetail        *string  `json:"salaryDetail"`
}

// RoleRequirement is what a candidate must or may bring.
type RoleRequirement struct {
	Description string          `json:"description"`
	Explanation *string         `json:"explanation"`
	Type        RequirementType `json:"type" check:"enum=requirementType" doc:"Whether the requirement is mandatory."`
}

// RoleQuestion is a question that a submission answers.
type RoleQuestion struct {
	Question      string    `json:"question"`
	Explanation   *string   `json:"explanation"`
	Optional      bool      `json:"optional"`
	RecruiterOnly bool      `json:"recruiterOnly" doc:"Answered by the recruiter, not the candidate."`
	Priority      *Priority `json:"priority" check:"enum=priority" doc:"Importance of the answer."`
}

// InterviewStage is one interview.
type InterviewStage struct {
	Name        string  `json:"name" check:"required,max=500"`
	Description *string `json:"description" check:"nullable,max=5000"`
}

// SellingPoint is one reason for the role.
type SellingPoint struct {
	Title       string `json:"title" check:"required,max=500"`
	Description string `json:"description" check:"max=5000"`
}

// OutreachTemplate is a message to candidates.
type OutreachTemplate struct {
	Name    *string `json:"name" check:"nullable,max=500"`
	Subject *string `json:"subject" check:"nullable,max=500"`
	Body    string  `json:"body" check:"required,max=20000"`
}

// TargetCompanies are the companies to look in.
type TargetCompanies struct {
	Description       *string  `json:"description"`
	GoodFitCategories []string `json:"goodFitCategories"`
}

// AvoidCompanies are the companies not to look in.
type AvoidCompanies struct {
	BadFitCategories []string `json:"badFitCategories"`
}

// CalibrationProfile is an example candidate.
type CalibrationProfile struct {
	Label string  `json:"label" check:"required,max=500"`
	Note  *string `json:"note" check:"nullable,max=5000"`
}

// QuestionAnswer is a frequent question.
type QuestionAnswer struct {
	Question string `json:"question" check:"required,max=5000"`
	Answer   string `json:"answer" check:"required,max=20000"`
}

// RoleAnnouncement is a message of the role's team.
type RoleAnnouncement struct {
	Message   string `json:"message"`
	CreatedAt Time   `json:"createdAt"`
}

// Guidance is how to win candidates; detail and brief share it.
type Guidance struct {
	SellingPoints            []SellingPoint     `json:"sellingPoints" doc:"In confidential searches, anonymizedName or \"the company\" replaces the company's names."`
	RecruitingAdvice         *string            `json:"recruitingAdvice"`
	HiringManagerTip         *string            `json:"hiringManagerTip"`
	OutreachGuidelines       *string            `json:"outreachGuidelines"`
	OutreachHighlights       []string           `json:"outreachHighlights" doc:"In confidential searches, anonymizedName or \"the company\" replaces the company's names."`
	OutreachResponsibilities *string            `json:"outreachResponsibilities"`
	RecruiterSellingPoints   *string            `json:"recruiterSellingPoints"`
	CandidateSellingPoints   *string            `json:"candidateSellingPoints" doc:"In confidential searches, anonymizedName or \"the company\" replaces the company's names."`
	OutreachTemplates        []OutreachTemplate `json:"outreachTemplates" doc:"In confidential searches, anonymizedName or \"the company\" replaces the company's names."`
}

// RolePitch is how to present the role.
type RolePitch struct {
	Guidance
	TargetCompanies     TargetCompanies      `json:"targetCompanies"`
	AvoidCompanies      AvoidCompanies       `json:"avoidCompanies"`
	CalibrationProfiles []CalibrationProfile `json:"calibrationProfiles"`
	FAQs                []QuestionAnswer     `json:"faqs"`
	Announcements       []RoleAnnouncement   `json:"announcements"`
}

// DetailCompany is the company as the detail shows it.
type DetailCompany struct {
	Name               *string  `json:"name"`
	ConfidentialSearch bool     `json:"confidentialSearch" doc:"True: candidate-facing copy must use anonymizedName instead of the company's name."`
	AnonymizedName     *string  `json:"anonymizedName"`
	Description        *string  `json:"description"`
	TeamAbout          *string  `json:"teamAbout"`
	WebsiteURL         *string  `json:"websiteUrl"`
	FoundingYear       float64  `json:"foundingYear" doc:"0 when unknown."`
	FundingAmount      *string  `json:"fundingAmount"`
	TotalFundingAmount *string  `json:"totalFundingAmount"`
	LastFundingRound   *string  `json:"lastFundingRound"`
	Benefits           []string `json:"benefits"`
	CultureValues      []string `json:"cultureValues"`
}

// DetailPipeline is how applications went.
type DetailPipeline struct {
	StageCounts       []StageCount       `json:"stageCounts"`
	MySubmissions     []MySubmission     `json:"mySubmissions" doc:"At most the 30 newest; an agency owner sees the agency's."`
	RejectionPatterns []RejectionPattern `json:"rejectionPatterns"`
}

// StageCount is how many applications are at a stage.
type StageCount struct {
	Stage string `json:"stage"`
	Count int64  `json:"count"`
}

// MySubmission is an application of the caller's, or of the agency's for an owner.
type MySubmission struct {
	CandidateName        string  `json:"candidateName"`
	CurrentStatus        string  `json:"currentStatus"`
	FurthestStageReached *string `json:"furthestStageReached"`
	RejectionReason      *string `json:"rejectionReason"`
	StatusUpdateMessage  *string `json:"statusUpdateMessage"`
}

// RejectionPattern is why applications of a kind were rejected.
type RejectionPattern struct {
	Category      string  `json:"category" check:"required,max=300"`
	FurthestStage *string `json:"furthestStage" check:"nullable,max=300"`
	Reason        *string `json:"reason" check:"nullable,max=5000"`
}

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
