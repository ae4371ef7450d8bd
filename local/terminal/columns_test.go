package terminal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A heading that means nothing is named with the column that is probably meant, and stops the command until it is told
// to leave it out.
func TestHeadingsThatAreNotUsed(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]string{
		"Maximum salary": "did you mean salaryMax? --map salaryMax='Maximum salary'",
		"salry max":      "did you mean salaryMax?",
		"Screening":      "did you mean screeningCallLink? --map screeningCallLink=Screening",
		"Notes":          "--ignore-columns skips unknown columns",
		"Bob's role":     `did you mean roleType? --map roleType='Bob'\''s role'`,
		"Excluded":       "did you mean excludedIndustries?",
	} {
		text := strings.Replace(headings, "\n", ","+heading+"\n", 1) + "Ada Example,ada@example.com,https://www.linkedin.com/in/ada" + rest + "a,x\n"
		args := bulkArgs(t, "people.csv", text, "--dry-run")
		out, messages, code := runCommand(t, unused(t), args...)
		if code != exitInput || !strings.Contains(out, "is not used; "+want) || !strings.Contains(messages, "has 1 problem;") {
			t.Errorf("%s: exits with %d: %s %s; want %q", heading, code, out, messages, want)
		}
		if out, messages, code := runCommand(t, unused(t), append(args, "--ignore-columns")...); code != 0 {
			t.Errorf("%s, ignored: exits with %d: %s %s", heading, code, out, messages)
		}
	}
	object := `{"name":"Ada Example","email":"ada@example.com","linkedinUrl":"https://www.linkedin.com/in/ada","resume":"ada.txt","maxSalary":1,"preferences":` +
		`{"locations":["uk"],"workplaceTypes":["REMOTE"],"salaryMin":90000,"idealFundingRounds":["SEED"],"visaAuthorization":"HAS_VISA_AUTHORIZATION"}}`
	out, _, code := runCommand(t, unused(t), bulkArgs(t, "people.ndjson", object, "--dry-run")...)
	if code != exitInput || !strings.Contains(out, "maxSalary  is not used; did you mean salaryMax?") {
		t.Errorf("NDJSON: exits with %d: %s", code, out)
	}
}

// The problems of headings and of rows are listed together; what is wrong with each row is said once.
func TestProblemsOfHeadingsAndRows(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("E-mail", "Mail", "VISA AUTHORIZATION", "Permit").Replace(headings) +
		"Ada Example,ada@example.com,https://www.linkedin.com/in/ada,\"Europe, UK\",remote,60k,Seed,none,ada.txt,a\n" +
		"Bea Example,bea@example.com,https://www.linkedin.com/in/bea,uk,remote,\"60,000\",Seed,none,ada.txt,b\n" +
		"Cai Example,cai@example.com,https://www.linkedin.com/in/cai,paris,remote,sixty,Seed,none,ada.txt,c\n,,,,,,,,,\n"
	out, messages, code := runCommand(t, unused(t), bulkArgs(t, "people.csv", text, "--json", "--on-market=false", "--set", "roleTypes=x", "--set", "ote=much")...)
	var got []problem
	for line := range strings.Lines(out) {
		p := problem{}
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		got = append(got, p)
	}
	want := []problem{
		{1, "roleTypes", "--set names no column; did you mean roleType?"},
		{1, "email", `no heading means this column; did you mean "Mail"? --map email=Mail`},
		{1, "visaAuthorization", `no heading means this column; did you mean "Permit"? --map visaAuthorization=Permit; --set visaAuthorization=VALUE gives one value to all rows`},
		{2, "locations", `"Europe, UK" is more than one value; separate values with ";": Europe; UK`},
		{2, "salaryMin", `"60k" is not a whole number; write 60000`},
		{2, "ote", `on each of 3 rows: "much" is not a whole number; write digits alone, as in 60000`},
		{2, "onMarketConfirmed", "on each of 3 rows: " + adviceMarket},
		{3, "salaryMin", `"60,000" is not a whole number; write 60000`},
		{4, "salaryMin", `"sixty" is not a whole number; write digits alone, as in 60000`},
		{4, "locations", "\"paris\" is not a location. `enumerations locations` lists the values."},
	}
	if diff := cmp.Diff(want, got); diff != "" || code != exitInput || !strings.Contains(messages, "has 10 problems; nothing was sent") {
		t.Errorf("exits with %d: %s\nproblems (-want +got):\n%s", code, messages, diff)
	}
}

