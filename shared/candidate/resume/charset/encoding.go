// Package charset decodes text in an encoding that a page names or that has to be detected.
package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/expression"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// codec is one encoding of text by its name.
type codec struct {
	name     string
	encoding encoding.Encoding
}

// decode returns the text, and false if bytes have no meaning.
func (c codec) decode(content []byte) (string, bool) {
	text, err := c.encoding.NewDecoder().Bytes(content)
	if err != nil || bytes.ContainsFunc(text, IsUndecoded) {
		return "", false
	}
	return string(text), true
}

// IsUndecoded reports whether a decoder returns r for bytes without a character. C1 control characters are none.
func IsUndecoded(r rune) bool { return r == utf8.RuneError || r >= 0x80 && r < 0xa0 }

// detectable are the encodings that text without a label may have, frequent ones first. KOI8-U
// has all letters of KOI8-R, and GBK those of GB 2312.
var detectable = []codec{
	{"windows-1252", charmap.Windows1252}, {"windows-1250", charmap.Windows1250}, {"windows-1251", charmap.Windows1251},
	{"windows-1253", charmap.Windows1253}, {"windows-1254", charmap.Windows1254}, {"windows-1255", charmap.Windows1255},
	{"windows-1256", charmap.Windows1256}, {"windows-1257", charmap.Windows1257}, {"windows-1258", charmap.Windows1258},
	{"koi8-u", charmap.KOI8U}, {"iso-8859-2", charmap.ISO8859_2}, {"iso-8859-5", charmap.ISO8859_5},
	{"iso-8859-6", charmap.ISO8859_6}, {"iso-8859-7", charmap.ISO8859_7}, {"ibm850", charmap.CodePage850},
	{"ibm852", charmap.CodePage852}, {"ibm866", charmap.CodePage866},
	{"x-mac-cyrillic", charmap.MacintoshCyrillic},
	{"gbk", simplifiedchinese.GB18030}, {"big5", traditionalchinese.Big5}, {"shift_jis", japanese.ShiftJIS},
	{"euc-jp", japanese.EUCJP}, {"euc-kr", korean.EUCKR},
}

// charsetLabels are labels of pages as the Encoding Standard has them, beside the names of
// detectable. Labels of Latin-1 mean windows-1252, as in browsers.
var charsetLabels = map[string]string{
	"iso-8859-1": "windows-1252", "latin1": "windows-1252", "us-ascii": "windows-1252", "ascii": "windows-1252", "cp1252": "windows-1252",
	"iso-8859-9": "windows-1254", "latin5": "windows-1254", "koi8-r": "koi8-u", "koi8": "koi8-u", "gb2312": "gbk", "gb18030": "gbk", "x-gbk": "gbk", "gb_2312-80": "gbk",
	"big5-hkscs": "big5", "cn-big5": "big5", "x-x-big5": "big5",
	"sjis": "shift_jis", "shift-jis": "shift_jis", "windows-31j": "shift_jis", "ms_kanji": "shift_jis", "x-sjis": "shift_jis",
	"x-euc-jp": "euc-jp", "ks_c_5601-1987": "euc-kr", "korean": "euc-kr", "windows-949": "euc-kr", "cp1250": "windows-1250", "cp1251": "windows-1251", "cp1253": "windows-1253",
	"cp1254": "windows-1254", "cp1255": "windows-1255", "cp1256": "windows-1256", "cp1257": "windows-1257",
}

// labelledOnly are encodings that are read where a page names them.
var labelledOnly = []codec{
	{"macintosh", charmap.Macintosh}, {"iso-8859-8", charmap.ISO8859_8}, {"iso-8859-13", charmap.ISO8859_13}, {"iso-8859-15", charmap.ISO8859_15},
}

// findCodec returns the encoding of a label.
func findCodec(label string) (codec, bool) {
	label = strings.ToLower(strings.TrimSpace(label))
	if name := charsetLabels[label]; name != "" {
		label = name
	}
	for _, list := range [][]codec{detectable, labelledOnly} {
		for _, c := range list {
			if c.name == label {
				return c, true
			}
		}
	}
	return codec{}, false
}

// charsetLabel finds the encoding label in the first kilobytes of a page.
var charsetLabel = expression.New(`(?i)(?:<meta[^>]{0,200}\scharset|<meta[^>]{0,200}\scontent\s*=\s*["'][^"'>]{0,100}charset|<\?xml[^>]{0,100}\sencoding)\s*=\s*["']?\s*([A-Za-z0-9_:-]{2,30})`)

const (
	labelledPart = 4 << 10  // bytes of a page in which it names its encoding
	detectedPart = 64 << 10 // bytes by which the encoding of text is detected
)

// Decode returns the text of a file: in Unicode if it is that, in the encoding that a page
// names, or in the one that is detected. It fails rather than return text that may be garbled.
func Decode(content []byte, isPage bool) (string, error) {
	if text, ok := filetype.DecodeUnicode(content); ok {
		return text, nil
	}
	if isPage {
		if m := charsetLabel().FindSubmatch(content[:min(len(content), labelledPart)]); m != nil {
			if c, ok := findCodec(string(m[1])); ok {
				if text, ok := c.decode(content); ok {
					return text, nil
				}
			}
		}
	}
	c, ok := detectCodec(content[:min(len(content), detectedPart)])
	if !ok {
		return "", document.EncodingFailure()
	}
	text, ok := c.decode(content)
	if !ok {
		return "", document.EncodingFailure()
	}
	return text, nil
}

// detectCodec returns the encoding in which text is most like the words that this package
// knows, if it is clearly more so than in any encoding that makes another text of it.
func detectCodec(content []byte) (codec, bool) {
	content = content[:lastWhole(content)]
	high := 0
	for _, c := range content {
		if c >= utf8.RuneSelf {
			high++
		}
	}
	var best codec
	most := likelihood{score: worstScore}
	second := worstScore
	bestText := ""
	for _, c := range detectable {
		text, ok := c.decode(content)
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

// lastWhole returns the length of content without a line that may end within a character.
func lastWhole(content []byte) int {
	if len(content) < detectedPart {
		return len(content)
	}
	if at := bytes.LastIndexByte(content, '\n'); at > 0 {
		return at
	}
	return len(content)
}
