package bench

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	unicodetokens "github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/query"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// entry is a role as bleve gets it: the searched fields as one text, the
// description apart, and the place in Browse order to sort by.
type entry struct {
	Text, Description string
	Order             float64
}

func bleveMapping() (mapping.IndexMapping, error) {
	m := bleve.NewIndexMapping()
	err := m.AddCustomAnalyzer("folded", map[string]any{
		"type": custom.Name, "tokenizer": unicodetokens.Name, "token_filters": []string{lowercase.Name},
	})
	if err != nil {
		return nil, err
	}
	words := bleve.NewTextFieldMapping()
	order := bleve.NewNumericFieldMapping()
	words.Analyzer = "folded"
	words.Store = false
	words.IncludeInAll = false
	words.IncludeTermVectors = false
	words.DocValues = false
	order.Store = false
	order.IncludeInAll = false
	role := bleve.NewDocumentStaticMapping()
	role.AddFieldMappingsAt("Text", words)
	role.AddFieldMappingsAt("Description", words)
	role.AddFieldMappingsAt("Order", order)
	m.DefaultMapping = role
	m.DefaultAnalyzer = "folded"
	return m, nil
}

// buildBleve indexes the roles in batches of a thousand.
func buildBleve(dir string, docs []roleindex.Doc) error {
	m, err := bleveMapping()
	if err != nil {
		return err
	}
	index, err := bleve.New(dir, m)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(docs, 1000) {
		batch := index.NewBatch()
		for i := range part {
			if err := batch.Index(part[i].ID, entryOf(&part[i])); err != nil {
				return err
			}
		}
		if err := index.Batch(batch); err != nil {
			return err
		}
	}
	return index.Close()
}

func entryOf(d *roleindex.Doc) entry {
	fields := slices.Concat([]string{d.Name, d.Company, d.OneLiner}, d.Places, d.Locations, d.RoleTypes, d.Industries, d.TechStack)
	return entry{
		Text:        strings.Join(text.Words(strings.Join(fields, " ")), " "),
		Description: strings.Join(text.Words(d.Description), " "),
		Order:       float64(d.OrderKey()),
	}
}

// bleveEngine is an index of bleve in a directory.
func bleveEngine(dir string) engine {
	dir = filepath.Join(dir, "roles.bleve")
	return engine{
		name: "bleve", use: ownUse,
		build: func(b *testing.B, docs []roleindex.Doc) (size float64) {
			err := errors.Join(buildBleve(dir, docs), filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				info, err := entry.Info()
				size += float64(info.Size())
				return err
			}))
			if err != nil {
				b.Fatal(err)
			}
			return size
		},
		open: func(b *testing.B) (trial.Engine, func()) {
			index, err := bleve.OpenUsing(dir, map[string]any{"read_only": true})
			if err != nil {
				b.Fatal(err)
			}
			return searchBleve(index), func() { _ = index.Close() }
		},
	}
}

// searchBleve searches for all words, with the same typos allowed as in the role index (first
// letters fixed), the last word also as a prefix, in Browse order. It searches the descriptions if
// the other fields have no match.
func searchBleve(index bleve.Index) trial.Engine {
	return func(typed string) []string {
		for _, fields := range [][]string{{"Text"}, {"Text", "Description"}} {
			request := bleve.NewSearchRequestOptions(allWords(text.Words(typed), fields), 20, 0, false)
			request.SortBy([]string{"Order"})
			found, err := index.Search(request)
			if err != nil {
				panic(err)
			}
			if len(found.Hits) > 0 {
				var ids []string
				for _, h := range found.Hits {
					ids = append(ids, h.ID)
				}
				return ids
			}
		}
		return nil
	}
}

func allWords(words, fields []string) query.Query {
	var all []query.Query
	for i, w := range words {
		var ways []query.Query
		for _, field := range fields {
			fuzzy := bleve.NewFuzzyQuery(w)
			fuzzy.SetFuzziness(allowedTypos(w))
			fuzzy.SetPrefix(1)
			fuzzy.SetField(field)
			ways = append(ways, fuzzy)
			if i == len(words)-1 {
				prefix := bleve.NewPrefixQuery(w)
				prefix.SetField(field)
				ways = append(ways, prefix)
			}
		}
		all = append(all, bleve.NewDisjunctionQuery(ways...))
	}
	return bleve.NewConjunctionQuery(all...)
}

func allowedTypos(w string) int {
	switch n := utf8.RuneCountInString(w); {
	case n < 4 || strings.ContainsFunc(w, unicode.IsNumber):
		return 0
	case n < 8:
		return 1
	}
	return 2
}
