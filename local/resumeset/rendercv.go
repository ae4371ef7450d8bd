package main

import (
	"encoding/json"
	"os"
	"path"
	"strings"
)

type object = map[string]any

var renderCVDates = strings.NewReplacer("{MMMM}", "FULL_MONTH_NAME", "{MMM}", "MONTH_ABBREVIATION", "{MM}", "MONTH_IN_TWO_DIGITS", "{M}", "MONTH", "{yyyy}", "YEAR", "{yy}", "YEAR_IN_TWO_DIGITS")

// limitToRenderCV makes a style one that RenderCV can write: without days and quarters in
// dates, and in one layout where its theme says nothing (HTML, Markdown).
func limitToRenderCV(s style, format string) style {
	if strings.Contains(s.Form, "{DD}") || strings.Contains(s.Form, "{Q}") {
		s.Form = "{MM}/{yyyy}"
	}
	if format != "pdf" {
		s.Layout = strings.Replace(s.Layout, "label-", "single-", 1)
	}
	return s
}

// writeRenderCV writes a resume in RenderCV's form.
func writeRenderCV(source, theme string, p person, s style) error {
	content, err := json.Marshal(object{
		"cv": object{"name": p.Name, "location": p.Location, "email": p.Email, "phone": p.PhoneE164,
			"social_networks": []object{{"network": "LinkedIn", "username": path.Base(p.LinkedIn)}}, "sections": orderedSections(p, s)},
		"design": object{"theme": theme, "page": object{"show_last_updated_date": false}},
		"locale": object{"present": s.Now, "date_template": renderCVDates.Replace(s.Form), "full_names_of_months": s.l.values("long"), "abbreviations_for_months": s.l.values("short"),
			"phone_number_format": drawByLook(s.Look, []string{"international", "international", "national"})},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(source, content, 0o644)
}

// orderedSections returns the sections under their headings. RenderCV keeps the order of
// an object's members, so that they are marshalled one by one.
func orderedSections(p person, s style) json.RawMessage {
	all := map[string]any{"summary": []string{p.Summary}, "experience": listRenderCVJobs(p.Jobs), "education": listRenderCVStudies(p.Studies)}
	all["skills"] = []string{strings.Join(p.Skills, ", ")}
	if s.Skills == "bullets" {
		var skills []object
		for _, skill := range p.Skills {
			skills = append(skills, object{"bullet": skill})
		}
		all["skills"] = skills
	}
	var tongues []object
	for _, t := range p.Tongues {
		tongues = append(tongues, object{"label": t.Name, "details": t.Level})
	}
	all["tongues"] = tongues
	var members []string
	for _, section := range s.Order {
		key, _ := json.Marshal(s.Headings[section])
		value, _ := json.Marshal(all[section]) // maps and strings only
		members = append(members, string(key)+":"+string(value))
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

func listRenderCVJobs(jobs []job) []object {
	var entries []object
	for _, j := range jobs {
		entry := object{"company": j.Company, "position": j.Title, "start_date": formatISO(j.Start), "end_date": "present", "highlights": j.Bullets}
		if j.End != (month{}) {
			entry["end_date"] = formatISO(j.End)
		}
		if j.Location != "" {
			entry["location"] = j.Location
		}
		entries = append(entries, entry)
	}
	return entries
}

func listRenderCVStudies(studies []study) []object {
	var entries []object
	for _, e := range studies {
		entries = append(entries, object{"institution": e.School, "area": e.Degree, "start_date": formatISO(e.Start), "end_date": formatISO(e.End)})
	}
	return entries
}

// writeFRESH writes a resume in HackMyResume's form, and the titles of its sections as
// options.
func writeFRESH(source string, p person, s style) error {
	var jobs, studies, skills []object
	for _, j := range p.Jobs {
		entry := object{"employer": j.Company, "position": j.Title, "start": formatISO(j.Start), "highlights": j.Bullets}
		if j.End != (month{}) {
			entry["end"] = formatISO(j.End)
		}
		jobs = append(jobs, entry)
	}
	for _, e := range p.Studies {
		studies = append(studies, object{"institution": e.School, "title": e.Degree, "start": formatISO(e.Start), "end": formatISO(e.End)})
	}
	for _, skill := range p.Skills {
		skills = append(skills, object{"name": skill, "skills": []string{}})
	}
	content, err := json.Marshal(object{"name": p.Name, "meta": object{"format": "FRESH@0.6.0"}, "info": object{"label": p.Jobs[0].Title, "brief": p.Summary},
		"contact": object{"email": p.Email, "phone": p.Phone, "website": p.LinkedIn}, "location": object{"city": p.Location},
		"employment": object{"summary": "", "history": jobs}, "education": object{"level": "", "history": studies}, "skills": object{"sets": skills}})
	if err != nil {
		return err
	}
	titles := object{"info": s.Headings["summary"], "about": s.Headings["summary"], "employment": s.Headings["experience"], "education": s.Headings["education"], "skills": s.Headings["skills"]}
	options, err := json.Marshal(object{"sectionTitles": titles})
	if err != nil {
		return err
	}
	if err := os.WriteFile(source+".options", options, 0o644); err != nil {
		return err
	}
	return os.WriteFile(source, content, 0o644)
}

// formatISO returns a month as 2019-03, and no month as "".
func formatISO(m month) string {
	if m == (month{}) {
		return ""
	}
	return style{Form: "{MM}"}.shownMonth(m)
}
