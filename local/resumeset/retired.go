package main

import (
	"encoding/json"
	"os"
	"path"
)

// Numbers of the retired set's files.
const (
	perRetiredEnglish  = 100
	perRetiredLanguage = 4
)

// planRetired plans the files of the families that were held out before, with the seeds and words
// that they had then, so that figures stay comparable: until 22 November 2026, and until the day after.
func planRetired() ([]plan, error) {
	languages, err := readLanguages("retired/languages")
	if err != nil {
		return nil, err
	}
	known, err := developmentLanguages()
	if err != nil {
		return nil, err
	}
	earlier, err := readFamilies("retired/families.json")
	if err != nil {
		return nil, err
	}
	later, err := readFamilies("retired/latest.json")
	if err != nil {
		return nil, err
	}
	plans := planEverywhere(earlier, languages["en"], perRetiredEnglish, known, perRetiredLanguage)
	plans = append(plans, planEverywhere(later, languages["en-2"], perHeldOutEnglish, known, perOtherLanguage)...)
	for i := range plans {
		plans[i].heldOut = ""
	}
	return plans, nil
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
