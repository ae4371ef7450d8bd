package crm

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

func candidateKey(recruiterID, candidateID string) entity.Key {
	return entity.KeyOf(itemkey.Candidate, recruiterID, candidateID)
}

func progressKey(recruiterID, candidateID string) entity.Key {
	return entity.KeyOf(itemkey.CandidateProgress, recruiterID, candidateID)
}

// Row is a candidate as the list shows it. Its JSON names are short because DynamoDB
// bills a page by its bytes.
type Row struct {
	// ID is in the row's key.
	ID          string   `json:"-"`
	Name        string   `json:"n"`
	LinkedInURL string   `json:"l,omitempty"`
	Location    string   `json:"o,omitempty"`
	OneLiner    string   `json:"h,omitempty"`
	Company     string   `json:"c,omitempty"`
	Title       string   `json:"t,omitempty"`
	Status      string   `json:"s"`
	Furthest    string   `json:"f,omitempty"`
	Tags        []string `json:"g,omitempty"`
	AddedAt     int64    `json:"a"`
	// Employers are the former ones, to search in.
	Employers []string `json:"e,omitempty"`
}

func (c Candidate) newRow(furthest string) Row {
	return Row{
		ID: c.CandidateID, Name: c.Name, LinkedInURL: optional.Value(c.LinkedInURL), Location: optional.Value(c.Location),
		OneLiner: optional.Value(c.OneLiner), Company: optional.Value(c.CurrentRole.Company), Title: optional.Value(c.CurrentRole.Title),
		Status: c.RelationshipStatus, Furthest: furthest, Tags: c.Tags,
		AddedAt: c.AddedAt.UnixMilli(), Employers: c.formerEmployers(),
	}
}

// listItem returns the row's item in the recruiter's list.
func (r Row) listItem(recruiterID string) entity.Row {
	return entity.RowOf(itemkey.CandidateRow, r, recruiterID, r.listRank().Key(), r.ID)
}

// sortableMillis returns a time in milliseconds as a value of a sort key that sorts by time.
func sortableMillis(t time.Time) string { return fmt.Sprintf("%014d", t.UnixMilli()) }

func (r *Row) decodeRow(from entity.Item) error {
	*r = Row{ID: from.SK[strings.LastIndexByte(from.SK, '#')+1:]}
	return from.Into(r)
}

func (r Row) listRank() entity.Rank { return entity.RankOf(r.Added(), r.ID) }

// Added returns when the recruiter added the candidate.
func (r Row) Added() time.Time { return time.UnixMilli(r.AddedAt) }

// formerEmployers returns the companies of the experiences, without the current one.
func (c Candidate) formerEmployers() []string {
	var all []string
	for _, e := range c.Experiences {
		if name := optional.Value(e.Company); name != "" && name != optional.Value(c.CurrentRole.Company) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}
