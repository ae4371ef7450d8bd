// Package terminal holds the commands that call the API from a terminal: `go run ./local api …`, and
// the binary recruiting, which is built of nothing else. They know the client, the contract and the
// check of a request, and nothing of how the service works.
package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Description is the text above the list of commands.
const Description = `Calls the Recruiting Marketplace External API.

The address and the keys come from the environment (BASE_URL, AGENCY_KEY, RECRUITER_KEY) or from a file of such lines with mode 600.

Exit codes: 0 done; 1 failed on this machine; 2 the input has problems, and what has them was not sent; 3 a candidate was not accepted or failed; 4 the API refused the request; 5 the API could not be reached or failed; 80 wrong arguments; 130 interrupted.

With --json each result is an object on a line, and a failure is one on the last line of standard error: the API's error object in error, and exitCode. Colours are for terminals only, and NO_COLOR leaves them out; there, columns are shortened or left out where they do not fit.`

// Commands are the commands, and the flags of all of them.
type Commands struct {
	Settings
	In io.Reader `kong:"-"` // standard input

	Status   statusCommand   `cmd:"" help:"Show the address, whether the system responds, and what each key may do."`
	Identity identityCommand `cmd:"" help:"Show the agency or recruiter that a key acts for, and its permissions."`
	Submit   submitCommand   `cmd:"" help:"Submit one candidate with a resume, and wait for the outcome."`
	Bulk     bulkCommand     `cmd:"" help:"Submit the candidates of a CSV or NDJSON file. Stopped or killed, the same command continues."`
	Batches  batchesCommand  `cmd:"" help:"List the agency's batches, newest first."`
	Batch    struct {
		Show  batchShow  `cmd:"" default:"withargs" help:"Show the items of a batch as they are now."`
		Watch batchWatch `cmd:"" help:"Print each item as it ends, until all have ended."`
	} `cmd:"" help:"Read or watch one batch."`
	Resumes struct {
		Upload resumesUpload `cmd:"" help:"Upload resumes for bulk submissions, and print their ids."`
	} `cmd:"" help:"Upload resumes."`
	Changes struct {
		List   changesList   `cmd:"" default:"withargs" help:"List the changes that are kept, in the order in which they were recorded. AT is when they happened, which can be earlier."`
		Follow changesFollow `cmd:"" help:"Print changes as they happen, until Ctrl-C."`
	} `cmd:"" help:"List what happened to submissions and candidates, or follow it."`
	Members     membersCommand    `cmd:"" help:"List the agency's members and the addresses that submissions accept."`
	Candidates  candidatesCommand `cmd:"" help:"List the talent network, newest first."`
	Lookup      lookupCommand     `cmd:"" help:"Find candidates by id, LinkedIn URL or e-mail, with the data from their resumes."`
	Preferences struct {
		Show preferencesShow `cmd:"" default:"withargs" help:"Show a candidate's work preferences."`
		Set  preferencesSet  `cmd:"" help:"Replace all preferences; those not given are cleared."`
		Bulk preferencesBulk `cmd:"" help:"Show the preferences of several candidates, one per line."`
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
	Enumerations enumerationsCommand `cmd:"" help:"List the values of fields with their display names."`
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

// Run runs a command line and returns its exit code. name is what the program is called in its help.
func Run(name string, args []string, in io.Reader, out, messages io.Writer) (code int) {
	parser := newParser(name, &Commands{In: in}, kong.Writers(out, messages))
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case exitRequest:
			code = int(reason)
		default:
			panic(reason)
		}
	}()
	args = joinNegatives(args)
	if lacksSubcommand(parser.Model.Node, args) {
		args = append(slices.Clone(args), "--help")
	}
	ctx, err := parser.Parse(args)
	if err == nil {
		err = ctx.Run()
	}
	return report(parser, screen{to: messages}, args, err)
}

// exitRequest is the exit code with which kong ends the program, after it has printed help.
type exitRequest int

// newParser returns the parser of the commands. Where kong ends the program it panics with an
// exitRequest, which Run recovers: no other code of it is run then.
func newParser(name string, commands *Commands, options ...kong.Option) *kong.Kong {
	options = append(options, kong.Name(name), kong.Description(Description), kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true}),
		kong.Exit(func(code int) { panic(exitRequest(code)) }), kong.Vars{"version": name + " " + readVersion().String()})
	parser := kong.Must(commands, options...)
	for _, leaf := range parser.Model.Leaves(false) {
		if lines := listExamples(leaf.Path()); len(lines) > 0 {
			leaf.Detail = "Examples:\n\n  " + name + " " + strings.Join(lines, "\n  "+name+" ")
		}
	}
	return parser
}

// report prints why a command failed, with --json as an object on the last line, and returns the exit code.
func report(parser *kong.Kong, messages io.Writer, args []string, err error) int {
	if err == nil {
		return 0
	}
	code := 1
	var coded kong.ExitCoder
	if errors.As(err, &coded) {
		code = coded.ExitCode()
	}
	if asksForJSON(args) {
		body := contract.ErrorBody{Type: "command_error", Message: printable(err.Error())}
		if failed, ok := errors.AsType[exitError](err); ok && failed.refused != nil {
			e := failed.refused
			body = contract.ErrorBody{Type: e.Type, Code: e.Code, Message: e.Message, RequestID: e.RequestID}
			if len(e.Form)+len(e.Fields) > 0 {
				body.Details = &contract.ErrorDetails{FormErrors: e.Form, FieldErrors: e.Fields}
			}
		}
		_ = json.NewEncoder(messages).Encode(map[string]any{"error": body, "exitCode": code})
		return code
	}
	_, _ = fmt.Fprintf(messages, "%s: error: %v\n", parser.Model.Name, err)
	if parse, ok := errors.AsType[*kong.ParseError](err); ok {
		command := parser.Model.Name
		if selected := parse.Context.Selected(); selected != nil {
			command = selected.FullPath()
		}
		_, _ = fmt.Fprintf(messages, "see: %s --help\n", command)
	}
	return code
}

// asksForJSON reports whether a command line has the flag --json, also one that cannot be parsed.
func asksForJSON(args []string) (asks bool) {
	for _, arg := range args {
		if arg == "--" { // what follows is no flag
			break
		}
		if name, value, given := strings.Cut(arg, "="); name == "--json" {
			asks = !given || slices.Contains([]string{"true", "1", "yes"}, strings.ToLower(value)) // as kong reads it
		}
	}
	return asks
}

// lacksSubcommand reports whether the words name a command that cannot be run without a subcommand.
func lacksSubcommand(node *kong.Node, words []string) bool {
	for _, word := range words {
		i := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == word })
		if i < 0 {
			return false
		}
		node = node.Children[i]
	}
	runsAlone := len(node.Children) == 0 || node.DefaultCmd != nil && len(node.DefaultCmd.Positional) == 0
	return !runsAlone
}

var (
	takesNext = regexp.MustCompile(`^--[^=]*$`) // a flag whose value is the next word
	negative  = regexp.MustCompile(`^-\d+$`)
)

// joinNegatives joins a negative number to the flag before it, which takes it for flags otherwise.
func joinNegatives(args []string) (joined []string) {
	for i, arg := range args {
		if i > 0 && negative.MatchString(arg) && takesNext.MatchString(args[i-1]) {
			joined[len(joined)-1] += "=" + arg
		} else {
			joined = append(joined, arg)
		}
	}
	return joined
}
