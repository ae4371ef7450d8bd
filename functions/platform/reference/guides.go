package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"
)

//go:embed guides.md
var guidesText string

// guide is a section of the page about no single endpoint.
type guide struct {
	ID, Title string
	HTML      template.HTML
}

// markdown writes the guides as HTML, in which headings have ids.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithXHTML()),
)

var (
	heading  = regexp.MustCompile(`<h2 id="([^"]+)">(.*?)</h2>`)
	rowStart = regexp.MustCompile(`<tr>\n<td>(.+?)</td>`)
	codeCell = regexp.MustCompile(`^<code>[a-z0-9_]+</code>$`)
	markup   = regexp.MustCompile(`<[^>]+>|&[a-z0-9#]+;`)
)

// guideSections returns the guides section by section. Headings and rows can be linked to: the id of
// a row is that of the heading, and its code or the words of its first cell.
func guideSections() []guide {
	var all []guide
	for _, section := range strings.Split(renderMarkdown(renderText(guidesText)), "<h2 ")[1:] {
		section = "<h2 " + section
		found := heading.FindStringSubmatch(section)
		all = append(all, guide{ID: found[1], Title: found[2], HTML: template.HTML(addAnchors(found[1], section))})
	}
	return all
}

func renderMarkdown(text []byte) string {
	parsed := markdown.Parser().Parse(gmtext.NewReader(text))
	var code []*ast.FencedCodeBlock
	_ = ast.Walk(parsed, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch block := n.(type) {
		case *ast.FencedCodeBlock:
			code = append(code, block)
		case *east.Table:
			labelCells(block, text)
		}
		return ast.WalkContinue, nil
	})
	for _, block := range code { // not in the walk, which finds no sibling of a block that was replaced
		highlighted := highlightCode(string(block.Language(text)), string(block.Lines().Value(text)))
		coloured := ast.NewString(fmt.Appendf(nil, "<pre tabindex=0><code>%s</code></pre>\n", highlighted))
		coloured.SetCode(true)
		block.Parent().ReplaceChild(block.Parent(), block, coloured)
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, text, parsed); err != nil {
		panic(err)
	}
	return out.String()
}

// labelCells gives the cells of a table but the first of each row the heading of their column,
// which narrow screens show beside them.
func labelCells(table *east.Table, source []byte) {
	header := table.FirstChild()
	for row := header.NextSibling(); row != nil; row = row.NextSibling() {
		column := header.FirstChild()
		for cell := row.FirstChild().NextSibling(); cell != nil; cell = cell.NextSibling() {
			column = column.NextSibling()
			cell.SetAttributeString("data-label", bytes.ReplaceAll(column.Lines().Value(source), []byte("`"), nil))
		}
	}
}

// addAnchors makes the heading of a section, and the codes at the beginning of rows, links to themselves. Other rows
// have ids for the results of the search.
func addAnchors(id, section string) string {
	seen := map[string]bool{}
	section = rowStart.ReplaceAllStringFunc(section, func(row string) string {
		cell := rowStart.FindStringSubmatch(row)[1]
		words := wordsAnchor(cell)
		if words == "" || seen[words] {
			return row
		}
		seen[words] = true
		name := id + "-" + words
		if codeCell.MatchString(cell) {
			cell = fmt.Sprintf(`<a class=a href="#%s">%s</a>`, name, cell)
		}
		return fmt.Sprintf("<tr id=\"%s\">\n<td>%s</td>", name, cell)
	})
	return heading.ReplaceAllString(section, `<h2 id="$1"><a class=a href="#$1">$2</a></h2>`)
}

// wordsAnchor returns the words of a cell as a part of an id.
func wordsAnchor(cell string) string {
	return strings.ToLower(strings.Trim(notInAnchors.ReplaceAllString(markup.ReplaceAllString(cell, " "), "-"), "-."))
}

// highlightCode returns code as HTML in which the tokens that have a colour are marked by
// one-letter classes: c a comment, k a keyword, n a name, s a string, m a number or constant.
func highlightCode(lexer, code string) template.HTML {
	tokens := must(chroma.Coalesce(lexers.Get(lexer)).Tokenise(nil, code))
	var out strings.Builder
	for _, t := range tokens.Tokens() {
		text := template.HTMLEscapeString(t.Value)
		if class := tokenClass(t.Type); class != "" && strings.TrimSpace(text) != "" {
			text = `<i class=` + class + `>` + text + `</i>`
		}
		out.WriteString(text)
	}
	return template.HTML(strings.TrimRight(out.String(), "\n"))
}

func tokenClass(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return "c"
	case t == chroma.KeywordConstant, t.InSubCategory(chroma.LiteralNumber):
		return "m"
	case t.InCategory(chroma.Keyword):
		return "k"
	case t == chroma.NameTag, t == chroma.NameVariable:
		return "n"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	}
	return ""
}
