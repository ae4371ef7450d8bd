package main

import (
	"slices"
	"strings"
)

type kind string

const (
	nameLine    kind = "name"
	contactLine kind = "contact"
	heading     kind = "heading"
	headLine    kind = "head" // the first line of a job or course
	line        kind = "line" // its further lines
	bullet      kind = "bullet"
	paragraph   kind = "paragraph"
	row         kind = "row"   // cells beside each other; neighbouring rows form a table
	aside       kind = "aside" // Cells: the narrow column and the wide one
)

// block is a piece of a resume. A tab in its text sends what follows to the right margin.
type block struct {
	Kind  kind
	Text  string
	URL   string
	Cells [][]block
}

// Left returns the text before the tab.
func (b block) Left() string { return strings.Split(b.Text, "\t")[0] }

// Right returns the text after the tab, "" without one.
func (b block) Right() string {
	_, right, _ := strings.Cut(b.Text, "\t")
	return right
}

// splitTables returns the tables among blocks, which are neighbouring rows of as many cells, and each other block alone.
func splitTables(blocks []block) (parts [][]block) {
	for i, b := range blocks {
		isNext := i > 0 && b.Kind == row && blocks[i-1].Kind == row
		if isNext && len(b.Cells) == len(blocks[i-1].Cells) {
			parts[len(parts)-1] = append(parts[len(parts)-1], b)
		} else {
			parts = append(parts, []block{b})
		}
	}
	return parts
}

func (s style) arrange(p person) []block {
	var out []block
	if s.Title != "" {
		out = append(out, block{Kind: contactLine, Text: s.Title})
	}
	name := block{Kind: nameLine, Text: p.Name}
	if s.NameUpper {
		name.Text = strings.ToUpperSpecial(s.upperCase(), p.Name)
	}
	out = append(out, name)
	if s.Layout == "columns" {
		return append(out, s.arrangeColumns(p))
	}
	if s.Order[0] != "personal" {
		out = append(out, s.arrangeContact(p)...)
	}
	for _, section := range s.Order {
		out = append(out, s.arrangeSection(section, p)...)
	}
	return out
}

// arrangeColumns sets addresses, skills and languages into the narrow column.
func (s style) arrangeColumns(p person) block {
	narrow := []block{{Kind: heading, Text: s.Heading("contact")}}
	contact := s
	contact.Join = "lines"
	narrow = append(narrow, contact.arrangeContact(p)...)
	var wide []block
	for _, section := range s.Order {
		switch section {
		case "skills", "tongues", "interests":
			narrow = append(narrow, s.arrangeSection(section, p)...)
		case "personal":
		default:
			wide = append(wide, s.arrangeSection(section, p)...)
		}
	}
	if s.AsideRight {
		return block{Kind: aside, Cells: [][]block{wide, narrow}}
	}
	return block{Kind: aside, Cells: [][]block{narrow, wide}}
}

// arrangeContact sets the addresses: joined, one a line, or behind labels.
func (s style) arrangeContact(p person) []block {
	linkedIn := strings.TrimPrefix(p.LinkedIn, "https://www.")
	lines := []block{
		{Kind: contactLine, Text: p.Location}, {Kind: contactLine, Text: p.Phone},
		{Kind: contactLine, Text: p.Email, URL: "mailto:" + p.Email}, {Kind: contactLine, Text: linkedIn, URL: p.LinkedIn},
	}
	switch s.Join {
	case "lines":
		return lines
	case "labels":
		labels := s.l.values("labels")
		for i, label := range []string{labels[3], labels[1], labels[2], "LinkedIn"} {
			lines[i].Text = label + ": " + lines[i].Text
		}
		return lines
	}
	return []block{{Kind: contactLine, Text: strings.Join([]string{p.Location, p.Phone, p.Email, linkedIn}, s.Join)}}
}

