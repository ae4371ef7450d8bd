package system_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const bulkPath = "/talent-network/candidates/submit-bulk"

func newBulkRequest(items ...contract.BulkItem) contract.BulkRequest {
	return contract.BulkRequest{Items: items}
}

// newBulkItem is an item for the n-th invented candidate.
func newBulkItem(n int, resumeFileID string) contract.BulkItem {
	return contract.BulkItem{
		Name: "Ada Example", Email: fmt.Sprintf("ada-%d@example.com", n), LinkedInURL: fmt.Sprintf("https://www.linkedin.com/in/ada-%d", n),
		Preferences: newPreferences(), Resume: contract.ResumeReference{ResumeFileID: resumeFileID}, OnMarketConfirmed: true,
	}
}

func newAdaItem(resumeFileID string) contract.BulkItem { return newBulkItem(0, resumeFileID) }

// newBulkItems are items 0 … n-1.
func newBulkItems(n int, resumeFileID string) (items []contract.BulkItem) {
	for i := range n {
		items = append(items, newBulkItem(i, resumeFileID))
	}
	return items
}

// newPriyaItem is an item whose resume is that of priya, whom the provider knows
// under any slug.
func newPriyaItem(n int, resumeFileID string) contract.BulkItem {
	item := newBulkItem(n, resumeFileID)
	item.Name = priya.name
	return item
}

func readPriyaResume(t *testing.T) string {
	t.Helper()
	content, err := resumes.Files.ReadFile(priya.file)
	must(t, err)
	return string(content)
}

// submitBulk submits a request that must be well-formed.
func (sys *testSystem) submitBulk(key string, in contract.BulkRequest, headers ...string) contract.BulkResponse {
	sys.t.Helper()
	return decodeBulkResponse(sys.t, sys.sendRequest("POST", bulkPath, key, encodeBody(sys.t, in), headers...))
}

func decodeBulkResponse(t *testing.T, r reply) (out contract.BulkResponse) {
	t.Helper()
	if r.status != 200 {
		t.Fatalf("got %d %s; want 200", r.status, r.body)
	}
	must(t, json.Unmarshal([]byte(r.body), &out))
	return out
}

func (sys *testSystem) submitBulkItem(key string, item contract.BulkItem) contract.BulkItemResult {
	sys.t.Helper()
	return sys.submitBulk(key, newBulkRequest(item)).Items[0]
}

// rejectionCodes returns an item's rejection as "field code", with "-" for null.
func rejectionCodes(item contract.BulkItemResult) (all []string) {
	for _, e := range item.Errors {
		field := "-"
		if e.Field != nil {
			field = *e.Field
		}
		all = append(all, field+" "+string(e.Code))
	}
	return all
}

// After uploads, one bulk submit and ingestion, the candidates are members.
func TestBulkIngestPoll(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	c := sys.newAgencyClient()
	var in contract.BulkRequest
	for _, p := range []person{mayaLibreOffice, jonas, priya} {
		single := newSubmitRequest(t, p, "")
		upload, err := c.Upload(t.Context(), single.Resume)
		must(t, err)
		in.Items = append(in.Items, contract.BulkItem{
			Name: single.Name, Email: single.Email, LinkedInURL: single.LinkedInURL, Preferences: single.Preferences,
			Resume: contract.ResumeReference{ResumeFileID: upload.ResumeFileID}, OnMarketConfirmed: true, ClientReferenceID: &p.file,
		})
	}
	out, err := c.SubmitBulk(t.Context(), in)
	must(t, err)
	batch, err := c.WaitForBatch(t.Context(), out.BatchID)
	must(t, err)
	if batch.ItemCount != 3 || len(batch.Items) != 3 {
		t.Fatalf("got %+v; want a batch of three", batch)
	}
	for i, item := range batch.Items {
		checkItem(t, item, contract.Succeeded, "")
		if item.SubmissionID != out.Items[i].SubmissionID || out.Items[i].ClientReferenceID != *in.Items[i].ClientReferenceID {
			t.Errorf("item %d: got %+v for %+v", i, out.Items[i], item)
		}
		if _, err := c.Preferences(t.Context(), item.CandidateUserID); err != nil {
			t.Error(err)
		}
	}
}

