// Package role is what the marketplace says about roles: roles and their companies,
// what recruiters are to them (assignments, applications), how hiring managers
// respond, announcements and intake transcripts; and what of all that a caller
// may see.
//
// The types here are the payloads of the feed's events: the marketplace owns
// these entities, and this project keeps them as they come. Their "check" tags
// are the published schema. A part that answers show as it comes is a type of
// package contract, which has these tags, too.
//
// What goes out goes through [Redact]: an [Unredacted] role can be read and handed
// on, but its fields are private; a [View] can be read, and is already
// redacted for its caller. The package knows neither who is approved nor which
// agencies hide fees: that comes in with the Caller.
package role

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Role is a hiring role as the marketplace sends it: its card, which lists show, and its prose.
type Role struct {
	Listing
	Prose
}

// Listing is what lists show of a role. Fields tagged "plain" are not text: redaction
// leaves them as they are, and withholds or decides about them by name.
type Listing struct {
	Title              string                  `json:"title" check:"required,min=1,max=300" doc:"The role's name."`
	CompanyID          string                  `json:"companyId" plain:"-" check:"required,format=id" doc:"The hiring company."`
	Status             contract.RoleStatus     `json:"status" plain:"-" check:"required,enum=roleStatus" doc:"Whether the role is open."`
	Visibility         contract.RoleVisibility `json:"visibility" plain:"-" check:"required,enum=roleVisibility" doc:"Whether strangers see the company."`
	ConfidentialSearch bool                    `json:"confidentialSearch" doc:"Candidates must not hear the company's name."`
	AnonymizedName     *string                 `json:"anonymizedName" plain:"-" check:"nullable,max=300" doc:"What to call the company instead."`
	PostedAt           *contract.Time          `json:"postedAt" check:"nullable" doc:"When the role was posted."`
	UpdatedAt          contract.Time           `json:"updatedAt" check:"required" doc:"When the role last changed."`
	BrowseURL          string                  `json:"browseUrl" plain:"-" check:"required,format=uri,max=2048" doc:"The role's page for everybody."`
	RecruitURL         *string                 `json:"recruitUrl" plain:"-" check:"nullable,format=uri,max=2048" doc:"The role's workspace, for approved recruiters."`
	Locations          []string                `json:"locations" doc:"Places as shown."`
	LocationKeys       []string                `json:"locationKeys" plain:"-" check:"enum=location" doc:"Places to filter by."`
	WorkplaceType      *string                 `json:"workplaceType" plain:"-" check:"nullable,enum=workplaceType" doc:"Where the work is done."`
	RoleTypes          []string                `json:"roleTypes" plain:"-" check:"enum=roleType" doc:"Kinds of role."`
	TechStack          []string                `json:"techStack" doc:"Technologies."`
	VisaText           *string                 `json:"visaText" check:"nullable,max=2000" doc:"What is offered about visas."`
	VisaSponsorship    *bool                   `json:"visaSponsorship" check:"nullable" doc:"Whether visas are sponsored."`
	Salary             Salary                  `json:"salary" doc:"Annual base salary."`
	Equity             *string                 `json:"equity" check:"nullable,max=500" doc:"Equity as shown."`
	YearsMin           *float64                `json:"yearsMin" check:"nullable,min=0" doc:"Least years of experience."`
	YearsMax           *float64                `json:"yearsMax" check:"nullable,min=0" doc:"Most years of experience."`
	Fee                Fee                     `json:"fee" doc:"What the role pays recruiters."`
	OpeningsText       string                  `json:"openingsText" check:"max=300" doc:"How many are sought, as shown."`
	AtMaxCapacity      bool                    `json:"atMaxCapacity" doc:"Unreviewed submissions reached the backlog threshold."`
	// NotAcceptingRecruiters closes the role to those who would join by themselves.
	NotAcceptingRecruiters bool    `json:"notAcceptingRecruiters" doc:"Recruiters cannot join by themselves."`
	Density                *string `json:"density" plain:"-" check:"nullable,enum=talentDensity" doc:"Competition tier."`
	BrowseRank             int64   `json:"browseRank" check:"min=0,max=8191" doc:"Place in the Browse order; higher goes first."`
}

// Salary is annual base pay in whole units of the currency; a null currency is unknown, not dollars.
type Salary struct {
	Min      *int64  `json:"min" check:"nullable,min=0,max=9007199254740991"`
	Max      *int64  `json:"max" check:"nullable,min=0,max=9007199254740991"`
	Currency *string `json:"currency" plain:"-" check:"nullable,min=3,max=3"`
}

