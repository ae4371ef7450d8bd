package archtest

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// writeCalls are the methods with which the clients of tables, buckets and queues write.
var writeCalls = []string{"Put", "Update", "Delete", "PutObject", "DeleteObject", "DeleteObjects", "CopyObject", "SendMessage", "SendMessageBatch"}

var writeClients = []string{
	"github.com/guregu/dynamo", "github.com/aws/aws-sdk-go-v2/service/dynamodb", "github.com/aws/aws-sdk-go-v2/service/s3", "github.com/aws/aws-sdk-go-v2/service/sqs",
}

// ownerlessWrites are what early handlers may call although it writes, each with the reason.
var ownerlessWrites = map[string]string{
	"functions/roles: Current": catalogueWrites, "functions/roles: Rank": catalogueWrites, "functions/roles: Search": catalogueWrites,
}

const catalogueWrites = "the instance that reads the log of changed roles first shares what it read (ADR 137): nothing of a caller"

// findWriters returns the functions and methods of shared that write, by themselves or by calling one that does.
func (p *program) findWriters() map[*types.Func]bool {
	writers := make(map[*types.Func]bool)
	callers := make(map[*types.Func][]*types.Func)
	for dir := range p.folders {
		if !isWithin(dir, "shared") {
			continue
		}
		u := p.check(dir)
		for _, f := range u.files {
			for _, declaration := range f.tree.Decls {
				method, ok := declaration.(*ast.FuncDecl)
				if !ok || method.Body == nil {
					continue
				}
				own, _ := u.info.Defs[method.Name].(*types.Func)
				if f.writesItself(u, method.Body) {
					writers[own] = true
				}
				for _, used := range u.usedFuncs(method.Body) {
					callers[used] = append(callers[used], own)
				}
			}
		}
	}
	for left := slices.Collect(maps.Keys(writers)); len(left) > 0; left = left[1:] {
		for _, caller := range callers[left[0]] {
			if !writers[caller] {
				writers[caller] = true
				left = append(left, caller)
			}
		}
	}
	return writers
}

// writesItself reports whether a body calls a write of another module's client. Variables of a package are no clients:
// they are pools.
func (f *file) writesItself(u *unit, body ast.Node) (writes bool) {
	if !slices.ContainsFunc(f.Imports(), func(i string) bool { return belongsTo(i, writeClients...) }) {
		return false
	}
	ast.Inspect(body, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok || u.info.Uses[s.Sel] != nil || !slices.Contains(writeCalls, s.Sel.Name) {
			return true
		}
		name, isName := s.X.(*ast.Ident)
		writes = writes || !isName || u.info.Uses[name] == nil || !isOfPackage(u.info.Uses[name])
		return true
	})
	return writes
}

func isOfPackage(named types.Object) bool {
	_, isImport := named.(*types.PkgName)
	return isImport || named.Pkg() != nil && named.Parent() == named.Pkg().Scope()
}

// usedFuncs returns the functions and methods of the module that a node uses.
func (u *unit) usedFuncs(within ast.Node) (used []*types.Func) {
	ast.Inspect(within, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			if f, ok := u.info.Uses[name].(*types.Func); ok {
				used = append(used, f.Origin())
			}
		}
		return true
	})
	return used
}

// guardOf is the type that only an admission opens.
const guardOf = modulePath + "/shared/account/tenant.Guarded"

// heldTypes returns the types that a handler reaches from a type without an admission: its own, and those of its fields.
func (u *unit) heldTypes(t types.Type, held map[types.Object]types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		u.heldTypes(t.Elem(), held)
	case *types.Named:
		name := t.Obj()
		if name.Pkg() != nil && name.Pkg().Path()+"."+name.Name() == guardOf || held[name] != nil {
			return
		}
		held[name] = t
		if fields, ok := t.Underlying().(*types.Struct); ok && name.Pkg() == u.pkg {
			for field := range fields.Fields() {
				u.heldTypes(field.Type(), held)
			}
		}
	}
}