func (s style) arrangeSection(section string, p person) []block {
	var content []block
	switch section {
	case "summary":
		content = []block{{Kind: paragraph, Text: p.Summary}}
	case "experience":
		content = s.arrangeJobs(p.Jobs)
	case "education":
		for _, e := range p.Studies {
			if s.isFlow() {
				content = append(content, setHead(s.fillStudy(s.Study, e))...)
				continue
			}
			content = append(content, s.besideDates(s.Period(e.Start, e.End), setHead(s.fillStudy(withoutDates(s.Study), e))))
		}
	case "skills":
		content = s.arrangeSkills(p.Skills)
	case "tongues":
		for _, t := range p.Tongues {
			content = append(content, block{Kind: line, Text: t.Name + drawByLook(s.Look, []string{": ", " – ", ", "}) + t.Level})
		}
	case "interests":
		content = []block{{Kind: paragraph, Text: p.Hobbies}}
	case "personal": // the name behind a label, above the addresses
		s.Join = "labels"
		name := block{Kind: contactLine, Text: s.l.values("labels")[0] + ": " + p.Name}
		content = append([]block{name}, s.arrangeContact(p)...)
		if s.Layout != "label" && s.Layout != "table" {
			break
		}
		for i, b := range content {
			label, value, _ := strings.Cut(b.Text, ": ")
			content[i] = block{Kind: row, Cells: [][]block{{{Kind: line, Text: label}}, {{Kind: line, Text: value, URL: b.URL}}}}
		}
	}
	return append([]block{{Kind: heading, Text: s.Heading(section)}}, content...)
}

func (s style) arrangeJobs(jobs []job) []block {
	var out []block
	if s.Layout == "table" && s.Ruled {
		out = append(out, s.tableRow(s.l.values("columns")...))
	}
	for i, j := range jobs {
		dates := s.Period(j.Start, j.End)
		switch {
		case s.Nested && s.Layout == "single": // a company once, above the jobs that follow each other there
			if i == 0 || jobs[i-1].Company != j.Company {
				out = append(out, block{Kind: headLine, Text: j.Company + "\t" + j.Location})
			}
			role := "{T}\t{D}"
			if !s.RightTab {
				role = "{T} ({D})"
			}
			out = append(out, block{Kind: line, Text: s.fillHead([]string{role}, j)[0]})
			out = append(out, setLines(bullet, j.Bullets)...)
		case s.Layout == "table" && s.Ruled:
			out = append(out, s.tableRow(dates, j.Title, j.Company))
		case s.isFlow():
			out = append(out, setHead(s.fillHead(s.Head, j), j.Bullets...)...)
		default:
			out = append(out, s.besideDates(dates, setHead(s.fillHead(s.Beside, j), j.Bullets...)))
		}
	}
	return out
}

// isFlow reports whether a job's dates are among its lines.
func (s style) isFlow() bool { return s.Layout == "single" || s.Layout == "columns" }

// besideDates sets content beside its dates: with a mark between them in a timeline.
func (s style) besideDates(dates string, content []block) block {
	cells := [][]block{{{Kind: line, Text: dates}}, content}
	if s.Layout == "timeline" {
		cells = slices.Insert(cells, 1, []block{{Kind: line, Text: "●"}})
	}
	return block{Kind: row, Cells: cells}
}

func (s style) tableRow(texts ...string) block {
	b := block{Kind: row}
	for _, t := range texts {
		b.Cells = append(b.Cells, []block{{Kind: line, Text: t}})
	}
	return b
}

func (s style) arrangeSkills(skills []string) []block {
	switch s.Skills {
	case "bars":
		return []block{{Kind: line, Text: strings.Join(skills, " | ")}}
	case "bullets":
		return setLines(bullet, skills)
	case "lines":
		return setLines(line, skills)
	case "groups":
		half := (len(skills) + 1) / 2
		return setLines(line, []string{"IT: " + strings.Join(skills[:half], ", "), "Tools: " + strings.Join(skills[half:], ", ")})
	}
	return []block{{Kind: paragraph, Text: strings.Join(skills, ", ")}}
}

func setHead(lines []string, bullets ...string) []block {
	out := setLines(line, lines)
	out[0].Kind = headLine
	return append(out, setLines(bullet, bullets)...)
}

func setLines(of kind, texts []string) []block {
	var out []block
	for _, text := range texts {
		out = append(out, block{Kind: of, Text: strings.TrimRight(text, "\t")})
	}
	return out
}
