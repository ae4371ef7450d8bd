package terminal

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

var shellWord = regexp.MustCompile(`(?:[^\s'"]|'[^']*'|"[^"]*")+`)

// splitExample returns the words of an example, with files that exist in place of those that it names.
func splitExample(t *testing.T, line string) (words []string) {
	t.Helper()
	dir := t.TempDir()
	line, _, _ = strings.Cut(line, " < ")
	for _, word := range shellWord.FindAllString(line, -1) {
		word = strings.NewReplacer(`'`, "", `"`, "").Replace(word)
		path := filepath.Join(dir, word)
		switch word {
		case "cv.pdf", "people.csv":
			word = writeFile(t, word, "")
		case "cvs":
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			word = path
		}
		words = append(words, word)
	}
	return words
}

// The help of each command has an example, and each example is a command line.
func TestExamples(t *testing.T) {
	t.Parallel()
	parser := newParser("recruiting", &Commands{}, kong.Writers(io.Discard, io.Discard))
	shown := 0
	for _, leaf := range parser.Model.Leaves(false) {
		name := leaf.Path()
		for _, line := range listExamples(name) {
			shown++
			if ctx, err := parser.Parse(splitExample(t, line)); err != nil || ctx.Selected().Path() != name {
				t.Errorf("%s: %q: %v", name, line, err)
			}
		}
		out, _, code := runCommand(t, unused(t), append(strings.Fields(name), "--help")...)
		if code != 0 || !strings.Contains(out, "Examples:\n\n    recruiting "+name) {
			t.Errorf("%s --help exits with %d: %s", name, code, out)
		}
	}
	if all := strings.Count(examples, "\n"); shown != all {
		t.Errorf("%d examples are of one command each; there are %d", shown, all)
	}
}

// Command lines that ask for help get it, and end well.
func TestHelp(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"":                   "Exit codes:",
		"--help":             "--json",
		"help":               "Commands:",
		"help batch watch":   "recruiting batch watch <batch>",
		"batch":              "Print each item as it ends",
		"preferences":        "Replace all preferences",
		"roles":              "Search roles",
		"submit --help":      "--salary-min=NUMBER",
		"changes --help":     "in the order in which they were recorded",
		"version":            "recruiting ",
		"--version":          "recruiting ",
		"version --json":     `"go":"go`,
		"help submit --json": "HAS_VISA_AUTHORIZATION",
	} {
		var out, messages strings.Builder
		code := Run("recruiting", strings.Fields(line), nil, &out, &messages)
		if code != 0 || !strings.Contains(out.String(), want) || messages.Len() > 0 {
			t.Errorf("%q exits with %d: %s %s; want %q", line, code, &out, &messages, want)
		}
	}
}

// TestSearchListsTheBestMatchFirst fails unless a search of roles asks for the best match first if no order is given.
func TestSearchListsTheBestMatchFirst(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"roles search engineer --as recruiter": "relevance", "roles search engineer --as recruiter --sort browse": "browse",
	} {
		var got string
		service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got = r.URL.Query().Get("sort")
			respond(200, `{"roles":[],"nextCursor":null}`).ServeHTTP(w, r)
		})
		if out, messages, code := runCommand(t, service, strings.Fields(args)...); code != 0 || got != want {
			t.Errorf("%s: exits with %d, sort is %q, want %q: %s %s", args, code, got, want, out, messages)
		}
	}
}

