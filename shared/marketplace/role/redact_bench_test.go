package role

import (
	"strings"
	"testing"
)

// BenchmarkRedact redacts a role with 60 KB of prose, for the agency surface: links go for all, names
// for strangers.
func BenchmarkRedact(b *testing.B) {
	s := secret{"Zorblatt Dynamics Inc.", "Zorb Labs", "Zqest Capital", "Zqprose", "zorblatt.example.com"}
	text := strings.Repeat("You build services at {N} and own them: design, tests and/or on-call (see {L}). Our engineers use Node.js, Go 1.22 and AWS.\n", 15)
	r := s.unredacted(text)
	for name, visibility := range map[string]Visibility{"stranger": Stealth, "agency": Public} {
		b.Run(name, func(b *testing.B) {
			r.role.Visibility = visibility
			for b.Loop() {
				Redact(r, Caller{Now: now, LinksOmitted: true})
			}
		})
	}
}
