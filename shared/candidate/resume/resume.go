// Package resume turns a resume file into what it says about its person, in three
// steps, each usable alone:
//
//	Read           bytes → blocks of text in reading order, and links (Document)
//	Extract        Document → names, addresses, jobs, skills … (Fields)
//	CheckIdentity  Fields → whether the file is plainly another person's (Verdict)
//
// The steps are packages below this one. Which may use which is in local/testkit/archtest (readerLayers):
//
//	words, dates               what languages say, and when
//	document                   what every reader returns, limits, failures
//	facts, heading             what a piece of a line or a line is
//	rejoin, page, collect      torn lines, words with positions, rows of tables → lines in reading order
//	pdf, office                the formats, of text with its encodings
//	jobs, person, background   sections → fields
//
// The reader trusts no file. Every format is read within the limits of package document; PDF
// is read by pdfium inside a WebAssembly sandbox that is discarded after each document. A file
// that cannot be read is a *[document.Failure]: permanent, so that no queue retries a decompression
// bomb, with a message that says what to send instead. Any other error means that the context
// ended or that the sandbox could not start, and is worth a retry.
//
// Nothing is invented: a field that the text does not show is empty, and what was
// found carries a confidence. The reader uses no clock, network or
// store, and never puts a resume's text into an error. It reads no images, and a
// single date ("2015") makes no job.
package resume

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/background"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/office"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/pdf"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/person"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

// Read returns the text and links of a resume. The error is a *[document.Failure] if the file cannot be read, and
// otherwise the context's, or that of a sandbox that could not start.
func Read(ctx context.Context, content []byte) (document.Document, error) {
	if len(content) > document.MaxFile {
		return document.Document{}, document.NewFailure(document.TooLarge, "the file is larger than 9 MiB; send a smaller one", nil)
	}
	kind, err := filetype.Sniff(content)
	var refusal *filetype.Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Empty:
		return document.Document{}, document.NewFailure(document.Empty, err.Error(), err)
	case err != nil:
		return document.Document{}, document.NewFailure(document.UnsupportedType, err.Error(), err)
	}
	out := collect.New(kind)
	if err := readers[kind](ctx, content, out); err != nil {
		return document.Document{}, err
	}
	doc := out.FinishDocument()
	if len(doc.Blocks) > 0 {
		return doc, nil
	}
	message := "the document contains no text; send one with the resume as text"
	if kind == filetype.PDF {
		message = "the PDF contains only images; send one with a text layer"
	}
	return document.Document{}, document.NewFailure(document.NoTextLayer, message, nil)
}

// readers holds the reader of each format, which returns a *document.Failure or the context's error.
var readers = map[filetype.Type]func(context.Context, []byte, *collect.Collector) error{
	filetype.PDF:         pdf.Read, // its time begins when the sandbox is free
	filetype.DOCX:        withTimeLimit(office.ReadDOCX),
	filetype.Text:        withTimeLimit(office.ReadText),
	filetype.Markdown:    withTimeLimit(office.ReadText),
	filetype.ODT:         withTimeLimit(office.ReadODT),
	filetype.RTF:         withTimeLimit(office.ReadRTF),
	filetype.HTML:        withTimeLimit(office.ReadHTML),
	filetype.Undecidable: readUndecidable,
}

func withTimeLimit(read func(context.Context, []byte, *collect.Collector) error) func(context.Context, []byte, *collect.Collector) error {
	return func(ctx context.Context, content []byte, out *collect.Collector) error {
		return document.RunWithTimeLimit(ctx, func(ctx context.Context) error { return read(ctx, content, out) })
	}
}

// readUndecidable returns the failure of a broken zip container, or of an unknown type.
func readUndecidable(_ context.Context, content []byte, _ *collect.Collector) error {
	if filetype.IsZip(content) {
		if err := office.CheckArchive(content); err != nil {
			return err
		}
	}
	return document.NewFailure(document.UnsupportedType, "the file type is not accepted; "+filetype.AcceptedAdvice, nil)
}

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