// findUnguardedWrites returns the writes that handlers of packages with an early route can reach without an admission, as
// "folder: what": methods that write of what their Service holds outside of a guard, and other functions that write.
func (p *program) findUnguardedWrites(writers map[*types.Func]bool) (found []string, early int) {
	for _, dir := range slices.Sorted(maps.Keys(p.folders)) {
		isEarly := func(f *file) bool { return len(findCalls(f, f.tree, "BeginEarly")) > 0 }
		if !isWithin(dir, "functions") || !slices.ContainsFunc(p.folders[dir], isEarly) {
			continue
		}
		early++
		u := p.check(dir)
		held := make(map[types.Object]types.Type)
		if service := u.pkg.Scope().Lookup("Service"); service != nil {
			u.heldTypes(service.Type(), held)
		}
		for _, f := range u.files {
			for _, used := range u.usedFuncs(f.tree) {
				if what := nameUnguarded(used, writers, held); what != "" {
					found = append(found, dir+": "+what)
				}
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(found))), early
}

// nameUnguarded returns the name of a function that writes unless a guard holds its receiver, and "" of any other one.
func nameUnguarded(used *types.Func, writers map[*types.Func]bool, held map[types.Object]types.Type) string {
	signature := used.Signature()
	if signature.Recv() == nil {
		if writers[used] {
			return used.Name()
		}
		return ""
	}
	if asked, ok := signature.Recv().Type().Underlying().(*types.Interface); ok { // writes as any method that it may stand for
		for writer := range writers {
			receiver := writer.Signature().Recv()
			if receiver != nil && writer.Name() == used.Name() && types.Implements(receiver.Type(), asked) {
				return used.Name()
			}
		}
		return ""
	}
	receiver := types.Unalias(signature.Recv().Type())
	if pointer, ok := receiver.(*types.Pointer); ok {
		receiver = pointer.Elem()
	}
	named, ok := receiver.(*types.Named)
	if ok && writers[used] && held[named.Obj()] != nil {
		return fmt.Sprint(named.Obj().Name(), ".", used.Name())
	}
	return ""
}

// A handler that runs beside the check of its key has nothing to write with before it has an admission.
func TestEarlyHandlersWriteWhenAdmitted(t *testing.T) {
	t.Parallel()
	files, err := loadFiles(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(files)
	writers := p.findWriters()
	found, early := p.findUnguardedWrites(writers)
	for what := range ownerlessWrites {
		if !slices.Contains(found, what) {
			t.Errorf("%s does not write: take it out of ownerlessWrites", what)
		}
	}
	found = slices.DeleteFunc(found, func(what string) bool { return ownerlessWrites[what] != "" })
	if len(found) > 0 || early != 5 {
		t.Errorf("%d packages with early routes; these writes need no tenant.Admission (put them in a tenant.Guarded):\n%s",
			early, strings.Join(found, "\n"))
	}
	if len(writers) < 50 {
		t.Errorf("only %d functions write: the clients of tables, buckets or queues have other names now", len(writers))
	}
}

func TestPlantedEarlyHandlers(t *testing.T) {
	t.Parallel()
	const head = "package x\nimport (\"" + modulePath + "/shared/s\"; \"" + modulePath + "/shared/account/tenant\")\n" +
		"var route = h.BeginEarly()\n"
	module := fstest.MapFS{
		"shared/account/tenant/a.go": {Data: []byte("package tenant\ntype Guarded[T any] struct{ w T }\nfunc (g Guarded[T]) Open() T { return g.w }")},
		"shared/s/a.go": {Data: []byte("package s\nimport \"github.com/guregu/dynamo/v2\"\ntype Store struct{ table dynamo.Table }\n" +
			"func (s *Store) put() { s.table.Put(1) }\nfunc (s *Store) Save() { s.put() }\nfunc (s *Store) Read() { s.table.Get(1) }\n" +
			"func Save(s *Store) { s.Save() }")},
	}
	for source, want := range map[string][]string{
		"type Service struct{ s *s.Store }\nfunc (v *Service) H() { v.s.Save() }":                                                  {"functions/x: Store.Save"},
		"type Service struct{ s *s.Store }\nfunc (v *Service) H() { f := v.s.Save; f() }":                                          {"functions/x: Store.Save"},
		"type Service struct{ w w }\ntype w struct { s *s.Store }\nfunc (v *Service) H() { v.w.s.Save() }":                         {"functions/x: Store.Save"},
		"type Service struct{ s saver }\ntype saver interface { Save() }\nfunc (v *Service) H() { v.s.Save() }":                    {"functions/x: Save"},
		"type Service struct{ s *s.Store }\nfunc (v *Service) H() { s.Save(v.s) }":                                                 {"functions/x: Save"},
		"type Service struct{ s *s.Store }\nfunc (v *Service) H() { v.s.Read() }":                                                  nil,
		"type Service struct{ s reader }\ntype reader interface { Read() }\nfunc (v *Service) H() { v.s.Read() }":                  nil,
		"type Service struct{ s tenant.Guarded[*s.Store] }\nfunc (v *Service) H() { v.s.Open().Save() }":                           nil,
		"type Service struct{ w tenant.Guarded[*w] }\ntype w struct { s *s.Store }\nfunc (v *Service) H() { v.w.Open().s.Save() }": nil,
	} {
		module["functions/x/a.go"] = &fstest.MapFile{Data: []byte(head + source)}
		files, err := loadFiles(module)
		if err != nil {
			t.Fatal(err)
		}
		p := newProgram(files)
		found, early := p.findUnguardedWrites(p.findWriters())
		if diff := cmp.Diff(want, found); diff != "" || early != 1 {
			t.Errorf("%s: %d early packages (-want +got):\n%s", source, early, diff)
		}
	}
}
