package role

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

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

func sortableTime(t time.Time) string { return t.UTC().Format("20060102T150405.000") }

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

func (a Announcement) newRows(id string) []entity.Row {
	return []entity.Row{entity.RowOf(itemkey.RoleAnnouncement, a, a.RoleID, sortableTime(a.CreatedAt.Time), id)}
}

func (a Application) newRows(id string) []entity.Row {
	at := sortableTime(a.SubmittedAt.Time)
	rows := []entity.Row{
		entity.RowOf(itemkey.CandidateApplication, a, a.RecruiterID, a.CandidateID, id),
		entity.RowOf(itemkey.RecruiterApplication, a, a.RoleID, a.RecruiterID, at, id),
	}
	if a.AgencyID != nil {
		rows = append(rows, entity.RowOf(itemkey.AgencyApplication, a, a.RoleID, *a.AgencyID, at, id))
	}
	return rows
}

// StoredTranscript is an intake transcript as its row holds it, and, once it is read, with its text.
type StoredTranscript struct {
	ID string `json:"-"`
	Transcript
	// TextKey is the object that holds the text.
	TextKey string `json:"textKey"`
}

func (t StoredTranscript) newRows(id string) []entity.Row {
	at := t.UpdatedAt
	if t.RecordedAt != nil {
		at = *t.RecordedAt
	}
	return []entity.Row{entity.RowOf(itemkey.RoleTranscript, t, t.RoleID, sortableTime(at.Time), id)}
}