// Every reason to reject an item, alone and combined; the item next to it is not
// affected.
func TestBulkItemRules(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	upload := s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID
	theirs := s.uploadResume(s.newOtherAgencyKey(), "Somebody else").ResumeFileID
	for name, c := range map[string]struct {
		change func(*contract.BulkItem)
		want   []string
	}{
		"fine":                    {func(*contract.BulkItem) {}, nil},
		"salaryMax below Min":     {func(i *contract.BulkItem) { i.Preferences.SalaryMax = new(int64(1)) }, nil},
		"e-mail in capitals":      {func(i *contract.BulkItem) { i.Email = strings.ToUpper(i.Email) }, nil},
		"mobile LinkedIn URL":     {func(i *contract.BulkItem) { i.LinkedInURL = "http://m.linkedin.com/in/Ada/en/?x=1" }, nil},
		"upload id in capitals":   {func(i *contract.BulkItem) { i.Resume.ResumeFileID = strings.ToUpper(upload) }, nil},
		"a member":                {func(i *contract.BulkItem) { i.RecruiterEmail = new(strings.ToUpper(demo.MemberEmail)) }, nil},
		"no e-mail":               {func(i *contract.BulkItem) { i.Email = "ada" }, []string{"email invalid_email"}},
		"empty e-mail":            {func(i *contract.BulkItem) { i.Email = "" }, []string{"email invalid_email"}},
		"a company page":          {func(i *contract.BulkItem) { i.LinkedInURL = "https://www.linkedin.com/company/x" }, []string{"linkedinUrl invalid_linkedin_url"}},
		"no scheme":               {func(i *contract.BulkItem) { i.LinkedInURL = "www.linkedin.com/in/ada" }, []string{"linkedinUrl invalid_linkedin_url"}},
		"LinkedIn URL in spaces":  {func(i *contract.BulkItem) { i.LinkedInURL = " " + i.LinkedInURL }, []string{"linkedinUrl invalid_linkedin_url"}},
		"empty LinkedIn URL":      {func(i *contract.BulkItem) { i.LinkedInURL = "" }, []string{"linkedinUrl invalid_linkedin_url"}},
		"unknown recruiter":       {func(i *contract.BulkItem) { i.RecruiterEmail = new("nobody@example.com") }, []string{"recruiterEmail recruiter_not_found"}},
		"recruiter of no address": {func(i *contract.BulkItem) { i.RecruiterEmail = new("nobody") }, []string{"recruiterEmail recruiter_not_found"}},
		"empty recruiter":         {func(i *contract.BulkItem) { i.RecruiterEmail = new("") }, []string{"recruiterEmail recruiter_not_found"}},
		"unapproved recruiter":    {func(i *contract.BulkItem) { i.RecruiterEmail = new(demo.PendingEmail) }, []string{"recruiterEmail recruiter_not_found"}},
		"another's recruiter":     {func(i *contract.BulkItem) { i.RecruiterEmail = new("piet.verhoeven@example.org") }, []string{"recruiterEmail recruiter_not_found"}},
		"deactivated recruiter":   {func(i *contract.BulkItem) { i.RecruiterEmail = new(demo.DeactivatedEmail) }, []string{"recruiterEmail recruiter_deactivated"}},
		"unknown upload":          {func(i *contract.BulkItem) { i.Resume.ResumeFileID = "0195f3a0-0000-7000-8000-000000000001" }, []string{"resume.resumeFileId invalid_resume_reference"}},
		"another's upload":        {func(i *contract.BulkItem) { i.Resume.ResumeFileID = theirs }, []string{"resume.resumeFileId invalid_resume_reference"}},
		"no upload id":            {func(i *contract.BulkItem) { i.Resume.ResumeFileID = "cv.pdf" }, []string{"resume.resumeFileId invalid_resume_reference"}},
		"upload id unhyphenated":  {func(i *contract.BulkItem) { i.Resume.ResumeFileID = strings.ReplaceAll(upload, "-", "") }, []string{"resume.resumeFileId invalid_resume_reference"}},
		"empty upload id":         {func(i *contract.BulkItem) { i.Resume.ResumeFileID = "" }, []string{"resume.resumeFileId invalid_resume_reference"}},
		"a long name":             {func(i *contract.BulkItem) { i.Name = strings.Repeat("é", 300) }, nil},
		"a longer name":           {func(i *contract.BulkItem) { i.Name = strings.Repeat("é", 301) }, []string{"name invalid_name"}},
		"a long e-mail":           {func(i *contract.BulkItem) { i.Email = strings.Repeat("a", 320) + "@example.com" }, []string{"email invalid_email"}},
		"a long LinkedIn URL":     {func(i *contract.BulkItem) { i.LinkedInURL += "?" + strings.Repeat("a", 2048) }, []string{"linkedinUrl invalid_linkedin_url"}},
		"a name with a NUL":       {func(i *contract.BulkItem) { i.Name = "\x00Ada" }, []string{"name invalid_name"}},
		"a name of two lines":     {func(i *contract.BulkItem) { i.Name = "Ada\nExample" }, []string{"name invalid_name"}},
		"a name overridden":       {func(i *contract.BulkItem) { i.Name = "Ada\u202eExample" }, []string{"name invalid_name"}},
		"a call to a number":      {func(i *contract.BulkItem) { i.ScreeningCallLink = new("tel:+4930123456") }, nil},
		"a script as call link":   {func(i *contract.BulkItem) { i.ScreeningCallLink = new("javascript:alert(1)") }, []string{"screeningCallLink invalid_screening_call_link"}},
		"a call link":             {func(i *contract.BulkItem) { i.ScreeningCallLink = new("https://example.com/call") }, nil},
		"a relative call link":    {func(i *contract.BulkItem) { i.ScreeningCallLink = new("/call") }, []string{"screeningCallLink invalid_screening_call_link"}},
		"an empty call link":      {func(i *contract.BulkItem) { i.ScreeningCallLink = new("") }, []string{"screeningCallLink invalid_screening_call_link"}},
		"a long call link": {func(i *contract.BulkItem) {
			i.ScreeningCallLink = new("https://example.com/" + strings.Repeat("a", 2048))
		}, []string{"screeningCallLink invalid_screening_call_link"}},
		"everything": {func(i *contract.BulkItem) {
			i.Email = ""
			i.LinkedInURL = ""
			i.RecruiterEmail = new("")
			i.Resume.ResumeFileID = ""
			i.Name = strings.Repeat("a", 301)
			i.ScreeningCallLink = new("call")
		}, []string{"name invalid_name", "email invalid_email", "linkedinUrl invalid_linkedin_url", "screeningCallLink invalid_screening_call_link", "recruiterEmail recruiter_not_found", "resume.resumeFileId invalid_resume_reference"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := strings.ReplaceAll(name, " ", "-") // a candidate of its own
			judged := newBulkItem(0, upload)
			beside := newBulkItem(0, upload)
			judged.LinkedInURL += n
			beside.LinkedInURL += n + "-beside"
			c.change(&judged)
			judged.ClientReferenceID = new("  <ref> \"" + name + "\" é ")
			out := s.submitBulk(s.newAgencyKey(), newBulkRequest(judged, beside))
			got := out.Items[0]
			if diff := cmp.Diff(c.want, rejectionCodes(got)); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			rejected := got.Status == contract.BulkRejected
			if rejected != (c.want != nil) || (got.SubmissionID == "") != rejected || got.ClientReferenceID != *judged.ClientReferenceID {
				t.Errorf("got %+v", got)
			}
			if got := out.Items[1]; got.Status != contract.BulkQueued || got.Index != 1 || got.SubmissionID == "" {
				t.Errorf("the item beside: got %+v; want it queued", got)
			}
			batch := s.readBatch(demo.AgencyID, out.BatchID)
			if want := 2 - min(1, len(c.want)); batch.ItemCount != 2 || len(batch.Items) != want {
				t.Errorf("got %d rows of %d items; want %d of 2", len(batch.Items), batch.ItemCount, want)
			}
		})
	}
}

