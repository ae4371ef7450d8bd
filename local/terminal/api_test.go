package terminal

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// runCommand runs a command line against a service, and returns what it printed and its exit code.
func runCommand(t *testing.T, service http.Handler, args ...string) (out, messages string, code int) {
	t.Helper()
	return runAt(t, newServer(t, service), args...)
}

// newServer serves a service, and returns its address.
func newServer(t *testing.T, service http.Handler) string {
	t.Helper()
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	return server.URL
}

// runAt is runCommand against the service at an address.
func runAt(t *testing.T, address string, args ...string) (out, messages string, code int) {
	t.Helper()
	keys := writeFile(t, "env", "BASE_URL="+address+"\nAGENCY_KEY=rmk_test_x\nRECRUITER_KEY=rmk_test_y\n")
	var stdout, stderr bytes.Buffer
	code = Run("recruiting", append([]string{"--keys", keys}, args...), strings.NewReader("Ada Example"), &stdout, &stderr)
	return stdout.String(), stderr.String(), code
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// unused fails the test at any request.
func unused(t *testing.T) http.Handler {
	return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s %s was sent", r.Method, r.URL) })
}

func respond(status int, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	})
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		service http.Handler
		args    string
		code    int
		want    string
	}{
		"done":        {respond(200, `{"principal":"agency"}`), "identity", 0, ""},
		"refused":     {respond(401, `{"error":{"type":"authentication_error","code":"revoked_api_key","message":"No."}}`), "identity", exitRefused, "create another one"},
		"fields":      {respond(400, `{"error":{"type":"invalid_request_error","details":{"fieldErrors":{"limit":["limit: no."]}}}}`), "batches", exitRefused, "limit: limit: no."},
		"input":       {unused(t), "preferences set cu_1 --locations=paris --workplace-types=REMOTE --salary-min=1 --funding-rounds=SEED --visa=HAS_VISA_AUTHORIZATION", exitInput, "nothing was sent"},
		"not changed": {respond(200, `{"results":[{"index":0,"ok":false,"status":"not_found"}]}`), "off-market cu_1", exitOutcome, "not all"},
		"failed":      {respond(200, `{"items":[{"index":0,"status":"failed","errorCode":"profile_not_found"}]}`), "batch watch b", exitOutcome, "1 of 1 failed"},
		"arguments":   {unused(t), "submit", 80, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, messages, code := runCommand(t, tt.service, strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(messages, tt.want) {
				t.Errorf("exits with %d: %s %s; want %d, %q", code, out, messages, tt.code, tt.want)
			}
		})
	}
}

// A file with keys that others can read is not used.
func TestKeyFileOfOthersIsRefused(t *testing.T) {
	t.Parallel()
	keys := writeFile(t, "env", "BASE_URL=http://127.0.0.1:1\nAGENCY_KEY=x\n")
	if err := os.Chmod(keys, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, messages, code := runCommand(t, unused(t), "identity", "--keys", keys); code != 1 || !strings.Contains(messages, "chmod 600") {
		t.Errorf("exits with %d: %s", code, messages)
	}
}

// Tables hold no control characters; with --json a row is an object a line.
func TestOutput(t *testing.T) {
	t.Parallel()
	service := respond(200, `{"candidates":[{"candidateUserId":"cu_1","name":"A\u001b[2J"},{"candidateUserId":"cu_2"}],"nextCursor":null}`)
	out, _, _ := runCommand(t, service, "candidates")
	if !strings.HasPrefix(out, "CANDIDATE  NAME") || strings.Contains(out, "\x1b") || strings.Count(out, "\n") != 3 {
		t.Errorf("got %q", out)
	}
	out, messages, _ := runCommand(t, service, "candidates", "--json", "--max", "1")
	row := contract.CandidateRow{}
	if err := json.Unmarshal([]byte(out), &row); err != nil || row.CandidateUserID != "cu_1" || !strings.Contains(messages, "more than 1") {
		t.Errorf("got %q, %q, %v", out, messages, err)
	}
}

// Rows that came before an error are printed, as a table too.
func TestRowsBeforeAnError(t *testing.T) {
	t.Parallel()
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("cursor") == "" {
			respond(200, `{"candidates":[{"candidateUserId":"cu_1"}],"nextCursor":"c"}`).ServeHTTP(w, r)
			return
		}
		respond(403, `{"error":{"type":"permission_error","message":"No."}}`).ServeHTTP(w, r)
	})
	for _, args := range [][]string{{"candidates", "--max=0"}, {"candidates", "--max=0", "--json"}} {
		out, messages, code := runCommand(t, service, args...)
		if code != exitRefused || !strings.Contains(out, "cu_1") || !strings.Contains(messages, "No.") {
			t.Errorf("%v exits with %d: %s %s", args, code, out, messages)
		}
	}
	none := respond(403, `{"error":{"type":"permission_error","message":"No."}}`)
	if out, messages, code := runCommand(t, none, "candidates"); code != exitRefused || out != "" || strings.Contains(messages, "none") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
}

