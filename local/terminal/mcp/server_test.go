package mcp_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/local/terminal/mcp"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The instructions say for which keys the tools act, and why there are none that write.
func TestInstructions(t *testing.T) {
	t.Parallel()
	agency := identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)
	agency.Environment = "test"
	one := (&fakeAPI{identity: agency}).newClient(t)
	session := connect(t, mcp.Options{Clients: []*client.Client{one}, Write: true})
	text := session.InitializeResult().Instructions
	if !strings.HasSuffix(text, "The tools act for: agency (environment test).") {
		t.Errorf("got %s", text)
	}
	for resource, err := range session.Resources(t.Context(), nil) {
		if err != nil || !strings.Contains(text, resource.URI) {
			t.Errorf("%+v, %v: not in %s", resource, err, text)
		}
	}
	for resource, err := range session.ResourceTemplates(t.Context(), nil) {
		if err != nil || !strings.Contains(text, resource.URITemplate) {
			t.Errorf("%+v, %v: not in %s", resource, err, text)
		}
	}
	text = connect(t, mcp.Options{Clients: []*client.Client{one, one}}).InitializeResult().Instructions
	for _, want := range []string{"agency (environment test), agency (environment test). The tool identity", "--write"} {
		if !strings.Contains(text, want) {
			t.Errorf("got %s; want %s in it", text, want)
		}
	}
}

// A tool says where its files are, how long it waits, and that an object is replaced in full.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	options := mcp.Options{Clients: []*client.Client{api.newClient(t)}, Write: true, Directories: []string{directory}}
	wanted := map[string]string{
		"uploadResume":    "Path of a file in " + directory,
		"submitCandidate": "Path of a file in " + directory,
		"getBatch":        "Waits up to 20 seconds",
		"putPreferences":  "omitted fields are removed",
	}
	for tool, err := range connect(t, options).Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(tool)
		if err != nil || !strings.Contains(string(text), wanted[tool.Name]) {
			t.Errorf("got %s, %v; want %s in it", text, err, wanted[tool.Name])
		}
	}
}

// A section of the reference can be read alone.
func TestSectionsOfTheReference(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	session := connect(t, mcp.Options{Clients: []*client.Client{api.newClient(t)}})
	for name, want := range map[string]string{
		"getBatch":      "### getBatch\n\nReads.\n\n",
		"Submitting":    "## Submitting\n\n### getBatch\n\nReads.\n\n",
		"item-errors":   "## Item errors\n\n# none\n",
		"item%20ERRORS": "## Item errors\n\n# none\n",
		"none":          "",
	} {
		api.next = append(api.next, func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, "# API\n\n## Submitting\n\n### getBatch\n\nReads.\n\n## Item errors\n\n# none\n")
		})
		out, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "recruiting://reference/" + name})
		if (err == nil) != (want != "") || err == nil && out.Contents[0].Text != want {
			t.Errorf("%s: got %+v, %v", name, out, err)
		}
	}
}
