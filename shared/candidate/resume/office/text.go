// Package office reads plain text, Markdown, HTML, RTF, DOCX and ODT. It decodes text in an encoding that a page names or
// that has to be detected.
package office

import (
	"bytes"
	"context"
	"html"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Patterns of one line of Markdown. A search passes over the line once, because what begins a match also ends the
// previous one. The patterns of links count nothing: one that counts to 200 keeps 200 states for every open bracket.
var (
	labelledLink = words.Expression(`\[([^\]]+)\]\(([^)\s]+)\)`)
	bareLink     = words.Expression(`<((?:https?://|mailto:)[^>\s]+)>`)

	lineMarks = words.Expression(`^[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]?|[-*_=]{3,}[ \t]*$)|[ \t]+#+[ \t]*$`)
	italics   = words.Expression(`(^|[^\p{L}\p{N}_])_([^_\s][^_]*)_([^\p{L}\p{N}_]|$)`)
	firstPart = words.Expression(`^((?:#{1,6}[ \t]+)?)(?:\*{1,3}([^*]+)\*{1,3}|__?([^_]+)__?),[ \t]+`)
	escaped   = words.Expression(`\\[[:punct:]]`)
	emphasis  = words.Expression("\\*{1,3}([^*]+)\\*{1,3}|__([^_]+)__|`([^`]+)`")
)

// ReadText reads plain text and Markdown, without Markdown's mark-up.
func ReadText(ctx context.Context, content []byte, out *collect.Collector) error {
	text, err := decodeText(content, false)
	if err != nil {
		return err
	}
	marked := markdown{out: out}
	for line := range strings.SplitSeq(text, "\n") {
		if err := ctx.Err(); err != nil {
			return err
		}
		if out.IsCut {
			break
		}
		if len(line) > document.MaxText {
			out.AddText(line[:document.MaxText])
			out.EndText()
			break
		}
		style := ""
		if out.Document.Type == filetype.Markdown {
			if rest := strings.TrimLeft(line, "#"); len(rest) < len(line) {
				style = "#" + line[:len(line)-len(rest)]
			}
			line = marked.stripLine(line)
		}
		out.AddMarkedText(line, style)
	}
	for _, address := range marked.addresses {
		out.AddLink(address)
	}
	return nil
}

// markdown removes the mark-up of lines and collects what they link to.
type markdown struct {
	out       *collect.Collector
	addresses []string // of <https://…>, which follow the links with a label
}

// stripLine returns a line without mark-up, and without the backslash that breaks it at its end. A mark behind a
// backslash is text; it is hidden until the others are stripped.
func (m *markdown) stripLine(line string) string {
	line = strings.Map(func(r rune) rune {
		if isHiddenMark(r) {
			return -1 // the file's own, which would be shown as a mark
		}
		return r
	}, line)
	line = escaped().ReplaceAllStringFunc(line, func(mark string) string { return string(hiddenMarks + rune(mark[1])) })
	line = strings.TrimSuffix(strings.TrimRight(line, "\r"), `\`)
	for _, link := range labelledLink().FindAllStringSubmatch(line, -1) {
		m.out.AddLink(showEscaped(link[2]))
	}
	line = labelledLink().ReplaceAllString(line, "$1")
	for _, link := range bareLink().FindAllStringSubmatch(line, document.MaxLinks-len(m.addresses)) {
		m.addresses = append(m.addresses, showEscaped(link[1]))
	}
	line = bareLink().ReplaceAllString(line, "$1")
	line = firstPart().ReplaceAllString(line, "$1$2$3,\t") // "**Engineer**, Acme" has two parts
	for range min(2, strings.Count(line, "_")) {           // a match takes the space before the next
		line = italics().ReplaceAllString(line, "$1$2$3")
	}
	return showEscaped(html.UnescapeString(emphasis().ReplaceAllString(lineMarks().ReplaceAllString(line, ""), "$1$2$3")))
}

// hiddenMarks is the first of the characters, for private use, that stand for ASCII marks which are text.
const hiddenMarks = '\U0010ff00'

func isHiddenMark(r rune) bool { return r >= hiddenMarks && r < hiddenMarks+utf8.RuneSelf }

func showEscaped(text string) string {
	return strings.Map(func(r rune) rune {
		if isHiddenMark(r) {
			return r - hiddenMarks
		}
		return r
	}, text)
}

func decode(content []byte, as encoding.Encoding) (string, bool) {
	text, err := as.NewDecoder().Bytes(content)
	if err != nil || bytes.ContainsFunc(text, isUndecoded) {
		return "", false
	}
	return string(text), true
}

// isUndecoded reports whether a decoder returns r for bytes without a character. C1 control characters are none.
func isUndecoded(r rune) bool { return r == utf8.RuneError || r >= 0x80 && r < 0xa0 }

// detectable are the encodings that text without a label may have, frequent ones first. KOI8-U
// has all letters of KOI8-R, and GBK those of GB 2312.
var detectable = []encoding.Encoding{
	charmap.Windows1252, charmap.Windows1250, charmap.Windows1251, charmap.Windows1253, charmap.Windows1254, charmap.Windows1255,
	charmap.Windows1256, charmap.Windows1257, charmap.Windows1258, charmap.KOI8U, charmap.ISO8859_2, charmap.ISO8859_5,
	charmap.ISO8859_6, charmap.ISO8859_7, charmap.CodePage850, charmap.CodePage852, charmap.CodePage866, charmap.MacintoshCyrillic,
	simplifiedchinese.GB18030, traditionalchinese.Big5, japanese.ShiftJIS, japanese.EUCJP, korean.EUCKR,
}

// codePages are the encodings of \ansicpg and \cpg in RTF, fontCharsets those of \fcharset.
var (
	codePages = map[int]encoding.Encoding{
		437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 866: charmap.CodePage866, 874: charmap.Windows874,
		932: japanese.ShiftJIS, 936: simplifiedchinese.GB18030, 949: korean.EUCKR, 950: traditionalchinese.Big5,
		1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
		1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh,
	}
	fontCharsets = map[int]int{
		77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254,
		163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250,
	}
)

// charsetLabel finds the encoding label in the first kilobytes of a page.
var charsetLabel = words.Expression(`(?i)(?:<meta[^>]{0,200}\scharset|<meta[^>]{0,200}\scontent\s*=\s*["'][^"'>]{0,100}charset|<\?xml[^>]{0,100}\sencoding)\s*=\s*["']?\s*([A-Za-z0-9_:-]{2,30})`)

const (
	labelledPart = 4 << 10  // bytes of a page in which it names its encoding
	detectedPart = 64 << 10 // bytes by which the encoding of text is detected
)

// decodeText returns the text of a file: in Unicode if it is that, in the encoding that a page
// names, or in the one that is detected. It fails rather than return text that may be garbled.
func decodeText(content []byte, isPage bool) (string, error) {
	if text, ok := filetype.DecodeUnicode(content); ok {
		return text, nil
	}
	if isPage {
		if text, ok := decodeLabelled(content); ok {
			return text, nil
		}
	}
	if detected, ok := detectEncoding(content[:min(len(content), detectedPart)]); ok {
		if text, ok := decode(content, detected); ok {
			return text, nil
		}
	}
	return "", encodingFailure()
}

func encodingFailure() error {
	return document.NewFailure(document.UnknownEncoding, "the text encoding is not recognised; save the file as UTF-8 and send it again", nil)
}

// decodeLabelled returns the text of a page in the encoding that it names, in which the name itself reads the same.
func decodeLabelled(content []byte) (string, bool) {
	label := charsetLabel().FindSubmatch(content[:min(len(content), labelledPart)])
	if label == nil {
		return "", false
	}
	named, err := htmlindex.Get(string(label[1]))
	if err != nil || named == charmap.XUserDefined { // which has no letters beyond ASCII
		return "", false
	}
	text, ok := decode(content, named)
	return text, ok && strings.Contains(text, string(label[0]))
}

// detectEncoding returns the encoding in which text is most like the words of package words,
// if it is clearly more so than in any encoding that makes another text of it.
func detectEncoding(content []byte) (encoding.Encoding, bool) {
	if at := bytes.LastIndexByte(content, '\n'); len(content) >= detectedPart && at > 0 {
		content = content[:at] // the last line may end within a character
	}
	high := words.Count(content, func(c byte) bool { return c >= utf8.RuneSelf })
	var best encoding.Encoding
	most := likelihood{score: worstScore}
	second := worstScore
	bestText := ""
	for _, c := range detectable {
		text, ok := decode(content, c)
		if !ok || text == bestText {
			continue
		}
		if rated := letterStatistics().rate(text); rated.score > most.score {
			best = c
			bestText = text
			second = most.score
			most = rated
		} else {
			second = max(second, rated.score)
		}
	}
	return best, float64(most.unseen) <= float64(high)*mostUnseen && most.score-second >= min(clearMargin, float64(high)*clearPerByte)
}

// Natural logarithms of probabilities, and what they decide.
const (
	unseen       = -12.0 // a pair of letters, or a Chinese character, that no list has
	strangeSign  = -9.0  // a sign that text hardly has
	usualSign    = -3.0  // a dash, a bullet or another usual one
	caseError    = -6.0  // a capital letter within a word
	fewestPairs  = 0.05  // smoothing
	mostUnseen   = 0.25  // per byte outside ASCII: above, the text is none
	clearMargin  = 5.0   // by which the best encoding must exceed the next
	clearPerByte = 1.0   // the same for short texts
	worstScore   = -1e18

	// usualSigns are those of text, beside spaces and general punctuation.
	usualSigns = "©®™°€£¥§«»·¡¿№●○■□◆◇★☆▪▲►→～￥、。،؛؟"
)

// letterCounts counts how often letters outside ASCII follow others in the lists of words and places, which have 50 languages.
type letterCounts struct {
	pairs   map[[2]rune]float64
	letters map[rune]float64
	total   float64 // of unspaced letters
}

var letterStatistics = sync.OnceValue(func() *letterCounts {
	n := &letterCounts{make(map[[2]rune]float64), make(map[rune]float64), 0}
	for _, list := range words.Lists() {
		last := ' '
		for _, r := range strings.ToLower(list) {
			r = pairLetter(r)
			if last >= utf8.RuneSelf || r >= utf8.RuneSelf {
				n.pairs[[2]rune{last, r}]++
			}
			if words.IsUnspaced(r) {
				n.total++
			}
			n.letters[r]++
			last = r
		}
	}
	return n
})

func pairLetter(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsMark(r) {
		return r
	}
	return ' '
}

// likelihood is how likely a text's letters outside ASCII are, the higher the likelier, and how many
// pairs, letters and signs are in no list.
type likelihood struct {
	score  float64
	unseen int
}

func (l *likelihood) add(score, unseen float64) {
	l.score += score
	if score == unseen {
		l.unseen++
	}
}

func (n *letterCounts) rate(text string) likelihood {
	var sum likelihood
	last := ' '
	wasLower := false
	for _, r := range text {
		low := pairLetter(unicode.ToLower(r))
		switch {
		case r >= utf8.RuneSelf && low == ' ':
			score := strangeSign
			if r >= 0x2000 && unicode.IsPunct(r) || unicode.IsSpace(r) || strings.ContainsRune(usualSigns, r) {
				score = usualSign
			}
			sum.add(score, strangeSign)
		case words.IsUnspaced(low):
			sum.add(scoreCount(n.letters[low], 0, n.total), unseen)
		case low >= utf8.RuneSelf || last >= utf8.RuneSelf && !words.IsUnspaced(last):
			sum.add(scoreCount(n.pairs[[2]rune{last, low}], fewestPairs, n.letters[last]+1), unseen)
		}
		isBeyondASCII := r >= utf8.RuneSelf || last >= utf8.RuneSelf
		if isBeyondASCII && wasLower && unicode.IsUpper(r) {
			sum.add(caseError, caseError)
		}
		last = low
		wasLower = unicode.IsLower(r)
	}
	return sum
}

// scoreCount returns the logarithm of the probability of what occurs so often among so many.
func scoreCount(count, smoothing, of float64) float64 {
	if count == 0 {
		return unseen
	}
	return math.Log((count + smoothing) / of)
}
