package submissions_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The field recruiterEmail is blamed only if it was sent; otherwise the request as a whole is.
func TestAnInactiveOwner(t *testing.T) {
	t.Parallel()
	const named = `"recruiterEmail":"olga@example.com",`
	for name, tt := range map[string]struct {
		change func(*account.Member)
		sent   string
		// form and field are what a single submit says of the request and of recruiterEmail.
		form, field []string
		bulk        contract.BulkItemError
	}{
		"deactivated, not named": {
			change: func(m *account.Member) { m.Deactivated = true },
			form:   []string{"the agency's primary owner is deactivated; send recruiterEmail"},
			bulk:   contract.BulkItemError{Code: contract.RecruiterDeactivated, Message: "the agency's primary owner is deactivated; send recruiterEmail"},
		},
		"not approved, not named": {
			change: func(m *account.Member) { m.Approved = false },
			form:   []string{"the agency has no approved primary owner; send recruiterEmail"},
			bulk:   contract.BulkItemError{Code: contract.RecruiterNotFound, Message: "the agency has no approved primary owner; send recruiterEmail"},
		},
		"deactivated, named": {
			change: func(m *account.Member) { m.Deactivated = true }, sent: named, form: []string{},
			field: []string{"recruiterEmail: belongs to a deactivated member; use an active member of your agency"},
			bulk: contract.BulkItemError{
				Code: contract.RecruiterDeactivated, Field: new("recruiterEmail"), Message: "recruiterEmail: belongs to a deactivated member; use an active member of your agency",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newTestService(t)
			upload := f.mustUpload("QWRhIEV4YW1wbGU=")
			f.changeOwner(tt.change)
			single := strings.Replace(newSubmission(), `{`, `{`+tt.sent, 1)
			var refused contract.ErrorEnvelope
			f.must(json.Unmarshal([]byte(f.refuse("submit", single)), &refused))
			if diff := cmp.Diff(tt.form, refused.Error.Details.FormErrors); diff != "" {
				t.Errorf("formErrors (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.field, refused.Error.Details.FieldErrors["recruiterEmail"]); diff != "" {
				t.Errorf("fieldErrors (-want +got):\n%s", diff)
			}
			item := strings.Replace(single, `"resume":{"contentBase64":"QWRhIEV4YW1wbGU=","fileName":"a.txt"}`, `"resume":{"resumeFileId":"`+upload.ResumeFileID+`"}`, 1)
			var out contract.BulkResponse
			f.must(json.Unmarshal([]byte(f.postJSON("/talent-network/candidates/submit-bulk", `{"items":[`+item+`]}`)), &out))
			if diff := cmp.Diff([]contract.BulkItemError{tt.bulk}, out.Items[0].Errors); diff != "" {
				t.Errorf("bulk errors (-want +got):\n%s", diff)
			}
		})
	}
}

// The problems of the request and of its file are told together.
func TestAnInactiveOwnerAndAWrongFile(t *testing.T) {
	t.Parallel()
	f := newTestService(t)
	f.changeOwner(func(m *account.Member) { m.Deactivated = true })
	body := f.refuse("submit", strings.Replace(newSubmission(), "QWRhIEV4YW1wbGU=", "%", 1))
	for _, part := range []string{`"formErrors":["the agency's`, `"resume":["resume`} {
		if !strings.Contains(body, part) {
			t.Errorf("got %s, want it to contain %s", body, part)
		}
	}
}

// changeOwner changes the agency's primary owner.
func (f *testService) changeOwner(change func(*account.Member)) {
	f.tb.Helper()
	table := f.host.Opener().Table(topology.Accounts)
	store := account.NewStore(table, dynamo.New(f.host.AWS).WriteTx)
	m, err := store.Member(f.tb.Context(), "agy_1", "rec_1")
	f.must(err)
	change(&m)
	f.must(store.ApplyMember(f.tb.Context(), "agy_1", "rec_1", 10, &m))
}

// refuse sends a body with the agency's key and returns what must be a 400.
func (f *testService) refuse(operation, body string) string {
	f.tb.Helper()
	event := f.newPost("/talent-network/candidates/"+operation, body, uuid.NewString())
	event.Headers["authorization"] = "Bearer " + f.key
	answer, err := f.serve(f.tb.Context(), event)
	f.must(err)
	if answer.StatusCode != 400 {
		f.tb.Fatalf("got %d %s, want 400", answer.StatusCode, answer.Body)
	}
	return answer.Body
}
