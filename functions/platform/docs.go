package platform

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"

	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

//go:generate go run ./reference

//go:embed docs.html
var docs []byte

// docsHeaders let anybody keep the page for five minutes, and let it run and
// load nothing: it needs its own style and that is all.
var docsHeaders = map[string]string{
	"Cache-Control": "public, max-age=300",
	"Content-Security-Policy": "default-src 'none'; style-src '" + styleHash(docs) + "'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"Referrer-Policy": "no-referrer",
}

// Docs serves GET /docs: the page that command reference wrote from the contract.
func (s *Service) Docs(_ context.Context, call *gateway.Call) (gateway.Page, error) {
	for name, value := range docsHeaders {
		call.Header().Set(name, value)
	}
	return gateway.Page{ContentType: "text/html; charset=utf-8", Body: docs}, nil
}

// styleHash is the policy's name for the page's one style element.
func styleHash(page []byte) string {
	_, rest, _ := bytes.Cut(page, []byte("<style>"))
	style, _, _ := bytes.Cut(rest, []byte("</style>"))
	sum := sha256.Sum256(style)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
