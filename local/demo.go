package main

import (
	"bufio"
	"cmp"
	"fmt"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/candidates"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
)

// demoCommand writes the events of an invented marketplace.
type demoCommand struct {
	Roles      int `default:"1000" help:"Number of roles, at least 1."`
	Candidates int `default:"300" help:"Number of candidates in the recruiter's CRM, at least 300."`
}

// demoCandidates writes a file of candidates for `api bulk`.
type demoCandidates struct {
	Dir        string `arg:"" help:"Directory for candidates.csv and resumes."`
	Candidates int    `default:"40" help:"Number of candidates, at least 1."`
}

// Validate returns an error for a number that is too small.
func (c demoCandidates) Validate() error { return checkLeast("--candidates", c.Candidates, 1) }

// Run writes the files.
func (c demoCandidates) Run() error { return candidates.Write(c.Dir, c.Candidates) }

// Validate returns an error for numbers that are too small for the fixed part of the demo.
func (c demoCommand) Validate() error {
	return cmp.Or(checkLeast("--roles", c.Roles, 1), checkLeast("--candidates", c.Candidates, market.CandidateCount))
}

func checkLeast(flag string, number, least int) error {
	if number < least {
		return fmt.Errorf("%s must be %d or more, not %d", flag, least, number)
	}
	return nil
}

// Run writes one event per line to standard output, as input for `feed load`.
func (c demoCommand) Run() error {
	now := time.Now()
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	for _, lines := range []iter.Seq[market.Event]{
		market.RoleEvents(c.Roles, now), slices.Values(market.RecruiterEvents(demo.OwnerID, demo.AgencyID, c.Roles, now)),
		market.CandidateEvents(demo.OwnerID, market.CandidateCount, c.Candidates, now),
	} {
		for line := range lines {
			_, _ = out.WriteString(string(line) + "\n") // Flush returns the error
		}
	}
	return out.Flush()
}
