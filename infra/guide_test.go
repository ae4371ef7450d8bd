package main

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chapterOf returns a chapter of the operator's guide.
func chapterOf(t *testing.T, title string) string {
	t.Helper()
	_, chapter, found := strings.Cut(readGuide(t), "\n"+title+"\n")
	if !found {
		t.Fatalf("the guide has no chapter %s", title)
	}
	end := strings.Index(chapter, "\n## ")
	if strings.HasPrefix(title, "###") {
		end = min(end, strings.Index(chapter+"\n### ", "\n### "))
	}
	return chapter[:end]
}

var alarmRow = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|")

// rowsOf returns the alarms that have a row in a chapter of the guide, sorted.
func rowsOf(t *testing.T, title string) (kinds []string) {
	t.Helper()
	for _, row := range alarmRow.FindAllStringSubmatch(chapterOf(t, title), -1) {
		kinds = append(kinds, row[1])
	}
	return slices.Sorted(slices.Values(kinds))
}

// The guide lists as pages the alarms that wake an operator.
func TestGuideNamesThePages(t *testing.T) {
	var pages []string
	for _, kind := range slices.Sorted(maps.Keys(alarmKinds)) {
		if alarmKinds[kind].Page {
			pages = append(pages, kind)
		}
	}
	if diff := cmp.Diff(pages, rowsOf(t, "### Pages")); diff != "" {
		t.Errorf("pages (-code +guide):\n%s", diff)
	}
}

// Every command of ours in the guide exists, every field of cdk.json that it names is one of a stage,
// and every alarm that a row refers to has a row.
func TestGuideNamesWhatThereIs(t *testing.T) {
	guide := readGuide(t)
	var files []string
	for _, name := range []string{"../local/main.go", "../Makefile"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, string(text))
	}
	for _, command := range regexp.MustCompile(`go run \./local ([a-z-]+)`).FindAllStringSubmatch(guide, -1) {
		if field := regexp.MustCompile(`(?im)^\s+` + command[1] + `\s+\w[\w.]*\s+.cmd:`); !field.MatchString(files[0]) {
			t.Errorf("there is no command %s", command[0])
		}
	}
	for _, command := range regexp.MustCompile("(?m)(?:`| {4})make ([a-z]+)").FindAllStringSubmatch(guide, -1) {
		if !regexp.MustCompile(`(?m)^[a-z ]*\b` + command[1] + `\b[a-z ]*:`).MatchString(files[1]) {
			t.Errorf("there is no target %s", command[0])
		}
	}
	kinds := append(rowsOf(t, "### Pages"), rowsOf(t, "### Tickets")...)
	for _, reference := range regexp.MustCompile("(?:see|means|as for|as) `([a-z-]+)`").FindAllStringSubmatch(chapterOf(t, "## Alarms"), -1) {
		if !slices.Contains(kinds, reference[1]) {
			t.Errorf("there is no alarm %s", reference[1])
		}
	}
	for _, field := range regexp.MustCompile("(?:[Rr]aise|[Ss]et) `([a-zA-Z]+)`").FindAllStringSubmatch(guide, -1) {
		fields := append(reflect.VisibleFields(reflect.TypeFor[Stage]()), reflect.VisibleFields(reflect.TypeFor[Search]())...)
		isField := func(f reflect.StructField) bool { return f.Tag.Get("json") == field[1] }
		if !slices.ContainsFunc(fields, isField) && field[1] != "MaxConcurrency" { // which is one of the topology
			t.Errorf("a stage has no field %s", field[1])
		}
	}
}