const headings = "Full Name,E-mail,LinkedIn URL,locations,Workplace Types,salary_min,ideal funding rounds,VISA AUTHORIZATION,CV,clientReferenceId\n"

// bulkArgs writes a file of candidates and a resume, and returns the arguments of bulk.
func bulkArgs(t *testing.T, name, text string, more ...string) []string {
	t.Helper()
	resumes := filepath.Dir(writeFile(t, "ada.txt", "Ada Example"))
	for name, content := range map[string]string{"empty.txt": "", "photo.png": "\x89PNG\r\n\x1a\n\x00\x00"} {
		if err := os.WriteFile(filepath.Join(resumes, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return append([]string{"bulk", writeFile(t, name, text), "--resumes", resumes, "--map", "name=Full Name,resume=CV", "--on-market"}, more...)
}

// All problems of a file are told at once, by line and column, before anything is sent.
func TestProblemsOfAFile(t *testing.T) {
	t.Parallel()
	text := headings +
		"Ada Example,ada@example.com,https://www.linkedin.com/in/ada,New York; uk,remote,90000,Seed,HAS_VISA_AUTHORIZATION,ada.txt,a\n" +
		"Bea Example,bea,https://example.com/bea,paris,remote,ninety,Seed,HAS_VISA_AUTHORIZATION,gone.txt,b\n" +
		",cai@example.com,https://www.linkedin.com/in/cai,uk,remote,1,Seed|Series A,HAS_VISA_AUTHORIZATION,../ada.txt,c\n" +
		"Dag Example,dag@example.com,https://www.linkedin.com/in/dag,uk,remote,1,Seed,HAS_VISA_AUTHORIZATION,empty.txt,d\n" +
		"\"Eva\nExample\",eva@example.com,https://www.linkedin.com/in/eva,uk,remote,1,Seed,HAS_VISA_AUTHORIZATION,photo.png,e\n" +
		"Ada Example,ada@example.com,https://www.linkedin.com/in/ada,uk,remote,90000,Seed,HAS_VISA_AUTHORIZATION,ada.txt,a\n"
	out, messages, code := runCommand(t, unused(t), bulkArgs(t, "people.csv", text, "--json")...)
	var got []string
	for line := range strings.Lines(out) {
		p := problem{}
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(p.Line, " ", p.Column))
	}
	want := []string{
		"3 salaryMin", "3 email", "3 linkedinUrl", "3 locations", "3 resume", "4 name", "4 resume", "5 resume", "6 name", "6 resume", "8 clientReferenceId", "8 linkedinUrl",
	}
	if !slices.Equal(got, want) || code != exitInput || !strings.Contains(messages, "12 problems; nothing was sent") {
		t.Errorf("exits with %d, %s\ngot  %q\nwant %q", code, messages, got, want)
	}
}

// What is wrong with the headings, or with the file itself, is told first.
func TestProblemsOfHeadings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "the line of headings cannot be read",
		"name,email\nAda,a@b.example\n": "no heading means this column",
		headings + "Ada,x\n":            "the row has 2 cells, and there are 10 headings",
		strings.Replace(headings, "E-mail", "name", 1) + "a,b,c,d,e,f,g,h,i,j\n": "no heading means this column",
	} {
		out, _, code := runCommand(t, unused(t), bulkArgs(t, "people.csv", text)...)
		if code != exitInput || !strings.Contains(out, want) {
			t.Errorf("%q: exits with %d, %s; want %q", text, code, out, want)
		}
	}
}

