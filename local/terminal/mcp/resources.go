package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

const (
	enumerationsURI = "recruiting://enumerations"
	referenceURI    = "recruiting://reference"
)

// addResources adds what an assistant may read about the API.
func addResources(server *sdk.Server, c *client.Client) {
	server.AddResource(&sdk.Resource{
		URI: enumerationsURI, Name: "enumerations", MIMEType: "application/json",
		Description: "All values of enumerated arguments and fields, with display names.",
	}, resource("application/json", func(ctx context.Context) (string, error) {
		out, err := c.Enumerations(ctx)
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(out)
		return string(text), err
	}))
	server.AddResource(&sdk.Resource{
		URI: referenceURI, Name: "reference", MIMEType: "text/markdown",
		Description: "The reference of the API: every endpoint, its arguments, rules and errors.",
	}, resource("text/markdown", c.Reference))
}

// resource returns a handler that reads a text.
func resource(mimeType string, read func(context.Context) (string, error)) sdk.ResourceHandler {
	return func(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		text, err := read(ctx)
		if err != nil {
			return nil, err
		}
		content := &sdk.ResourceContents{URI: request.Params.URI, MIMEType: mimeType, Text: text}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{content}}, nil
	}
}