// Within one request, items with the same LinkedIn identity and member are one person: they are
// duplicates of the first one that was not rejected, even with different addresses.
func TestBulkItemsOfOnePersonAreDuplicates(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	upload := s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID
	items := newBulkItems(6, upload)
	items[0].Email = "no address"
	for _, i := range []int{0, 1, 2, 3} { // the first is rejected, the second counts
		items[i].LinkedInURL = "https://www.linkedin.com/in/ada"
	}
	items[2].LinkedInURL = "http://de.linkedin.com/in/Ada/?x=1"
	items[3].RecruiterEmail = new(demo.MemberEmail) // another member's candidate
	items[5].Email = items[4].Email                 // another profile
	var got []contract.BulkStatus
	out := s.submitBulk(key, newBulkRequest(items...))
	for _, item := range out.Items {
		got = append(got, item.Status)
	}
	want := []contract.BulkStatus{contract.BulkRejected, contract.BulkQueued, contract.BulkDeduplicated, contract.BulkQueued, contract.BulkQueued, contract.BulkQueued}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if batch := s.readBatch(demo.AgencyID, out.BatchID); len(batch.Items) != 5 || batch.Items[1].Status != contract.Deduplicated {
		t.Errorf("got the batch %+v", batch)
	}
	// Across requests the address counts as well: another address is another submission.
	if again := s.submitBulkItem(key, items[2]); again.Status != contract.BulkQueued {
		t.Errorf("in a request of its own: got %+v", again)
	}
}

