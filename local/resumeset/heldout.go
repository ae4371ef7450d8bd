package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

// Numbers of the held-out set's files.
const (
	perHeldOutLanguage = 24  // written by the development families
	perHeldOutEnglish  = 100 // by the held-out families
	perOtherLanguage   = 4   // by the held-out families, in a language of the development set
)

// noTeX lists the scripts that the LaTeX templates have no fonts for.
var noTeX = []string{"ar", "hi", "ja", "zh"}

// planHeldOut plans the held-out set: development families in languages that are held
// out, and held-out families in other languages, of which English has words of its own.
func planHeldOut() ([]plan, error) {
	languages, err := readLanguages("heldout/languages")
	if err != nil {
		return nil, err
	}
	known, err := developmentLanguages()
	if err != nil {
		return nil, err
	}
	content, err := fs.ReadFile(data, "heldout/families.json")
	if err != nil {
		return nil, err
	}
	var own []family
	if err := json.Unmarshal(content, &own); err != nil {
		return nil, err
	}
	plans := planFamilies(own, "en", languages["en"], perHeldOutEnglish, "family")
	for _, code := range slices.Sorted(maps.Keys(languages)) {
		if code != "en" {
			plans = append(plans, planFamilies(families, code, languages[code], perHeldOutLanguage, "language")...)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(known)) {
		usable := slices.DeleteFunc(slices.Clone(own), func(f family) bool { return f.Source == "tex" && slices.Contains(noTeX, code) })
		if code != "en" {
			plans = append(plans, planFamilies(usable, code, known[code], perOtherLanguage, "family")...)
		}
	}
	return plans, nil
}

// page is what a LaTeX template is filled with.
type page struct {
	P                                                  person
	S                                                  pageStyle
	Jobs                                               []pageJob
	Studies                                            []pageStudy
	First, Last, Slug, Font, Telephone, Address, Vitae string
}

type pageStyle struct{ style }

// Heading returns a section's heading.
func (s pageStyle) Heading(section string) string { return s.heading(section) }

type pageJob struct {
	job
	Dates string
}

type pageStudy struct {
	study
	Dates string
}

func newPage(p person, s style) page {
	first, last, _ := strings.Cut(p.Name, " ")
	font := drawByLook(s.Look, []string{"DejaVu Serif", "DejaVu Sans"})
	if s.l.values("code")[0] == "en" {
		font = drawByLook(s.Look, []string{"Latin Modern Roman", "DejaVu Sans", "Latin Modern Sans"})
	}
	labels := s.l.values("labels")
	filled := page{P: p, S: pageStyle{s}, First: first, Last: last, Slug: path.Base(p.LinkedIn), Font: font,
		Telephone: labels[1], Address: labels[3], Vitae: s.l.values("vitae")[0]}
	for _, j := range p.Jobs {
		dates := s.formatPeriod(j.Start, j.End)
		if s.Lasting {
			dates += " (" + s.formatDuration(j.Start, j.End) + ")"
		}
		filled.Jobs = append(filled.Jobs, pageJob{j, dates})
	}
	for _, e := range p.Studies {
		filled.Studies = append(filled.Studies, pageStudy{e, s.formatPeriod(e.Start, e.End)})
	}
	return filled
}

var escapeTeX = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// writeTeX fills the template of a layout ("label-classic").
func writeTeX(source, layout string, p person, s style) error {
	content, err := fs.ReadFile(data, "heldout/latex/"+layout+".tex")
	if err != nil {
		return err
	}
	filler, err := template.New(layout).Delims("<<", ">>").Funcs(template.FuncMap{"x": escapeTeX.Replace}).Parse(string(content))
	if err != nil {
		return err
	}
	var out strings.Builder
	if err := filler.Execute(&out, newPage(p, s)); err != nil {
		return err
	}
	return os.WriteFile(source, []byte(out.String()), 0o644)
}

// writeTheme writes a resume in JSON Resume's form.
func writeTheme(source string, p person, s style) error {
	type object = map[string]any
	date := func(m month) string {
		if m == (month{}) {
			return ""
		}
		return fmt.Sprintf("%d-%02d", m.Year, m.Month)
	}
	work, studies, tongues := []object{}, []object{}, []object{}
	for _, j := range p.Jobs {
		entry := object{"name": j.Company, "company": j.Company, "position": j.Title, "startDate": date(j.Start), "highlights": j.Bullets, "summary": "", "location": j.Location, "url": "", "website": ""}
		if j.End != (month{}) {
			entry["endDate"] = date(j.End)
		}
		work = append(work, entry)
	}
	for _, e := range p.Studies {
		studies = append(studies, object{"institution": e.School, "studyType": e.Degree, "area": "", "startDate": date(e.Start), "endDate": date(e.End), "courses": []string{}})
	}
	for _, t := range p.Tongues {
		tongues = append(tongues, object{"language": t.Name, "fluency": t.Level})
	}
	content, err := json.Marshal(object{
		"basics": object{"name": p.Name, "label": p.Jobs[0].Title, "email": p.Email, "phone": p.Phone, "summary": p.Summary, "location": object{"city": p.Location, "address": "", "region": "", "postalCode": "", "countryCode": ""},
			"profiles": []object{{"network": "LinkedIn", "username": path.Base(p.LinkedIn), "url": p.LinkedIn}}},
		"work": work, "education": studies, "languages": tongues, "skills": []object{{"name": s.Headings["skills"], "level": "", "keywords": p.Skills}},
		"interests": []object{}, "references": []object{}, "projects": []object{}, "volunteer": []object{}, "awards": []object{}, "publications": []object{}, "certificates": []object{},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(source, content, 0o644)
}

var (
	styleElement = regexp.MustCompile(`(?s)<(style|script|head)\b.*?</(style|script|head)>`)
	anyTag       = regexp.MustCompile(`<[^>]*>`)
)

// pruneTruth writes the truth of a theme's page again, without what the theme left out.
func pruneTruth(t truth, p person, page, file string) error {
	content, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	links := html.UnescapeString(string(content))
	text := html.UnescapeString(anyTag.ReplaceAllString(styleElement.ReplaceAllString(string(content), " "), " "))
	if !strings.Contains(links, path.Base(t.LinkedIn)) {
		t.LinkedIn = ""
	}
	if !isWithin(t.Location, text) {
		t.Location = ""
	}
	for i, e := range t.Studies {
		if !isWithin(e.Degree, text) {
			t.Studies[i].Degree = ""
		}
	}
	if !isWithin(p.Skills[0], text) {
		t.Skills = nil
	}
	if !isWithin(p.Tongues[0].Name, text) {
		t.Languages = nil
	}
	return t.write(file)
}
