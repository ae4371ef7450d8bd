// Package market turns the invented roles (package roles) into events as the marketplace would send them:
// companies, roles, how hiring managers respond, and the demo recruiter's assignments, candidates, matches
// and calls. The same number and time always yield the same events.
package market

import (
	"embed"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	v1 "github.com/go-json-experiment/json/v1"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/demo/datafile"
	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// Event is one event as JSON.
type Event string

// version is the version of every event. It is the lowest, so that any later event replaces the demo's.
const version = 1

func newEvent(kind, entityID string, at time.Time, data any) Event {
	id := uuid.NewSHA1(uuid.NameSpaceURL, []byte(kind+" "+entityID))
	body, _ := json.Marshal(map[string]any{ // of plain data
		"id": id, "type": kind, "entityId": entityID, "version": version, "occurredAt": contract.At(at), "data": data,
	}, v1.DefaultOptionsV1(), json.FormatNilSliceAsNull(false)) // an array must not be null
	return Event(body)
}

// RoleEvents yields the events of the first n roles, companies before their roles, and each role after its
// metrics and pipeline: the last event is the last role's. now is the latest time at which a role was posted.
func RoleEvents(n int, now time.Time) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		last := ""
		for r := range roles.All(n, now) {
			lines := []Event{}
			if r.Company.ID != last {
				last = r.Company.ID
				lines = append(lines, newEvent("company.upserted", last, now, r.Company.Company))
			}
			seed := float64(len(*r.Description) % 7)
			metrics := role.Metrics{
				LastActiveAt: new(contract.At(now.Add(-time.Duration(len(*r.Description)%200) * time.Hour))),
				ReviewDays:   new(1 + seed/2), FeedbackDays: new(2 + seed/3), ReplyDays: new(seed / 4),
				FinalRating: new(3.5 + seed/5), PercentileRank: new(10 + 12*seed), StoppedReviewing: r.StoppedReviewing,
			}
			lines = append(lines, newEvent("hiringManagerMetrics.upserted", r.ID, now, metrics),
				newEvent("rolePipeline.upserted", r.ID, now, pipelineOf(r)), newEvent("role.upserted", r.ID, now, roleOf(r)))
			for _, line := range lines {
				if !yield(line) {
					return
				}
			}
		}
	}
}

// RoleAt returns role number i and its company's facts as they are stored.
func RoleAt(i int, now time.Time) (id string, r role.Role, company role.CompanyFacts) {
	invented := roles.At(i, now)
	return invented.ID, roleOf(invented), invented.Company.CompanyFacts
}

func roleOf(r roles.Role) role.Role {
	out := r.Role
	out.BrowseURL = "https://app.example.com/browse/" + r.ID
	out.RecruitURL = new("https://app.example.com/recruit/" + r.ID)
	out.OpeningsText = "1 opening"
	if n := 1 + len(r.Title)%3; n > 1 {
		out.OpeningsText = fmt.Sprint(n, " openings")
	}
	out.AtMaxCapacity = len(*r.Description)%19 == 0
	switch r.BrowseRank % 5 { // some roles pay something on top of a share of the salary
	case 0:
		out.Fee.BoostPercent = new(2.5)
	case 1:
		out.Fee.BonusAmount = new(3000.0)
	case 2:
		out.Fee.FirstSubmissionReward = new(150.0)
	}
	out.Prose = commonProse
	p := &out.Prose
	p.Description = r.Description
	p.Responsibilities = r.Responsibilities
	switch years := int(*r.YearsMin); years {
	case 0:
		p.ExperienceText = new("No experience in a comparable position is asked for.")
	case 1:
		p.ExperienceText = new("At least a year in a comparable position.")
	default:
		p.ExperienceText = new(fmt.Sprintf("At least %d years in a comparable position.", years))
	}
	p.Guidance.RecruitingAdvice = new("Look for people who have carried a product from the first user on. " +
		"More on [the careers page](" + *r.Company.WebsiteURL + "/careers).")
	p.Guidance.OutreachHighlights = []string{*r.Company.OneLiner}
	p.Guidance.CandidateSellingPoints = r.Company.TeamAbout
	p.Guidance.OutreachTemplates = []contract.OutreachTemplate{
		{Name: new("First message"), Subject: new(r.Title), Body: "Hello, " + r.Company.Name + " is looking for somebody like you."},
	}
	p.FAQs = append(slices.Clone(p.FAQs), contract.QuestionAnswer{Question: "Are visas sponsored?", Answer: *r.VisaText})
	for i, asked := range r.Asks {
		kind := contract.RequirementTypeRequired
		if i > 1 {
			kind = contract.RequirementTypeOptional
		}
		p.Requirements = append(p.Requirements, role.Requirement{Description: strings.TrimSpace(asked), Type: kind})
	}
	return out
}

// pipelineOf counts the applications of all recruiters: never fewer than those of the demo's recruiter.
func pipelineOf(r roles.Role) role.Pipeline {
	total := int64(12 + r.UpdatedAt.Sub(r.PostedAt.Time).Hours()/48 + float64(r.BrowseRank%17))
	hired := 1 + r.BrowseRank%2
	interviewing := total / 3
	return role.Pipeline{
		TotalApplications: &total, TotalInterviewing: interviewing, TotalHired: hired,
		StageCounts: []role.StageCount{
			{Stage: "Submitted", Count: total / 3}, {Stage: "First round", Count: interviewing - interviewing/2},
			{Stage: "Final round", Count: interviewing / 2}, {Stage: "Hired", Count: hired},
		},
		RejectionPatterns: []contract.RejectionPattern{
			{Category: "Experience", FurthestStage: new("Submitted"), Reason: new("Has not shipped to paying users yet.")},
			{Category: "Communication", FurthestStage: new("First round"), Reason: new("Long answers, few decisions.")},
		},
	}
}

//go:embed data/*.json
var dataFiles embed.FS

// The tables of package market. The order of every list decides what is invented: a change
// of it makes other candidates and calls.
var (
	words = datafile.MustRead[vocabulary](dataFiles, "data/words.json")
	// commonProse is the part of a role's prose that all roles share.
	commonProse = datafile.MustRead[role.Prose](dataFiles, "data/prose.json")
)

type vocabulary struct {
	FirstNames, LastNames, Places, Tags, Statuses, Schools []string
	Conversation                                           []string // the recruiter's and the candidate's turns
}
