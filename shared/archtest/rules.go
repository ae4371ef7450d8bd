package archtest

import (
	"fmt"
	"slices"
)

// Rule is one rule of the house. Exactly one of its checks is set.
type Rule struct {
	// Name is how a broken rule is reported; Reason is why it is there.
	Name, Reason string

	// imports tells whether a file may not import a path.
	imports func(f *File, imported string) bool
	// file finds what is wrong in one file.
	file func(f *File) []finding
	// module finds what is wrong across all files.
	module func(files []*File) []finding
}

type finding struct {
	file string
	line int
	what string
}

// Check lists every place that breaks the rule, as "file:line: what".
func (r Rule) Check(files []*File) []string {
	var found []finding
	for _, f := range files {
		switch {
		case r.imports != nil:
			found = append(found, r.forbidden(f)...)
		case r.file != nil:
			found = append(found, r.file(f)...)
		}
	}
	if r.module != nil {
		found = r.module(files)
	}
	var lines []string
	for _, p := range found {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", p.file, p.line, p.what))
	}
	return lines
}

func (r Rule) forbidden(f *File) []finding {
	var found []finding
	for _, spec := range f.tree.Imports {
		if imported := importPath(spec); r.imports(f, imported) {
			found = append(found, f.at(spec, "imports "+imported))
		}
	}
	return found
}

// Rules lists every rule.
func Rules() []Rule { return slices.Concat(importRules, sourceRules) }