// --set gives each row a value, and not a second one.
func TestSetValues(t *testing.T) {
	t.Parallel()
	text := strings.Replace(headings, ",VISA AUTHORIZATION", "", 1) +
		"Ada Example,ada@example.com,https://www.linkedin.com/in/ada,uk,remote,90000,Seed,ada.txt,a\n"
	args := bulkArgs(t, "people.csv", text, "--dry-run", "--set", "visaAuthorization=HAS_VISA_AUTHORIZATION", "--set", "roleType=backend_engineer;frontend_engineer")
	if out, messages, code := runCommand(t, unused(t), args...); code != 0 || !strings.Contains(messages, "1 candidate has no problems") {
		t.Errorf("exits with %d: %s %s", code, out, messages)
	}
	if out, _, code := runCommand(t, unused(t), append(args, "--set", "salaryMin=1")...); code != exitInput || !strings.Contains(out, "leave one of them out") {
		t.Errorf("exits with %d: %s", code, out)
	}
}

// --map can give a column the name of another one that it renames too, and never leaves open which of two it means.
func TestRenamedColumns(t *testing.T) {
	t.Parallel()
	for range 20 { // the order of a map differs from run to run
		for _, tt := range []struct{ renames, want map[string]string }{
			{map[string]string{"recruiterEmail": "email", "email": "Candidate email"}, map[string]string{"email": "recruiterEmail", "candidateemail": "email", "recruiteremail": ""}},
			{map[string]string{"name": "email", "email": "name"}, map[string]string{"email": "name", "name": "email"}},
			{map[string]string{"name": "email", "email": "ote", "ote": "name"}, map[string]string{"email": "name", "ote": "email", "name": "ote"}},
			{map[string]string{"name": "email"}, map[string]string{"email": "name", "name": ""}},
			{map[string]string{"name": "Name"}, map[string]string{"name": "name"}},
			{map[string]string{"name": "x", "email": "X"}, map[string]string{"x": "name", "email": "", "name": ""}},
		} {
			got := layout{Map: tt.renames}.names()
			for heading, name := range tt.want {
				if got[heading] != name {
					t.Fatalf("%v: %q means %q; want %q", tt.renames, heading, got[heading], name)
				}
			}
		}
	}
}

// Columns whose names are swapped are read as --map says, from both kinds of file.
func TestSwappedColumns(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"people.csv": "email,name,LinkedIn URL\nAda Example,ada@example.com,https://www.linkedin.com/in/ada\n",
		"people.ndjson": `{"email":"Ada Example","name":"ada@example.com","linkedinUrl":"https://www.linkedin.com/in/ada"}` + "\n" +
			`{"email":"Bea Example","name":"bea@example.com","linkedinUrl":"https://www.linkedin.com/in/bea"}` + "\n",
	} {
		rows, problems, err := readRows(writeFile(t, name, text), layout{Map: map[string]string{"name": "email", "email": "name"}})
		if err != nil || len(rows) == 0 || rows[0].text("name") != "Ada Example" || rows[0].text("email") != "ada@example.com" {
			t.Errorf("%s: %+v, %v, %v", name, rows, problems, err)
		}
	}
}