// Extract returns the fields of a document that Read returned. now is the end of current jobs. It takes no context:
// counts and Read's limits on lines and bytes bound its work, not a clock, so that the same document always has the same
// fields. The slowest known document takes 1.0 s of processor time.
func Extract(doc document.Document, now time.Time) Fields {
	marks := doc.Markup
	marks.Roles = heading.TrustedRoles(marks)
	blocks := background.SplitUnheaded(heading.Split(doc.Blocks, marks), marks)
	today := dates.Month{Year: now.Year(), Month: int(now.Month())}
	contacts := person.FindContacts(blocks, doc.Links)
	experiences := jobs.Find(blocks, marks)
	name, proven, others := person.FindName(blocks, contacts, experiences, marks.Large)
	var current jobs.Experience // the latest one of several
	for _, job := range experiences {
		named := job.Title != "" || job.Company != ""
		isLater := !current.Current || current.Start.Before(job.Start)
		if job.Current && named && isLater {
			current = job
		}
	}
	skills, listed := background.FindSkills(blocks, name)
	f := Fields{
		Name: name, OtherNames: others, Emails: contacts.Emails, LinkedIn: contacts.LinkedIn, GitHub: contacts.GitHub,
		Experiences: experiences, Title: current.Title, Company: current.Company, Years: jobs.CountYears(experiences, today),
		Education: background.FindEducation(blocks), Skills: skills, Languages: background.FindLanguages(blocks),
		Confidence: make(map[string]float64), Warnings: doc.Warnings,
	}
	f.rateFields(proven, listed, today)
	return f
}

// rateFields sets the confidence of each field, and warns of doubtful ones. proven says that the name shares a word with
// an address, listed that the skills were under their own heading.
func (f *Fields) rateFields(proven, listed bool, now dates.Month) {
	named := words.Count(f.Experiences, func(e jobs.Experience) bool { return e.Title != "" && e.Company != "" })
	complete := float64(named) / float64(max(1, len(f.Experiences)))
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

// Verdict says whether a resume is plainly another person's, and the evidence for it,
// for operators. It holds none of the resume's text.
type Verdict struct {
	Mismatch bool                  // the resume contradicts the submission
	Name     personname.Similarity // of the names; Uncertain if the resume shows none
	Email    Evidence
	LinkedIn Evidence
}

// String returns the evidence in one line, as it is stored.
func (v Verdict) String() string {
	return fmt.Sprintf("name %s, email %s, linkedin %s", v.Name, v.Email, v.LinkedIn)
}

// Evidence is how one kind of address in the resume compares with the submitted one.
type Evidence string

// The kinds of evidence.
const (
	Missing Evidence = "missing" // the resume shows none
	Equal   Evidence = "equal"   // one equals the submitted one
	Unequal Evidence = "unequal" // none does
)

// CheckIdentity compares a resume with the submitted name, e-mail address and LinkedIn URL, which need not be canonical.
// A mismatch takes a clearly different name and an e-mail address or LinkedIn URL, none of which equals the submitted
// one. Missing evidence is not a contradiction.
func CheckIdentity(f Fields, name, email, linkedInURL string) Verdict {
	v := Verdict{Name: personname.Compare(f.Name, name)}
	if slices.ContainsFunc(f.OtherNames, func(other string) bool { return personname.Compare(other, name) == personname.Same }) {
		v.Name = personname.Same
	}
	address, _ := identity.Email(email)
	v.Email = compareAddresses(f.Emails, address)
	profile, _ := identity.LinkedIn(linkedInURL)
	v.LinkedIn = compareAddresses(f.LinkedIn, profile)
	shown := v.Email == Unequal || v.LinkedIn == Unequal
	same := v.Email == Equal || v.LinkedIn == Equal
	v.Mismatch = v.Name == personname.Different && shown && !same
	return v
}

func compareAddresses(found []string, submitted string) Evidence {
	switch {
	case len(found) == 0:
		return Missing
	case slices.Contains(found, submitted):
		return Equal
	}
	return Unequal
}
