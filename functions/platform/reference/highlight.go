package main

import (
	"html/template"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// highlightCode returns code as HTML in which the tokens that have a colour are marked by
// one-letter classes: c a comment, k a keyword, n a name, s a string, m a number or constant.
func highlightCode(lexer, code string) (template.HTML, error) {
	tokens, err := chroma.Coalesce(lexers.Get(lexer)).Tokenise(nil, code)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, t := range tokens.Tokens() {
		text := template.HTMLEscapeString(t.Value)
		if class := tokenClass(t.Type); class != "" && strings.TrimSpace(text) != "" {
			text = `<i class=` + class + `>` + text + `</i>`
		}
		out.WriteString(text)
	}
	return template.HTML(strings.TrimRight(out.String(), "\n")), nil
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
