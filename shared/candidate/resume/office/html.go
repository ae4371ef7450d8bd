package office

import (
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	// maxAttributes is how many attributes a tag may have. The tokenizer keeps a map of their names, and clears all of it
	// at every tag behind.
	maxAttributes = 1000

	// maxStyle is the length at which a style grows no more, so that nested elements take time linear in their number.
	maxStyle = 1 << 10
)

var (
	startTag   = words.Expression(`^<[A-Za-z]`)
	whitespace = words.Expression(`\s+`)
	endsInWord = words.Expression(`[\p{L}\p{N}.)] $`)

	smallHeading = words.Expression(`^h[3-6]`)

	// apartElements that follow each other with nothing between are apart in flexible boxes and grids.
	apartElements = words.Set("a b strong i em span time small")

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
	text, err := decodeText(content, true)
	if err != nil {
		return err
	}
	r := htmlReader{out: out, gap: '\t'}
	tokens := html.NewTokenizer(strings.NewReader(text))
	for !out.IsFull() {
		tokens.SetMaxBuf(0)
		if startTag().MatchString(text) && !rawElements[r.hidden] {
			tokens.SetMaxBuf(maxTag)
		}
		kind := tokens.Next()
		length := len(tokens.Raw())
		if err := ctx.Err(); err != nil {
			return err
		}
		token := tokens.Token()
		if errors.Is(tokens.Err(), html.ErrBufferExceeded) || len(token.Attr) > maxAttributes {
			return document.LimitFailure(nil)
		}
		if kind == html.ErrorToken {
			break
		}
		r.handleToken(token)
		text = text[length:]
	}
	r.endLine()
	return nil
}

type htmlReader struct {
	out    *collect.Collector
	line   strings.Builder
	style  string // of the line: the block around it, and the elements at its start
	gap    byte   // between elements that are apart
	text   string // before the tag, behind the one before
	ended  bool   // the tag before ends one of apartElements
	hidden string // name of the element with hidden text
	inside int    // open elements in the hidden one that keep it open
	named  namedElement
	item   listItem
	lists  int    // open lists
	tables []bool // open tables, and whether a row of each is open
}

// namedElement is an open element with a name that says what its text is.
type namedElement struct {
	role   document.Role
	name   string
	from   int // in the line
	inside int // open elements of its name in it
}

// listItem is the open list item. It is a bullet unless it has other lines or lists inside.
type listItem struct {
	open  bool
	depth int       // of its list
	to    *[]string // where its first line is, and at which index
	at    int
}

// handleToken processes one token. Of a hidden element it processes the tag alone that ends it; one without an end tag
// hides the rest, as in a browser.
func (r *htmlReader) handleToken(t html.Token) {
	if r.hidden != "" && !r.endsHidden(t) {
		return
	}
	r.hidden = ""
	switch t.Type {
	case html.TextToken:
		if left := document.MaxText - r.line.Len(); left > 0 { // line breaks and indentation are one space
			r.line.WriteString(whitespace().ReplaceAllString(t.Data[:min(len(t.Data), left)], " "))
		}
		r.text = t.Data
		return
	case html.StartTagToken, html.SelfClosingTagToken:
		if apartElements[t.Data] {
			isApart := r.ended && strings.Trim(r.text, " \t\r\n\f") == ""
			if isApart || smallHeading().MatchString(r.style) && endsInWord().MatchString(r.text) { // a company behind a title
				r.line.WriteByte(r.gap)
			}
		}
		r.handleTag(t)
	case html.EndTagToken:
		r.handleTag(t)
	}
	r.text = ""
	r.ended = t.Type == html.EndTagToken && apartElements[t.Data]
}

func (r *htmlReader) handleTag(t html.Token) {
	name := t.Data
	end := t.Type == html.EndTagToken
	if end {
		r.endNamed(name)
	} else if isHiddenElement(t) {
		r.hidden = name
		r.countInner(name) // its end tag is handled
		return
	}
	switch {
	case name == "a":
		r.out.AddLink(joinAttributes(t, "href"))
	case name == "tr" || name == "td" || name == "th" || name == "table":
		r.handleTableTag(name, end)
	case columnElements[name]:
		r.endLine()
		r.out.StartBlock()
	case !inlineElements[name]:
		r.endLine()
	}
	switch {
	case name == "li":
		r.item = listItem{open: !end, depth: r.lists}
	case (name == "ul" || name == "ol") && end:
		r.lists = max(0, r.lists-1)
	case name == "ul" || name == "ol":
		r.lists++
		if r.item.depth < r.lists {
			r.unmarkItem() // a list inside the item
		}
	}
	if !end && !voidElements[name] {
		r.openStyle(name, joinAttributes(t, "class", "itemprop"))
	}
	if end && !inlineElements[name] {
		r.style = ""
	}
}

