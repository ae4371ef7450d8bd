package resume

import (
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/background"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/person"
)

// Fields is what a resume says about its person. Lists are in order of appearance
// without repetitions; what the text does not show is empty.
type Fields struct {
	Name        string            // as written, but with capitals only where names have them
	OtherNames  []string          // what may be the name if Name, which no address proves, is a heading
	Emails      []string          // canonical (identity.Email)
	LinkedIn    []string          // canonical profile URLs (identity.LinkedIn)
	GitHub      []string          // https://github.com/<user>
	Experiences []jobs.Experience // jobs with dates, as listed
	Title       string            // of the current job
	Company     string            // of the current job
	Education   []background.Education
	Skills      []string // as skills.txt spells them, or as a section lists what it lacks
	Languages   []string // English names
	Years       float64  // of experience: the union of the jobs' intervals, one decimal

	Confidence map[string]float64 // by field, 0 to 1; absent for fields that were not found
	Warnings   []string           // for operators: what is missing, doubtful or was left out
}

// Extract returns the fields of a document that Read returned. now is the end of current
// jobs. It takes no context: counts and Read's limits on lines and bytes bound its work, not a
// clock, so that the same document always has the same fields. The slowest known document
// takes 1.0 s of processor time.
func Extract(doc document.Document, now time.Time) Fields {
	marks := doc.Markup
	marks.Roles = heading.TrustedRoles(marks)
	blocks := background.SplitUnheaded(heading.Split(doc.Blocks, marks), marks)
	today := dates.Month{Year: now.Year(), Month: int(now.Month())}
	contacts := person.FindContacts(blocks, doc.Links)
	experiences := jobs.Find(blocks, marks)
	name, proven, others := person.FindName(blocks, contacts, experiences, marks.Large)
	title, company := currentJob(experiences)
	skills, listed := background.FindSkills(blocks, name)
	f := Fields{
		Name: name, OtherNames: others, Emails: contacts.Emails, LinkedIn: contacts.LinkedIn, GitHub: contacts.GitHub,
		Experiences: experiences, Title: title, Company: company, Years: background.CountYears(experiences, today),
		Education: background.FindEducation(blocks), Skills: skills, Languages: background.FindLanguages(blocks),
		Confidence: make(map[string]float64), Warnings: doc.Warnings,
	}
	f.rateFields(proven, listed, today)
	return f
}

// currentJob returns title and company of the current job, the latest one of several.
func currentJob(found []jobs.Experience) (title, company string) {
	var best jobs.Experience
	for _, job := range found {
		named := job.Title != "" || job.Company != ""
		isLater := !best.Current || best.Start.Before(job.Start)
		if job.Current && named && isLater {
			best = job
		}
	}
	return best.Title, best.Company
}

// rateFields sets the confidence of each field, and warns of doubtful ones.
// proven says that the name shares a word with an address, listed that the skills
// were under their own heading.
func (f *Fields) rateFields(proven, listed bool, now dates.Month) {
	complete := f.completeJobShare()
	f.rateField("name", f.Name != "", proven, 0.95, 0.7)
	f.rateField("emails", len(f.Emails) > 0, len(f.Emails) == 1, 0.99, 0.9)
	f.rateField("linkedinUrl", len(f.LinkedIn) > 0, len(f.LinkedIn) == 1, 0.99, 0.7)
	f.rateField("experiences", len(f.Experiences) > 0, true, 0.5+0.45*complete, 0)
	f.rateField("education", len(f.Education) > 0, true, 0.8, 0)
	f.rateField("skills", len(f.Skills) > 0, listed, 0.9, 0.6)
	f.rateField("languages", len(f.Languages) > 0, true, 0.9, 0)
	f.rateField("yearsOfExperience", f.Years > 0, true, 0.5+0.4*complete, 0)
	f.warnIf(f.Name == "", "no name was found")
	f.warnIf(f.Name != "" && !proven, "the name is confirmed by no address")
	f.warnIf(len(f.Emails) == 0, "no e-mail address was found")
	f.warnIf(len(f.LinkedIn) > 1, "several LinkedIn profiles were found")
	f.warnIf(len(f.Experiences) == 0, "no experience was found")
	f.warnIf(len(f.Experiences) > 0 && complete < 1, "a job was found without its title or company")
	f.warnIf(slices.ContainsFunc(f.Experiences, func(e jobs.Experience) bool { return now.Before(e.Start) }), "a job begins in the future")
	f.warnIf(f.Years > 60, "the dates cover more than 60 years")
}

func (f *Fields) rateField(field string, found, sure bool, high, low float64) {
	switch {
	case found && sure:
		f.Confidence[field] = high
	case found:
		f.Confidence[field] = low
	}
}

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

// The types of the steps, under the names that callers use.
type (
	Document   = document.Document
	Failure    = document.Failure
	Month      = dates.Month
	Experience = jobs.Experience
	Education  = background.Education
)

// MaxFile is the largest number of bytes of one file.
const MaxFile = document.MaxFile
