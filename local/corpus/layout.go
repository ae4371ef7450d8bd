package main

import "strings"

type kind int

const (
	text kind = iota
	name
	role
	heading
	bullet
	head // a job's bold line; right is at the right margin
	row  // of a table, or the columns of the page
)

// node is one paragraph, or a row of cells.
type node struct {
	kind        kind
	text, right string
	link        string // URL that the paragraph links to
	cells       [][]node
	widths      []int // percent
}

// layouts arrange a person's facts. Details vary by the person's number in the seed file.
var layouts = []struct {
	name    string
	arrange func(p person, number int) []node
}{
	{"simple", arrangeLines(stacked)}, {"right", arrangeLines(aligned)}, {"sidebar", arrangeSidebar}, {"table", arrangeTable},
}

// The head of a job by the letter of the person's style; a tab precedes what is at
// the right margin.
var (
	stacked = map[string]string{
		"A": "{T} at {C}\n{D} | {L}", "B": "{C}, {L}\n{T}\n{D}", "C": "{T} | {C} | {L} | {D}", "D": "{D}\n{T}, {C}",
		"E": "{T}\n{C} — {L}\n{D}", "F": "{C}\n{T} ({D})", "G": "{T}, {C}\n{L}, {D}", "H": "{T} — {C}\n{L} ({D})",
	}
	aligned = map[string]string{
		"A": "{T}, {C}\t{D}", "B": "{C}, {L}\t{D}\n{T}", "C": "{T}\t{D}\n{C}\t{L}", "D": "{C}\t{L}\n{T}\t{D}",
		"E": "{T} at {C}\t{D}", "F": "{C}\t{D}\n{T}", "G": "{T}\t{D}\n{C}, {L}", "H": "{C} | {T}\t{D}",
	}
	celled = map[string][2]string{
		"A": {"{D}", "{T}, {C}"}, "B": {"{D}\n{L}", "{C}\n{T}"}, "C": {"{D}", "{T}\n{C}, {L}"}, "D": {"{D}", "{T} | {C}"},
		"E": {"{T}\n{C}, {L}", "{D}"}, "F": {"{D}", "{C}\n{T}"}, "G": {"{T}", "{C}\t{D}"}, "H": {"{C}\n{T}", "{D}\n{L}"},
	}
)

func arrangeLines(heads map[string]string) func(p person, number int) []node {
	return func(p person, number int) []node {
		return append(topNodes(p, number), p.sectionNodes(number, func(j job) []node { return p.jobNodes(heads[p.Style.Head], j) })...)
	}
}

// arrangeSidebar puts contacts, skills and languages left or right of the rest, and the
// name above both or into one of them.
func arrangeSidebar(p person, number int) []node {
	letter := string("DEFGHABC"[p.Style.Head[0]-'A'])
	side := append([]node{{kind: heading, text: "Contact"}}, p.contactNodes(number)...)
	side = append(side, p.skillNodes()...)
	side = append(side, p.languageNodes()...)
	main := append(p.summaryNodes(), p.experienceNodes(func(j job) []node { return p.jobNodes(stacked[letter], j) })...)
	main = append(main, p.educationNodes()...)
	title := []node{{kind: name, text: p.Name}, {kind: role, text: p.Title}}
	var above []node
	switch number % 3 {
	case 0:
		above = title
	case 1:
		main = append(title, main...)
	case 2:
		side = append(title, side...)
	}
	columns := node{kind: row, cells: [][]node{side, main}, widths: []int{32, 68}}
	if number%4 == 3 {
		columns = node{kind: row, cells: [][]node{main, side}, widths: []int{68, 32}}
	}
	return append(above, columns)
}

