package archtest

import (
	"go/types"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// largestCircle is how many lines the files of a package may have that use each other in a circle: none of them
// can be read without all of the others.
const largestCircle = 1500

// circleExceptions lists the packages with a larger circle of files, each with the reason.
var circleExceptions = map[string]string{
	"infra": "each stack is built by methods of one deployment, which knows them all",
}

// findLargeCircles returns the circles of files in a package that have more lines than most, as "folder: files".
func findLargeCircles(files []*file, most int) []string {
	p := newProgram(files)
	var found []string
	for _, dir := range slices.Sorted(maps.Keys(p.folders)) {
		lines := make(map[string]int)
		for _, f := range p.folders[dir] {
			lines[path.Base(f.Path)] = f.Lines
		}
		for _, circle := range findCircles(linkFiles(p.check(dir))) {
			sum := 0
			for _, name := range circle {
				sum += lines[name]
			}
			if sum > most {
				found = append(found, dir+": "+strings.Join(circle, " "))
			}
		}
	}
	return found
}

// linkFiles returns, for each file of a package, the files that declare what it uses: names of the package, and
// methods.
func linkFiles(u *unit) map[string][]string {
	links := make(map[string][]string)
	for _, f := range u.files {
		links[path.Base(f.Path)] = nil
	}
	for name, used := range u.info.Uses {
		_, isFunc := used.(*types.Func) // of methods too, which are in no scope
		if used.Pkg() != u.pkg || !isFunc && used.Parent() != u.pkg.Scope() {
			continue
		}
		own, to := u.fileOf(name.Pos()), u.fileOf(used.Pos())
		if to != own && !slices.Contains(links[own], to) {
			links[own] = append(links[own], to)
		}
	}
	return links
}

// findCircles returns the sets of nodes that reach each other, in the order of their names.
func findCircles(links map[string][]string) [][]string {
	reached := make(map[string]map[string]bool)
	for node := range links {
		reached[node] = make(map[string]bool)
		markReached(node, links, reached[node])
	}
	var circles [][]string
	seen := make(map[string]bool)
	for _, node := range slices.Sorted(maps.Keys(links)) {
		if seen[node] || !reached[node][node] {
			continue
		}
		var circle []string
		for _, other := range slices.Sorted(maps.Keys(links)) {
			if reached[node][other] && reached[other][node] {
				circle = append(circle, other)
				seen[other] = true
			}
		}
		circles = append(circles, circle)
	}
	return circles
}

func markReached(node string, links map[string][]string, reached map[string]bool) {
	for _, next := range links[node] {
		if !reached[next] {
			reached[next] = true
			markReached(next, links, reached)
		}
	}
}

func TestFilesFormNoLargeCircle(t *testing.T) {
	t.Parallel()
	files, err := loadFiles(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	for _, cycle := range findLargeCircles(files, largestCircle) {
		dir, _, _ := strings.Cut(cycle, ":")
		used[dir] = true
		if circleExceptions[dir] == "" {
			t.Errorf("these files use each other in a circle, and have more than 1,500 lines: %s", cycle)
		}
	}
	for dir := range circleExceptions {
		if !used[dir] {
			t.Errorf("the files of %s form no large circle: take it out of circleExceptions", dir)
		}
	}
}

func TestPlantedCircles(t *testing.T) {
	t.Parallel()
	files, err := loadFiles(fstest.MapFS{
		"shared/x/a.go": {Data: []byte("package x\nfunc a() { b(0) }")},
		"shared/x/b.go": {Data: []byte("package x\nfunc b(c int) { c++ }")},
		"shared/x/c.go": {Data: []byte("package x\ntype c struct{}\nfunc (c) m() { a(); d() }")},
		"shared/x/d.go": {Data: []byte("package x\nfunc d() c { return c{} }")},
		"shared/y/a.go": {Data: []byte("package y\nimport \"" + modulePath + "/shared/z\"\ntype s struct{}\nfunc (s) m(list []s) { z.Each(list, func(one s) { one.n() }) }")},
		"shared/y/b.go": {Data: []byte("package y\nfunc (s) n() {}")},
		"shared/z/a.go": {Data: []byte("package z\nfunc Each[T any](list []T, do func(T)) {}")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"shared/x: c.go d.go", "shared/y: a.go b.go"}, findLargeCircles(files, 0)); diff != "" {
		t.Errorf("circles (-want +got):\n%s", diff)
	}
	if got := findLargeCircles(files, largestCircle); got != nil {
		t.Errorf("a small circle: %v", got)
	}
}
