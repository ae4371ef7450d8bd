package main

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// part is a section of a varied resume: entries of blocks under a heading.
type part struct {
	role, heading string
	entries       [][]block
}

// piece is one fact on a line, and what stands before and behind it.
type piece struct{ role, before, text, behind string }

// slot is the place of a fact in the heads of a resume.
type slot struct{ role, before, behind string }

// gaps are what may stand between two facts.
var gaps = map[string][]string{
	"TC": {", ", " | ", " – ", " at ", " at ", " @ ", " · ", " — ", ", ", " - ", " • "},
	"CT": {", ", " | ", " – ", ": ", " — ", " · ", " - "},
	"GS": {", ", " | ", " – ", ", ", " · ", " - "},
	"SG": {", ", " | ", " – ", ": ", " · ", " — "},
	"*D": {"\t", "\t", " | ", " (", ", ", " · ", " ("},
	"D*": {": ", "\t", " | ", " · ", "   "},
	"*L": {", ", ", ", " | ", " (", " · ", "\t", " – "},
	"L*": {" | ", " · ", "\t"},
}

func findGaps(left, right string) []string {
	for _, key := range []string{left + right, "*" + right, left + "*"} {
		if list := gaps[key]; list != nil {
			return list
		}
	}
	return []string{" | ", " · "}
}

// drawHead returns the lines of a head: facts in any order on one to four lines.
func drawHead(roles []string, random *rand.Rand) [][]slot {
	order := drawSome(roles, len(roles), random)
	if order[1] == "D" && chance(0.6, random) { // dates between them are less frequent
		order[1], order[2] = order[2], order[1]
	}
	if chance(0.55, random) {
		at := slices.IndexFunc(order, func(role string) bool { return role == "C" || role == "S" }) + 1
		if chance(0.2, random) {
			at = len(order)
		}
		order = slices.Insert(order, at, "L")
	}
	lines := [][]slot{{{role: order[0]}}}
	for i, role := range order[1:] {
		if chance(0.5, random) && len(lines) < 4 {
			lines = append(lines, []slot{{role: role}})
			continue
		}
		last := &lines[len(lines)-1]
		s := slot{role: role, before: drawOne(findGaps(order[i], role), random)}
		if s.before == " (" {
			s.behind = ")"
		}
		*last = append(*last, s)
	}
	return lines
}

// fill sets the facts of an entry into the slots. Lines and slots without a fact go.
func fill(lines [][]slot, facts map[string]string) []block {
	var out []block
	for _, line := range lines {
		var pieces []piece
		for _, s := range line {
			if facts[s.role] == "" {
				continue
			}
			p := piece{s.role, s.before, facts[s.role], s.behind}
			if len(pieces) == 0 {
				p.before = ""
				p.behind = ""
			}
			pieces = append(pieces, p)
		}
		if len(pieces) > 0 {
			out = append(out, newLine(pieces))
		}
	}
	out[0].kind = headLine
	return out
}

func newLine(pieces []piece) block {
	var text strings.Builder
	for _, p := range pieces {
		text.WriteString(p.before + p.text + p.behind)
	}
	return block{kind: line, text: text.String(), pieces: pieces}
}

// variedStyle is how one varied resume is written.
type variedStyle struct {
	style
	random      *rand.Rand
	head, study [][]slot
	body        string // bullets, story, both, none, lines
	about       string // website, description, both, none: between head and body
	tools       string // a line of keywords behind the body
	job         string // employment type behind the title, company or on a line, or none
	total       string // dates or duration beside the company of several roles
	last        bool   // heads stand behind their bodies
	page        variedPage
}

func (v *variedStyle) drawHabits() {
	v.body = drawOne([]string{"bullets", "bullets", "bullets", "story", "both", "lines", "none"}, v.random)
	v.about = drawOne([]string{"none", "none", "none", "website", "description", "both"}, v.random)
	v.job = drawOne([]string{"none", "none", "none", "none", "title", "line", "department"}, v.random)
	v.total = drawOne([]string{"none", "duration", "dates"}, v.random)
	if chance(0.2, v.random) {
		v.tools = v.draw("toolLabels")
	}
	v.last = chance(0.02, v.random)
	v.page = drawPage(v.random)
}

func (v *variedStyle) draw(key string) string { return v.l.draw(key, v.random) }

