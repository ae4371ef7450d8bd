package resume

import (
	"strings"
	"unicode"
)

// section is a part of a resume as its headings name it.
type section string

const (
	header     section = "header" // what stands before the first heading
	experience section = "experience"
	education  section = "education"
	referees   section = "references" // other people's addresses
	other      section = "other"      // known headings whose text is not read yet
)

// block is the run of lines under one heading.
type block struct {
	section section
	lines   []string
}

const maxHeading = 40 // characters

var headings = headingIndex(map[section]string{
	header: `contact|contact details|contact information|contacts|personal details|personal information|personal data|details`,
	experience: `experience|work experience|professional experience|employment|employment history|work history|career history|career|
		relevant experience|professional background|experience and employment|positions held|job history|industry experience|
		berufserfahrung|beruflicher werdegang|expérience|expérience professionnelle|expériences professionnelles|experiencia|
		experiencia laboral|experiencia profesional|esperienza|esperienza professionale|werkervaring|arbetslivserfarenhet|
		erhvervserfaring|arbeidserfaring|experiência|experiência profissional|doświadczenie|doświadczenie zawodowe|опыт работы|工作经历|工作經歷|職歴|경력`,
	education: `education|academic background|education and training|qualifications|academic qualifications|studies|ausbildung|bildung|
		formation|educación|formación|formazione|istruzione|opleiding|utbildning|uddannelse|utdanning|educação|formação|wykształcenie|образование|教育|教育背景|学歴|학력`,
	referees: `references|referees|referenzen|références|referencias|referenser|рекомендации`,
	other: `summary|professional summary|executive summary|profile|professional profile|about|about me|objective|career objective|
		skills|technical skills|core skills|key skills|core competencies|competencies|technologies|tools|languages|projects|
		personal projects|selected projects|certifications|certificates|certifications and licenses|licenses|courses|training|awards|honors|
		honours|awards and honors|achievements|publications|patents|volunteering|volunteer experience|volunteer work|interests|hobbies|
		hobbies and interests|activities|memberships|affiliations|additional information|military service|portfolio|links|
		kenntnisse|sprachen|compétences|langues|habilidades|idiomas|competenze|lingue|färdigheter|språk|навыки|языки|技能`,
})

func headingIndex(lists map[section]string) map[string]section {
	index := make(map[string]section)
	for s, list := range lists {
		for _, h := range strings.Split(list, "|") {
			index[headingKey(h)] = s
		}
	}
	return index
}

// headingOf tells whether a line is a known heading, whatever its case and decoration.
func headingOf(line string) (section, bool) {
	if len(line) > 4*maxHeading {
		return "", false
	}
	s, ok := headings[headingKey(line)]
	return s, ok
}

func headingKey(line string) string {
	line = strings.ReplaceAll(strings.ToLower(line), "&", " and ")
	return strings.Join(strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }), " ")
}

// split cuts the lines at their headings. The first block is always the header.
func split(lines []string) []block {
	blocks := []block{{section: header}}
	for _, line := range lines {
		if s, ok := headingOf(line); ok {
			blocks = append(blocks, block{section: s})
			continue
		}
		last := &blocks[len(blocks)-1]
		last.lines = append(last.lines, line)
	}
	return blocks
}
