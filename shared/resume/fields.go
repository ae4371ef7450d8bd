package resume

// Fields is what a resume says about its person. Lists are in order of
// appearance, without repeats; what the text does not show is empty.
type Fields struct {
	Name        string       // as written; words in capitals are made lower case
	Emails      []string     // canonical (identity.Email)
	Phones      []string     // E.164
	LinkedIn    []string     // canonical profile URLs (identity.LinkedIn)
	GitHub      []string     // https://github.com/<user>
	Links       []string     // other http and https URLs
	Experiences []Experience // jobs with dates, as listed
	Title       string       // of the current job
	Company     string       // of the current job
}

// Experience is one job. Title, Company or both may be empty: its dates stand then for a line that was not understood.
type Experience struct {
	Title, Company string
	Start, End     Month // End is zero for the current job
	Current        bool
}

// Understand finds the fields of a document. Its work is bounded by counts, not
// by a clock, so that the same document always gives the same answer; the worst
// document within Read's limits takes well under a second.
func Understand(doc Document) Fields {
	blocks := split(doc.Lines)
	var f Fields
	f.addContacts(blocks, doc.Links)
	f.Name = findName(blocks, f)
	f.Experiences = findJobs(blocks)
	f.Title, f.Company = current(f.Experiences)
	return f
}

// current picks the job that runs, and of several the one begun last.
func current(jobs []Experience) (title, company string) {
	var best Experience
	for _, job := range jobs {
		known := job.Title != "" || job.Company != ""
		if job.Current && known && (!best.Current || best.Start.Before(job.Start)) {
			best = job
		}
	}
	return best.Title, best.Company
}