// TestKeysAreMissedWithWhereTheyAre holds that a command without keys names the directory in which it looked for those of
// the local system, and how to name another.
func TestKeysAreMissedWithWhereTheyAre(t *testing.T) {
	dir := t.TempDir()
	for name, value := range map[string]string{
		"BASE_URL": "", "AGENCY_KEY": "", "DATA_DIR": dir, "HOME": dir, "XDG_CONFIG_HOME": dir,
	} {
		t.Setenv(name, value)
	}
	identity := func() (messages string, code int) {
		var out, said strings.Builder
		code = Run("recruiting", []string{"identity"}, nil, &out, &said)
		return said.String(), code
	}
	want := "which is looked for in " + dir + "; set DATA_DIR if it is another\n"
	if messages, code := identity(); code != 1 || !strings.HasSuffix(messages, want) {
		t.Errorf("exits with %d: %q; want %q at its end", code, messages, want)
	}
	address := newServer(t, respond(http.StatusOK, `{"principal":"agency","scopes":[]}`))
	env := "export BASE_URL=" + address + "\nexport AGENCY_KEY=rmk_test_x\n"
	if err := os.WriteFile(filepath.Join(dir, "env"), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	if messages, code := identity(); code != 0 {
		t.Errorf("with the keys in DATA_DIR it exits with %d: %s", code, messages)
	}
}

// TestShortFlags holds that flags which have a letter by convention have it here.
func TestShortFlags(t *testing.T) {
	t.Parallel()
	var commands Commands
	parser := newParser("recruiting", &commands, kong.Writers(io.Discard, io.Discard))
	words := []string{"bulk", writeFile(t, "people.csv", ""), "--resumes", t.TempDir(), "-n", "-o", "outcomes.csv"}
	if _, err := parser.Parse(words); err != nil || !commands.Bulk.DryRun || commands.Bulk.Result != "outcomes.csv" {
		t.Errorf("got %+v, %v; want a dry run with its outcomes in outcomes.csv", commands.Bulk, err)
	}
	if help, _, code := runCommand(t, unused(t), "bulk", "-h"); code != 0 || !strings.Contains(help, "-n, --dry-run") {
		t.Errorf("-h exits with %d: %s", code, help)
	}
}

// Mistakes in a command line are named with what to do.
func TestMistakes(t *testing.T) {
	t.Parallel()
	enumerations := respond(200, `{"enumerations":[{"name":"location","fields":["locations"],"values":[{"value":"uk","name":"UK"}]},{"name":"industry"}]}`)
	preferences := "--locations=uk --workplace-types=REMOTE --salary-min=1 --funding-rounds=SEED --visa=HAS_VISA_AUTHORIZATION"
	resume := writeFile(t, "cv.txt", "Ada Example")
	for name, tt := range map[string]struct {
		service http.Handler
		args    string
		code    int
		want    string
	}{
		"negative":     {unused(t), "candidates --max -1", 80, "--max must be 0 or more, not -1"},
		"role":         {unused(t), "roles search x --max -2", 80, "--max must be 0 or more, not -2"},
		"enumeration":  {enumerations, "enumerations nope", exitInput, `is named "nope"; there are location, industry`},
		"flags":        {unused(t), "submit " + resume + " --name=A", 80, "missing flags: --email"},
		"where":        {unused(t), "batch watch", 80, "see: recruiting batch watch --help"},
		"unknown flag": {unused(t), "batches --maxx 1", 80, "unknown flag --maxx"},
		"bad values": {
			unused(t), "submit " + resume + " --name=A --email=a --linkedin=b " + preferences, exitInput, "--email     \"a\" is not an e-mail address",
		},
		"bad resume": {unused(t), "submit " + writeFile(t, "a.pdf", "") + " --name=A --email=a@example.com --linkedin=https://www.linkedin.com/in/a " + preferences, exitInput, "<file>  "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, messages, code := runCommand(t, tt.service, strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(out+messages, tt.want) {
				t.Errorf("exits with %d: %s %s; want %d, %q", code, out, messages, tt.code, tt.want)
			}
		})
	}
}

// Each flag that a problem can name is one of submit.
func TestFlagsOfFields(t *testing.T) {
	t.Parallel()
	help, _, _ := runCommand(t, unused(t), "submit", "--help")
	for name := range fields {
		if flag := flagOf[name]; flag == "" || !strings.Contains(help, flag) {
			t.Errorf("%s has the flag %q", name, flag)
		}
	}
}

// With --json a failure is an object on the last line of the messages.
func TestFailureAsJSON(t *testing.T) {
	t.Parallel()
	const refusal = `{"error":{"type":"invalid_request_error","message":"No.","request_id":"","code":"invalid_cursor","details":{"formErrors":[],"fieldErrors":{"cursor":["cursor: no."]}}}`
	for name, tt := range map[string]struct {
		service http.Handler
		args    string
		want    string
	}{
		"refused":   {respond(400, refusal+"}"), "batches", refusal + `,"exitCode":4}`},
		"not found": {respond(404, "<html>"), "batches", `{"error":{"type":"","message":"Not Found.","request_id":""},"exitCode":4}`},
		"arguments": {unused(t), "batches --max x", `"exitCode":80}`},
		"outcome":   {respond(200, `{"items":[{"index":0,"status":"failed"}]}`), "batch watch b", `{"error":{"type":"command_error","message":"1 of 1 failed","request_id":""},"exitCode":3}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, messages, _ := runCommand(t, tt.service, append(strings.Fields(tt.args), "--json")...)
			lines := strings.Split(strings.TrimSpace(messages), "\n")
			got := lines[len(lines)-1]
			if !json.Valid([]byte(got)) || !strings.HasSuffix(got, tt.want) {
				t.Errorf("got %s; want %s", messages, tt.want)
			}
		})
	}
}

// The flag has a value or none, and what is no flag asks for nothing.
func TestFailureAsJSONIfAskedFor(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]bool{
		"--json": true, "--json=true": true, "--json=1": true, "--json=YES": true, "--json --json=false": false, "--json=no": false, "": false,
		"--max=x --json=true": true,
	} {
		refused := respond(400, `{"error":{"type":"invalid_request_error","message":"No."}}`)
		_, messages, code := runCommand(t, refused, append([]string{"batches"}, strings.Fields(args)...)...)
		if code == 0 || json.Valid([]byte(messages)) != want {
			t.Errorf("%q exits with %d: %s; want JSON: %t", args, code, messages, want)
		}
	}
	if asksForJSON([]string{"completion", "words", "--", "--json"}) {
		t.Error("a word behind -- is taken for a flag")
	}
}

// The resume of submit can be the standard input.
func TestResumeFromStandardInput(t *testing.T) {
	t.Parallel()
	sent := contract.SubmitRequest{}
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&sent)
		_, _ = io.WriteString(w, `{"batchId":"b"}`)
	})
	args := strings.Fields("submit - --no-wait --name=Ada --email=ada@example.com --linkedin=https://www.linkedin.com/in/ada --locations=uk " +
		"--workplace-types=REMOTE --salary-min=1 --funding-rounds=SEED --visa=HAS_VISA_AUTHORIZATION")
	if _, messages, code := runCommand(t, service, args...); code != 0 || sent.Resume.ContentBase64 != "QWRhIEV4YW1wbGU=" || sent.Resume.FileName != nil {
		t.Errorf("exits with %d: %s %+v", code, messages, sent.Resume)
	}
}

// A table is as wide as its terminal at most, and has colours there alone.
func TestTables(t *testing.T) {
	t.Parallel()
	rows := [][]string{
		{"CANDIDATE", "NAME", "EMAIL", "STATUS", "EXPIRES", "MEMBER", "ADDED"},
		{"cu_0123456789abcdef012345", "Zoë Ada Example", "zoe.ada.example@example.com", "on_market", "2026-03-01 09:00:00", "ingrid@example.com", "2026-03-01 09:00:00"},
	}
	for width, tt := range map[int]struct {
		most int
		want string // the second line
	}{
		0:   {144, "cu_0123456789abcdef012345  Zoë Ada Example  zoe.ada.example@example.com  on_market  2026-03-01 09:00:00  ingrid@example.com  2026-03-01 09:00:00"},
		200: {144, "cu_0123456789abcdef012345  Zoë Ada Example  zoe.ada.example@example.com  on_market  2026-03-01 09:00:00  ingrid@example.com  2026-03-01 09:00:00"},
		80:  {80, "cu_0123456789abcdef012345  Zoë Ada Example  zoe.ada.example@example.…  on_market"},
		100: {100, "cu_0123456789abcdef012345  Zoë Ada Example  zoe.ada.example@example…  on_market  2026-03-01 09:00:00"},
		20:  {25, "cu_0123456789abcdef012345"},
	} {
		var out strings.Builder
		c := &call{out: &out, look: look{width: width}}
		if err := c.printTable(rows); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		if strings.TrimRight(lines[1], " ") != tt.want || utf8.RuneCountInString(lines[0]) > tt.most {
			t.Errorf("width %d: got %q", width, lines)
		}
	}
	problems := [][]string{{"LINE", "COLUMN", "PROBLEM"}, {"2", "salaryMin", strings.Repeat("long ", 30) + "end"}}
	var out strings.Builder
	if err := (&call{out: &out, look: look{width: 40}}).printTable(problems); err != nil || !strings.Contains(out.String(), "end") {
		t.Errorf("got %s, %v", &out, err)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	err = (&call{look: look{colour: file}}).printTable(rows)
	text, err2 := os.ReadFile(file.Name())
	want := bold + "CANDIDATE" + plain
	if err := errors.Join(err, err2, file.Close()); err != nil || !strings.HasPrefix(string(text), want) || !strings.Contains(string(text), green+"on_market"+plain) {
		t.Errorf("got %q, %v", text, err)
	}
}

// What a terminal shows depends on the environment.
func TestLook(t *testing.T) {
	t.Parallel()
	file, err := os.Open(os.DevNull) // no terminal has a size there
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for name, tt := range map[string]struct {
		terminal *os.File
		env      map[string]string
		want     look
	}{
		"pipe":     {nil, map[string]string{"COLUMNS": "80"}, look{}},
		"terminal": {file, map[string]string{"COLUMNS": "80"}, look{80, file}},
		"NO_COLOR": {file, map[string]string{"NO_COLOR": "1"}, look{}},
		"dumb":     {file, map[string]string{"TERM": "dumb"}, look{}},
	} {
		if got := newLook(tt.terminal, func(name string) string { return tt.env[name] }); got != tt.want {
			t.Errorf("%s: got %+v; want %+v", name, got, tt.want)
		}
	}
}

// The help of a required flag lists the values of an enumeration, or names the command that does.
func TestHelpListsValues(t *testing.T) {
	t.Parallel()
	help, _, _ := runCommand(t, unused(t), "submit", "--help")
	help = strings.Join(strings.Fields(help), " ")
	for _, field := range preferenceSchema.Fields {
		enum := field.Schema.Enum
		if field.Schema.Items != nil {
			enum = field.Schema.Items.Enum
		}
		if enum == nil || !field.Required {
			continue
		}
		listed := strings.Contains(help, "enumerations "+enum.Name)
		for _, value := range enum.Values {
			if !listed && !strings.Contains(help, value) {
				t.Errorf("%s: the help has no %s", field.Name, value)
			}
		}
	}
}
