package text

import (
	"regexp"
	"sync"
)

// Expression returns a function that compiles a regular expression on its first call, and panics
// there if it is invalid. Expressions that are compiled in package variables make every start of a
// function slower.
func Expression(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
