package mcp

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

const (
	enumerationsURI = "recruiting://enumerations"
	referenceURI    = "recruiting://reference"
	sectionURI      = referenceURI + "/{section}"
)

func addResources(server *sdk.Server, c *client.Client) {
	server.AddResource(&sdk.Resource{
		URI: enumerationsURI, Name: "enumerations", MIMEType: "application/json",
		Description: "All values of enumerated arguments and fields, with display names.",
	}, resource("application/json", func(ctx context.Context, _ string) (string, error) {
		out, err := c.Enumerations(ctx)
		return string(encode(out)), err
	}))
	server.AddResource(&sdk.Resource{
		URI: referenceURI, Name: "reference", MIMEType: "text/markdown",
		Description: "The reference of the API: every endpoint, its arguments, rules and errors. It is long.",
	}, resource("text/markdown", func(ctx context.Context, _ string) (string, error) { return c.Reference(ctx) }))
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: sectionURI, Name: "section of the reference", MIMEType: "text/markdown",
		Description: "A section of the reference: that of a tool, by its name, or that of a heading, as item-errors.",
	}, resource("text/markdown", func(ctx context.Context, uri string) (string, error) {
		text, err := c.Reference(ctx)
		if err != nil {
			return "", err
		}
		return readSection(text, uri)
	}))
}

var heading = regexp.MustCompile(`(?m)^(##+) (.+)$`)

// readSection returns the section that an URI names, with those below it. In a heading's name hyphens and
// spaces are the same: no URI has spaces.
func readSection(text, uri string) (string, error) {
	name, err := url.PathUnescape(strings.TrimPrefix(uri, referenceURI+"/"))
	if err != nil {
		return "", sdk.ResourceNotFoundError(uri)
	}
	begin := -1
	level := 0
	for _, m := range heading.FindAllStringSubmatchIndex(text, -1) {
		depth := m[3] - m[2]
		switch {
		case begin >= 0 && depth <= level:
			return text[begin:m[0]], nil
		case begin < 0 && strings.EqualFold(hyphenate(text[m[4]:m[5]]), hyphenate(name)):
			begin = m[0]
			level = depth
		}
	}
	if begin < 0 {
		return "", sdk.ResourceNotFoundError(uri)
	}
	return text[begin:], nil
}

func hyphenate(name string) string { return strings.ReplaceAll(name, " ", "-") }

// resource returns a handler that reads the text of a URI.
func resource(mimeType string, read func(ctx context.Context, uri string) (string, error)) sdk.ResourceHandler {
	return func(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		text, err := read(ctx, request.Params.URI)
		if err != nil {
			return nil, err
		}
		content := &sdk.ResourceContents{URI: request.Params.URI, MIMEType: mimeType, Text: text}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{content}}, nil
	}
}
