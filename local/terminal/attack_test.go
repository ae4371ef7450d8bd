package terminal

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// hostile is text that clears a terminal, sets its title, and turns the order of what follows.
const hostile = "a\x1b[2J\x1b]0;owned\x07\u009b31m\u202eb\r"

// quoted is hostile as JSON has it.
var quoted = func() string { text, _ := json.Marshal(hostile); return string(text) }()

// No command writes what a server sends as commands to the terminal, be it a result or an error.
func TestNothingControlsTheTerminal(t *testing.T) {
	t.Parallel()
	refusal := `{"error":{"type":` + quoted + `,"code":` + quoted + `,"message":` + quoted + `,"request_id":` + quoted +
		`,"details":{"formErrors":[` + quoted + `],"fieldErrors":{` + quoted + `:[` + quoted + `]}}}}`
	item := `{"items":[{"status":` + quoted + `,"errorCode":` + quoted + `,"errorMessage":` + quoted + `,"clientReferenceId":` + quoted + `}]}`
	for name, tt := range map[string]struct {
		status     int
		body, args string
	}{
		"refused":     {400, refusal, "identity"},
		"failed":      {501, refusal, "identity"},
		"unreadable":  {200, hostile, "identity"},
		"identity":    {200, `{"principal":` + quoted + `,"environment":` + quoted + `,"agency":{"name":` + quoted + `},"scopes":[` + quoted + `]}`, "identity"},
		"batch":       {200, item, "batch show b"},
		"changes":     {200, `{"changes":[{"type":` + quoted + `,"status":` + quoted + `,"errorCode":` + quoted + `}]}`, "changes list"},
		"candidates":  {200, `{"candidates":[{"name":` + quoted + `}]}`, "candidates"},
		"JSON":        {200, `{"candidates":[{"name":` + quoted + `}]}`, "candidates --json"},
		"status":      {200, `{"status":"ok","version":` + quoted + `,"principal":` + quoted + `,"agency":{"name":` + quoted + `}}`, "status"},
		"fast track":  {200, `{"candidateUserId":` + quoted + `}`, "fast-track cu_1"},
		"many":        {200, `{"results":[{"status":` + quoted + `,"candidates":[{"candidateUserId":` + quoted + `}]}]}`, "preferences bulk a@example.com"},
		"failure":     {400, refusal, "identity --json"},
		"preferences": {200, `{"candidateUserId":` + quoted + `,"preferences":{"locations":[` + quoted + `]}}`, "preferences show cu_1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, messages, _ := runCommand(t, respond(tt.status, tt.body), strings.Fields(tt.args)...)
			if out+messages == "" || strings.ContainsFunc(strings.ReplaceAll(out+messages, "\n", ""), controls) {
				t.Errorf("got %q, %q", out, messages)
			}
		})
	}
}

func controls(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// A table in colours, which is written past the screen, holds no control characters but those of its colours.
func TestColoursAreAllThatControls(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	c := &call{look: look{colour: file}}
	if err := printRows(c, rowsOf([]string{hostile, "failed"}, nil), 0, "NAME", func(r string) []any { return []any{r} }); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file.Name())
	shown := strings.NewReplacer(bold, "", red, "", plain, "", "\n", "").Replace(string(text))
	if err != nil || !strings.Contains(string(text), red+"failed"+plain) || strings.ContainsFunc(shown, controls) {
		t.Errorf("got %q, %v", text, err)
	}
}

// JSON without control characters means the same as with them.
func TestJSONIsUnchanged(t *testing.T) {
	t.Parallel()
	out, _, _ := runCommand(t, respond(200, `{"candidates":[{"name":`+quoted+`}]}`), "candidates", "--json")
	row := contract.CandidateRow{}
	if err := json.Unmarshal([]byte(out), &row); err != nil || row.Name != hostile {
		t.Errorf("got %q, %v", row.Name, err)
	}
}

// refuseAll is a service that accepts resumes and rejects every candidate with a message.
func refuseAll(message string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /resumes", respond(200, `{"resumeFileId":"u"}`))
	mux.Handle("POST /talent-network/candidates/submit-bulk", respond(200, `{"batchId":"b","items":[{"index":0,"status":"rejected",
		"errors":[{"code":`+quoted+`,"message":`+message+`}]}]}`))
	mux.Handle("GET /talent-network/batches/b", respond(200, `{"batchId":"b","items":[]}`))
	return mux
}

const rest = ",uk,remote,90000,Seed,HAS_VISA_AUTHORIZATION,ada.txt,"

