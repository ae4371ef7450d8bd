package main

import (
	"encoding/xml"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// feed is an Atom feed (RFC 4287), as far as the changelog needs it.
type feed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []feedLink  `xml:"link"`
	Entries []feedEntry `xml:"entry"`
}

type feedEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    feedLink `xml:"link"`
	Summary string   `xml:"summary"`
}

type feedLink struct {
	Rel string `xml:"rel,attr"`
	URL string `xml:"href,attr"`
}

// renderFeed returns the changelog as an Atom feed.
func renderFeed() ([]byte, error) {
	const docs = contract.ExampleURL + contract.BasePath + "/docs"
	const id = "tag:recruiting-marketplace,2026:external-api/v1"
	f := feed{
		ID: id, Title: "Changes of the Recruiting Marketplace External API", Author: "Recruiting Marketplace",
		Updated: feedTime(openapi.Changes[0].Date), Links: []feedLink{{"self", docs + "/changes.atom"}, {"alternate", docs}},
	}
	for _, c := range openapi.Changes {
		f.Entries = append(f.Entries, feedEntry{
			ID: id + "/" + c.Version, Title: "Version " + c.Version, Updated: feedTime(c.Date),
			Link: feedLink{"alternate", docs + "#changelog"}, Summary: c.What,
		})
	}
	out, err := xml.MarshalIndent(f, "", "  ")
	return append([]byte(xml.Header), append(out, '\n')...), err
}

// feedTime returns a date of the changelog as the time that Atom asks for. It panics on no date.
func feedTime(date string) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return t.Format(time.RFC3339)
}
