package office

import (
	"slices"

	"golang.org/x/net/html"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

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

// isHiddenElement reports whether a page does not show what an element holds.
func isHiddenElement(t html.Token) bool {
	switch {
	case !opensElement(t) || voidElements[t.Data]:
		return false
	case hiddenElements[t.Data] || rawElements[t.Data]:
		return true
	}
	return slices.ContainsFunc(t.Attr, func(a html.Attribute) bool {
		return a.Key == "hidden" || a.Key == "style" && hidesStyle().MatchString(a.Val)
	})
}
