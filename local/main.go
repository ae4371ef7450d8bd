// Command local runs the whole API on this machine. Its subcommands call it, manage API keys, load
// marketplace events, redrive dead letters and read resumes; without a subcommand it serves. See README.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/candidates"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/local/operate"
	"github.com/recruiting-marketplace/external-api/local/operate/deadletter"
	"github.com/recruiting-marketplace/external-api/local/terminal"
)

type cli struct {
	Serve   serve               `cmd:"" default:"1" help:"Run the whole system on this machine (the default)."`
	Status  statusCommand       `cmd:"" help:"Show whether a system runs with its data in DATA_DIR, and where."`
	API     terminal.Commands   `cmd:"" name:"api" help:"Call the API: submit candidates, follow changes, search roles …"`
	Keys    operate.Keys        `cmd:"" help:"Create, list, revoke and rename API keys."`
	Feed    operate.Feed        `cmd:"" help:"Load marketplace events."`
	DLQ     operate.DeadLetters `cmd:"" name:"dlq" help:"Look at dead letters, and send them again."`
	Canary  operate.Canary      `cmd:"" help:"Do the main jobs once: of an agency, from submission to off-market, and of a recruiter, from roles to calls."`
	Demo    demoCommand         `cmd:"" help:"Write invented marketplace events, one JSON object a line."`
	People  demoCandidates      `cmd:"" name:"demo-candidates" help:"Write an invented CSV file of candidates with their resumes."`
	Restore operate.Restore     `cmd:"" help:"Finish the restoration of a table or bucket."`
	Resume  resumeCommand       `cmd:"" help:"Print what is extracted from resume files."`
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "api" { // is one program with the binary recruiting
		os.Exit(terminal.Run("go run ./local api", os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	names := kong.Vars{"queues": strings.Join(deadletter.QueueNames(), ", ")}
	ctx := kong.Parse(&cli{}, kong.Name("local"), kong.ShortUsageOnError(), names, operate.Provide,
		kong.Description("The Recruiting Marketplace External API on one machine. Its settings are listed in docs/settings.md."))
	ctx.FatalIfErrorf(ctx.Run())
}

type demoCommand struct {
	Roles      int `default:"1000" help:"Number of roles, at least 1."`
	Candidates int `default:"300" help:"Number of candidates in the recruiter's CRM, at least 300."`
}

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