func arrangeTable(p person, number int) []node {
	pattern := celled[p.Style.Head]
	nodes := topNodes(p, number)
	nodes = append(nodes, p.summaryNodes()...)
	nodes = append(nodes, node{kind: heading, text: p.Style.Exp})
	widths := []int{28, 72}
	if strings.Contains(pattern[1], "{D}") {
		widths = []int{65, 35}
	}
	for _, j := range p.Jobs {
		left, right := p.jobHeadNodes(pattern[0], j), p.jobHeadNodes(pattern[1], j)
		if widths[0] < 50 {
			right = append(right, bulletNodes(j)...)
		} else {
			left = append(left, bulletNodes(j)...)
		}
		nodes = append(nodes, node{kind: row, cells: [][]node{left, right}, widths: widths})
	}
	nodes = append(nodes, p.educationNodes()...)
	nodes = append(nodes, p.skillNodes()...)
	return append(nodes, p.languageNodes()...)
}

func topNodes(p person, number int) []node {
	nodes := []node{{kind: name, text: p.Name}, {kind: role, text: p.Title}}
	if number%2 == 0 {
		line := []string{p.Location, p.Phone, p.Email, p.LinkedIn}
		if p.GitHub != "" {
			line = append(line, p.GitHub)
		}
		return append(nodes, node{text: strings.Join(line, " | ")})
	}
	return append(nodes, p.contactNodes(number)...)
}

// contactNodes returns one line per contact; every fourth person shows LinkedIn as a link only.
func (p person) contactNodes(number int) []node {
	nodes := []node{{text: p.Location}, {text: p.Phone}, {text: p.Email}}
	if number%4 == 3 {
		nodes = append(nodes, node{text: "LinkedIn", link: "https://" + strings.TrimPrefix(p.LinkedIn, "https://")})
	} else {
		nodes = append(nodes, node{text: p.LinkedIn})
	}
	if p.GitHub != "" {
		nodes = append(nodes, node{text: p.GitHub})
	}
	return nodes
}

func (p person) sectionNodes(number int, job func(job) []node) []node {
	nodes := p.summaryNodes()
	if number%2 == 1 {
		nodes = append(nodes, p.skillNodes()...)
	}
	nodes = append(nodes, p.experienceNodes(job)...)
	nodes = append(nodes, p.educationNodes()...)
	if number%2 == 0 {
		nodes = append(nodes, p.skillNodes()...)
	}
	return append(nodes, p.languageNodes()...)
}

func (p person) summaryNodes() []node {
	return []node{{kind: heading, text: p.Style.Sum}, {text: p.Summary}}
}

func (p person) experienceNodes(nodes func(job) []node) []node {
	all := []node{{kind: heading, text: p.Style.Exp}}
	for _, j := range p.Jobs {
		all = append(all, nodes(j)...)
	}
	return all
}

func (p person) jobNodes(pattern string, j job) []node {
	return append(p.jobHeadNodes(pattern, j), bulletNodes(j)...)
}

func (p person) jobHeadNodes(pattern string, j job) []node {
	var nodes []node
	for line := range strings.SplitSeq(p.fillPattern(pattern, j), "\n") {
		left, right, _ := strings.Cut(line, "\t")
		nodes = append(nodes, node{kind: head, text: left, right: right})
	}
	return nodes
}

func bulletNodes(j job) []node {
	var nodes []node
	for _, b := range j.Bullets {
		nodes = append(nodes, node{kind: bullet, text: b})
	}
	return nodes
}

func (p person) educationNodes() []node {
	nodes := []node{{kind: heading, text: p.Style.Edu}}
	for _, e := range p.Education {
		nodes = append(nodes, node{kind: head, text: e.Degree, right: e.Start + " – " + e.End}, node{text: e.School})
	}
	return nodes
}

func (p person) skillNodes() []node {
	nodes := []node{{kind: heading, text: p.Style.Skl}}
	switch p.Style.Skills {
	case "bars":
		return append(nodes, node{text: strings.Join(p.Skills, " | ")})
	case "bullets", "lines":
		for _, s := range p.Skills {
			nodes = append(nodes, node{kind: map[string]kind{"bullets": bullet}[p.Style.Skills], text: s})
		}
		return nodes
	}
	return append(nodes, node{text: strings.Join(p.Skills, ", ")})
}

func (p person) languageNodes() []node {
	return []node{{kind: heading, text: p.Style.Lng}, {text: strings.Join(p.Languages, ", ")}}
}
