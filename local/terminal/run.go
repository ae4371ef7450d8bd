package terminal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Run runs a command line and returns its exit code. name is what the program is called in its help.
func Run(name string, args []string, in io.Reader, out, messages io.Writer) (code int) {
	commands := &Commands{In: in}
	parser, err := newParser(name, commands, kong.Writers(out, messages))
	if err != nil {
		_, _ = fmt.Fprintln(messages, err)
		return 1
	}
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
	if group := findGroup(parser.Model.Node, args); group != nil {
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
func newParser(name string, commands *Commands, options ...kong.Option) (*kong.Kong, error) {
	options = append(options, kong.Name(name), kong.Description(Description), kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true}),
		kong.Exit(func(code int) { panic(exitRequest(code)) }), kong.Vars{"version": name + " " + readVersion().String()})
	parser, err := kong.New(commands, options...)
	if err != nil {
		return nil, err
	}
	for _, leaf := range parser.Model.Leaves(false) {
		if lines := listExamples(leaf.Path()); len(lines) > 0 {
			leaf.Detail = "Examples:\n\n  " + name + " " + strings.Join(lines, "\n  "+name+" ")
		}
	}
	return parser, nil
}

// report prints why a command failed, and returns its exit code. With --json it is an object on the last
// line of the messages: the API's error object if there is one, and the exit code.
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
		_ = json.NewEncoder(messages).Encode(newFailure(err, code))
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

type failure struct {
	Error    contract.ErrorBody `json:"error"`
	ExitCode int                `json:"exitCode"`
}

func newFailure(err error, code int) failure {
	body := contract.ErrorBody{Type: "command_error", Message: printable(err.Error())}
	if failed, ok := errors.AsType[exitError](err); ok && failed.refused != nil {
		refused := failed.refused
		body = contract.ErrorBody{Type: refused.Type, Code: refused.Code, Message: refused.Message, RequestID: refused.RequestID}
		if len(refused.Form)+len(refused.Fields) > 0 {
			body.Details = &contract.ErrorDetails{FormErrors: refused.Form, FieldErrors: refused.Fields}
		}
	}
	return failure{body, code}
}

// findGroup returns the command that the words name, if it cannot be run without one of its
// subcommands; nil for any other.
func findGroup(node *kong.Node, words []string) *kong.Node {
	for _, word := range words {
		i := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == word })
		if i < 0 {
			return nil
		}
		node = node.Children[i]
	}
	runsAlone := len(node.Children) == 0 || node.DefaultCmd != nil && len(node.DefaultCmd.Positional) == 0
	if runsAlone {
		return nil
	}
	return node
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
