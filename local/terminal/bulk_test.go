package terminal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// acceptWithout is a service that rejects the candidates of one member, and accepts all others as cu_REFERENCE.
func acceptWithout(t *testing.T, member string, bulks *atomic.Int32) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /resumes", respond(200, `{"resumeFileId":"u"}`))
	batch := contract.Batch{BatchID: "b"}
	mux.HandleFunc("POST /talent-network/candidates/submit-bulk", func(w http.ResponseWriter, r *http.Request) {
		in := contract.BulkRequest{}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		out := contract.BulkResponse{BatchID: fmt.Sprint("b", bulks.Add(1))}
		batch.Items = nil
		for i, item := range in.Items {
			result := contract.BulkItemResult{Index: i, Status: contract.BulkQueued}
			if item.RecruiterEmail != nil && *item.RecruiterEmail == member {
				result.Status = contract.BulkRejected
				result.Errors = []contract.BulkItemError{{Code: "recruiter_not_found", Message: "No member."}}
			} else {
				batch.Items = append(batch.Items, contract.BatchItem{Index: i, Status: contract.Succeeded, CandidateUserID: "cu_" + *item.ClientReferenceID})
			}
			out.Items = append(out.Items, result)
		}
		_ = json.NewEncoder(w).Encode(out)
	})
	mux.HandleFunc("GET /talent-network/batches/{batch}", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(batch) })
	return mux
}

// people returns a file of rows "reference name member".
func people(rows ...string) string {
	text := strings.Replace(headings, "\n", ",recruiter email\n", 1)
	for _, row := range rows {
		words := append(strings.Fields(row), "")
		text += fmt.Sprintf("%s Example,%[1]s@example.com,https://www.linkedin.com/in/%[1]s%s%s,%s\n", words[1], rest, words[0], words[2])
	}
	return text
}

// runWith runs a bulk with a file of the text in place of the one that args name.
func runWith(t *testing.T, server string, args []string, text string, more ...string) (out, messages string, code int) {
	t.Helper()
	if err := os.WriteFile(args[1], []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return runAt(t, server, append(args, more...)...)
}

// A file can be corrected, extended and shortened: each run sends what is new or corrected, reports the row that cannot be
// sent by its line, and keeps every outcome in the result.
func TestBulkIsCorrected(t *testing.T) {
	t.Parallel()
	const member = "gone@example.com"
	bulks := &atomic.Int32{}
	service := acceptWithout(t, member, bulks)
	server := newServer(t, service)
	args := bulkArgs(t, "people.csv", people("a ada", "b bea "+member))
	run := func(text string, more ...string) (out, messages string, code int) {
		t.Helper()
		return runWith(t, server, args, text, more...)
	}
	for i, tt := range []struct {
		text  string
		more  []string
		code  int
		want  string // in the output or the messages
		rows  string // "reference status" of the result
		bulks int32
	}{
		{people("a ada", "b bea "+member), nil, exitOutcome, "1 of 2 did not succeed; correct", "a succeeded, b rejected", 1},
		{people("a ada", "b bea "+member), nil, exitOutcome, "1 of 2 did not succeed; correct", "a succeeded, b rejected", 1},
		{people("a ada", "b bea "+member), []string{"--dry-run"}, 0, "1 did not succeed before, and will be sent again only when corrected", "a succeeded, b rejected", 1},
		{people("a ada", "b bea "+member), []string{"--dry-run", "--retry-failed"}, 0, "1 will be sent again", "a succeeded, b rejected", 1},
		{people("a ada", "b bea "+member), []string{"--retry-failed"}, exitOutcome, "1 of 2 did not succeed", "a succeeded, b rejected", 2},
		{people("a ada", "b bea", "c cai"), []string{"--dry-run"}, 0, "1 succeeded before; 1 will be sent again; 1 will be sent for the first time", "a succeeded, b rejected", 2},
		{people("a eva", "b bea", "c cai"), []string{"--dry-run"}, exitInput, "2     clientReferenceId  has changed since it succeeded", "a succeeded, b rejected", 2},
		{people("a eva", "b bea", "c cai"), nil, exitInput, "2     clientReferenceId  has changed since it succeeded", "a succeeded, b succeeded, c succeeded", 3},
		{people("c cai", "d dag"), nil, 0, "2  succeeded", "c succeeded, d succeeded, a succeeded, b succeeded", 4},
	} {
		out, messages, code := run(tt.text, tt.more...)
		if code != tt.code || !strings.Contains(out+messages, tt.want) || strings.Contains(messages, "is the address right") {
			t.Errorf("run %d exits with %d: %s %s; want %d, %q", i+1, code, out, messages, tt.code, tt.want)
		}
		if got := readResult(t, args[1]+".result.csv"); got != tt.rows || bulks.Load() != tt.bulks {
			t.Errorf("run %d: the result has %q after %d bulks; want %q after %d", i+1, got, bulks.Load(), tt.rows, tt.bulks)
		}
	}
}

// A dry run counts no candidate twice: those that it lists as not to be sent are neither new nor sent again.
func TestDryRunOfHeldCandidates(t *testing.T) {
	t.Parallel()
	const member = "gone@example.com"
	bulks := &atomic.Int32{}
	service := acceptWithout(t, member, bulks)
	away := false
	server := newServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away && strings.HasSuffix(r.URL.Path, "/submit-bulk") {
			respond(403, `{"error":{"type":"permission_error","message":"No."}}`).ServeHTTP(w, r) // which leaves the bulk without an answer
			return
		}
		service.ServeHTTP(w, r)
	}))
	args := bulkArgs(t, "people.csv", people("a ada", "b bea "+member))
	run := func(text string, more ...string) (out, messages string, code int) {
		t.Helper()
		return runWith(t, server, args, text, more...)
	}
	if _, messages, code := run(people("a ada", "b bea "+member)); code != exitOutcome {
		t.Fatalf("the first run exits with %d: %s", code, messages)
	}
	away = true
	if _, messages, code := run(people("a ada", "b bea", "c cai")); code != exitRefused {
		t.Fatalf("the run without an answer exits with %d: %s", code, messages)
	}
	for text, want := range map[string]string{
		people("a ada", "b bea", "c cai"): "1 succeeded before; 2 were sent before and have not ended\n",
		people("a ada", "b bea", "c eva"): "1 succeeded before\n",
	} {
		_, messages, _ := run(text, "--dry-run")
		if !strings.Contains(messages, "\n"+want) {
			t.Errorf("got %s; want %q", messages, want)
		}
	}
}

