package office

import (
	"context"
	"html"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/charset"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/expression"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const maxIndent = 200 // bytes of white space between elements

var (
	whitespace = expression.New(`\s+`)
	tagName    = expression.New(`^</?([A-Za-z][A-Za-z0-9]*)`)
	hrefAttr   = expression.New(`(?is)\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)

	// Adjacent elements with nothing between are apart in flexible boxes and grids.
	startsApart = expression.New(`(?i)^<(?:a|b|strong|i|em|span|time|small)[\s>]`)
	endsApart   = expression.New(`(?i)^</(?:a|b|strong|i|em|span|time|small)>`)

	// isHidden matches an element that is not shown.
	isHidden = expression.New(`(?i)^<[a-z0-9]+\s(?:[^>]*\s)?(?:hidden(?:\s*[=>]|\s+[a-z-]+\s*=)|style\s*=\s*["'][^"']*(?:display\s*:\s*none|visibility\s*:\s*hidden))`)

	endsInWord = expression.New(`[\p{L}\p{N}.)] $`)
	nameAttrs  = expression.New(`(?i)\s(?:class|itemprop)\s*=\s*(?:"([^"]*)"|'([^']*)')`)

	// hiddenElements hold text that is not shown.
	hiddenElements = words.Set("script style head title template noscript svg math select textarea iframe object")

	voidElements = words.Set("area base br col embed hr img input link meta source track wbr")

	// columnElements begin and end a block.
	columnElements = words.Set("aside main nav")

	// inlineElements do not end a line; all others do.
	inlineElements = words.Set(`a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong
		sub sup time tt u var wbr`)
)

// ReadHTML reads the visible text, one line per HTML block, and the targets of links.
// It builds no tree, so that nothing can be nested too deep.
func ReadHTML(ctx context.Context, content []byte, out *collect.Collector) error {
	text, err := charset.Decode(content, true)
	if err != nil {
		return err
	}
	r := htmlReader{out: out, gap: '\t'}
	ended := false
	progress := document.NewCheckpoint(ctx)
	for left := len(text); text != "" && !out.IsFull(); {
		if err := progress.CountBytes(left - len(text)); err != nil {
			return err
		}
		left = len(text)
		between := cutText(&text)
		r.addText(between)
		tag, ok := cutTag(&text)
		if !ok {
			return document.LimitFailure(nil)
		}
		isBlank := len(between) < maxIndent && strings.TrimSpace(between) == ""
		if startsApart().MatchString(tag) && (ended && isBlank || r.isSubtitle(between)) {
			r.line.WriteByte(r.gap)
		}
		ended = endsApart().MatchString(tag)
		r.handleTag(tag, &text)
	}
	r.endLine()
	return nil
}

type htmlReader struct {
	out    *collect.Collector
	line   strings.Builder
	style  string // of the line: the block around it, and the elements at its start
	gap    byte   // between elements that are apart
	named  namedElement
	item   listItem
	lists  int    // open lists
	tables []bool // open tables, and whether a row of each is open
}

// namedElement is an open element whose name says what its text is.
type namedElement struct {
	role document.Role
	name string
	from int // in the line
}

// listItem is the open list item. It is a bullet unless it has other lines or lists inside.
type listItem struct {
	open  bool
	depth int       // of its list
	to    *[]string // where its first line is, and at which index
	at    int
}

// isSubtitle reports whether text in a small heading ends where an element begins: a company
// behind a title.
func (r *htmlReader) isSubtitle(between string) bool {
	return isSmallHeading(r.style) && endsInWord().MatchString(between)
}

func isSmallHeading(style string) bool {
	return len(style) > 1 && style[0] == 'h' && strings.IndexByte("3456", style[1]) >= 0
}

// AddText adds running text, in which line breaks and indentation are one space.
func (r *htmlReader) addText(s string) {
	if left := document.MaxText - r.line.Len(); left > 0 {
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
	end := strings.HasPrefix(tag, "</")
	if end {
		r.endNamed(name)
	}
	switch {
	case !end && isHiddenElement(name, tag):
		skipElement(name, rest)
		return
	case name == "a":
		if h := hrefAttr().FindStringSubmatch(tag); h != nil {
			r.out.AddLink(html.UnescapeString(h[1] + h[2] + h[3]))
		}
	case name == "tr" || name == "td" || name == "th" || name == "table":
		r.handleTableTag(name, end)
	case columnElements[name]:
		r.endLine()
		r.out.StartBlock()
	case !inlineElements[name]:
		r.endLine()
		r.handleList(name, end)
	}
	if !end && !voidElements[name] {
		r.openStyle(name, tag)
	}
	if end && !inlineElements[name] {
		r.style = ""
	}
}

// maxStyle is the length at which a style grows no more, so that nested elements take time linear in their number.
const maxStyle = 1 << 10

// openStyle notes how the line that begins is set, and what its element is named after.
func (r *htmlReader) openStyle(name, tag string) {
	words := ""
	if m := nameAttrs().FindStringSubmatch(tag); m != nil {
		words = m[1] + m[2]
	}
	switch {
	case !inlineElements[name]:
		r.style = name + "." + words
		r.gap = '\t'
		if name == "h1" {
			r.gap = ' ' // the parts of a name
		}
	case len(r.style) < maxStyle && strings.TrimSpace(r.line.String()) == "":
		r.style += ">" + name + "." + words
	}
	if found := collect.FindRole(words); found > 0 {
		r.named = namedElement{found, name, r.line.Len()}
	}
}

// endNamed notes the text of an element whose name says what it is.
func (r *htmlReader) endNamed(name string) {
	if n := r.named; n.role > 0 && n.name == name && n.from < r.line.Len() {
		r.out.AddRole(r.line.String()[n.from:], n.role)
		r.named = namedElement{}
	}
}

// handleList opens and closes lists and their items.
func (r *htmlReader) handleList(name string, end bool) {
	switch {
	case name == "ul" || name == "ol":
		r.lists = max(0, r.lists+map[bool]int{false: 1, true: -1}[end])
		if !end && r.item.depth < r.lists {
			r.unmarkItem() // a list inside the item
		}
	case name == "li":
		r.item = listItem{open: !end, depth: r.lists}
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
			r.out.BeginCell()
		}
	default:
		last := &r.tables[len(r.tables)-1]
		if *last {
			r.out.EndRow()
		}
		*last = name == "tr" && !end && r.out.CanNest()
		if *last {
			r.out.BeginRow()
		}
		if name == "table" {
			r.tables = r.tables[:len(r.tables)-1]
		}
	}
}

// endLine adds the line. The first line of a list item is a bullet.
func (r *htmlReader) endLine() {
	line := r.line.String()
	r.line.Reset()
	r.named = namedElement{}
	if strings.TrimSpace(line) == "" {
		return
	}
	if r.item.open && r.item.to == nil {
		r.item.to = r.out.CurrentLines()
		r.item.at = len(*r.item.to)
		line = "• " + line
	} else {
		r.unmarkItem()
	}
	r.out.AddMarkedText(line, r.style)
}

// unmarkItem removes the mark of the open list item: it is an entry, with lines of its own.
func (r *htmlReader) unmarkItem() {
	if to := r.item.to; r.item.open && to != nil && to == r.out.CurrentLines() && r.item.at < len(*to) {
		(*to)[r.item.at] = strings.TrimPrefix((*to)[r.item.at], "• ")
	}
	r.item.open = false
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
		if after, ok := words.CutPrefixFold(text, name); ok && (after == "" || !isNameByte(after[0])) {
			*rest = (*rest)[len(*rest)-len(text)-len("</"):]
			return
		}
	}
}

func isNameByte(c byte) bool { return isASCIILetter(c) || c >= '0' && c <= '9' || c == '_' }

// isHiddenElement reports whether a page does not show what an element holds.
func isHiddenElement(name, tag string) bool {
	return hiddenElements[name] || isHidden().MatchString(tag) && !voidElements[name]
}
