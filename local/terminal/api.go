// Package terminal holds the commands that call the API from a terminal: `go run ./local api …`, and
// the binary recruiting, which is built of nothing else. They know the client, the contract and the
// check of a request, and nothing of how the service works.
package terminal

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// Description is the text above the list of commands.
const Description = `Calls the Recruiting Marketplace External API.

The address and the keys come from the environment (BASE_URL, AGENCY_KEY, RECRUITER_KEY) or from a file of such lines with mode 600.

Exit codes: 0 done; 1 failed on this machine; 2 the input has problems, and what has them was not sent; 3 a candidate was not accepted or failed; 4 the API refused the request; 5 the API could not be reached or failed; 80 wrong arguments; 130 interrupted.

With --json each result is an object on a line, and a failure is one on the last line of standard error: the API's error object in error, and exitCode. Colours are for terminals only, and NO_COLOR leaves them out; there, columns are shortened or left out where they do not fit.`

// Commands are the commands, and the flags of all of them.
type Commands struct {
	Settings
	// In is the standard input.
	In io.Reader `kong:"-"`

	Status   statusCommand   `cmd:"" help:"Show the address, whether the system responds, and what each key may do."`
	Identity identityCommand `cmd:"" help:"Show whom a key acts as and what it may do."`
	Submit   submitCommand   `cmd:"" help:"Submit one candidate with a resume, and wait for the outcome."`
	Bulk     bulkCommand     `cmd:"" help:"Submit the candidates of a CSV or NDJSON file. Stopped or killed, the same command continues."`
	Batches  batchesCommand  `cmd:"" help:"List the agency's batches, newest first."`
	Batch    struct {
		Show  batchShow  `cmd:"" default:"withargs" help:"Show the items of a batch as they are now."`
		Watch batchWatch `cmd:"" help:"Print each item when it has ended, until all have."`
	} `cmd:"" help:"Read or watch one batch."`
	Resumes struct {
		Upload resumesUpload `cmd:"" help:"Upload resumes for bulk submissions, and print their ids."`
	} `cmd:"" help:"Upload resumes."`
	Changes struct {
		List   changesList   `cmd:"" default:"withargs" help:"List the changes that are kept, in the order in which they were recorded. AT is when they happened, which can be earlier."`
		Follow changesFollow `cmd:"" help:"Print changes as they happen, until Ctrl-C."`
	} `cmd:"" help:"List what happened to submissions and candidates, or follow it."`
	Members     membersCommand    `cmd:"" help:"List the agency's members, whom submissions may name."`
	Candidates  candidatesCommand `cmd:"" help:"List the talent network, newest first."`
	Lookup      lookupCommand     `cmd:"" help:"Find candidates by id, LinkedIn URL or e-mail, with what was read in their resumes."`
	Preferences struct {
		Show preferencesShow `cmd:"" default:"withargs" help:"Show a candidate's work preferences."`
		Set  preferencesSet  `cmd:"" help:"Replace them: what is not given is cleared."`
		Bulk preferencesBulk `cmd:"" help:"Show those of several candidates, a line each."`
	} `cmd:"" help:"Read or replace a candidate's work preferences."`
	FastTrack struct {
		Show fastTrackShow `cmd:"" default:"withargs" help:"Show whether a candidate is opted in."`
		Set  fastTrackSet  `cmd:"" help:"Opt a candidate of the key's creator in or out."`
	} `cmd:"" help:"Show or set a candidate's fast-track opt-in."`
	OffMarket marketCommand `cmd:"" help:"Take candidates off the auto-match market."`
	ReEnable  marketCommand `cmd:"" help:"Put candidates back on the auto-match market."`
	Roles     struct {
		Search rolesSearch `cmd:"" help:"Search roles by words; typing mistakes are forgiven."`
		Show   rolesShow   `cmd:"" help:"Print one role in full, as JSON."`
	} `cmd:"" help:"Search and read roles."`
	MCP          mcpCommand          `cmd:"" name:"mcp" help:"Serve the API to an assistant by the Model Context Protocol."`
	Enumerations enumerationsCommand `cmd:"" help:"List the values of fields with the words for people."`
	Logs         logsCommand         `cmd:"" help:"Print the requests of a system that runs on this machine."`
	Completion   completionCommand   `cmd:"" help:"Print the completion script of a shell."`
	Version      versionCommand      `cmd:"" help:"Print the version."`
	Help         helpCommand         `cmd:"" help:"Print the help of a command."`
}

// AfterApply gives the commands what they need: the call and, to those that ask for them, the variables, a client with the key
// of --as, or else of the agency, and a context that Ctrl-C ends, for the rest of the program. Kong calls it.
func (c *Commands) AfterApply(k *kong.Context) error {
	messages := screen{to: k.Stderr}
	results := screen{to: k.Stdout, ofResult: true}
	k.Stdout = results
	k.Stderr = messages // the error of a command is kong's to print
	bound := &call{
		settings: c.Settings, out: k.Stdout, messages: messages,
		look: newLook(results.terminal(), os.Getenv), in: c.In,
	}
	k.Bind(bound)
	newContext := func() context.Context {
		ctx, _ := interruptible()
		return ctx
	}
	newClient := func() (*client.Client, error) {
		for _, flag := range k.Flags() {
			if flag.Name == "as" && k.FlagValue(flag) == "recruiter" {
				return bound.newClient(recruiterVariable)
			}
		}
		return bound.newClient(agencyVariable)
	}
	return errors.Join(k.BindToProvider(newContext), k.BindToProvider(newClient), k.BindToProvider(bound.readSettings))
}