// readResult returns "reference status" of each line.
func readResult(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if cells := strings.Split(line, ","); i > 0 {
			all = append(all, cells[1]+" "+cells[2])
		}
	}
	return strings.Join(all, ", ")
}

// With --skip-bad-rows the rows without problems are submitted; those with problems are reported at the end.
func TestBadRowsAreSkipped(t *testing.T) {
	t.Parallel()
	bulks := &atomic.Int32{}
	args := bulkArgs(t, "people.csv", strings.Replace(people("a ada", "b bea", "c cai"), "bea@example.com", "bea", 1))
	if out, messages, code := runCommand(t, unused(t), args...); code != exitInput || !strings.Contains(messages, "has 1 problem; nothing was sent") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
	out, messages, code := runCommand(t, acceptWithout(t, "", bulks), append(args, "--skip-bad-rows")...)
	if code != exitInput || !strings.Contains(out, "2  succeeded") || !strings.Contains(out, "3     email") || !strings.Contains(messages, "were skipped") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
	if got := readResult(t, args[1]+".result.csv"); got != "a succeeded, c succeeded" {
		t.Errorf("the result has %q", got)
	}
}

// A file that is not a document is found before anything is sent.
func TestResumesAreChecked(t *testing.T) {
	t.Parallel()
	args := bulkArgs(t, "people.csv", people("a ada"), "--dry-run")
	for content, want := range map[string]string{
		"\x93\x1f\xe2\x07\xb8\x5c\x00\xd4\x6a\xf1\x0e\x82": "its content is not a document",
		"PK\x03\x04broken":      "its content is not a document",
		"\x89PNG\r\n\x1a\n\x00": "this is a picture",
		" \n":                   "the file is empty",
		"%PDF-1.7":              "",
	} {
		if err := os.WriteFile(args[3]+"/ada.txt", []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		out, messages, code := runCommand(t, unused(t), args...)
		if found := code == exitInput; found != (want != "") || !strings.Contains(out, want) {
			t.Errorf("%q: exits with %d: %s %s; want %q", content, code, out, messages, want)
		}
	}
}

// Without references rows are the same persons wherever they are in the next run: one that succeeded is not sent again when others are
// deleted, inserted or sorted.
func TestRowsWithoutReferencesCanMove(t *testing.T) {
	t.Parallel()
	const member = "gone@example.com"
	bulks := &atomic.Int32{}
	server := newServer(t, acceptWithout(t, member, bulks))
	unnamed := func(rows ...string) string { return strings.ReplaceAll(people(rows...), ",ref,", ",,") }
	args := bulkArgs(t, "people.csv", unnamed("ref ada", "ref bea "+member, "ref cai"))
	if _, messages, code := runAt(t, server, args...); code != exitOutcome || bulks.Load() != 1 {
		t.Fatalf("exits with %d: %s", code, messages)
	}
	if err := os.WriteFile(args[1], []byte(unnamed("ref dag", "ref cai", "ref ada")), 0o600); err != nil {
		t.Fatal(err)
	}
	out, messages, code := runAt(t, server, append(args, "--dry-run")...)
	if code != 0 || !strings.Contains(messages, "2 succeeded before; 1 will be sent for the first time") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
}

// A result or a journal replaces no other file of the command.
func TestBulkReplacesNoFileOfItsOwn(t *testing.T) {
	t.Parallel()
	text := people("a ada")
	args := bulkArgs(t, "people.csv", text)
	file := args[1]
	for _, more := range [][]string{{"--result", file}, {"--journal", file}, {"--result", file + ".x", "--journal", file + ".x"}, {"--result", file + ".journal"}} {
		_, messages, code := runCommand(t, unused(t), append(args, more...)...)
		if content, err := os.ReadFile(file); code != exitInput || !strings.Contains(messages, "is two of the file") || string(content) != text {
			t.Errorf("%q: exits with %d: %s; the file has %q, %v", more, code, messages, content, err)
		}
	}
}

// A text that is not UTF-8, as of a file that was saved in another encoding, is a problem and not sent as something else.
func TestOtherEncodingsAreFound(t *testing.T) {
	t.Parallel()
	args := bulkArgs(t, "people.csv", strings.Replace(people("a jose"), "jose Example", "Jos\xe9 Example", 1))
	if out, messages, code := runCommand(t, unused(t), args...); code != exitInput || !strings.Contains(out, "name    is not UTF-8") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
}

// Two names of an object that mean one column are a problem: it would have either value.
func TestTwoNamesOfAColumn(t *testing.T) {
	t.Parallel()
	args := bulkArgs(t, "people.ndjson", `{"email":"a@example.com","E-mail":"b@example.com"}`+"\n", "--dry-run")
	if out, messages, code := runCommand(t, unused(t), args...); code != exitInput || !strings.Contains(out, "two names stand for this column") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
}

// A field of the preferences that is beside them too is a problem: it would have either value.
func TestPreferencesBesideThemselves(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"salaryMin":90000,"preferences":{"salaryMin":1}}`:     "salaryMin this field is set twice: inside preferences and outside",
		`{"salary_min":90000,"preferences":{"salaryMin":1}}`:    "salaryMin two names stand for this column",
		`{"preferences":{"salaryMin":90000,"salary min":1}}`:    "salaryMin two names stand for this column",
		`{"ote":1,"preferences":{"salaryMin":90000},"Notes":1}`: "Notes is not used",
	} {
		args := bulkArgs(t, "people.ndjson", line+"\n", "--dry-run")
		out, messages, code := runCommand(t, unused(t), args...)
		if code != exitInput || !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("%s: exits with %d: %s %s; want %q", line, code, out, messages, want)
		}
	}
}

// Following prints the position at its end, also after an error, and before the first change.
func TestFollowPrintsItsPosition(t *testing.T) {
	t.Parallel()
	service := func(changes string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Query().Get("cursor") {
			case "latest":
				respond(200, `{"changes":[],"nextCursor":"one","hasMore":false}`).ServeHTTP(w, r)
			case "one":
				respond(200, `{"changes":[`+changes+`],"nextCursor":"two","hasMore":true}`).ServeHTTP(w, r)
			default:
				respond(403, `{"error":{"type":"permission_error","message":"No."}}`).ServeHTTP(w, r)
			}
		})
	}
	for changes, want := range map[string]string{`{"id":"c1","type":"candidate.added","occurredAt":"2026-03-09T12:00:00Z"}`: "two", "": "one"} {
		_, messages, code := runCommand(t, service(changes), "changes", "follow")
		if code != exitRefused || !strings.Contains(messages, "continue with --cursor "+want) {
			t.Errorf("exits with %d: %s; want the cursor %s", code, messages, want)
		}
	}
}