// A violation of the schema refuses the whole request, and every violation is reported.
func TestBulkSchema(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	good := string(encodeBody(t, newBulkRequest(newBulkItem(0, "x"), newBulkItem(1, "x"))))
	many := string(encodeBody(t, newBulkRequest(newBulkItems(101, "x")...)))
	for name, c := range map[string]struct{ body, says string }{
		"no items":           {`{}`, "items: is required"},
		"null items":         {`{"items": null}`, "items: must be an array"},
		"empty items":        {`{"items": []}`, "at least 1"},
		"too many":           {many, "at most 100"},
		"not confirmed":      {strings.Replace(good, `"onMarketConfirmed":true`, `"onMarketConfirmed":false`, 1), "items[0].onMarketConfirmed: must be true"},
		"confirmation text":  {strings.Replace(good, `"onMarketConfirmed":true`, `"onMarketConfirmed":"true"`, 1), "items[0].onMarketConfirmed"},
		"no confirmation":    {strings.Replace(good, `"onMarketConfirmed":true,`, ``, 1), "items[0].onMarketConfirmed: is required"},
		"null e-mail":        {strings.Replace(good, `"email":"ada-1@example.com"`, `"email":null`, 1), "items[1].email"},
		"empty name":         {strings.Replace(good, `"name":"Ada Example"`, `"name":""`, 1), "items[0].name"},
		"null resume id":     {strings.Replace(good, `"resumeFileId":"x"`, `"resumeFileId":null`, 1), "items[0].resume.resumeFileId"},
		"empty reference":    {strings.Replace(good, `"name":`, `"clientReferenceId":"","name":`, 1), "items[0].clientReferenceId"},
		"long reference":     {strings.Replace(good, `"name":`, `"clientReferenceId":"`+strings.Repeat("r", 129)+`","name":`, 1), "items[0].clientReferenceId"},
		"reference, 2 lines": {strings.Replace(good, `"name":`, `"clientReferenceId":"a\u202eb","name":`, 1), "items[0].clientReferenceId"},
		"long recruiter":     {strings.Replace(good, `"name":`, `"recruiterEmail":"`+strings.Repeat("a", 320)+`@example.com","name":`, 1), "items[0].recruiterEmail"},
		"no salary":          {strings.Replace(good, `"salaryMin":90000`, `"salaryMin":0`, 1), "items[0].preferences.salaryMin"},
		"unknown location":   {strings.Replace(good, `"europe"`, `"london"`, 1), "items[0].preferences.locations[0]"},
		"null link":          {strings.Replace(good, `"name":`, `"screeningCallLink":null,"name":`, 1), "items[0].screeningCallLink"},
	} {
		r := s.sendRequest("POST", bulkPath, key, []byte(c.body))
		if r.status != 400 || !strings.Contains(r.body, c.says) || !strings.Contains(r.body, `"fieldErrors":{"items":`) {
			t.Errorf("%s: got %d %s; want 400 saying %s", name, r.status, r.body, c.says)
		}
	}
	both := strings.Replace(strings.Replace(good, `"salaryMin":90000`, `"salaryMin":"a"`, 1), `"ada-1@example.com"`, `7`, 1)
	if r := s.sendRequest("POST", bulkPath, key, []byte(both)); !strings.Contains(r.body, "items[0].preferences.salaryMin") || !strings.Contains(r.body, "items[1].email") {
		t.Errorf("got %s; want both problems", r.body)
	}
	if items := s.storedItems(topology.Submissions, ""); len(items) > 0 {
		t.Errorf("refused requests left %v", items)
	}
}

func TestBulkNeedsManagement(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newKey(contract.AgencyKey, demo.RestrictedID, demo.RestrictedOwnerID)
	upload := s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID // uploading is not submitting
	r := s.sendRequest("POST", bulkPath, key, encodeBody(t, newBulkRequest(newAdaItem(upload))), "Idempotency-Key", "one")
	if r.status != 403 || r.errorCode() != contract.TalentNetworkDisabled {
		t.Errorf("got %d %s; want 403 talent_network_disabled", r.status, r.body)
	}
}

// Another agency's upload gets the same response as one that never existed, byte for byte.
func TestBulkTellsNothingOfAnotherAgency(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	expired := s.uploadResume(s.newAgencyKey(), "Ada Example, senior software engineer").ResumeFileID
	s.advanceClock(submission.UploadLife)
	theirs := s.uploadResume(s.newOtherAgencyKey(), "Ada Example, senior software engineer").ResumeFileID
	var items []string
	for _, id := range []string{"0195f3a0-0000-7000-8000-000000000001", theirs, expired} {
		r := s.sendRequest("POST", bulkPath, s.newAgencyKey(), encodeBody(t, newBulkRequest(newAdaItem(id))))
		_, answer, _ := strings.Cut(r.body, `"items":`)
		items = append(items, answer)
	}
	if items[0] == "" || items[0] != items[1] || items[0] != items[2] {
		t.Errorf("unknown, another's and expired: got %q; want no difference", items)
	}
}