func joinAttributes(t html.Token, names ...string) string {
	var values []string
	for _, a := range t.Attr {
		if slices.Contains(names, a.Key) {
			values = append(values, a.Val)
		}
	}
	return strings.Join(values, " ")
}

// openStyle notes how the line that begins is set, and what its element is named after.
func (r *htmlReader) openStyle(name, attribute string) {
	switch {
	case !inlineElements[name]:
		r.style = name + "." + attribute
		r.gap = '\t'
		if name == "h1" {
			r.gap = ' ' // the parts of a name
		}
	case len(r.style) < maxStyle && strings.TrimSpace(r.line.String()) == "":
		r.style += ">" + name + "." + attribute
	}
	if found := collect.FindRole(attribute); found > 0 {
		r.named = namedElement{role: found, name: name, from: r.line.Len()}
	} else {
		r.countInner(name)
	}
}

func (r *htmlReader) countInner(name string) {
	if name == r.named.name {
		r.named.inside++
	}
}

func (r *htmlReader) endNamed(name string) {
	switch {
	case name != r.named.name:
	case r.named.inside > 0:
		r.named.inside--
	default:
		r.out.AddRole(r.line.String()[r.named.from:], r.named.role)
		r.named = namedElement{}
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
		*last = name == "tr" && !end
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

// optionalEnd says where an element ends without an end tag: before the start tags of some names, unless they are within an
// inner element of some others, and at the end tag of one of these.
type optionalEnd struct{ before, within map[string]bool }

var (
	hidesStyle = words.Expression(`(?i)display\s*:\s*none|visibility\s*:\s*hidden`)

	// hiddenElements and rawElements hold text that is not shown; the latter hold no elements.
	hiddenElements = words.Set("template svg math select object")
	rawElements    = words.Set("script style title noscript noembed noframes textarea iframe")

	// optionalEnds are the elements that end without an end tag, or have none of their name inside.
	optionalEnds = map[string]optionalEnd{
		"form": {}, "a": {before: words.Set("a")}, "button": {before: words.Set("button")}, "select": {before: words.Set("select")},
		"p":      {before: paragraphEnds},
		"option": {before: words.Set("option optgroup")},
		"li":     {before: words.Set("li"), within: words.Set("menu ol ul")},
		"dd":     descriptionEnd, "dt": descriptionEnd, "td": cellEnd, "th": cellEnd,
		"tr": rowEnd, "tbody": groupEnd, "tfoot": groupEnd, "thead": groupEnd,
	}
	paragraphEnds = words.Set(`address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form
		h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul`)
	descriptionEnd = optionalEnd{before: words.Set("dd dt"), within: words.Set("dl")}
	cellEnd        = optionalEnd{before: words.Set("tbody td tfoot th thead tr"), within: words.Set("table")}
	rowEnd         = optionalEnd{before: words.Set("tbody tfoot thead tr"), within: words.Set("table")}
	groupEnd       = optionalEnd{before: words.Set("tbody tfoot thead"), within: words.Set("table")}
)

// endsHidden reports whether a token ends the hidden element, and counts the elements that keep it open: others of its
// name, or those in which others may be.
func (r *htmlReader) endsHidden(t html.Token) bool {
	isEnd := t.Type == html.EndTagToken
	if !isEnd && !opensElement(t) {
		return false
	}
	end, isOptional := optionalEnds[r.hidden]
	keepsOpen := end.within[t.Data] || t.Data == r.hidden && !isOptional
	switch {
	case r.inside == 0 && isEnd:
		return t.Data == r.hidden || keepsOpen
	case r.inside == 0 && end.before[t.Data]:
		return true
	case keepsOpen && isEnd:
		r.inside--
	case keepsOpen:
		r.inside++
	}
	return false
}

// opensElement reports whether a token opens an element. Only in SVG and MathML a slash closes it at once.
func opensElement(t html.Token) bool {
	isForeign := t.Data == "svg" || t.Data == "math"
	return t.Type == html.StartTagToken || t.Type == html.SelfClosingTagToken && !isForeign
}

func isHiddenElement(t html.Token) bool {
	if !opensElement(t) || voidElements[t.Data] {
		return false
	}
	return hiddenElements[t.Data] || rawElements[t.Data] || slices.ContainsFunc(t.Attr, func(a html.Attribute) bool {
		return a.Key == "hidden" || a.Key == "style" && hidesStyle().MatchString(a.Val)
	})
}
