package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
)

// longest is the number of lines above which a file is to be split.
const longest = 350

// vagueNames say what kind of thing is inside instead of what it is about.
var vagueNames = []string{"util", "utils", "helper", "helpers", "types", "common", "model", "models", "handler", "handlers", "misc", "shared"}

// randomnessExceptions names the domains' files that may draw random values, because no value
// that they return depends on them.
var randomnessExceptions = map[string]string{
	"shared/account/apikey/checker.go":  "a nonce tells a repeated write of our own from another's",
	"shared/account/event.go":           "a nonce tells a repeated write of our own from another's",
	"shared/candidate/resume/pdfium.go": "the WebAssembly sandbox wants a source of randomness",
}

// servingNames lists the names of net/http that answer requests. Sending requests is
// allowed everywhere.
var servingNames = []string{
	"ResponseWriter", "HandlerFunc", "Server", "ServeMux", "NewServeMux", "Handle", "HandleFunc",
	"ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS", "ServeContent", "ServeFile", "FileServer", "Error", "Redirect",
}

var sourceRules = []rule{{
	name:   "one place answers",
	reason: "bytes, status and headers are decided in the gateway; a handler returns a value or an error",
	file: func(f *file) []finding {
		if f.liesIn("shared/gateway", "local", "functions/uploads") {
			return nil
		}
		return f.findUses("net/http", servingNames...)
	},
}, {
	name:   "time and chance come in",
	reason: "a domain that reads the clock or makes ids cannot be tested exactly, and two values of one unit of work disagree",
	file: func(f *file) []finding {
		if !f.liesIn(domainFolders...) {
			return nil
		}
		clock := f.findUses("time", "Now", "Since", "Until", "Sleep")
		if randomnessExceptions[f.Path] != "" {
			return clock
		}
		return append(clock, findRandomness(f)...)
	},
}, {
	name:   "no Scan",
	reason: "a scan reads, and is billed for, the whole table; every list is a query by key",
	file: func(f *file) []finding {
		if f.liesIn("local") || !importsDynamo(f) {
			return nil
		}
		return append(findCalls(f, "Scan"), f.findUses("github.com/aws/aws-sdk-go-v2/service/dynamodb", "ScanInput")...)
	},
}, {
	name:   "names say what is inside",
	reason: "a package named by kind attracts everything and tells a reader nothing",
	file: func(f *file) []finding {
		if name := f.tree.Name; slices.Contains(vagueNames, name.Name) {
			return []finding{f.findingAt(name, "package "+name.Name)}
		}
		return nil
	},
}, {
	name:   "short files",
	reason: "a file is read in one go; a longer one holds two subjects",
	file: func(f *file) []finding {
		if f.Lines > longest {
			return []finding{f.findingAt(f.tree.Name, fmt.Sprintf("%d lines, above %d", f.Lines, longest))}
		}
		return nil
	},
}, {
	name:   "names are documented",
	reason: "a caller reads go doc, not the source: shapes, units and errors stand there",
	file:   findUndocumented,
}}

// findRandomness finds where a file makes ids or draws random values.
func findRandomness(f *file) []finding {
	return slices.Concat(
		f.findUses("github.com/google/uuid", "New", "NewString", "NewRandom", "NewV7", "NewUUID"),
		f.findUses("crypto/rand", "Read", "Reader", "Int", "Text"),
		findImport(f, "math/rand"), findImport(f, "math/rand/v2"),
	)
}

func findImport(f *file, name string) []finding {
	for _, spec := range f.tree.Imports {
		if importPath(spec) == name {
			return []finding{f.findingAt(spec, "imports "+name)}
		}
	}
	return nil
}

func importsDynamo(f *file) bool {
	return slices.ContainsFunc(f.Imports(), func(i string) bool {
		return belongsTo(i, "github.com/guregu/dynamo", "github.com/aws/aws-sdk-go-v2/service/dynamodb")
	})
}

// findCalls finds calls of a method of this name.
func findCalls(f *file, method string) []finding {
	var found []finding
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == method {
				found = append(found, f.findingAt(s, "calls "+method))
			}
		}
		return true
	})
	return found
}

// findUndocumented finds exported declarations without a comment; one comment may
// serve a whole group of constants or variables.
func findUndocumented(f *file) []finding {
	var found []finding
	for _, decl := range f.tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) && !wellKnown(d) {
				found = append(found, f.findingAt(d, d.Name.Name))
			}
		case *ast.GenDecl:
			if d.Doc == nil && d.Tok != token.IMPORT {
				found = append(found, undocumentedSpecs(f, d)...)
			}
		}
	}
	return found
}

func undocumentedSpecs(f *file, d *ast.GenDecl) []finding {
	var found []finding
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Doc == nil && s.Name.IsExported() {
				found = append(found, f.findingAt(s, s.Name.Name))
			}
		case *ast.ValueSpec:
			exported := slices.ContainsFunc(s.Names, func(n *ast.Ident) bool { return n.IsExported() })
			if s.Doc == nil && s.Comment == nil && exported {
				found = append(found, f.findingAt(s, s.Names[0].Name))
			}
		}
	}
	return found
}

// wellKnown is true for the methods of an error, which say no more than any
// other error's.
func wellKnown(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "Unwrap"}, d.Name.Name)
}

// exportedReceiver is true for functions and for methods of exported types.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if index, ok := t.(*ast.IndexExpr); ok {
		t = index.X
	}
	name, ok := t.(*ast.Ident)
	return ok && name.IsExported()
}
