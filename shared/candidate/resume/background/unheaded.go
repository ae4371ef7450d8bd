package background

import (
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Limits of a text that is searched for entries without a heading; a real resume has a tenth.
const (
	maxUnheaded      = 100_000 // bytes
	maxUnheadedLines = 1500
)

// SplitUnheaded finds the jobs and the studies of a resume that has no known heading for them:
// a line that may be a heading parts them from the section above.
func SplitUnheaded(blocks []heading.Block, marks document.Markup) []heading.Block {
	bytes := 0
	lines := 0
	for _, b := range blocks {
		for _, line := range b.Lines {
			bytes += len(line)
		}
		lines += len(b.Lines)
	}
	if bytes > maxUnheaded || lines > maxUnheadedLines {
		return blocks
	}
	if !hasSection(blocks, words.ExperienceSection) && len(jobs.Find(blocks, marks)) == 0 {
		blocks = splitAbove(words.ExperienceSection, blocks, marks)
	}
	if !hasSection(blocks, words.EducationSection) {
		blocks = splitAbove(words.EducationSection, blocks, marks)
		if !hasSection(blocks, words.ExperienceSection) {
			blocks = splitAbove(words.ExperienceSection, blocks, marks) // below the studies
		}
	}
	return blocks
}

func hasSection(blocks []heading.Block, s words.Section) bool {
	return slices.ContainsFunc(blocks, func(b heading.Block) bool { return b.Section == s })
}

// splitAbove splits the first block that has entries of a section under a line of its own.
func splitAbove(wanted words.Section, blocks []heading.Block, marks document.Markup) []heading.Block {
	for i, b := range blocks {
		if b.Section == words.RefereesSection || b.Section == words.HeaderSection && wanted == words.ExperienceSection {
			continue // jobs are read from the header too
		}
		if b.Section == words.UnknownSection && beginsWith(wanted, b.Lines, marks) {
			blocks[i].Section = wanted
			return blocks
		}
		if at := findUnheaded(wanted, b.Lines, marks); at >= 0 {
			blocks[i].Lines = b.Lines[:at]
			return slices.Insert(blocks, i+1, heading.Block{Section: wanted, Lines: b.Lines[at+1:]})
		}
	}
	return blocks
}

// findUnheaded returns the index of the line above an entry that could be a heading of unknown words, or -1.
func findUnheaded(wanted words.Section, lines []string, marks document.Markup) int {
	for i, line := range lines {
		if len(line) > heading.MaxLength || len(strings.Fields(line)) > 4 || strings.ContainsAny(line, "\t,.;:0123456789()") {
			continue
		}
		isKnown := words.IsAny(line, facts.IsBullet, facts.IsTitle, facts.IsSchool, facts.IsDegree, facts.HasLegalForm, facts.IsPlace)
		if unicode.IsUpper(words.FirstRune(line)) && !isKnown && beginsWith(wanted, lines[i+1:], marks) {
			return i
		}
	}
	return -1
}

// beginsWith reports whether lines begin with an entry of a section that its words prove: a
// job with a title and an employer, or a course of study with a school and a degree.
func beginsWith(wanted words.Section, lines []string, marks document.Markup) bool {
	head := lines[:min(len(lines), heading.MaxEntryHead)]
	if wanted == words.EducationSection {
		studies := parseStudies(head)
		return len(studies) > 0 && facts.IsSchool(studies[0].School) && facts.IsDegree(studies[0].Degree)
	}
	found := jobs.Parse(head, marks)
	if len(found) == 0 {
		return false
	}
	job := found[0]
	isStudy := facts.IsDegree(job.Title) || facts.IsSchool(job.Company)
	return facts.IsTitle(job.Title) && job.Company != "" && !isStudy
}