// A spreadsheet computes no cell of the result, and a terminal that shows the file obeys none.
func TestResultHasNoFormulas(t *testing.T) {
	t.Parallel()
	for reference, want := range map[string]string{
		`"=HYPERLINK(""http://example.org"")"`: `'=HYPERLINK("http://example.org")`, "@SUM(1)": "'@SUM(1)", "-2+3": "'-2+3", "+1": "'+1", "a=1": "a=1",
	} {
		args := bulkArgs(t, "people.csv", headings+"Ada Example,ada@example.com,https://www.linkedin.com/in/ada"+rest+reference+"\n")
		out, messages, code := runCommand(t, refuseAll(quoted), args...)
		text, err := os.ReadFile(args[1] + ".result.csv")
		if err != nil {
			t.Fatal(err, messages)
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil || code != exitOutcome || rows[1][0] != "2" || rows[1][1] != want {
			t.Errorf("%s: exits with %d, %q, %v; want %q", reference, code, rows, err, want)
		}
		if shown := strings.ReplaceAll(out+messages+string(text), "\n", ""); strings.ContainsFunc(shown, controls) {
			t.Errorf("%s: got %q", reference, shown)
		}
	}
	for text, want := range map[string]string{"\t=1": "' =1", "\r=1": "' =1", "": "", "é": "é"} {
		if got := resultCell(text); got != want {
			t.Errorf("%q: got %q; want %q", text, got, want)
		}
	}
}

// A journal that cannot be used leaves the outcomes of the run that it belongs to as they are.
func TestResultOfAnotherRunStays(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, journal string) []string{
		"another key": func(t *testing.T, _ string) []string {
			return []string{"--keys", writeFile(t, "env", "BASE_URL=http://127.0.0.1:1\nAGENCY_KEY=rmk_test_other\n")}
		},
		"damaged": func(t *testing.T, journal string) []string {
			if err := os.WriteFile(journal, []byte("{]\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := bulkArgs(t, "people.csv", headings+"Ada Example,ada@example.com,https://www.linkedin.com/in/ada"+rest+"r1\n")
			if _, messages, code := runCommand(t, refuseAll(`"No."`), args...); code != exitOutcome {
				t.Fatal(code, messages)
			}
			before, err := os.ReadFile(args[1] + ".result.csv")
			if err != nil {
				t.Fatal(err)
			}
			_, messages, code := runCommand(t, unused(t), append(args, spoil(t, args[1]+".journal")...)...)
			after, err := os.ReadFile(args[1] + ".result.csv")
			if err != nil || string(after) != string(before) {
				t.Errorf("the result is %q, %v; want %q", after, err, before)
			}
			if code != exitInput || !strings.Contains(messages, "nothing was sent") || strings.Contains(messages, "continues where") {
				t.Errorf("exits with %d: %s", code, messages)
			}
		})
	}
}

// The result replaces links instead of writing to their targets.
func TestResultFollowsNoLink(t *testing.T) {
	t.Parallel()
	args := bulkArgs(t, "people.csv", headings+"Ada Example,ada@example.com,https://www.linkedin.com/in/ada"+rest+"r1\n")
	victim := writeFile(t, "victim", "kept")
	for _, name := range []string{".result.csv", ".result.csv.new"} {
		if err := os.Symlink(victim, args[1]+name); err != nil {
			t.Fatal(err)
		}
	}
	if _, messages, code := runCommand(t, refuseAll(`"No."`), args...); code != exitOutcome {
		t.Fatal(code, messages)
	}
	if content, err := os.ReadFile(victim); err != nil || string(content) != "kept" {
		t.Errorf("got %q, %v", content, err)
	}
}

// A link in the directory of resumes leads to no file outside of it.
func TestResumesStayInTheirDirectory(t *testing.T) {
	t.Parallel()
	args := bulkArgs(t, "people.csv", headings+"Ada Example,ada@example.com,https://www.linkedin.com/in/ada"+strings.Replace(rest, "ada.txt", "link.txt", 1)+"r1\n")
	for target, want := range map[string]int{"ada.txt": 0, writeFile(t, "key.txt", "rmk_live_secret"): exitInput} {
		link := filepath.Join(args[3], "link.txt")
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		if out, messages, code := runCommand(t, unused(t), append(args, "--dry-run")...); code != want {
			t.Errorf("%s: exits with %d: %s %s", target, code, out, messages)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
}

// What is not a regular file is refused at once: reading a pipe would wait for ever.
func TestPipesAreRefused(t *testing.T) {
	t.Parallel()
	args := bulkArgs(t, "people.csv", headings+"Ada Example,ada@example.com,https://www.linkedin.com/in/ada"+strings.Replace(rest, "ada.txt", "pipe.txt", 1)+"r1\n")
	pipe := filepath.Join(args[3], "pipe.txt")
	makePipe(t, pipe)
	list := filepath.Join(args[3], "list.csv")
	makePipe(t, list)
	preferences := "--name=Ada --email=ada@example.com --linkedin=https://www.linkedin.com/in/ada --locations=uk --workplace-types=REMOTE --salary-min=1 --funding-rounds=SEED --visa=HAS_VISA_AUTHORIZATION"
	for name, line := range map[string][]string{
		"keys": {"identity", "--keys", pipe}, "resumes": args, "list": {"bulk", list, "--resumes", args[3]},
		"resume": append([]string{"submit", pipe}, strings.Fields(preferences)...),
	} {
		out, messages, code := runCommand(t, unused(t), line...)
		if code == 0 || !strings.Contains(out+messages, "is not a regular file") {
			t.Errorf("%s: exits with %d: %s %s", name, code, out, messages)
		}
	}
}

// The variables of a shell's file are read with and without export.
func TestKeyFileOfAShell(t *testing.T) {
	t.Parallel()
	got, err := readPrivate(writeFile(t, "env", "export BASE_URL=http://a.example\nAGENCY_KEY=k=\n# none\n"))
	if want := map[string]string{"BASE_URL": "http://a.example", "AGENCY_KEY": "k="}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}
