package resume

import "time"

// Fields is what a resume says about its person. Lists are in order of appearance
// without repetitions; what the text does not show is empty.
type Fields struct {
	Name        string       // as written, but with capitals only where names have them
	OtherNames  []string     // what may be the name if Name, which no address proves, is a heading
	Emails      []string     // canonical (identity.Email)
	LinkedIn    []string     // canonical profile URLs (identity.LinkedIn)
	GitHub      []string     // https://github.com/<user>
	Experiences []Experience // jobs with dates, as listed
	Title       string       // of the current job
	Company     string       // of the current job
	Education   []Education
	Skills      []string // as skills.txt spells them, or as a section lists what it lacks
	Languages   []string // English names
	Years       float64  // of experience: the union of the jobs' intervals, one decimal

	Confidence map[string]float64 // by field, 0 to 1; absent for fields that were not found
	Warnings   []string           // for operators: what is missing, doubtful or was left out
}

// Experience is one job. Title, Company or both are empty if the lines around its dates
// were not understood.
type Experience struct {
	Title, Company string
	Start, End     Month // End is zero for the current job
	Current        bool
	Location       string
	Description    string // the lines under the job's heading, one a line
}

// Extract returns the fields of a document that Read returned. now is the end of current
// jobs. It takes no context: counts and Read's limits on lines and bytes bound its work, not a
// clock, so that the same document always has the same fields. The slowest known document
// takes 1.0 s of processor time.
func Extract(doc Document, now time.Time) Fields {
	marks := doc.Markup
	marks.Roles = trustedRoles(marks)
	blocks := splitUnheaded(splitSections(tellYearsApart(doc.Blocks), marks), marks)
	today := Month{now.Year(), int(now.Month())}
	f := Fields{Warnings: doc.Warnings}
	contacts := findContacts(blocks, doc.Links)
	f.Emails, f.LinkedIn, f.GitHub = contacts.emails, contacts.linkedIn, contacts.gitHub
	var proven bool
	f.Experiences = findJobs(blocks, marks)
	f.Name, proven, f.OtherNames = findName(blocks, contacts, f.Experiences, marks.Large)
	f.Title, f.Company = currentJob(f.Experiences)
	f.Education = findEducation(blocks)
	listed := false
	f.Skills, listed = findSkills(blocks, f.Name)
	f.Languages = findLanguages(blocks)
	f.Years = countYears(f.Experiences, today)
	f.rateFields(proven, listed, today)
	return f
}

// currentJob returns title and company of the current job, the latest one of several.
func currentJob(jobs []Experience) (title, company string) {
	var best Experience
	for _, job := range jobs {
		named := job.Title != "" || job.Company != ""
		if job.Current && named && (!best.Current || best.Start.Before(job.Start)) {
			best = job
		}
	}
	return best.Title, best.Company
}
