package main

import (
	"encoding/json"
	"io/fs"
)

// family is a family of generators: a way to write files, and the habits of those who
// write them so. Nothing but the layouts' names is common to all.
type family struct {
	Name    string
	Formats []string // extensions of the files; pdf is converted from the file of type Source
	Source  string   // extension of a PDF file's source
	Layouts []string // single, columns, label, table, timeline; repeated if more frequent
	Forms   []string // of dates (style.formatMonth)
	Parts   []string // between two dates
	Opens   []string // how a current job ends: now, dash, since
	Heads   []string // lines of a job in the flow, parted by bars; a tab goes to the right margin
	Beside  []string // lines of a job with dates in a column of their own
	Studies []string // lines of a course of study: {G} degree, {S} school
	Bullets []string
	Orders  [][]string
	Join    []string // what parts the addresses under the name; "lines" and "labels" set one a line
	Skills  []string // comma, bars, bullets, lines, groups
	Upper   float64  // probability of headings in capitals
	Lasting float64  // probability of durations behind dates
	Nested  float64  // probability of promotions under one company
}

// readFamilies reads a table of families.
func readFamilies(file string) ([]family, error) {
	content, err := fs.ReadFile(data, file)
	if err != nil {
		return nil, err
	}
	var families []family
	err = json.Unmarshal(content, &families)
	return families, err
}
