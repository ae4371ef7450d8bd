package role

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// The items of the room, all in the table topology.Marketplace, and who reads
// them. Parts of one item are entities of their own.
//
//	R#<role>            R                the role: card; parts: hm (metrics), pl (pipeline),
//	                                     co<company hash> (copy of the company's facts):
//	                                     a list's row in one small item
//	R#<role>            T                its prose: detail and brief
//	R#<role>            N#<created>#<id> its announcements, oldest first
//	R#<role>            I#<recorded>#<id> its intake transcripts; the text is in the bucket
//	L#<0…15>            <role>           all roles, to build the catalogue anew
//	C#<company>         C                a company
//	C#<company>         R#<role>         its roles, to copy its facts to
//	U#<recruiter>       R#<role>         parts: as (assignment), n (count of own applications):
//	                                     all that a recruiter is to roles in one query
//	U#<recruiter>       P                saved preferences
//	U#<recruiter>       A#<candidate>#<id> applications of a candidate
//	S#<role>#<recruiter>       <submitted>#<id>  applications, newest last
//	S#<role>#A#<agency>        <submitted>#<id>  those of an agency
//	N#<id> N, I#<id> I, A#<id> A                 announcement, transcript, application by id: version and rows
//
// Ids hold no "#" (contract's format id), so no key is another's prefix by chance.

func roleKey(id string) entity.Key    { return entity.Key{PK: "R#" + id, SK: "R"} }
func companyKey(id string) entity.Key { return entity.Key{PK: "C#" + id, SK: "C"} }

func announcementKey(id string) entity.Key { return entity.Key{PK: "N#" + id, SK: "N"} }
func transcriptKey(id string) entity.Key   { return entity.Key{PK: "I#" + id, SK: "I"} }

// ApplicationKey is an application's item, as erasure finds it.
func ApplicationKey(id string) entity.Key { return entity.Key{PK: "A#" + id, SK: "A"} }

func preferencesKey(recruiterID string) entity.Key {
	return entity.Key{PK: "U#" + recruiterID, SK: "P"}
}

// The parts of shared items.
const (
	metricsPart    = "hm"
	pipelinePart   = "pl"
	assignmentPart = "as"
	countPart      = "n"
)

// companyRoles begins the sort keys of a company's roles.
const companyRoles = "R#"

func part(k entity.Key, name string) entity.Key {
	k.Part = name
	return k
}

// factsPart holds the copy of one company's facts. It bears the company's name, so
// that a role that moved never shows the old company's under the new one's version.
func factsPart(companyID string) string {
	sum := sha256.Sum256([]byte(companyID))
	return "co" + hex.EncodeToString(sum[:6])
}

func mineKey(recruiterID, roleID string) entity.Key {
	return entity.Key{PK: "U#" + recruiterID, SK: minePrefix + roleID}
}

// minePrefix begins the sort keys of what a recruiter is to roles.
const minePrefix = "R#"

func submissionsOf(roleID, recruiterID string) string { return "S#" + roleID + "#" + recruiterID }

func agencySubmissionsOf(roleID, agencyID string) string { return "S#" + roleID + "#A#" + agencyID }

// moment orders sort keys by time.
func moment(t time.Time) string { return t.UTC().Format("20060102T150405.000") }

func (r Role) rows(id string) []entity.Row {
	return []entity.Row{
		{PK: "R#" + id, SK: "T", Body: r.Prose},
		{PK: "C#" + r.CompanyID, SK: companyRoles + id},
		{PK: listKey(shardOf(id)), SK: id},
	}
}

// listShards is the number of partitions of the list of all roles.
const listShards = 16

func listKey(n int) string { return "L#" + strconv.Itoa(n) }

func shardOf(id string) int {
	sum := sha256.Sum256([]byte(id))
	return int(sum[0]) % listShards
}

func (a Announcement) rows(id string) []entity.Row {
	return []entity.Row{{PK: "R#" + a.RoleID, SK: "N#" + moment(a.CreatedAt.Time) + "#" + id, Body: a}}
}

func (a Application) rows(id string) []entity.Row {
	at := moment(a.SubmittedAt.Time) + "#" + id
	rows := []entity.Row{
		{PK: "U#" + a.RecruiterID, SK: "A#" + a.CandidateID + "#" + id, Body: a},
		{PK: submissionsOf(a.RoleID, a.RecruiterID), SK: at, Body: a},
	}
	if a.AgencyID != nil {
		rows = append(rows, entity.Row{PK: agencySubmissionsOf(a.RoleID, *a.AgencyID), SK: at, Body: a})
	}
	return rows
}

// shelved is a transcript as its row holds it.
type shelved struct {
	Transcript
	// TextKey is the object that holds the text.
	TextKey string `json:"textKey"`

	id string
}

func (t shelved) rows(id string) []entity.Row {
	at := t.UpdatedAt
	if t.RecordedAt != nil {
		at = *t.RecordedAt
	}
	return []entity.Row{{PK: "R#" + t.RoleID, SK: "I#" + moment(at.Time) + "#" + id, Body: t}}
}
