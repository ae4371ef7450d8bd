package archtest

import (
	"fmt"
	"slices"
)

// rule is one rule of the structure. Exactly one of its checks is set.
type rule struct {
	// name identifies the rule in a report; reason is why it exists.
	name, reason string

	// imports reports whether a file may not import a path.
	imports func(f *file, imported string) bool
	// file finds what is wrong in one file.
	file func(f *file) []finding
	// module finds what is wrong in all files.
	module func(files []*file) []finding
}

type finding struct {
	file string
	line int
	what string
}

// findViolations returns every place that breaks the rule, as "file:line: what".
func (r rule) findViolations(files []*file) []string {
	var found []finding
	if r.module != nil {
		found = r.module(files)
	}
	for _, f := range files {
		switch {
		case r.imports != nil:
			found = append(found, r.findForbiddenImports(f)...)
		case r.file != nil:
			found = append(found, r.file(f)...)
		}
	}
	var lines []string
	for _, p := range found {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", p.file, p.line, p.what))
	}
	return lines
}

func (r rule) findForbiddenImports(f *file) []finding {
	var found []finding
	for _, spec := range f.tree.Imports {
		if imported := importPath(spec); r.imports(f, imported) {
			found = append(found, f.findingAt(spec, "imports "+imported))
		}
	}
	return found
}

// allRules lists every rule.
func allRules() []rule { return slices.Concat(importRules, sourceRules, calmRules) }
