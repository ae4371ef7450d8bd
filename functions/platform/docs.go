package platform

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

//go:generate go run ./reference openapi.json openapi.yaml
//go:generate node ../../.tools/samples.mjs reference/samples.json
//go:generate go run ./reference docs.html docs.md llms.txt changes.atom

//go:embed docs.html docs.md llms.txt changes.atom openapi.json openapi.yaml
var files embed.FS

// mediaTypes holds the files of the reference, which command reference wrote.
var mediaTypes = map[string]string{
	"docs.html": "text/html; charset=utf-8", "docs.md": "text/markdown; charset=utf-8", "llms.txt": "text/plain; charset=utf-8",
	"changes.atom": "application/atom+xml", "openapi.json": "application/json", "openapi.yaml": "application/yaml",
}

// reference holds the files by name, each prepared when it is first asked for.
type reference map[string]func() gateway.Page

// newReference returns the reference for the address that callers use; an empty one leaves
// contract.ExampleURL in it.
func newReference(publicURL string) reference {
	r := reference{}
	for name, mediaType := range mediaTypes {
		r[name] = sync.OnceValue(func() gateway.Page { return preparePage(name, mediaType, publicURL) })
	}
	return r
}

func preparePage(name, mediaType, publicURL string) gateway.Page {
	body, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	if publicURL != "" {
		body = bytes.ReplaceAll(body, []byte(contract.ExampleURL), []byte(publicURL))
	}
	return gateway.Page{
		ContentType: mediaType, Body: body, Gzip: compressBytes(body),
		ETag: fmt.Sprintf(`W/"%.16x"`, sha256.Sum256(body)),
	}
}

// compressBytes panics on no input: a buffer takes all that is written.
func compressBytes(body []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(body)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return out.Bytes()
}

// docsHeaders returns headers that let caches keep the reference for five minutes, and let the
// page load nothing, and run nothing but its own script and style.
var docsHeaders = sync.OnceValue(func() map[string]string {
	page, err := files.ReadFile("docs.html")
	if err != nil {
		panic(err) // it is embedded
	}
	return map[string]string{
		"Cache-Control": "public, max-age=300",
		"Content-Security-Policy": "default-src 'none'; script-src '" + elementHash(page, "script") + "'; style-src '" + elementHash(page, "style") +
			"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"Referrer-Policy": "no-referrer",
	}
})

// elementHash returns the hash by which the policy allows the page's one element of that name.
func elementHash(page []byte, name string) string {
	_, rest, _ := bytes.Cut(page, []byte("<"+name+">"))
	content, _, _ := bytes.Cut(rest, []byte("</"+name+">"))
	sum := sha256.Sum256(content)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Docs serves GET /docs: the page, or the OpenAPI document if Accept prefers JSON.
func (s *Service) Docs(ctx context.Context, call *gateway.Call, in contract.DocsRequest) (gateway.Page, error) {
	call.Header().Set("Vary", "Accept")
	name := "docs.html"
	if prefersJSON(in.Accept) {
		name = "openapi.json"
	}
	return s.serveFile(name)(ctx, call)
}

// serveFile returns the handler that responds with a file of the reference.
func (s *Service) serveFile(name string) func(context.Context, *gateway.Call) (gateway.Page, error) {
	return func(_ context.Context, call *gateway.Call) (gateway.Page, error) {
		for header, value := range docsHeaders() {
			call.Header().Set(header, value)
		}
		return s.reference[name](), nil
	}
}
