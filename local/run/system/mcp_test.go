package system_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/terminal/mcp"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// assistant is a session of an assistant with the tools of an agency's and a recruiter's key.
type assistant struct {
	*sdk.ClientSession
	t *testing.T
}

func newAssistant(t *testing.T, sys *testSystem, directory string) assistant {
	t.Helper()
	server, err := mcp.New(t.Context(), mcp.Options{
		Clients:     []*client.Client{sys.newAgencyClient(), client.New(sys.BaseURL, sys.newRecruiterKey(demo.OwnerID), withShortWaits)},
		Write:       true,
		Directories: []string{directory},
	})
	must(t, err)
	ours, theirs := sdk.NewInMemoryTransports()
	_, err = server.Connect(t.Context(), ours, nil)
	must(t, err)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	must(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return assistant{session, t}
}

// call calls a tool that must succeed.
func (a assistant) call(name string, arguments, out any) {
	a.t.Helper()
	result, err := a.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	must(a.t, err)
	text := result.Content[0].(*sdk.TextContent).Text
	if result.IsError {
		a.t.Fatalf("%s: %s", name, text)
	}
	must(a.t, json.Unmarshal([]byte(text), out))
}

// An assistant finds a role for a candidate of the recruiter's CRM and submits a person to the
// agency's network, with tools alone.
func TestAssistant(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	must(t, sys.LoadRoles(t.Context(), 240))
	directory := t.TempDir()
	a := newAssistant(t, sys, directory)
	a.findRole()
	a.submit(sys, directory)
	reference, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "recruiting://reference"})
	must(t, err)
	enumerations, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "recruiting://enumerations"})
	must(t, err)
	if len(reference.Contents[0].Text) < 10_000 || len(enumerations.Contents[0].Text) < 1_000 {
		t.Errorf("got %d and %d bytes of resources", len(reference.Contents[0].Text), len(enumerations.Contents[0].Text))
	}
}

func (a assistant) findRole() {
	a.t.Helper()
	var candidates contract.CRMCandidateList
	a.call("listCRMCandidates", object{"limit": 25}, &candidates)
	for _, c := range candidates.Candidates {
		var found contract.RecommendedRolesResponse
		a.call("listRecommendedRoles", object{"candidateId": c.CandidateID}, &found)
		if len(found.Roles) == 0 {
			continue
		}
		var role contract.RoleDetail
		if a.call("getRole", object{"roleId": found.Roles[0].ID}, &role); role.Summary.ID != found.Roles[0].ID {
			a.t.Errorf("got the role %q", role.Summary.ID)
		}
		return
	}
	a.t.Error("no candidate gets a role")
}

func (a assistant) submit(sys *testSystem, directory string) {
	a.t.Helper()
	request := newSubmitRequest(a.t, priya, "")
	content, err := base64.StdEncoding.DecodeString(request.Resume.ContentBase64)
	must(a.t, err)
	must(a.t, os.WriteFile(filepath.Join(directory, "priya.txt"), content, 0o600))
	var accepted contract.SubmitResponse
	a.call("submitCandidate", object{
		"name": request.Name, "email": request.Email, "linkedinUrl": request.LinkedInURL, "preferences": newPreferences(),
		"resume": object{"path": "priya.txt"},
	}, &accepted)
	_, err = sys.newAgencyClient().WaitForBatch(a.t.Context(), accepted.BatchID)
	must(a.t, err)
	var batch contract.Batch
	a.call("getBatch", object{"batchId": accepted.BatchID}, &batch)
	item := batch.Items[0]
	if item.Status != contract.Succeeded {
		a.t.Fatalf("got %+v", item)
	}
	var candidate contract.Candidate
	a.call("getCandidate", object{"candidateUserId": item.CandidateUserID}, &candidate)
	if candidate.Email != request.Email || candidate.LastSubmission.BatchID != accepted.BatchID {
		a.t.Errorf("got %+v", candidate)
	}
}