// Fee is what a recruiter earns; each amount is in the salary's currency.
type Fee struct {
	PercentOfSalary       *float64 `json:"percentOfSalary,omitempty" check:"nullable,min=0,max=100"`
	BoostPercent          *float64 `json:"boostPercent,omitempty" check:"nullable,min=0,max=100"`
	BonusAmount           *float64 `json:"bonusAmount,omitempty" check:"nullable,min=0"`
	FirstSubmissionReward *float64 `json:"firstSubmissionReward,omitempty" check:"nullable,min=0"`
}

// Prose is the rest of a role: what the detail and the brief show.
type Prose struct {
	Description         *string                       `json:"description" check:"nullable,max=50000"`
	Responsibilities    []string                      `json:"responsibilities"`
	ExperienceText      *string                       `json:"experienceText" check:"nullable,max=20000"`
	PositionExplanation *string                       `json:"positionExplanation" check:"nullable,max=20000"`
	HiringGoals         *string                       `json:"hiringGoals" check:"nullable,max=20000"`
	SalaryDetail        *string                       `json:"salaryDetail" check:"nullable,max=20000"`
	WorkplaceDetails    *string                       `json:"workplaceDetails" check:"nullable,max=20000"`
	EmploymentType      *string                       `json:"employmentType" check:"nullable,max=200"`
	Requirements        []Requirement                 `json:"requirements"`
	CandidateTraits     []string                      `json:"candidateTraits"`
	AvoidTraits         []string                      `json:"avoidTraits"`
	Questions           []Question                    `json:"questions"`
	InterviewStages     []contract.InterviewStage     `json:"interviewStages"`
	Guidance            Guidance                      `json:"guidance"`
	TargetCompanies     Targets                       `json:"targetCompanies"`
	AvoidCompanies      Targets                       `json:"avoidCompanies"`
	CalibrationProfiles []contract.CalibrationProfile `json:"calibrationProfiles"`
	HighlightTitle      *string                       `json:"highlightTitle" check:"nullable,max=500"`
	HighlightText       *string                       `json:"highlightDescription" check:"nullable,max=20000"`
	FAQs                []contract.QuestionAnswer     `json:"faqs"`
}

// Requirement is one thing that a candidate must or may bring.
type Requirement struct {
	Description string                   `json:"description" check:"required,max=5000"`
	Explanation *string                  `json:"explanation" check:"nullable,max=5000"`
	Type        contract.RequirementType `json:"type" plain:"-" check:"required,enum=requirementType"`
}

// Question is one that a submission answers.
type Question struct {
	ID            string  `json:"id" plain:"-" check:"required,format=id"`
	Question      string  `json:"question" check:"required,max=5000"`
	Explanation   *string `json:"explanation" check:"nullable,max=5000"`
	Optional      bool    `json:"optional"`
	RecruiterOnly bool    `json:"recruiterOnly"`
	Priority      *string `json:"priority" plain:"-" check:"nullable,enum=priority"`
}

// Guidance is how to win candidates for the role.
type Guidance struct {
	SellingPoints            []contract.SellingPoint     `json:"sellingPoints"`
	RecruitingAdvice         *string                     `json:"recruitingAdvice" check:"nullable,max=20000"`
	HiringManagerTip         *string                     `json:"hiringManagerTip" check:"nullable,max=20000"`
	OutreachGuidelines       *string                     `json:"outreachGuidelines" check:"nullable,max=20000"`
	OutreachHighlights       []string                    `json:"outreachHighlights"`
	OutreachResponsibilities *string                     `json:"outreachResponsibilities" check:"nullable,max=20000"`
	RecruiterSellingPoints   *string                     `json:"recruiterSellingPoints" check:"nullable,max=20000"`
	CandidateSellingPoints   *string                     `json:"candidateSellingPoints" check:"nullable,max=20000"`
	OutreachTemplates        []contract.OutreachTemplate `json:"outreachTemplates"`
}

// Targets are companies to look in, or to avoid, by kind.
type Targets struct {
	Description *string  `json:"description" check:"nullable,max=20000"`
	Categories  []string `json:"categories"`
}

// Metrics are how a role's hiring manager responds.
type Metrics struct {
	LastActiveAt *contract.Time `json:"lastActiveAt" check:"nullable"`
	// The response times are in days; null without data.
	ReviewDays     *float64 `json:"reviewDays" check:"nullable,min=0,max=36500" doc:"Days from a submission to its review."`
	FeedbackDays   *float64 `json:"feedbackDays" check:"nullable,min=0,max=36500" doc:"Days from an interview to the feedback."`
	ReplyDays      *float64 `json:"replyDays" check:"nullable,min=0,max=36500" doc:"Days from a message to the reply."`
	FinalRating    *float64 `json:"finalRating" check:"nullable,range=3.5..5" doc:"Engagement, 3.5 to 5."`
	PercentileRank *float64 `json:"percentileRank" check:"nullable,min=0,max=100" doc:"Rank among all roles."`
	// StoppedReviewing takes the role off Browse.
	StoppedReviewing bool `json:"stoppedReviewing" doc:"The hiring manager no longer reviews submissions."`
}

