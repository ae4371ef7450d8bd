package role

import (
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// BenchmarkRedact redacts a role with 80 KB of prose, for the agency surface: links go for all, names
// for strangers; and the row of a list, which has no prose.
func BenchmarkRedact(b *testing.B) {
	s := secret{"Zorblatt Dynamics Inc.", "Zorb Labs", "Zqest Capital", "Zqprose", "zorblatt.example.com"}
	text := strings.Repeat("You build services at {N} and own them: design, tests and/or on-call (see {L}). Our engineers use Node.js, Go 1.22 and AWS.\n", 15)
	r := s.unredacted(text)
	row := s.unredacted("Engineer at {N}")
	row.role.Prose = Prose{}
	for name, bench := range map[string]struct {
		role       Unredacted
		visibility contract.RoleVisibility
	}{"stranger": {r, contract.RoleVisibilityStealth}, "agency": {r, contract.RoleVisibilityPublic}, "row": {row, contract.RoleVisibilityStealth}} {
		b.Run(name, func(b *testing.B) {
			bench.role.role.Visibility = bench.visibility
			for b.Loop() {
				Redact(bench.role, Caller{Now: now, LinksOmitted: true})
			}
		})
	}
}
