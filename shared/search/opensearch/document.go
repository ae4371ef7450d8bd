package opensearch

import (
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Every role has a document for unapproved callers. A role of which approved callers see more has a
// second document for them. The head and the progress of a fill are documents too.
const (
	forStrangers = "shared"
	forApproved  = "approved"
	headID       = "/head"
	progressID   = "/progress"
)

// document is what a domain keeps.
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

// stack begins the facets of the tech stack.
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
