package resume

import (
	"regexp"
	"strings"
	"unicode"
)

// languageNames maps the names of languages, their own and others', to the English ones.
var languageNames = func() map[string]string {
	index := make(map[string]string)
	for entry := range strings.FieldsSeq(`
		english/englisch/anglais/inglés/inglese/inglês/engels/engelska/angielski/английский/англійська/英语/英語 german/deutsch/allemand/alemán/tedesco/duits/tyska/niemiecki/немецкий
		french/französisch/français/francés/francese/frans/franska/francuski/французский spanish/spanisch/espagnol/español/castellano/spagnolo/spaans/spanska/hiszpański/испанский
		portuguese/português/portugiesisch italian/italienisch/italiano/italien dutch/nederlands/niederländisch/néerlandais flemish swedish/svenska/schwedisch norwegian/norsk danish/dansk
		finnish/suomi icelandic/íslenska polish/polski/polnisch/польский czech/čeština slovak/slovenčina hungarian/magyar romanian/română bulgarian/български greek/ελληνικά
		croatian/hrvatski serbian/srpski bosnian slovenian slovene albanian/shqip macedonian ukrainian/українська/украинский russian/русский/russisch/russe/російська belarusian
		estonian/eesti latvian lithuanian georgian/ქართული armenian/հայերեն/армянский azerbaijani kazakh uzbek turkish/türkçe/türkisch hebrew/עברית arabic/العربية/arabisch/arabe
		persian/farsi/فارسی dari pashto kurdish urdu/اردو hindi/हिन्दी/हिंदी bengali/bangla/বাংলা punjabi gujarati marathi tamil/தமிழ் telugu kannada malayalam oriya odia assamese
		konkani sanskrit sinhala nepali chinese/中文/汉语/普通话 mandarin/国语 cantonese/粤语 japanese/日本語/日语 korean/한국어 vietnamese thai/ไทย lao khmer burmese malay indonesian
		tagalog filipino javanese swahili/kiswahili hausa yoruba igbo twi akan ewe ga amharic somali zulu xhosa afrikaans shona wolof kinyarwanda luganda lingala irish/gaeilge gaelic welsh/cymraeg
		catalan/català basque/euskara galician/galego luxembourgish maltese yiddish latin esperanto mongolian tibetan maori`) {
		names := strings.Split(entry, "/")
		canonical := strings.ToUpper(names[0][:1]) + names[0][1:]
		for _, n := range names {
			index[n] = canonical
		}
	}
	return index
}()

var languageLine = regexp.MustCompile(`(?i)^(?:spoken |foreign )?(?:languages?|sprachen|langues|idiomas|lingue|языки)\s*[:：]\s*`)

// findLanguages reads the languages sections, and lines that begin with "Languages:".
func findLanguages(blocks []block) []string {
	var found []string
	for _, b := range blocks {
		for _, line := range b.lines {
			if b.section != languages && !languageLine.MatchString(line) || b.section == referees {
				continue
			}
			for _, l := range parseLanguages(line) {
				found = appendNew(found, l)
			}
		}
	}
	return found
}

func parseLanguages(line string) []string {
	var found []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if l := languageNames[word]; l != "" {
			found = appendNew(found, l)
		}
	}
	return found
}
