package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"text/template"
)

// Numbers of the retired set's files.
const (
	perRetiredEnglish  = 100
	perRetiredLanguage = 4
)

// noTeX lists the languages in whose scripts the LaTeX templates have no fonts.
var noTeX = []string{"ar", "hi", "ja", "zh"}

// planRetired plans the files of the families that were held out until 22 November 2026.
// They have the seeds and words that they had then, so that figures stay comparable.
func planRetired() ([]plan, error) {
	languages, err := readLanguages("retired/languages")
	if err != nil {
		return nil, err
	}
	known, err := developmentLanguages()
	if err != nil {
		return nil, err
	}
	own, err := readFamilies("retired/families.json")
	if err != nil {
		return nil, err
	}
	plans := planFamilies(own, "en", languages["en"], perRetiredEnglish, "family")
	for _, code := range slices.Sorted(maps.Keys(known)) {
		usable := slices.DeleteFunc(slices.Clone(own), func(f family) bool { return f.Source == "tex" && slices.Contains(noTeX, code) })
		if code != "en" {
			plans = append(plans, planFamilies(usable, code, known[code], perRetiredLanguage, "family")...)
		}
	}
	for i := range plans {
		plans[i].heldOut = ""
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
	content, err := fs.ReadFile(data, "retired/latex/"+layout+".tex")
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
	work, studies, tongues := []object{}, []object{}, []object{}
	for _, j := range p.Jobs {
		entry := object{"name": j.Company, "company": j.Company, "position": j.Title, "startDate": formatISO(j.Start), "highlights": j.Bullets, "summary": "", "location": j.Location, "url": "", "website": ""}
		if j.End != (month{}) {
			entry["endDate"] = formatISO(j.End)
		}
		work = append(work, entry)
	}
	for _, e := range p.Studies {
		studies = append(studies, object{"institution": e.School, "studyType": e.Degree, "area": "", "startDate": formatISO(e.Start), "endDate": formatISO(e.End), "courses": []string{}})
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
