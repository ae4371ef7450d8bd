package role

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

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
