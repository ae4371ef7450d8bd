package resume

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
)

// rateFields sets the confidence of each field, and warns of doubtful ones.
// proven says that the name shares a word with an address, listed that the skills
// were under their own heading.
func (f *Fields) rateFields(proven, listed bool, now dates.Month) {
	f.Confidence = make(map[string]float64)
	f.rateField("name", f.Name != "", chooseRating(proven, 0.95, 0.7))
	f.rateField("emails", len(f.Emails) > 0, chooseRating(len(f.Emails) == 1, 0.99, 0.9))
	f.rateField("linkedinUrl", len(f.LinkedIn) > 0, chooseRating(len(f.LinkedIn) == 1, 0.99, 0.7))
	f.rateField("experiences", len(f.Experiences) > 0, 0.5+0.45*f.completeJobShare())
	f.rateField("education", len(f.Education) > 0, 0.8)
	f.rateField("skills", len(f.Skills) > 0, chooseRating(listed, 0.9, 0.6))
	f.rateField("languages", len(f.Languages) > 0, 0.9)
	f.rateField("yearsOfExperience", f.Years > 0, 0.5+0.4*f.completeJobShare())
	f.warnIf(f.Name == "", "no name was found")
	f.warnIf(f.Name != "" && !proven, "the name is confirmed by no address")
	f.warnIf(len(f.Emails) == 0, "no e-mail address was found")
	f.warnIf(len(f.LinkedIn) > 1, "several LinkedIn profiles were found")
	f.warnIf(len(f.Experiences) == 0, "no experience was found")
	f.warnIf(len(f.Experiences) > 0 && f.completeJobShare() < 1, "a job was found without its title or company")
	f.warnIf(slices.ContainsFunc(f.Experiences, func(e jobs.Experience) bool { return now.Before(e.Start) }), "a job begins in the future")
	f.warnIf(f.Years > 60, "the dates cover more than 60 years")
}

func (f *Fields) rateField(field string, found bool, value float64) {
	if found {
		f.Confidence[field] = value
	}
}

// completeJobShare returns the share of jobs with title and company.
func (f *Fields) completeJobShare() float64 {
	n := 0
	for _, e := range f.Experiences {
		if e.Title != "" && e.Company != "" {
			n++
		}
	}
	return float64(n) / float64(max(1, len(f.Experiences)))
}

func (f *Fields) warnIf(doubtful bool, text string) {
	if doubtful {
		f.Warnings = append(slices.Clip(f.Warnings), text)
	}
}

func chooseRating(first bool, a, b float64) float64 {
	if first {
		return a
	}
	return b
}
