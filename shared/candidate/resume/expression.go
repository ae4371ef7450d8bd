package resume

import (
	"regexp"
	"sync"
)

// lazyExpressions compile the regular expressions of the package.
var lazyExpressions []func() *regexp.Regexp

// expression returns a function that compiles expr at its first call. Compiled in package
// variables, they would make every start of the function slower.
func expression(expr string) func() *regexp.Regexp {
	compile := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	lazyExpressions = append(lazyExpressions, compile)
	return compile
}

// compileExpressions compiles all regular expressions.
func compileExpressions() {
	for _, compile := range lazyExpressions {
		compile()
	}
}
