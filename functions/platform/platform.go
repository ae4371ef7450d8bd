// Package platform serves what belongs to no domain: whether the service is up, the
// reference as page and as OpenAPI document, and who a key acts as. The deployment
// also sends it every path without a route; the gateway responds to those.
package platform

import (
	"context"
	"net/http"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// DefaultVersion is the version in the response of GET /health if the setting VERSION
// is empty.
const DefaultVersion = "dev"

// Service holds what the handlers work with.
type Service struct {
	version   string
	accounts  *account.Store
	reference reference
}

// New opens the function's table and mounts its handlers. It fails on a missing
// or malformed setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	s := &Service{version: h.Getenv("VERSION"), accounts: account.Open(o), reference: newReference(h.Getenv(topology.SettingPublicURL))}
	if s.version == "" {
		s.version = DefaultVersion
	}
	routes, err := gateway.Open(o, contract.Platform, map[string]gateway.Handler{
		"health":   gateway.HandleNoInput(s.Health),
		"docs":     gateway.Handle(s.Docs),
		"docsPage": gateway.Handle(s.DocsPage),
		"identity": gateway.HandleNoInput(s.Identity).BeginEarly(),

		"openapiJSON":  gateway.HandleNoInput(s.serveFile("openapi.json")),
		"openapiYAML":  gateway.HandleNoInput(s.serveFile("openapi.yaml")),
		"docsMarkdown": gateway.HandleNoInput(s.serveFile("docs.md")),
		"llms":         gateway.HandleNoInput(s.serveFile("llms.txt")),
		"changeFeed":   gateway.HandleNoInput(s.serveFile("changes.atom")),

		"listEnumerations": gateway.HandleNoInput(s.ListEnumerations),
		"listMembers":      gateway.Handle(s.ListMembers),
	})
	return gateway.WithUnavailable(routes, h), err
}

// Health serves GET /health. It touches no dependency: it shows that requests reach
// the function.
func (s *Service) Health(_ context.Context, call *gateway.Call) (contract.Health, error) {
	return contract.Health{Status: "ok", Version: s.version, Time: contract.At(call.Now)}, nil
}

// ListEnumerations serves GET /enumerations.
func (s *Service) ListEnumerations(context.Context, *gateway.Call) (contract.Enumerations, error) {
	return contract.ListEnumerations(), nil
}
