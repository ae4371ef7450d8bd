package resume

import (
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
	f := Fields{Warnings: doc.Warnings}
	contacts := person.FindContacts(blocks, doc.Links)
	f.Emails = contacts.Emails
	f.LinkedIn = contacts.LinkedIn
	f.GitHub = contacts.GitHub
	var proven bool
	f.Experiences = jobs.Find(blocks, marks)
	f.Name, proven, f.OtherNames = person.FindName(blocks, contacts, f.Experiences, marks.Large)
	f.Title, f.Company = currentJob(f.Experiences)
	f.Education = background.FindEducation(blocks)
	listed := false
	f.Skills, listed = background.FindSkills(blocks, f.Name)
	f.Languages = background.FindLanguages(blocks)
	f.Years = background.CountYears(f.Experiences, today)
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
