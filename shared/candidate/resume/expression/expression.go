// Package expression compiles the regular expressions of the resume reader when they are first needed, or all in advance.
package expression

import (
	"regexp"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// compilers compile the expressions of all packages.
var compilers []func() *regexp.Regexp

// New is [text.Expression] for an expression that [CompileAll] compiles too. It is called for package variables alone.
func New(expr string) func() *regexp.Regexp {
	compile := text.Expression(expr)
	compilers = append(compilers, compile)
	return compile
}

// CompileAll compiles all expressions.
func CompileAll() {
	for _, compile := range compilers {
		compile()
	}
}
