package resume

import (
	"context"
	"html"
	"strings"
)

const maxIndent = 200 // bytes of white space between elements

var (
	whitespace = expression(`\s+`)
	tagName    = expression(`^</?([A-Za-z][A-Za-z0-9]*)`)
	hrefAttr   = expression(`(?is)\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)

	// Adjacent elements with nothing between are apart in flexible boxes and grids.
	startsApart = expression(`(?i)^<(?:b|strong|i|em|span|time|small)[\s>]`)
	spanStart   = expression(`(?i)^<(?:span|time|small)[\s>]`)
	endsApart   = expression(`(?i)^</(?:b|strong|i|em|span|time|small)>`)

	// hiddenElements hold text that is not shown.
	hiddenElements = wordSet("script style head title template noscript svg math select textarea iframe object")

	// columnElements begin and end a block.
	columnElements = wordSet("aside main")

	// inlineElements do not end a line; all others do.
	inlineElements = wordSet("a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr")
)

// readHTML reads the visible text, one line per HTML block, and the targets of links.
// It builds no tree, so that nothing can be nested too deep.
func readHTML(ctx context.Context, content []byte, out *collector) error {
	text, err := decodeText(content, true)
	if err != nil {
		return err
	}
	r, ended, progress := htmlReader{out: out}, false, checkpoint{ctx: ctx}
	for left := len(text); text != "" && !out.isFull(); {
		if err := progress.countBytes(left - len(text)); err != nil {
			return err
		}
		left = len(text)
		between := cutText(&text)
		r.addText(between)
		tag, ok := cutTag(&text)
		if !ok {
			return limitFailure(nil)
		}
		if ended && (between == "" && startsApart().MatchString(tag) || len(between) < maxIndent && strings.TrimSpace(between) == "" && spanStart().MatchString(tag)) {
			r.line.WriteByte('\t')
		}
		ended = endsApart().MatchString(tag)
		r.handleTag(tag, &text)
	}
	r.endLine()
	return nil
}

type htmlReader struct {
	out    *collector
	line   strings.Builder
	listed bool   // the line is a list item's first
	tables []bool // open tables, and whether a row of each is open
}

// addText adds running text, in which line breaks and indentation are one space.
func (r *htmlReader) addText(s string) {
	if left := maxText - r.line.Len(); left > 0 {
		r.line.WriteString(html.UnescapeString(whitespace().ReplaceAllString(s[:min(len(s), left)], " ")))
	}
}

// handleTag processes one tag. Of a hidden element it removes everything up to its end.
func (r *htmlReader) handleTag(tag string, rest *string) {
	m := tagName().FindStringSubmatch(tag)
	if m == nil {
		return
	}
	name := strings.ToLower(m[1])
	switch {
	case hiddenElements[name] && !strings.HasPrefix(tag, "</"):
		skipElement(name, rest)
	case name == "a":
		if h := hrefAttr().FindStringSubmatch(tag); h != nil {
			r.out.addLink(html.UnescapeString(h[1] + h[2] + h[3]))
		}
	case name == "tr" || name == "td" || name == "th" || name == "table":
		r.handleTableTag(name, strings.HasPrefix(tag, "</"))
	case columnElements[name]:
		r.endLine()
		r.out.startBlock()
	case !inlineElements[name]:
		r.endLine()
		r.listed = name == "li" && !strings.HasPrefix(tag, "</")
	}
}

// handleTableTag keeps a row open until the next one begins, because end tags are optional.
func (r *htmlReader) handleTableTag(name string, end bool) {
	r.endLine()
	switch {
	case name == "table" && !end:
		r.tables = append(r.tables, false)
	case len(r.tables) == 0:
	case name == "td" || name == "th":
		if !end {
			r.out.beginCell()
		}
	default:
		last := &r.tables[len(r.tables)-1]
		if *last {
			r.out.endRow()
		}
		*last = name == "tr" && !end && len(r.out.rows) < maxRows
		if *last {
			r.out.beginRow()
		}
		if name == "table" {
			r.tables = r.tables[:len(r.tables)-1]
		}
	}
}

func (r *htmlReader) endLine() {
	if line := r.line.String(); r.listed && strings.TrimSpace(line) != "" {
		r.out.addText("• " + line)
		r.listed = false
	} else {
		r.out.addText(line)
	}
	r.line.Reset()
}

// cutText removes and returns the text before the next tag; a single < is text.
func cutText(rest *string) string {
	end := 0
	for end < len(*rest) && !isTagStart((*rest)[end:]) {
		next := strings.IndexByte((*rest)[end+1:], '<')
		if next < 0 {
			next = len(*rest) - end - 1
		}
		end += 1 + next
	}
	text := (*rest)[:end]
	*rest = (*rest)[end:]
	return text
}

func isTagStart(s string) bool {
	return len(s) > 1 && s[0] == '<' && (isASCIILetter(s[1]) || strings.IndexByte("/!?", s[1]) >= 0)
}

// cutTag removes one tag or comment and returns the tag. It returns false if that is
// longer than any real one.
func cutTag(rest *string) (string, bool) {
	if strings.HasPrefix(*rest, "<!--") {
		_, *rest, _ = strings.Cut(*rest, "-->")
		return "", true
	}
	length := tagLength(*rest)
	if length < 0 {
		return "", false
	}
	tag := (*rest)[:length]
	*rest = (*rest)[length:]
	return tag, true
}

// skipElement removes the content of an element but not its end tag. An element without
// an end tag hides the rest, as in a browser.
func skipElement(name string, rest *string) {
	for text := *rest; ; {
		start := strings.Index(text, "</")
		if start < 0 {
			*rest = ""
			return
		}
		text = text[start+len("</"):]
		if after, ok := cutPrefixFold(text, name); ok && (after == "" || !isNameByte(after[0])) {
			*rest = (*rest)[len(*rest)-len(text)-len("</"):]
			return
		}
	}
}

func isNameByte(c byte) bool { return isASCIILetter(c) || c >= '0' && c <= '9' || c == '_' }