// CSV with any separator and NDJSON mean the same candidates.
func TestFormatsMeanTheSame(t *testing.T) {
	t.Parallel()
	const csvText = headings + "Ada Example,ada@example.com,https://www.linkedin.com/in/ada,New York|uk,remote,90000,Seed,HAS_VISA_AUTHORIZATION,ada.txt,a\n"
	const object = `{"name":"Ada Example","email":"ada@example.com","linkedinUrl":"https://www.linkedin.com/in/ada","resume":"ada.txt","clientReferenceId":"a",` +
		`"preferences":{"locations":["new_york","uk"],"workplaceTypes":["REMOTE"],"salaryMin":90000,"idealFundingRounds":["SEED"]},"visaAuthorization":"HAS_VISA_AUTHORIZATION"}` + "\n"
	for name, text := range map[string]string{
		"a.csv": csvText, "b.csv": "\ufeff" + strings.ReplaceAll(csvText, ",", ";"), "c.tsv": strings.ReplaceAll(csvText, ",", "\t"), "d.ndjson": object + "\n",
	} {
		args := bulkArgs(t, name, text)
		rows, problems, err := readRows(args[1], layout{Map: map[string]string{"name": "Full Name", "resume": "CV"}})
		if err != nil || len(problems) > 0 {
			t.Fatalf("%s: %v, %v", name, problems, err)
		}
		resumes, err := os.OpenRoot(args[3])
		if err != nil {
			t.Fatal(err)
		}
		all, problems := planCandidates(rows, resumes, true)
		_ = resumes.Close()
		want := contract.WorkPreferences{
			Locations: []contract.Location{"new_york", "uk"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: 90000, IdealFundingRounds: []contract.FundingRound{"SEED"},
			VisaAuthorization: "HAS_VISA_AUTHORIZATION",
		}
		if len(all.candidates) != 1 || all.candidates[0].Item.Name != "Ada Example" || !reflect.DeepEqual(all.candidates[0].Item.Preferences, want) {
			t.Errorf("%s: got %+v, %v", name, all, problems)
		}
	}
}

// A dry run tells the time that the rate needs, and sends nothing.
func TestDryRun(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString(headings)
	for i := range 150 {
		fmt.Fprintf(&text, "Ada Example,ada%d@example.com,https://www.linkedin.com/in/ada%d,uk,remote,90000,Seed,HAS_VISA_AUTHORIZATION,ada.txt,\n", i, i)
	}
	_, messages, code := runCommand(t, unused(t), bulkArgs(t, "people.csv", text.String(), "--dry-run")...)
	if want := "150 candidates have no problems; submitting them takes 152 requests, at least 2m0s\n"; code != 0 || messages != want {
		t.Errorf("exits with %d, %q; want %q", code, messages, want)
	}
}

// The result has every candidate, in the order of the file, with its outcome.
func TestResult(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle("POST /resumes", respond(200, `{"resumeFileId":"u"}`))
	mux.Handle("POST /talent-network/candidates/submit-bulk", respond(200, `{"batchId":"b","items":[{"index":0,"status":"queued"},
		{"index":1,"status":"rejected","errors":[{"code":"recruiter_not_found","message":"No member."}]}]}`))
	mux.Handle("GET /talent-network/batches/b", respond(200, `{"batchId":"b","items":[{"index":0,"status":"succeeded","candidateUserId":"cu_1","submissionId":"s"}]}`))
	const rest = ",uk,remote,90000,Seed,HAS_VISA_AUTHORIZATION,ada.txt,\n"
	args := bulkArgs(t, "people.csv", headings+"Ada Example,ada@example.com,https://www.linkedin.com/in/ada"+rest+"Bea Example,bea@example.com,https://www.linkedin.com/in/bea"+rest)
	out, messages, code := runCommand(t, mux, args...)
	file, err := os.Open(args[1] + ".result.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	want := [][]string{
		{"line", "clientReferenceId", "status", "candidateUserId", "errorCode", "errorMessage", "batchId", "submissionId"},
		{"2", "auto-2b0ec7f447bf", "succeeded", "cu_1", "", "", "b", "s"},
		{"3", "auto-efd73dc18f6e", "rejected", "", "recruiter_not_found", "No member.", "b", ""},
	}
	if err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("got %q, %v", rows, err)
	}
	if code != exitOutcome || !strings.Contains(out, "1  succeeded") || !strings.Contains(messages, "1 of 2 did not succeed") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
}

// The flags of preferences are the fields of the contract, in its order.
func TestFlagsOfPreferences(t *testing.T) {
	t.Parallel()
	flags := reflect.TypeFor[preferenceFlags]()
	preferences := reflect.TypeFor[contract.WorkPreferences]()
	if flags.NumField() != preferences.NumField() {
		t.Fatalf("%d flags of %d fields", flags.NumField(), preferences.NumField())
	}
	for i := range flags.NumField() {
		if flags.Field(i).Name != preferences.Field(i).Name {
			t.Errorf("flag %s stands where the contract has %s", flags.Field(i).Name, preferences.Field(i).Name)
		}
		if values := flags.Field(i).Tag.Get("values"); values != "" && !strings.Contains(preferences.Field(i).Tag.Get("check"), "enum="+values) {
			t.Errorf("flag %s has the values of %s", flags.Field(i).Name, values)
		}
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"ba":                            "batches batch",
		"batch ":                        "show watch",
		"submit --vis":                  "--visa",
		"candidates --status ":          "expired off_market on_market",
		"identity --as re":              "recruiter",
		"preferences set cu_1 --oth":    "",
		"changes follow --type cand":    "candidate.added candidate.preferences_changed candidate.market_changed candidate.fast_track_changed candidate.removed",
		"completion ":                   "",
		"roles search x --location san": "san_francisco",
	} {
		out, _, _ := runCommand(t, unused(t), append([]string{"completion", "words", "--"}, strings.Split(line, " ")...)...)
		var got []string
		for word := range strings.FieldsSeq(out) {
			if !strings.HasPrefix(word, "--") || strings.HasPrefix(line[strings.LastIndex(line, " ")+1:], "--") { // else a flag, where a command is wanted
				got = append(got, word)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q; want %q", line, got, want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if out, _, code := runCommand(t, unused(t), "completion", shell); code != 0 || !strings.Contains(out, "recruiting completion words -- ") {
			t.Errorf("%s: exits with %d, %q", shell, code, out)
		}
	}
}
