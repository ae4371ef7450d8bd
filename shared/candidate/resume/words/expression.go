package words

import (
	"regexp"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// compilers compile the expressions of all packages.
var compilers []func() *regexp.Regexp

// Expression is [text.Expression] for an expression that [CompileExpressions] compiles too. It is called for package
// variables alone.
func Expression(expr string) func() *regexp.Regexp {
	compile := text.Expression(expr)
	compilers = append(compilers, compile)
	return compile
}

// CompileExpressions compiles all regular expressions of the reader, which are otherwise compiled when they are first needed.
func CompileExpressions() {
	for _, compile := range compilers {
		compile()
	}
}
