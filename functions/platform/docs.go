package platform

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

//go:generate go run ./reference

var (
	//go:embed docs.html
	docsPage []byte
	//go:embed openapi.json
	openapiJSON []byte
	//go:embed openapi.yaml
	openapiYAML []byte
)

// reference is what command reference wrote, with the address of this deployment.
type reference struct{ page, json, yaml []byte }

// newReference returns the reference for the address that callers use; an empty one leaves
// contract.ExampleURL in it.
func newReference(publicURL string) reference {
	address := func(file []byte) []byte {
		if publicURL == "" {
			return file
		}
		return bytes.ReplaceAll(file, []byte(contract.ExampleURL), []byte(publicURL))
	}
	return reference{address(docsPage), address(openapiJSON), address(openapiYAML)}
}

// docsHeaders let caches keep the reference for five minutes, and let the page load
// and run nothing but its own style.
var docsHeaders = map[string]string{
	"Cache-Control": "public, max-age=300",
	"Content-Security-Policy": "default-src 'none'; style-src '" + styleHash(docsPage) + "'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"Referrer-Policy": "no-referrer",
}

// Docs serves GET /docs: the page, or the OpenAPI document if Accept prefers JSON.
func (s *Service) Docs(ctx context.Context, call *gateway.Call, in contract.DocsRequest) (gateway.Page, error) {
	call.Header().Set("Vary", "Accept")
	if prefersJSON(in.Accept) {
		return s.OpenAPIJSON(ctx, call)
	}
	return publishedPage(call, "text/html; charset=utf-8", s.reference.page)
}

// OpenAPIJSON serves GET /docs/openapi.json.
func (s *Service) OpenAPIJSON(_ context.Context, call *gateway.Call) (gateway.Page, error) {
	return publishedPage(call, "application/json", s.reference.json)
}

// OpenAPIYAML serves GET /docs/openapi.yaml.
func (s *Service) OpenAPIYAML(_ context.Context, call *gateway.Call) (gateway.Page, error) {
	return publishedPage(call, "application/yaml", s.reference.yaml)
}

// publishedPage returns a file of the reference.
func publishedPage(call *gateway.Call, contentType string, body []byte) (gateway.Page, error) {
	for name, value := range docsHeaders {
		call.Header().Set(name, value)
	}
	return gateway.Page{ContentType: contentType, Body: body}, nil
}

// styleHash returns the hash by which the policy allows the page's style element.
func styleHash(page []byte) string {
	_, rest, _ := bytes.Cut(page, []byte("<style>"))
	style, _, _ := bytes.Cut(rest, []byte("</style>"))
	sum := sha256.Sum256(style)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
