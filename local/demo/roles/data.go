package roles

import (
	"embed"

	"github.com/recruiting-marketplace/external-api/local/demo/datafile"
)

//go:embed data/*.json
var dataFiles embed.FS

// The tables of package roles. A value that occurs in a list several times is drawn
// that much more often. The order of every list decides what is invented: a change of
// it makes another catalogue.
var (
	words     = datafile.MustRead[vocabulary](dataFiles, "data/words.json")
	families  = datafile.MustRead[map[string]family](dataFiles, "data/families.json")
	roleKinds = datafile.MustRead[[]roleKind](dataFiles, "data/titles.json")
	sectors   = datafile.MustRead[[]sector](dataFiles, "data/sectors.json")
	stages    = datafile.MustRead[map[string]stage](dataFiles, "data/stages.json")
)

type vocabulary struct {
	// Parts of company names: compounds ("Lumenfold"), syllables ("Taveriq") and pairs
	// ("Copper Meridian").
	Heads, Tails, Onsets, Vowels, Codas, Pairs, Suffixes []string

	Verbs, Promises, Circumstances, Investors, Benefits, Values []string
	Tiers, Rounds, Workplaces, Statuses, Densities              []string
	Places                                                      []string            // location keys
	Offices                                                     map[string]string   // cities by location key
	Levels                                                      map[string][]string // put before titles, by ladder
}

// family is what roles of several types have in common.
type family struct {
	Levels             string // a key of vocabulary.Levels
	Salary             [2]int // thousands of dollars a year, from the lowest to the highest
	Stack, Tasks, Asks []string
}

// roleKind is a role type of the contract with the titles of its roles.
type roleKind struct {
	Key, Family string
	Titles      []string
}

// sector is what companies of an industry make, and for whom.
type sector struct{ Industries, Makes, Whom []string }

// stage is what companies are like after a funding round: each range from the least
// to the most.
type stage struct {
	Name, Round         string // Round as people write it
	Raised, Size, Years [2]int // millions; people; since the founding
}