// arrangeParts returns the sections of a resume, those that are no jobs among them.
func (v *variedStyle) arrangeParts(p person) []part {
	var out []part
	for _, section := range v.Order {
		one := part{role: section, heading: v.heading(section)}
		switch section {
		case "experience":
			one.entries = v.arrangeCareer(p.Jobs)
		case "education":
			for _, e := range p.Studies {
				one.entries = append(one.entries, v.arrangeStudy(e))
			}
		default:
			blocks := v.arrangeSection(section, p)
			if len(blocks) == 0 {
				continue
			}
			one.entries = [][]block{blocks[1:]}
		}
		out = append(out, one)
	}
	for _, section := range []string{"volunteer", "projects", "awards", "certificates", "publications", "references"} {
		lines := v.l.values(strings.TrimSuffix(strings.TrimSuffix(section, "s"), "Roles") + "Lines")
		if section == "volunteer" {
			lines = v.l.values("volunteerRoles")
		}
		if lines != nil && chance(0.25, v.random) {
			one := part{role: section, heading: v.draw(section)}
			for _, text := range drawSome(lines, 1+v.random.IntN(2), v.random) {
				one.entries = append(one.entries, []block{{kind: drawOne([]kind{line, bullet, paragraph}, v.random), text: text}})
			}
			out = slices.Insert(out, 1+v.random.IntN(len(out)), one)
		}
	}
	return out
}

func (v *variedStyle) arrangeCareer(jobs []job) [][]block {
	var out [][]block
	for i, j := range jobs {
		facts := map[string]string{"T": j.Title, "C": j.Company, "L": j.Location, "D": v.dates(j.Start, j.End)}
		head := v.head
		var above []block
		if v.Nested {
			if i == 0 || jobs[i-1].Company != j.Company {
				above = v.arrangeCompany(jobs[i:])
			}
			head = [][]slot{{{role: "T"}, {role: "D", before: v.head[0][0].nestedGap()}}}
		}
		facts = v.withEmployment(facts)
		entry := v.arrangeEntry(fill(append(slices.Clip(head), []slot{{role: "E"}}), facts), j)
		out = append(out, append(above, entry...))
	}
	return out
}

// nestedGap is what parts a role from its dates under a company.
func (s slot) nestedGap() string {
	return map[string]string{"T": "\t", "C": " | ", "D": ", "}[s.role]
}

// arrangeCompany returns the line of a company above its roles, with their dates or how long
// all lasted.
func (v *variedStyle) arrangeCompany(jobs []job) []block {
	first := len(jobs) - 1
	for i, j := range jobs {
		if j.Company != jobs[0].Company {
			first = i - 1
			break
		}
	}
	facts := map[string]string{"C": jobs[0].Company, "L": jobs[0].Location}
	if first > 0 && v.total == "dates" {
		facts["D"] = v.formatPeriod(jobs[first].Start, jobs[0].End)
	}
	if v.total == "duration" && v.Units != nil {
		facts["D"] = v.formatDuration(jobs[first].Start, jobs[0].End)
	}
	return fill([][]slot{{{role: "C"}, {role: "L", before: ", "}, {role: "D", before: "\t"}}}, facts)
}

func (v *variedStyle) dates(start, end month) string {
	dates := v.formatPeriod(start, end)
	if v.Lasting {
		dates += drawByLook(v.Look, []string{" (" + v.formatDuration(start, end) + ")", " · " + v.formatDuration(start, end)})
	}
	return dates
}

// withEmployment adds the type of employment or the department to the facts of a job.
func (v *variedStyle) withEmployment(facts map[string]string) map[string]string {
	employment := v.draw("employment")
	if employment == "" {
		return facts
	}
	switch v.job {
	case "title":
		facts["T"] += drawByLook(v.Look/3, []string{" (" + employment + ")", " · " + employment, " - " + employment})
	case "line":
		facts["E"] = employment
	case "department":
		facts["E"] = v.draw("departments")
	}
	return facts
}

// arrangeEntry returns a job's blocks: its head, what its company is, and what was done.
func (v *variedStyle) arrangeEntry(head []block, j job) []block {
	var body []block
	if v.about == "website" || v.about == "both" {
		site := strings.ToLower(strings.Join(splitWords(toASCII(j.Company)), "")) + ".example.com"
		body = append(body, block{kind: line, text: drawByLook(v.Look, []string{"https://www." + site, "www." + site}), url: "https://www." + site})
	}
	if text := v.draw("about"); text != "" && (v.about == "description" || v.about == "both") {
		body = append(body, block{kind: line, text: text})
	}
	story := v.draw("story")
	if story != "" && (v.body == "story" || v.body == "both") {
		body = append(body, block{kind: paragraph, text: story})
	}
	switch v.body {
	case "bullets", "both":
		body = append(body, v.arrangeBullets(j.Bullets)...)
	case "lines":
		for _, text := range j.Bullets {
			body = append(body, block{kind: line, text: text + "."})
		}
	}
	if v.tools != "" {
		body = append(body, block{kind: line, text: v.tools + ": " + v.draw("tools")})
	}
	if v.last {
		return append(body, head...)
	}
	return append(head, body...)
}

func (v *variedStyle) arrangeStudy(e study) []block {
	out := fill(v.study, map[string]string{"G": e.Degree, "S": e.School, "D": v.formatPeriod(e.Start, e.End), "L": v.draw("places1")})
	for _, key := range []string{"grades", "courses"} {
		if text := v.draw(key); text != "" && chance(0.25, v.random) {
			out = append(out, block{kind: drawOne([]kind{line, bullet}, v.random), text: text})
		}
	}
	return out
}