// One heading cannot be two columns.
func TestHeadingOfTwoColumns(t *testing.T) {
	t.Parallel()
	text := headings + "Ada Example,ada@example.com,https://www.linkedin.com/in/ada" + rest + "a\n"
	out, messages, code := runCommand(t, unused(t), bulkArgs(t, "people.csv", text, "--map", "email=Full name")...)
	for _, want := range []string{`email   --map gives the heading "Full name" to name too`, `name    --map gives the heading "Full Name" to email too`} {
		if code != exitInput || !strings.Contains(out, want) {
			t.Errorf("exits with %d: %s %s; want %q", code, out, messages, want)
		}
	}
}

func TestAdviseNumber(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"60k": "write 60000", "60 K": "write 60000", "$60,000": "write 60000", "60.000 €": "write 60000", "EUR 60'000": "write 60000", "1,200,000.00": "write 1200000",
		"2m": "write 2000000", "sixty": "write digits alone", "60-70k": "write digits alone", "6,00": "write 6", "true": "write digits alone", "007": "write 7",
		"99999999999999999999k": "is too large a number",
	} {
		if got := adviseNumber(cell); !strings.HasPrefix(got, `"`+cell+`"`) || !strings.Contains(got, want) {
			t.Errorf("%s: got %s; want %s", cell, got, want)
		}
	}
}

// Two rows are one person if they have the same profile, however it is written, for the same member.
func TestRepeatedPersons(t *testing.T) {
	t.Parallel()
	const first = "Ada Example,ada@example.com,https://www.linkedin.com/in/ada" + rest + "a,\n"
	for row, want := range map[string]int{
		"Ada Example,ada@example.com,https://www.linkedin.com/in/ada" + rest + "b,\n":                   exitInput,
		"Ada E.,other@example.com,http://uk.linkedin.com/in/Ada/?trk=x" + rest + "b,\n":                 exitInput,
		"Ada Example,ada@example.com,https://www.linkedin.com/in/ada2" + rest + "b,\n":                  0,
		"Ada Example,ada@example.com,https://www.linkedin.com/in/ada" + rest + "b,member@example.com\n": 0,
		"Bea Example,bea@example.com,https://www.linkedin.com/in/bea" + rest + "a,\n":                   exitInput,
		"Ada Example,,https://www.linkedin.com/in/ada/" + rest + "b,\n":                                 exitInput,
	} {
		args := bulkArgs(t, "people.csv", strings.Replace(headings, "\n", ",recruiter email\n", 1)+first+row, "--dry-run")
		out, messages, code := runCommand(t, unused(t), args...)
		if code != want || want != 0 && !strings.Contains(out, "line 2 has the same") {
			t.Errorf("%s exits with %d: %s %s; want %d", row, code, out, messages, want)
		}
	}
}

// The separator is that of the columns, also if a heading that means no column has others.
func TestSeparators(t *testing.T) {
	t.Parallel()
	row := headings + "Ada Example,ada@example.com,https://www.linkedin.com/in/ada" + rest + "a\n"
	for name, tt := range map[string]struct{ separator, heading string }{
		"comma.tsv":     {"\t", "Notes, internal"},
		"semicolon.tsv": {"\t", "Notes; internal"},
		"many.csv":      {";", "Notes, of a, b, c, d, e, f, g, h, i, j, k and l"},
		"both.csv":      {"\t", "Notes; of a, b"},
		"quoted.csv":    {",", `"Notes; of a,` + "\n" + `b"`},
	} {
		text := strings.ReplaceAll(row, ",", tt.separator)
		text = strings.Replace(text, "\n", tt.separator+tt.heading+"\n", 1)
		text = strings.TrimSuffix(text, "\n") + tt.separator + "x\n"
		out, messages, code := runCommand(t, unused(t), bulkArgs(t, name, text, "--dry-run", "--ignore-columns")...)
		if code != 0 || !strings.Contains(messages, "1 candidate has no problems") {
			t.Errorf("%s: exits with %d: %s %s", name, code, out, messages)
		}
	}
}
