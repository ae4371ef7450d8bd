package roles

import (
	"embed"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/uuid"

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
	ranks     = datafile.MustRead[[]rank](dataFiles, "data/ranks.json")
)

type vocabulary struct {
	// Parts of company names: compounds ("Lumenfold"), syllables ("Taveriq") and pairs
	// ("Copper Meridian").
	Heads, Tails, Onsets, Vowels, Codas, Pairs, Suffixes []string

	Verbs, Promises, Circumstances, Investors, Benefits, Values []string
	Tiers, Rounds, Workplaces, Statuses, Densities              []string
	Places                                                      []string            // location keys
	Offices                                                     map[string]string   // cities by location key
	PlaceNames                                                  map[string]string   // those that cannot be derived from their keys
	Levels                                                      map[string][]string // put before titles, by ladder
	LevelYears                                                  map[string]int      // the least years of experience that a level asks for
}

// rank is a part of titles that asks for years of experience itself, such as "Head of". A title with one takes no level.
type rank struct {
	Rank  string
	Years int
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

// newSource returns the random source of number i of a kind of thing.
func newSource(i int, of uint64) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), of)) }

func drawOne(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// drawSome returns different values: of least to most draws, without repeats.
func drawSome(r *rand.Rand, from []string, least, most int) []string {
	var out []string
	for range least + r.IntN(most-least+1) {
		if v := drawOne(r, from); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// drawID returns a version 4 UUID drawn from r.
func drawID(r *rand.Rand) string {
	var u uuid.UUID
	binary.LittleEndian.PutUint64(u[:8], r.Uint64())
	binary.LittleEndian.PutUint64(u[8:], r.Uint64())
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return u.String()
}

func joinWords(words ...string) string { return strings.TrimSpace(strings.Join(words, " ")) }

func capitalize(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// drawBetween returns a number between the bounds, both included.
func drawBetween(r *rand.Rand, bounds [2]int) int { return bounds[0] + r.IntN(bounds[1]-bounds[0]+1) }
