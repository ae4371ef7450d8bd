package resume

import (
	"regexp"
	"strings"
	"unicode"
)

// section is a part of a resume as its headings name it.
type section string

const (
	header     section = "header" // before the first heading
	experience section = "experience"
	education  section = "education"
	skills     section = "skills"
	languages  section = "languages"
	summary    section = "summary"
	referees   section = "references" // other people's addresses
	other      section = "other"      // other headings, whose text is not read
)

// block is the run of lines under one heading.
type block struct {
	section section
	lines   []string
}

const maxHeading = 40 // characters

var headings, compactHeadings = headingIndex(map[section]string{
	header: `contact|contact details|contact information|contact info|contact me|contacts|personal details|personal information|personal data|personal info|
		details|get in touch|kontakt|coordonnées|contacto|contatti|контакты|联系方式|連絡先`,
	experience: `experience|work experience|professional experience|experiences|employment|employment history|work history|career history|career|career path|positions held|job history|
		experience and employment|employment record|employment experience|professional career|professional history|professional background|work background|where i have worked|what i have done|
		berufserfahrung|beruflicher werdegang|praxiserfahrung|expérience|expérience professionnelle|expériences professionnelles|expériences|experiencia|
		experiencia laboral|experiencia profesional|esperienza|esperienza professionale|esperienze professionali|werkervaring|arbetslivserfarenhet|
		erhvervserfaring|arbeidserfaring|experiência|experiência profissional|doświadczenie|doświadczenie zawodowe|опыт работы|опыт|досвід роботи|工作经历|工作經歷|工作经验|職歴|職務経歴|경력`,
	education: `education|academic background|academic history|education and training|education and qualifications|education and certifications|qualifications|academic qualifications|academic credentials|educational background|
		educational qualifications|educational qualification|studies|training|training and education|schooling|degrees|ausbildung|bildung|studium|formation|formations|educación|formación|formación académica|
		formazione|istruzione|opleiding|opleidingen|utbildning|uddannelse|utdanning|educação|formação|formação académica|wykształcenie|образование|освіта|教育|教育背景|教育经历|学歴|학력`,
	skills: `skills|technical skills|key skills|core skills|core competencies|key competencies|competencies|competences|technologies|technology|tools|tech stack|technical proficiencies|technical expertise|
		areas of expertise|expertise|core strengths|strengths|key strengths|software|software and tools|tools and technologies|tools and software|it knowledge|specialties|specialities|proficiencies|areas of strength|
		technical summary|technical knowledge|what i know|kenntnisse|fähigkeiten|edv kenntnisse|compétences|compétences techniques|habilidades|aptitudes|competencias|competenze|färdigheter|kompetenser|kompetencer|
		vaardigheden|competências|umiejętności|навыки|ключевые навыки|навички|技能|专业技能|スキル|기술`,
	languages: `languages|language|sprachen|sprachkenntnisse|langues|idiomas|lingue|talen|språk|sprog|języki|языки|мови|语言|語学|언어`,
	summary: `summary|executive summary|career summary|summary of qualifications|professional summary|profile|professional profile|personal profile|personal statement|
		about|about me|objective|career objective|career profile|who i am|introduction|overview|highlights|career highlights|profil|über mich|perfil|résumé|sommaire|profilo|o mnie|обо мне|про мене|自我评价`,
	referees: `references|referees|referenzen|références|referencias|referenser|рекомендации`,
	other: `projects|personal projects|selected projects|key projects|academic projects|certifications|certificates|certification|certifications and licenses|licenses|licenses and certifications|licensure|courses|
		coursework|relevant coursework|courses and training|professional development|awards|honors|honours|honors and awards|awards and honors|achievements|accomplishments|publications|selected publications|patents|talks|presentations|conferences|
		volunteering|volunteer experience|volunteer work|volunteer|community|community service|interests|personal interests|hobbies|hobbies and interests|
		interests and hobbies|activities|extracurricular activities|memberships|professional memberships|affiliations|professional affiliations|additional information|additional|other|military service|portfolio|links|declaration|leadership|leadership and activities|
		projekte|zertifikate|interessen|hobbys|projets|centres d intérêt|loisirs|proyectos|intereses|progetti|интересы|проекты|证书|资格`,
})

