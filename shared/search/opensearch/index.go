// Package opensearch keeps the documents of the role index (package roleindex) in an
// OpenSearch domain, and finds and ranks them there as an index does: the same filters,
// order keys, cursors and typos.
//
// Words are split and folded here and compared as whole terms, so that a domain needs no
// analyzer. A word that is allowed typos is compared by Lucene's automata, which count them
// as package text does; the rule on first letters is in query.go. For unfinished words the
// beginnings of all terms are terms too.
//
// An index has a head: the time up to which it contains changes. Every search also reads the
// head, so that a reader never applies its own changes to a state older than they assume.
//
// The package knows no store of roles and decides nothing about callers.
package opensearch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Index is the index of one domain. It is safe for use by several goroutines.
type Index struct {
	origin string
	// alias is the name under which the index is searched; the indexes behind it are named
	// "<alias>-<nonce>".
	alias  string
	aws    aws.Config
	signer *v4.Signer
	now    func() time.Time
	// searches sends the requests that a caller waits for, and writes all others.
	searches, writes client
}

// client sends requests, each of which ends after a time.
type client struct {
	aws.HTTPClient
	timeout time.Duration
}

const (
	searchTimeout = 3 * time.Second
	// writeTimeout is longer than the 30 s after which the domain itself gives up changes to its indexes.
	writeTimeout = time.Minute
)

const (
	// defaultName begins the names of indexes where the setting names none.
	defaultName = "roles"
	// form is the version of the documents: a deployed version finds only documents that it
	// understands.
	form = "-v3"
	// DefaultAlias is the name by which the index is searched where the setting names none.
	DefaultAlias = defaultName + form
)

// Open returns the index of the domain that the setting topology.SettingSearchURL names, nil if
// none is set. The URL's path, if it has one, is the name of the index: several may share a domain.
func Open(h cloud.Host) (*Index, error) {
	setting := h.Getenv(topology.SettingSearchURL)
	if setting == "" {
		return nil, nil
	}
	base, err := url.Parse(setting)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("%s must be the URL of an OpenSearch domain, not %q", topology.SettingSearchURL, setting)
	}
	name := cmp.Or(strings.Trim(base.Path, "/"), defaultName)
	return &Index{
		origin: base.Scheme + "://" + base.Host + "/", alias: name + form,
		aws: h.AWS, signer: v4.NewSigner(), now: h.Now,
		searches: client{h.AWS.HTTPClient, searchTimeout},
		writes:   client{awshttp.NewBuildableClient(), writeTimeout}, // that of a function's other calls gives up after 5 s
	}, nil
}

const (
	signedService = "es"
	// maxAnswer bounds an answer, in bytes.
	maxAnswer = 64 << 20
)

// ErrAbsent reports that the domain has no filled index.
var ErrAbsent = errors.New("the search domain has no filled index")

func (x *Index) send(ctx context.Context, by client, method, path string, body []byte, out any) error {
	ctx, cancel := context.WithTimeout(ctx, by.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, x.origin+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-ndjson")
	credentials, err := x.aws.Credentials.Retrieve(ctx)
	if err != nil {
		return fmt.Errorf("retrieve the credentials: %w", err)
	}
	sum := sha256.Sum256(body)
	err = x.signer.SignHTTP(ctx, credentials, req, hex.EncodeToString(sum[:]), signedService, x.aws.Region, x.now())
	if err != nil {
		return fmt.Errorf("sign the request: %w", err)
	}
	resp, err := by.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch {
	case err != nil:
		return err
	case resp.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%w: %.300s", ErrAbsent, answer)
	case resp.StatusCode >= http.StatusBadRequest:
		return fmt.Errorf("%s %s: status %d: %.300s", method, path, resp.StatusCode, answer)
	case out == nil:
		return nil
	}
	return json.Unmarshal(answer, out)
}

type object map[string]any

func appendLine(lines []byte, value any) []byte {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // a value of this package that JSON does not know
	}
	return append(append(lines, raw...), '\n')
}

// Every role has a document for unapproved callers. A role of which approved callers see more has a
// second document for them. The head and the progress of a fill are documents too.
const (
	forStrangers = "shared"
	forApproved  = "approved"
	headID       = "/head"
	progressID   = "/progress"
)

type document struct {
	roleindex.Entry
	Audience string `json:"audience"`
	// Withheld reports that the approved see another document.
	Withheld bool `json:"withheld"`
	// Starts and the others are the beginnings of the terms of a kind.
	Starts        []string `json:"starts"`
	ProseStarts   []string `json:"proseStarts"`
	TitleStarts   []string `json:"titleStarts"`
	CompanyStarts []string `json:"companyStarts"`
	PairStarts    []string `json:"pairStarts"`
	// SkillShare is what one skill is of the tech stack, 0 without a stack.
	SkillShare float64 `json:"skillShare"`
}

var stack = roleindex.TechStack.Facet("")

func newDocument(d *roleindex.Doc, audience string, withheld bool) document {
	e := d.Entry()
	out := document{
		Entry: e, Audience: audience, Withheld: withheld,
		Starts: beginnings(e.Terms), ProseStarts: beginnings(e.Prose), TitleStarts: beginnings(e.Title),
		CompanyStarts: beginnings(e.Company), PairStarts: beginnings(e.Pairs),
	}
	skills := 0
	for _, facet := range e.Facets {
		if strings.HasPrefix(facet, stack) {
			skills++
		}
	}
	if skills > 0 {
		out.SkillShare = 1 / float64(skills)
	}
	return out
}

func facets(f roleindex.Field, values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = f.Facet(v)
	}
	return out
}

// minBeginning is the least number of letters of a term that a misspelt word, of four
// letters at least, can be taken for.
const minBeginning = 3

// beginnings returns the beginnings of terms, the terms included.
func beginnings(terms []string) []string {
	seen := map[string]bool{}
	all := []string(nil)
	for _, term := range terms {
		letters := []rune(term)
		for n := minBeginning; n <= len(letters); n++ {
			if start := string(letters[:n]); !seen[start] {
				seen[start] = true
				all = append(all, start)
			}
		}
	}
	return all
}

// unkeptFields are only searched: an answer never has them.
var unkeptFields = []string{
	"terms", "starts", "prose", "proseStarts", "investors", "title", "titleStarts", "company", "companyStarts", "pairs", "pairStarts",
}

// settings returns how an index is kept: in Browse order, so that a page ends a search early.
func settings(begun time.Time) object {
	keyword := object{"type": "keyword"}
	term := object{"type": "keyword", "doc_values": false}
	long := object{"type": "long"}
	whole := object{"type": "integer"}
	return object{
		"settings": object{
			"number_of_shards": 1, "auto_expand_replicas": "0-1", "refresh_interval": "-1",
			// A deletion is remembered for longer than any writer runs.
			"gc_deletes": "1h", "sort.field": []string{"key", "id"}, "sort.order": []string{"asc", "asc"},
		},
		"mappings": object{
			"_meta": object{"begun": begun.UnixMilli()}, "dynamic": false, "_source": object{"excludes": unkeptFields},
			"properties": object{
				"id": keyword, "audience": term, "key": long, "updated": long, "hour": whole, "withheld": object{"type": "boolean"},
				"terms": term, "starts": term, "prose": term, "proseStarts": term, "facets": term, "investors": term,
				"title": term, "titleStarts": term, "company": term, "companyStarts": term, "pairs": term, "pairStarts": term,
				"salaryLower": whole, "salaryUpper": whole, "yearsMin": whole, "yearsMax": whole,
				"feePercent": whole, "companySize": long, "skillShare": object{"type": "double"},
			},
		},
	}
}
