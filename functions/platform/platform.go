// Package platform serves what belongs to no domain: whether the service is up, the
// reference as page and as OpenAPI document, and who a key acts as. The deployment
// also sends it every path without a route; the gateway responds to those.
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
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

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
	s := &Service{
		version: cmp.Or(h.Getenv("VERSION"), "dev"), accounts: account.Open(o),
		reference: newReference(h.Getenv(topology.SettingPublicURL)),
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

// Health serves GET /health. It touches no dependencies: it shows that requests reach
// the function.
func (s *Service) Health(_ context.Context, call *gateway.Call) (contract.Health, error) {
	return contract.Health{Status: "ok", Version: s.version, Time: contract.At(call.Now)}, nil
}

// ListEnumerations serves GET /enumerations.
func (s *Service) ListEnumerations(context.Context, *gateway.Call) (contract.Enumerations, error) {
	return contract.ListEnumerations(), nil
}

// Identity serves GET /identity: what the key's record holds, and one read of the
// account that it acts as.
func (s *Service) Identity(ctx context.Context, call *gateway.Call) (contract.Identity, error) {
	caller := call.Caller
	out := contract.Identity{
		Principal:   caller.Type.Principal(),
		Scopes:      caller.Scopes,
		Environment: caller.Environment,
		APIVersion:  "v1",
		Key: contract.IdentityKey{
			ID: caller.KeyID, Name: caller.KeyName, Last4: caller.Last4,
			CreatedAt: contract.At(cloud.FromMillis(caller.CreatedAt)),
			ExpiresAt: optional.NonZero(contract.At(cloud.FromMillis(caller.ExpiresAt))),
		},
		RateLimits: contract.IdentityRateLimits{Default: rateLimitOf(contract.DefaultTier), Write: rateLimitOf(contract.WriteTier)},
	}
	var err error
	if caller.Type == contract.AgencyKey {
		err = s.addAgency(ctx, caller, &out)
	} else {
		err = s.addRecruiter(ctx, caller, &out)
	}
	if fault.IsMissing(err) {
		// The caller sent no id that could be wrong: our own records disagree.
		err = fmt.Errorf("the account of key %s is not there: %v", caller.KeyID, err)
	}
	return out, err
}

func rateLimitOf(t contract.Tier) contract.IdentityRateLimit {
	return contract.IdentityRateLimit{Limit: t.Limit, WindowSeconds: contract.WindowSeconds}
}

// addAgency adds the agency, and the member who created the key unless he or she was deleted.
func (s *Service) addAgency(ctx context.Context, caller apikey.Caller, out *contract.Identity) error {
	a, members, err := s.accounts.AgencyWithMembers(ctx, caller.Principal, []string{caller.Creator}, nil)
	out.Agency = &contract.IdentityAgency{
		ID: a.ID, Name: a.Name,
		TalentNetworkAccess: a.TalentNetworkAccess, TalentNetworkManagement: a.TalentNetworkManagement,
	}
	creator := members.ByID(caller.Creator)
	out.Key.CreatedBy = contract.IdentityCreator{Name: creator.Name, Email: creator.Email}
	return err
}

// addRecruiter adds the recruiter, who is also the creator of the key.
func (s *Service) addRecruiter(ctx context.Context, caller apikey.Caller, out *contract.Identity) error {
	r, err := s.accounts.Recruiter(ctx, caller.Principal)
	out.Recruiter = &contract.IdentityRecruiter{ID: r.ID, Name: r.Name, Email: r.Email, AgencyID: optional.NonZero(r.AgencyID)}
	out.Key.CreatedBy = contract.IdentityCreator{Name: r.Name, Email: r.Email}
	return err
}

// ListMembers serves GET /agency/members. The key, which was read at this moment, names the primary
// owner.
func (s *Service) ListMembers(
	ctx context.Context, call *gateway.Call, in contract.ListMembersRequest,
) (out contract.MemberList, err error) {
	after, err := cursor.Read(call, in.Cursor, func(address string) bool {
		canonical, ok := identity.Email(address)
		return ok && canonical == address
	})
	if err != nil {
		return out, err
	}
	members, next, err := s.accounts.ListMembers(ctx, call.Caller.Principal, after, int(in.Limit))
	for _, m := range members {
		member := contract.AgencyMember{
			Name: m.Name, Email: m.Email, PrimaryOwner: m.ID == call.Caller.PrimaryOwner,
			Role: contract.MemberRoleMember, Status: contract.MemberStatusApproved,
		}
		if m.Owner {
			member.Role = contract.MemberRoleOwner
		}
		if !m.Active() {
			member.Status = contract.MemberStatusDeactivated
		}
		out.Members = append(out.Members, member)
	}
	if next != "" {
		out.NextCursor = new(cursor.New(next))
	}
	return out, err
}

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