// Pipeline counts a role's applications, of all recruiters.
type Pipeline struct {
	TotalApplications *int64                      `json:"totalApplications" check:"nullable,min=0"`
	TotalInterviewing int64                       `json:"totalInterviewing" check:"min=0"`
	TotalHired        int64                       `json:"totalHired" check:"min=0"`
	StageCounts       []StageCount                `json:"stageCounts"`
	RejectionPatterns []contract.RejectionPattern `json:"rejectionPatterns"`
}

// StageCount is how many applications are at a stage.
type StageCount struct {
	Stage string `json:"stage" check:"required,max=300"`
	Count int64  `json:"count" check:"required,min=0"`
}

// Readers lists who may read something: everyone, or recruiters and agencies by id.
type Readers struct {
	All          bool     `json:"all"`
	RecruiterIDs []string `json:"recruiterIds" check:"format=id,max=2000"`
	AgencyIDs    []string `json:"agencyIds" check:"format=id,max=2000"`
}

// SavedPreferences are a recruiter's own role preferences.
type SavedPreferences struct {
	RoleTypes      []contract.RoleType      `json:"roleTypes" check:"enum=roleType"`
	Locations      []contract.Location      `json:"locations" check:"enum=location"`
	Industries     []contract.Industry      `json:"industries" check:"enum=industry"`
	WorkplaceTypes []contract.WorkplaceType `json:"workplaceTypes" check:"enum=workplaceType"`
	FundingRounds  []contract.FundingRound  `json:"fundingRounds" check:"enum=fundingRound"`
	MinSalary      *int64                   `json:"minSalary" check:"nullable,min=0,max=9007199254740991"`
	Description    *string                  `json:"description" check:"nullable,max=20000"`
}

// Announcement is a message of the role's team to its recruiters.
type Announcement struct {
	RoleID     string        `json:"roleId" check:"required,format=id"`
	Message    string        `json:"message" check:"required,max=20000"`
	CreatedAt  contract.Time `json:"createdAt" check:"required"`
	Recipients Readers       `json:"recipients" check:"required"`
}

// Transcript is the transcript of an intake call with the hiring manager.
type Transcript struct {
	RoleID     string         `json:"roleId" check:"required,format=id"`
	Title      *string        `json:"title" check:"nullable,max=500"`
	RecordedAt *contract.Time `json:"recordedAt" check:"nullable"`
	UpdatedAt  contract.Time  `json:"updatedAt" check:"required"`
	// Text is kept in the bucket, not in the item.
	Text    string  `json:"text" check:"required,max=4194304"`
	Summary *string `json:"summary" check:"nullable,max=20000"`
	Readers Readers `json:"readers" check:"required"`
}

func roleKey(id string) entity.Key    { return entity.KeyOf(itemkey.Role, id) }
func companyKey(id string) entity.Key { return entity.KeyOf(itemkey.Company, id) }

func involvementKey(recruiterID, roleID string) entity.Key {
	return entity.KeyOf(itemkey.RecruiterRole, recruiterID, roleID)
}

func preferencesKey(recruiterID string) entity.Key {
	return entity.KeyOf(itemkey.Preferences, recruiterID)
}

// The parts of shared items.
const (
	metricsPart    = "hm"
	pipelinePart   = "pl"
	assignmentPart = "as"
	countPart      = "n"
	changesPart    = "ch"
)

func withPart(k entity.Key, name string) entity.Key {
	k.Part = name
	return k
}

// factsPart holds the copy of one company's facts. It bears the company's name, so
// that a role that moved never shows the old company's under the new one's version.
func factsPart(companyID string) string {
	sum := sha256.Sum256([]byte(companyID))
	return "co" + hex.EncodeToString(sum[:6])
}

func sortableTime(t contract.Time) string { return t.UTC().Format("20060102T150405.000") }

func (r Role) newRows(id string) []entity.Row {
	prose := entity.RowOf(itemkey.RoleProse, r.Prose, id)
	prose.Deflated = true
	return []entity.Row{
		prose,
		entity.RowOf(itemkey.CompanyRole, nil, r.CompanyID, id),
		entity.RowOf(itemkey.ListedRole, nil, strconv.Itoa(shardOf(id)), id),
	}
}

// listShards is the number of partitions of the list of all roles.
const listShards = 16

func shardOf(id string) int {
	sum := sha256.Sum256([]byte(id))
	return int(sum[0]) % listShards
}

// StoredTranscript is an intake transcript as its row holds it, and, once it is read, with its text.
type StoredTranscript struct {
	ID string `json:"-"`
	Transcript
	// TextKey is the object that holds the text.
	TextKey string `json:"textKey"`
}
