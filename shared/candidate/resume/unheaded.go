package resume

import (
	"slices"
	"strings"
	"unicode"
)

const maxEntryHead = 4 // lines of an entry that may be read until it shows what it is

// Limits of a text whose entries are searched for without a heading; a real resume has a tenth.
const (
	maxUnheaded      = 100_000 // bytes
	maxUnheadedLines = 1500
)

// splitUnheaded finds the jobs and the studies of a resume that has no known heading for them:
// a line that may be a heading parts them from the section above.
func splitUnheaded(blocks []block, marks Markup) []block {
	if bytes, lines := measureBlocks(blocks); bytes > maxUnheaded || lines > maxUnheadedLines {
		return blocks
	}
	if !hasSection(blocks, experience) && len(findJobs(blocks, marks)) == 0 {
		blocks = splitAbove(experience, blocks, marks)
	}
	if !hasSection(blocks, education) {
		blocks = splitAbove(education, blocks, marks)
		if !hasSection(blocks, experience) {
			blocks = splitAbove(experience, blocks, marks) // below the studies
		}
	}
	return blocks
}

func measureBlocks(blocks []block) (bytes, lines int) {
	for _, b := range blocks {
		for _, line := range b.lines {
			bytes += len(line)
		}
		lines += len(b.lines)
	}
	return bytes, lines
}

func hasSection(blocks []block, s section) bool {
	return slices.ContainsFunc(blocks, func(b block) bool { return b.section == s })
}

// splitAbove splits the first block that has entries of a section under a line of its own.
func splitAbove(wanted section, blocks []block, marks Markup) []block {
	for i, b := range blocks {
		if b.section == referees || b.section == header && wanted == experience {
			continue // jobs are read from the header too
		}
		if b.section == unknown && beginsWith(wanted, b.lines, marks) {
			blocks[i].section = wanted
			return blocks
		}
		if at := findUnheaded(wanted, b.lines, marks); at >= 0 {
			blocks[i].lines = b.lines[:at]
			return slices.Insert(blocks, i+1, block{wanted, b.lines[at+1:]})
		}
	}
	return blocks
}

// findUnheaded returns the index of the line above the first entry of a section, or -1.
func findUnheaded(wanted section, lines []string, marks Markup) int {
	for i, line := range lines {
		if isHeadingShaped(line) && beginsWith(wanted, lines[i+1:], marks) {
			return i
		}
	}
	return -1
}

// isHeadingShaped reports whether a line could be a heading of unknown words.
func isHeadingShaped(line string) bool {
	return len(line) <= maxHeading && !strings.ContainsAny(line, "\t,.;:0123456789()") && len(strings.Fields(line)) <= 4 && !isBullet(line) &&
		unicode.IsUpper([]rune(line)[0]) && !isTitle(line) && !isSchool(line) && !isDegree(line) && !hasLegalForm(line) && !isPlace(line)
}

// beginsWith reports whether lines begin with an entry of a section that its words prove: a
// job with a title and an employer, or a course of study with a school and a degree.
func beginsWith(wanted section, lines []string, marks Markup) bool {
	head := lines[:min(len(lines), maxEntryHead)]
	if wanted == education {
		studies := parseStudies(head)
		return len(studies) > 0 && isSchool(studies[0].School) && isDegree(studies[0].Degree)
	}
	jobs := parseJobs(head, marks)
	return len(jobs) > 0 && isTitle(jobs[0].Title) && jobs[0].Company != "" && !isDegree(jobs[0].Title) && !isSchool(jobs[0].Company)
}
