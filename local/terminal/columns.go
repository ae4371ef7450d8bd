package terminal

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// layout is how the columns of a file are named, and what is the same for all rows. Headings and values are by column.
type layout struct {
	Map           map[string]string `placeholder:"COLUMN=HEADING" mapsep:"," help:"Headings of columns with other names, such as name=Full name."`
	Set           map[string]string `placeholder:"COLUMN=VALUE" mapsep:"none" help:"A column's value for all rows, such as visaAuthorization=HAS_VISA_AUTHORIZATION. Can be repeated."`
	IgnoreColumns bool              `help:"Skip unknown columns instead of stopping."`
}

// names returns the columns by folded heading. A column can have the name of another one that is renamed as well.
func (l layout) names() map[string]string {
	of := map[string]string{}
	for _, name := range columnNames() {
		if _, renamed := l.Map[name]; !renamed {
			of[foldHeading(name)] = name
		}
	}
	for _, name := range sortedKeys(l.Map) {
		of[foldHeading(l.Map[name])] = name
	}
	return of
}

// mapColumns returns the column of each heading, "" for one that is not used. Case, spaces and punctuation do not count.
func (l layout) mapColumns(headings []string) (columns []string, problems []problem) {
	of := l.names()
	found := map[string]bool{}
	var unused []string
	for _, heading := range headings {
		name := of[foldHeading(heading)]
		switch {
		case name != "" && found[name]:
			problems = append(problems, problem{1, name, "two headings stand for this column"})
		case name == "" && strings.TrimSpace(heading) != "":
			unused = append(unused, heading)
		}
		found[name] = true
		columns = append(columns, name)
	}
	problems = append(problems, l.checkFlags(found)...)
	missing, taken := l.findMissing(found, unused)
	problems = append(problems, missing...)
	for _, heading := range unused {
		if !l.IgnoreColumns && !slices.Contains(taken, heading) {
			problems = append(problems, problem{1, heading, "is not used; " + adviseColumn(heading, found)})
		}
	}
	return columns, problems
}

// checkFlags returns the problems of --map and --set. found has the columns of the file.
func (l layout) checkFlags(found map[string]bool) (problems []problem) {
	names := columnNames()
	renamed := sortedKeys(l.Map)
	for _, name := range renamed {
		heading := l.Map[name]
		rival := slices.IndexFunc(renamed, func(other string) bool {
			return other != name && foldHeading(l.Map[other]) == foldHeading(heading)
		})
		switch {
		case !slices.Contains(names, name):
			problems = append(problems, problem{1, name, "--map names no column; " + adviseName(name)})
		case rival >= 0:
			problems = append(problems, problem{1, name, fmt.Sprintf("--map gives the heading %q to %s too", heading, renamed[rival])})
		case !found[name]:
			problems = append(problems, problem{1, name, fmt.Sprintf("--map: there is no heading %q", heading)})
		}
	}
	for _, name := range sortedKeys(l.Set) {
		switch {
		case !slices.Contains(names, name):
			problems = append(problems, problem{1, name, "--set names no column; " + adviseName(name)})
		case found[name]:
			problems = append(problems, problem{1, name, "--set gives it a value, and the file has the column too; leave one of them out"})
		}
	}
	return problems
}

// findMissing returns a problem for each column that must be there, and the headings that may be meant.
func (l layout) findMissing(found map[string]bool, unused []string) (problems []problem, taken []string) {
	for _, name := range columnNames() {
		_, set := l.Set[name]
		_, renamed := l.Map[name]
		isNamed := found[name] || set || renamed
		isRequired := fields[name].Required || name == resumeColumn
		if isNamed || !isRequired {
			continue
		}
		advice := fmt.Sprintf("--map %s=HEADING names it", name)
		if near := nearest(unused, func(heading string) float64 { return likeness(heading, name) }); near != "" {
			advice = fmt.Sprintf("did you mean %q? --map %s", near, quoteForShell(name, near))
			taken = append(taken, near)
		}
		if preferenceSchema.Field(name) >= 0 {
			advice += fmt.Sprintf("; --set %s=VALUE gives one value to all rows", name)
		}
		problems = append(problems, problem{1, name, "no heading means this column; " + advice})
	}
	return problems, taken
}

func adviseColumn(heading string, found map[string]bool) string {
	free := slices.DeleteFunc(columnNames(), func(name string) bool { return found[name] })
	near := nearest(free, func(name string) float64 { return likeness(heading, name) })
	if near == "" {
		return "--ignore-columns skips unknown columns"
	}
	return fmt.Sprintf("did you mean %s? --map %s; --ignore-columns leaves it out", near, quoteForShell(near, heading))
}

func adviseName(name string) string {
	if near := nearest(columnNames(), func(other string) float64 { return likeness(name, other) }); near != "" {
		return "did you mean " + near + "?"
	}
	return "there are " + strings.Join(columnNames(), ", ")
}

func quoteForShell(name, value string) string {
	isPlain := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
	if strings.IndexFunc(value, func(r rune) bool { return !isPlain(r) }) < 0 {
		return name + "=" + value
	}
	return name + "='" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// notFolded is what ASCII has beside small letters and digits.
var notFolded = regexp.MustCompile(`[^a-z0-9[:^ascii:]]+`)

func foldHeading(heading string) string {
	return notFolded.ReplaceAllString(strings.ToLower(heading), "")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// nearest returns the candidate of the highest score, the first of several; "" if none is worth a suggestion.
func nearest(candidates []string, score func(string) float64) string {
	best := ""
	most := 0.0
	for _, candidate := range candidates {
		if s := score(candidate); s > most && s >= 0.4 {
			best = candidate
			most = s
		}
	}
	return best
}

// likeness returns how many of their words a heading and a column have in common, from 0 to 1.
func likeness(heading, name string) float64 {
	column := splitWords(name, true)
	return max(shareWords(splitWords(heading, false), column), shareWords(splitWords(heading, true), column))
}

func shareWords(heading, column []string) float64 {
	common := 0
	for _, word := range column {
		if slices.ContainsFunc(heading, func(other string) bool { return isLike(word, other) }) {
			common++
		}
	}
	return 2 * float64(common) / float64(len(heading)+len(column))
}

var synonyms = map[string]string{"cv": "resume", "curriculum": "resume", "mail": "email", "profile": "linkedin", "permit": "visa"}

// isLike reports whether a word of a column is another word, an abbreviation or a misspelling of it.
func isLike(word, other string) bool {
	if meant := synonyms[other]; meant != "" {
		other = meant
	}
	if min(len(word), len(other)) < 3 {
		return word == other
	}
	limit := len(word) / 5
	return strings.HasPrefix(word, other) || strings.HasPrefix(other, word) || text.Distance([]byte(word), []byte(other), limit) <= limit
}

// hump is where a capital letter begins a word.
var hump = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)

// splitWords returns the words of a name in lower case. With camel, a capital letter begins a word.
func splitWords(name string, camel bool) []string {
	if camel {
		name = hump.ReplaceAllString(name, "$1 $2")
	}
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
