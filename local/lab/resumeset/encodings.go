package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

type encodingsCommand struct {
	Dir    string `default:"${folder}" help:"Where the sets are."`
	Errors bool   `help:"Print the files that were read wrongly."`
}

// oldEncodings are the encodings in which text of a language is found, beside UTF-16.
var oldEncodings = map[string][]encoding.Encoding{
	"cs": {charmap.Windows1250}, "pl": {charmap.Windows1250}, "ro": {charmap.Windows1250}, "ru": {charmap.Windows1251, charmap.KOI8R}, "uk": {charmap.Windows1251, charmap.KOI8U},
	"el": {charmap.Windows1253}, "tr": {charmap.Windows1254}, "ar": {charmap.Windows1256}, "zh": {simplifiedchinese.GBK, simplifiedchinese.GB18030},
	"ja": {japanese.ShiftJIS, japanese.EUCJP}, "ko": {korean.EUCKR}, "zh-Hant": {traditionalchinese.Big5}, "hi": {}, "vi": {},
}

// strangeEncodings are some that the reader does not detect: it must refuse text in them, or read it
// rightly where they agree with another.
var strangeEncodings = map[string][]encoding.Encoding{
	"cs": {charmap.ISO8859_2, charmap.CodePage852}, "pl": {charmap.ISO8859_2, charmap.CodePage852}, "ru": {charmap.ISO8859_5, charmap.CodePage866, charmap.MacintoshCyrillic}, "uk": {charmap.ISO8859_5},
	"el": {charmap.ISO8859_7}, "ar": {charmap.ISO8859_6}, "de": {charmap.CodePage850, charmap.Macintosh}, "fr": {charmap.CodePage850, charmap.Macintosh}, "zh": {japanese.EUCJP}, "ja": {simplifiedchinese.GBK},
}

var unmarkedUTF16 = []encoding.Encoding{unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}

// metaCharset is how the pages of the set tell their encoding.
var metaCharset = regexp.MustCompile(`(?i)<meta[^>]*charset[^>]*>`)

// encodingTally counts texts: read rightly, refused, and read wrongly.
type encodingTally struct{ texts, right, refused, garbled int }

// Run prints, by encoding, how many texts of the development set are read rightly when they
// are in that encoding and nothing tells it.
func (c encodingsCommand) Run() error {
	truths, err := readTruths(setFlags{Dir: c.Dir}.folder())
	if err != nil {
		return err
	}
	tallies := make(map[string]*encodingTally)
	for _, t := range truths {
		content, err := readSample(t)
		if err != nil {
			return err
		}
		if content == nil {
			continue
		}
		old, ok := oldEncodings[t.Language]
		if !ok {
			old = []encoding.Encoding{charmap.Windows1252}
		}
		for _, e := range slices.Concat(old, unmarkedUTF16, strangeEncodings[t.Language]) {
			name := fmt.Sprintf("%s %v", t.Language, e)
			if tallies[name] == nil {
				tallies[name] = &encodingTally{}
			}
			if !tallies[name].add(string(content), e) && c.Errors {
				fmt.Println(name, t.File)
			}
		}
	}
	printEncodings(tallies)
	return nil
}

// readSample returns a text of the set: a file of text or of HTML without its charset, or the lines
// of a document. There is none of a PDF file.
func readSample(t truth) ([]byte, error) {
	content, err := os.ReadFile(t.File)
	if err != nil || t.Format == "pdf" {
		return nil, err
	}
	if slices.Contains([]string{"txt", "md", "html"}, t.Format) {
		return metaCharset.ReplaceAll(content, nil), nil
	}
	doc, err := resume.Read(context.Background(), content)
	return []byte(strings.Join(slices.Concat(doc.Blocks...), "\n")), err
}

func printEncodings(tallies map[string]*encodingTally) {
	printRow(os.Stdout, []string{"language and encoding", "texts", "read rightly", "refused", "garbled"})
	printRow(os.Stdout, slices.Repeat([]string{"-"}, 5))
	var names []string
	var sum encodingTally
	for name, t := range tallies {
		names = append(names, name)
		sum = encodingTally{sum.texts + t.texts, sum.right + t.right, sum.refused + t.refused, sum.garbled + t.garbled}
	}
	slices.Sort(names)
	tallies["all"] = &sum
	for _, name := range append(names, "all") {
		t := tallies[name]
		printRow(os.Stdout, []string{name, fmt.Sprint(t.texts), percent(t.right, t.texts) + " %", fmt.Sprint(t.refused), fmt.Sprint(t.garbled)})
	}
}

// add reads a text in an encoding and reports whether it is what its UTF-8 is. Characters that
// the encoding lacks are left out.
func (t *encodingTally) add(text string, e encoding.Encoding) bool {
	encoded, kept := encodeText(text, e)
	t.texts++
	want, err := resume.Read(context.Background(), []byte(kept))
	if err != nil {
		return false
	}
	got, err := resume.Read(context.Background(), encoded)
	switch {
	case err != nil:
		t.refused++
	case slices.EqualFunc(want.Blocks, got.Blocks, slices.Equal):
		t.right++
		return true
	default:
		t.garbled++
	}
	return false
}

func encodeText(text string, e encoding.Encoding) (encoded []byte, kept string) {
	var b strings.Builder
	var out bytes.Buffer
	for _, r := range text {
		piece, err := e.NewEncoder().Bytes([]byte(string(r)))
		if err == nil {
			b.WriteRune(r)
			out.Write(piece)
		}
	}
	return out.Bytes(), b.String()
}
