package platform

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

//go:generate go run ./reference openapi.json openapi.yaml
//go:generate node ../../.tools/samples.mjs reference/samples.json
//go:generate go run ./reference pages docs.md llms.txt changes.atom

//go:embed pages docs.md llms.txt changes.atom openapi.json openapi.yaml
var files embed.FS

// mediaTypes holds the media types of the files of the reference, which command reference wrote.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".md": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".atom": "application/atom+xml",
	".json": "application/json", ".yaml": "application/yaml",
}

// reference holds the files by their path without .gz, each prepared when it is first asked for.
type reference map[string]func() gateway.Page

// newReference returns the reference for the address that callers use; an empty one leaves
// contract.ExampleURL in it.
func newReference(publicURL string) reference {
	r := reference{}
	err := fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			r[strings.TrimSuffix(file, ".gz")] = sync.OnceValue(func() gateway.Page { return preparePage(file, publicURL) })
		}
		return err
	})
	if err != nil {
		panic(err) // they are embedded
	}
	return r
}

// preparePage panics on no embedded file, which is unpacked if its name ends in .gz.
func preparePage(file, publicURL string) gateway.Page {
	body, err := files.ReadFile(file)
	name, isPacked := strings.CutSuffix(file, ".gz")
	if isPacked && err == nil {
		var unpacked *gzip.Reader
		unpacked, err = gzip.NewReader(bytes.NewReader(body))
		if err == nil {
			body, err = io.ReadAll(unpacked)
		}
	}
	if err != nil {
		panic(err)
	}
	if publicURL != "" {
		body = bytes.ReplaceAll(body, []byte(contract.ExampleURL), []byte(publicURL))
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(body) // into memory, which does not fail
	_ = w.Close()
	return gateway.Page{
		ContentType: mediaTypes[path.Ext(name)], Body: body, Gzip: packed.Bytes(), ETag: fmt.Sprintf(`W/"%.16x"`, sha256.Sum256(body)),
	}
}

// docsHeaders let caches keep the reference for five minutes, and let a page load, run and ask nothing
// but files and endpoints of its own host.
var docsHeaders = map[string]string{
	"Cache-Control": "public, max-age=300",
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
	"Referrer-Policy": "no-referrer",
}

// Docs serves GET /docs: the first page, or the OpenAPI document if Accept prefers JSON.
func (s *Service) Docs(ctx context.Context, call *gateway.Call, in contract.DocsRequest) (gateway.Page, error) {
	call.Header().Set("Vary", "Accept")
	name := "pages/index.html"
	if prefersJSON(in.Accept) {
		name = "openapi.json"
	}
	return s.serveFile(name)(ctx, call)
}

// DocsPage serves GET /docs/{page}: a page by its name, or a file that the pages load.
func (s *Service) DocsPage(ctx context.Context, call *gateway.Call, in contract.DocsPageRequest) (gateway.Page, error) {
	name := "pages/" + in.Page
	switch path.Ext(name) {
	case "":
		name += ".html"
	case ".html": // the addresses of pages are without it
		name = ""
	}
	if s.reference[name] == nil {
		return gateway.Page{}, fault.Missing()
	}
	return s.serveFile(name)(ctx, call)
}

// serveFile returns the handler that responds with a file of the reference.
func (s *Service) serveFile(name string) func(context.Context, *gateway.Call) (gateway.Page, error) {
	return func(_ context.Context, call *gateway.Call) (gateway.Page, error) {
		for header, value := range docsHeaders {
			call.Header().Set(header, value)
		}
		return s.reference[name](), nil
	}
}

// prefersJSON reports whether an Accept header (RFC 9110) prefers JSON to the page: by
// weight and, if weights are equal, by the more specific entry. The page is
// the default.
func prefersJSON(accept string) bool {
	page, pageExact := mediaWeight(accept, "text/html")
	data, dataExact := mediaWeight(accept, "application/json")
	return data > page || data == page && data > 0 && dataExact > pageExact
}

// mediaWeight returns the weight of a media type in the header, 0 to 1, and how
// specifically its entry names it: 0 for */*, 1 for the kind, 2 for the type itself.
// The most specific entry decides; unreadable entries are skipped.
func mediaWeight(accept, media string) (q float64, exact int) {
	kind, _, _ := strings.Cut(media, "/")
	exact = -1
	for entry := range strings.SplitSeq(accept, ",") {
		name, parameters, err := mime.ParseMediaType(entry)
		if err != nil {
			continue
		}
		at := map[string]int{"*/*": 0, kind + "/*": 1, media: 2}
		if found, ok := at[name]; ok && found > exact {
			exact = found
			q, err = strconv.ParseFloat(cmp.Or(parameters["q"], "1"), 64)
			isWeight := err == nil && q >= 0 && q <= 1 // which NaN is not
			if !isWeight {
				q = 0
			}
		}
	}
	return q, exact
}
