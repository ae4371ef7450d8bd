package roles

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"

	"github.com/google/uuid"
)

// newSource returns the random source of number i of a kind of thing.
func newSource(i int, of uint64) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), of)) }

func drawOne(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// drawSome returns different values: of least to most draws, without repeats.
func drawSome(r *rand.Rand, from []string, least, most int) []string {
	var out []string
	seen := map[string]bool{}
	for range least + r.IntN(most-least+1) {
		if v := drawOne(r, from); !seen[v] {
			out = append(out, v)
			seen[v] = true
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
