package resume

import "slices"

// judge says how much speaks for each field, and warns of what does not fit.
// proven: the name shares a word with an address. listed: the skills stood under
// a heading of their own.
func (f *Fields) judge(proven, listed bool, now Month) {
	f.Confidence = make(map[string]float64)
	grade := func(field string, found bool, value float64) {
		if found {
			f.Confidence[field] = value
		}
	}
	grade("name", f.Name != "", pick(proven, 0.95, 0.7))
	grade("emails", len(f.Emails) > 0, pick(len(f.Emails) == 1, 0.99, 0.9))
	grade("phones", len(f.Phones) > 0, pick(len(f.Phones) == 1, 0.95, 0.85))
	grade("linkedinUrl", len(f.LinkedIn) > 0, pick(len(f.LinkedIn) == 1, 0.99, 0.7))
	grade("location", f.Location != "", 0.8)
	grade("experiences", len(f.Experiences) > 0, 0.5+0.45*f.understood())
	grade("education", len(f.Education) > 0, 0.8)
	grade("skills", len(f.Skills) > 0, pick(listed, 0.9, 0.6))
	grade("languages", len(f.Languages) > 0, 0.9)
	grade("yearsOfExperience", f.Years > 0, 0.5+0.4*f.understood())
	f.warn(f.Name == "", "no name was found")
	f.warn(f.Name != "" && !proven, "the name is confirmed by no address")
	f.warn(len(f.Emails) == 0, "no e-mail address was found")
	f.warn(len(f.LinkedIn) > 1, "several LinkedIn profiles were found")
	f.warn(len(f.Experiences) == 0, "no experience was found")
	f.warn(len(f.Experiences) > 0 && f.understood() < 1, "a job was found without its title or company")
	f.warn(slices.ContainsFunc(f.Experiences, func(e Experience) bool { return now.Before(e.Start) }), "a job begins in the future")
	f.warn(f.Years > 60, "the dates cover more than 60 years")
}

// understood is the share of jobs with title and company.
func (f *Fields) understood() float64 {
	n := 0
	for _, e := range f.Experiences {
		if e.Title != "" && e.Company != "" {
			n++
		}
	}
	return float64(n) / float64(max(1, len(f.Experiences)))
}

func (f *Fields) warn(doubtful bool, text string) {
	if doubtful {
		f.Warnings = append(slices.Clip(f.Warnings), text)
	}
}

func pick(first bool, a, b float64) float64 {
	if first {
		return a
	}
	return b
}
