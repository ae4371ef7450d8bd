package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// grammars are the families whose structure grammar.py draws at random: every file has one of its
// own. Programs place the text of the first, WeasyPrint and Chromium print the others.
var grammars = []family{
	newGrammar("placed", "place"), newGrammar("placed", "place"), newGrammar("printed", "print"), newGrammar("browser", "browse"),
}

func newGrammar(name, source string) family {
	return family{
		Name: name, Formats: []string{"pdf"}, Source: source,
		Layouts: []string{"single", "columns", "label", "table", "timeline"},
		Forms:   []string{"{MMM} {yyyy}", "{MM}/{yyyy}", "{yyyy}", "{MMMM} {yyyy}", "{MMM} {yyyy}", "{MM}.{yyyy}", "{yyyy}-{MM}"},
		Parts:   []string{" – ", " - ", "–", "-", " to ", " — "},
		Opens:   []string{"now", "now", "now", "dash", "since"},
		Heads:   []string{"{T}"}, Beside: []string{"{T}"}, Studies: []string{"{G}"}, Bullets: []string{"list"}, Join: []string{"lines"}, Skills: []string{"comma"},
		Orders: [][]string{
			{"summary", "experience", "education", "skills", "tongues"}, {"experience", "education", "skills", "tongues", "interests"}, {"summary", "skills", "experience", "education", "tongues"},
			{"education", "experience", "skills", "tongues"}, {"skills", "experience", "education"}, {"experience", "skills", "education", "tongues"},
		},
	}
}

// planGrammars plans files of the grammar: those of scripts that need shaping are printed.
func planGrammars(code string, l language) []plan {
	usable := slices.DeleteFunc(slices.Clone(grammars), func(f family) bool { return f.Source == "place" && drawnFiles(code) == 0 })
	count := 6
	if code == "en" {
		count = 200
	}
	return planFamilies(usable, code, l, count, "")
}

// writeFacts writes what grammar.py makes a page of.
func writeFacts(p person, s style) []byte {
	labels := s.l.values("labels")
	direction := "ltr"
	if s.l.isRightToLeft() {
		direction = "rtl"
	}
	var jobs, studies []map[string]any
	for _, j := range p.Jobs {
		jobs = append(jobs, map[string]any{"T": j.Title, "C": j.Company, "L": j.Location, "D": s.formatPeriod(j.Start, j.End), "bullets": j.Bullets})
	}
	for _, e := range p.Studies {
		studies = append(studies, map[string]any{"G": e.Degree, "S": e.School, "D": s.formatPeriod(e.Start, e.End)})
	}
	var tongues [][]string
	for _, t := range p.Tongues {
		tongues = append(tongues, []string{t.Name, t.Level})
	}
	out, err := json.Marshal(map[string]any{
		"look": s.Look, "layout": s.Layout, "code": s.l.values("code")[0], "dir": direction, "name": p.Name, "title": s.Title, "summary": p.Summary, "hobbies": p.Hobbies,
		"contact": [][]string{{labels[3], p.Location}, {labels[1], p.Phone}, {labels[2], p.Email}, {"LinkedIn", strings.TrimPrefix(p.LinkedIn, "https://www.")}},
		"jobs":    jobs, "studies": studies, "skills": p.Skills, "tongues": tongues, "tongue_part": drawByLook(s.Look, []string{": ", " – ", ", "}),
		"headings": s.Headings, "order": s.Order, "words": map[string]any{"columns": s.l.values("columns")},
	})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return out
}
