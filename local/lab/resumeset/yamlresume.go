package main

import (
	"cmp"
	"encoding/json"
	"os"
	"path"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// yamlLocales are the locales of YAMLResume by language. Others write in English what it writes itself.
var yamlLocales = map[string]string{"de": "de", "es": "es", "fr": "fr", "ja": "ja", "nl": "nl", "zh": "zh-hans"}

// yamlSections are YAMLResume's names of sections.
var yamlSections = map[string]string{
	"summary": "basics", "experience": "work", "education": "education", "skills": "skills", "tongues": "languages",
}

// writeYAMLResume writes a resume in YAMLResume's form, with the headings and the order of its sections.
func writeYAMLResume(source string, p person, s style) error {
	aliases := object{}
	order := []string{}
	for _, section := range s.Order {
		aliases[yamlSections[section]] = s.Headings[section]
		order = append(order, yamlSections[section])
	}
	content, err := json.Marshal(object{
		"content": fillYAMLResume(p, s), "sections": object{"aliases": aliases, "order": order},
		"locale": object{"language": cmp.Or(yamlLocales[s.l.values("code")[0]], "en")},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(source, content, 0o644)
}

func fillYAMLResume(p person, s style) object {
	basics := object{"name": p.Name, "headline": p.Jobs[0].Title, "email": p.Email, "phone": p.Phone, "url": "", "summary": ""}
	if s.shows("summary") {
		basics["summary"] = p.Summary
	}
	content := object{"basics": basics, "location": object{"city": p.Location},
		"profiles": []object{{"network": "LinkedIn", "username": path.Base(p.LinkedIn), "url": p.LinkedIn}},
		"work":     listYAMLJobs(p.Jobs), "education": []object{}, "skills": []object{}, "languages": []object{}}
	for _, unused := range []string{"awards", "certificates", "interests", "projects", "publications", "references", "volunteer"} {
		content[unused] = []object{}
	}
	var studies, skills, tongues []object
	for _, e := range p.Studies {
		studies = append(studies, object{
			"institution": e.School, "area": e.Degree, "degree": nil, "startDate": formatISO(e.Start), "endDate": formatISO(e.End),
			"courses": []string{}, "summary": "", "score": "", "url": "",
		})
	}
	for _, skill := range p.Skills {
		skills = append(skills, object{"name": skill, "level": nil, "keywords": []string{}})
	}
	for _, t := range p.Tongues {
		tongues = append(tongues, object{"language": t.Name, "fluency": t.Level, "keywords": []string{}})
	}
	content["education"] = studies
	if s.shows("skills") {
		content["skills"] = skills
	}
	if s.shows("tongues") {
		content["languages"] = tongues
	}
	return content
}

func listYAMLJobs(jobs []job) []object {
	var entries []object
	for _, j := range jobs {
		entries = append(entries, object{
			"name": j.Company, "position": j.Title, "startDate": formatISO(j.Start), "endDate": formatISO(j.End),
			"summary": "- " + strings.Join(j.Bullets, "\n- ") + "\n", "keywords": []string{}, "url": "",
		})
	}
	return entries
}

// formatISO returns a month as 2019-03, and no month as "".
func formatISO(m month) string {
	if m == (month{}) {
		return ""
	}
	return style{Form: "{MM}"}.shownMonth(m)
}
