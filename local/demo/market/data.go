package market

import (
	"embed"

	"github.com/recruiting-marketplace/external-api/local/demo/datafile"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

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
