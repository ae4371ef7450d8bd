package archtest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// longest is the largest number of lines in a file.
const longest = 350

// vagueNames describe the kind of a package's contents instead of its subject.
var vagueNames = []string{"util", "utils", "helper", "helpers", "types", "common", "model", "models", "handler", "handlers", "misc", "shared"}

// randomnessExceptions lists the domain files that may draw random values, each with
// the reason: no value that they return depends on one.
var randomnessExceptions = map[string]string{
	"shared/account/apikey/checker.go": "a nonce distinguishes our own repeated write from another writer's",
	"shared/account/event.go":          "a nonce distinguishes our own repeated write from another writer's",
}

// servingNames lists the names of net/http that answer requests. Sending requests is
// allowed everywhere.
var servingNames = []string{
	"ResponseWriter", "HandlerFunc", "Server", "ServeMux", "NewServeMux", "Handle", "HandleFunc",
	"ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS", "ServeContent", "ServeFile", "FileServer", "Error", "Redirect",
}

var sourceRules = []rule{{
	name:   "only the gateway writes responses",
	reason: "the gateway decides on bytes, status and headers; a handler returns a value or an error",
	file: func(f *file) []finding {
		if f.liesIn("shared/gateway", "local", "functions/uploads") {
			return nil
		}
		return f.findUses("net/http", servingNames...)
	},
}, {
	name:   "domains read no clock and draw no random values",
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
		return append(findCalls(f, f.tree, "Scan"), f.findUses("github.com/aws/aws-sdk-go-v2/service/dynamodb", "ScanInput")...)
	},
}, {
	name:   "only the gateway admits a tenant",
	reason: "an admission says that a key was checked; a handler that made one itself could write for a refused key",
	file: func(f *file) []finding {
		if f.liesIn("shared/gateway") {
			return nil
		}
		if f.liesIn("shared/agency/idempotency") { // a claim is of who was admitted
			return f.findUses("shared/account/tenant", "Admit")
		}
		return f.findUses("shared/account/tenant", "Admit", "Admission")
	},
}, {
	name:   "methods that reach a store name themselves in their errors",
	reason: "an error that names no operation cannot be found from its log line",
	file: func(f *file) []finding {
		if !f.liesIn("shared") || f.liesIn("shared/api/client") { // the client is a program's, and its callers log
			return nil
		}
		return findUnwrapped(f)
	},
}, {
	name:   "package names describe a subject",
	reason: "a package named by the kind of its contents attracts everything and says nothing about its subject",
	file: func(f *file) []finding {
		if name := f.tree.Name; slices.Contains(vagueNames, name.Name) {
			return []finding{f.findingAt(name, "package "+name.Name)}
		}
		return nil
	},
}, {
	name:   "short files",
	reason: "a file is read in one go; a longer one has more than one subject",
	file: func(f *file) []finding {
		if f.Lines > longest && !ast.IsGenerated(f.tree) {
			return []finding{f.findingAt(f.tree.Name, fmt.Sprintf("%d lines, above %d", f.Lines, longest))}
		}
		return nil
	},
}, {
	name:   "exported names are documented",
	reason: "callers read go doc, not the source: it has to state shapes, units and errors",
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
func findCalls(f *file, within ast.Node, method string) []finding {
	var found []finding
	ast.Inspect(within, func(n ast.Node) bool {
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
// document a whole group of constants or variables. staticcheck judges the form of
// comments that exist, and reports no missing one.
func findUndocumented(f *file) (found []finding) {
	report := func(n ast.Node, doc *ast.CommentGroup, names ...*ast.Ident) {
		if i := slices.IndexFunc(names, (*ast.Ident).IsExported); doc == nil && i >= 0 {
			found = append(found, f.findingAt(n, names[0].Name))
		}
	}
	for _, decl := range f.tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if !isMethodOfUnexported(d) && !isErrorMethod(d) {
				report(d, d.Doc, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					report(s, cmp.Or(d.Doc, s.Doc), s.Name)
				case *ast.ValueSpec:
					report(s, cmp.Or(d.Doc, s.Doc, s.Comment), s.Names...)
				}
			}
		}
	}
	return found
}

// isErrorMethod reports whether a method is Error or Unwrap, which need no comment.
func isErrorMethod(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "Unwrap"}, d.Name.Name)
}

func isMethodOfUnexported(d *ast.FuncDecl) bool {
	return d.Recv != nil && !ast.IsExported(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*"))
}

// wrapExceptions lists the exported methods that take a context and do not wrap their errors, by package and type, with
// the reason.
var wrapExceptions = map[string]string{
	"profile.Cached.Profile":         "the breaker that it is opened in wraps; the errors of its table are ignored",
	"profile.PeopleDataLabs.Profile": "the breaker that it is opened in wraps, and no outcome has a table, bucket or queue",
	"profile.EnrichLayer.Profile":    "the breaker that it is opened in wraps, and no outcome has a table, bucket or queue",
	"profile.Sandbox.Profile":        "asks nobody",
	"catalogue.State.Search":         "searches in memory",
	"catalogue.State.Rank":           "ranks in memory",
	"remote.Catalogue.Load":          "has nothing to load",
}

// findUnwrapped finds the exported methods of exported types that return an error and do not defer fault.Wrap with their
// own name, once. Of stores it looks at all, and of other types at those that take a context: without one they make no call.
func findUnwrapped(f *file) []finding {
	var found []finding
	for _, declaration := range f.tree.Decls {
		method, ok := declaration.(*ast.FuncDecl)
		if !ok || !method.Name.IsExported() || !returnsError(method) {
			continue
		}
		receiver := receiverName(method)
		if !ast.IsExported(receiver) || receiver != "Store" && !takesContext(method) {
			continue
		}
		name := receiver + "." + method.Name.Name
		_, isException := wrapExceptions[f.tree.Name.Name+"."+name]
		if !isException && !wrapsAs(method, f.tree.Name.Name+"."+method.Name.Name) {
			found = append(found, f.findingAt(method, name))
		}
	}
	return found
}

// wrapsAs reports whether a function calls fault.Wrap once with an operation of this name, which kinds of ids may follow.
func wrapsAs(function *ast.FuncDecl, name string) bool {
	wraps := 0
	ast.Inspect(function, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && types.ExprString(call.Fun) == "fault.Wrap" {
			operation := strings.Trim(types.ExprString(call.Args[1]), `"`)
			if before, _, _ := strings.Cut(operation, "("); before == name {
				wraps++
			}
		}
		return true
	})
	return wraps == 1
}

func takesContext(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool { return types.ExprString(p.Type) == "context.Context" })
}

// receiverName returns the type of a method's receiver, "" of a function.
func receiverName(method *ast.FuncDecl) string {
	if method.Recv == nil {
		return ""
	}
	receiver := method.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	name, _ := receiver.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

// returnsError reports whether the last result of a function is an error.
func returnsError(f *ast.FuncDecl) bool {
	if f.Type.Results == nil || len(f.Type.Results.List) == 0 {
		return false
	}
	last, ok := f.Type.Results.List[len(f.Type.Results.List)-1].Type.(*ast.Ident)
	return ok && last.Name == "error"
}