// headingForms match headings that vary in a word: "Clinical Experience", "Statistical Skills".
var headingForms = []struct {
	section section
	form    *regexp.Regexp
}{
	{experience, regexp.MustCompile(`^(?:(?:work|professional|relevant|clinical|industry|industrial|research|teaching|career|practical|related|additional|selected|international|technical|nursing|engineering|management|legal|previous|recent|internship|consulting|sales|business|and) ){1,3}(?:experience|experiences|history|background|employment)$`)},
	{skills, regexp.MustCompile(`^(?:\p{L}+ ){0,3}skills(?: and \p{L}+| \p{L}+)?$`)},
	{skills, regexp.MustCompile(`^(?:technical|professional|core|key|primary|software|computer|it|\p{L}+ and) (?:competencies|competences|expertise|strengths|proficiency|proficiencies|knowledge|tools|technologies)$`)},
	{languages, regexp.MustCompile(`^(?:foreign languages|language skills|languages spoken|spoken languages)$`)},
}

// headingIndex returns the sections by heading, and by heading without spaces for
// letter-spaced ones.
func headingIndex(lists map[section]string) (index, squashed map[string]section) {
	index, squashed = make(map[string]section), make(map[string]section)
	for s, list := range lists {
		for h := range strings.SplitSeq(list, "|") {
			key := headingKey(h)
			index[key], squashed[strings.ReplaceAll(key, " ", "")] = s, s
		}
	}
	return index, squashed
}

// parseHeading returns the section of a heading, and whether line is one, in any case
// and decoration. One of headingForms must begin with a capital letter.
func parseHeading(line string) (section, bool) {
	if len(line) > 4*maxHeading || line == "" {
		return "", false
	}
	key := headingKey(line)
	if s, ok := headings[key]; ok {
		return s, true
	}
	if s, ok := compactHeadings[strings.ReplaceAll(key, " ", "")]; ok && isLetterSpaced(line) {
		return s, true
	}
	if strings.ContainsAny(line, ",.;0123456789") || isBullet(line) || !unicode.IsUpper([]rune(line)[0]) {
		return "", false
	}
	for _, h := range headingForms {
		if h.form.MatchString(key) {
			return h.section, true
		}
	}
	return "", false
}

// isLetterSpaced reports whether the letters are set apart: "E D U C A T I O N".
func isLetterSpaced(line string) bool {
	words := strings.Fields(line)
	for _, w := range words {
		if len([]rune(w)) > 1 {
			return false
		}
	}
	return len(words) > 3
}

func headingKey(line string) string {
	line = strings.ReplaceAll(strings.ToLower(line), "&", " and ")
	return strings.Join(strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }), " ")
}

// splitSections splits the text at its headings. The first block is always the header.
// A column with headings of its own begins with a new header: what is above them
// does not belong to the last section of the column before.
func splitSections(columns [][]string) []block {
	blocks := []block{{section: header}}
	for i, lines := range columns {
		if i > 0 && startsNewHeader(lines) {
			blocks = append(blocks, block{section: header})
		}
		for _, line := range lines {
			blocks = addLine(blocks, line)
		}
	}
	return blocks
}

func startsNewHeader(lines []string) bool {
	for i, line := range lines {
		if s, ok := parseHeading(line); ok {
			return i > 0 && s != languages // a column that continues the page before has few lines and more headings
		}
	}
	return false
}

// addLine adds a heading or a line to blocks. A heading may have its text beside it:
// "Skills<tab>Go, SQL", "Languages: English".
func addLine(blocks []block, line string) []block {
	if s, ok := parseHeading(line); ok {
		return append(blocks, block{section: s})
	}
	if left, right, found := cutHeading(line); found {
		s, ok := parseHeading(left)
		if ok && (s != languages || blocks[len(blocks)-1].section != skills || len(parseLanguages(right)) > 0) { // "Languages: Go, SQL" are skills
			return append(blocks, block{section: s, lines: []string{right}})
		}
	}
	last := &blocks[len(blocks)-1]
	last.lines = append(last.lines, line)
	return blocks
}

func cutHeading(line string) (left, right string, found bool) {
	if left, right, found = strings.Cut(line, "\t"); found {
		return left, right, true
	}
	left, right, found = strings.Cut(line, ": ")
	s, _ := parseHeading(left)
	return left, right, found && (s == skills || s == languages || s == summary)
}
