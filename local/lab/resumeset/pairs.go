package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

// perClass is how many pairs a class has at most.
const perClass = 60

type pairsCommand struct {
	HeldOut bool   `name:"heldout" help:"Use the held-out names: figures only."`
	Errors  string `help:"Print the pairs of a class that were judged wrongly (development names)."`
}

// pair is a name that was submitted and one that a resume shows. Text is the resume, for
// classes that depend on how a name is found in it.
type pair struct{ submitted, shown, text string }

// pairClass is one way in which the names of one person differ, or those of two agree.
type pairClass struct {
	name  string
	right bool // both names are of one person
	draw  func(names) pair
}

var pairClasses = []pairClass{
	{"nicknames", true, names.drawNickname},
	{"transliterations", true, names.drawSpelling},
	{"other script", true, func(n names) pair { return n.drawScripts(true) }},
	{"double surnames", true, names.drawDoubleSurname},
	{"second names", true, names.drawSecondName},
	{"initials", true, names.drawInitials},
	{"swapped order", true, names.drawSwapped},
	{"titles and credentials", true, names.drawTitled},
	{"particles", true, names.drawParticles},
	{"spelling errors", true, names.drawMisspelt},
	{"heading above the name", true, func(n names) pair { return n.drawHeaded(true) }},
	{"another given name", false, names.drawSibling},
	{"another surname", false, names.drawNamesake},
	{"alike given names", false, func(n names) pair { return n.drawAlike("alike.given") }},
	{"alike surnames", false, func(n names) pair { return n.drawAlike("alike.family") }},
	{"other script", false, func(n names) pair { return n.drawScripts(false) }},
	{"another initial", false, names.drawOtherInitial},
	{"same initials", false, names.drawSameInitials},
	{"another nickname", false, names.drawOtherNickname},
	{"nothing in common", false, names.drawStrangers},
	{"heading above the name", false, func(n names) pair { return n.drawHeaded(false) }},
}

// Run prints, by class, how many right persons are refused and wrong ones accepted.
func (c pairsCommand) Run() error {
	n, err := newNames(c.HeldOut)
	if err != nil {
		return err
	}
	if c.HeldOut && c.Errors != "" {
		return fmt.Errorf("the held-out names have figures, and no errors to look at")
	}
	printRow(os.Stdout, []string{"pairs of", "class", "pairs", "another address: judged wrongly", "shared address: refused"})
	printRow(os.Stdout, slices.Repeat([]string{"-"}, 5))
	for _, right := range []bool{true, false} {
		var sum pairTally
		for _, class := range pairClasses {
			if class.right == right {
				t, err := class.judge(n, c.Errors)
				if err != nil {
					return err
				}
				sum.pairs = sum.pairs + t.pairs
				sum.wrong = sum.wrong + t.wrong
				sum.refused = sum.refused + t.refused
				t.print(class.name, right)
			}
		}
		sum.print("all", right)
	}
	return nil
}

// pairTally counts pairs: judged wrongly with another address, refused with a shared one.
type pairTally struct{ pairs, wrong, refused int }

func (t pairTally) print(class string, right bool) {
	whose := "one person"
	outcome := "refused"
	shared := fmt.Sprintf("%s %% (%d)", percent(t.refused, t.pairs), t.refused)
	if !right {
		whose = "two persons"
		outcome = "accepted"
		shared = "–"
	}
	printRow(os.Stdout, []string{whose, class, fmt.Sprint(t.pairs), fmt.Sprintf("%s %% (%d) %s", percent(t.wrong, t.pairs), t.wrong, outcome), shared})
}

// judge draws the class's pairs and lets the identity check judge them.
func (c pairClass) judge(n names, printed string) (pairTally, error) {
	t := pairTally{}
	for _, p := range c.drawAll(n) {
		fields := resume.Fields{Name: p.shown, Emails: []string{"another.address@example.com"}}
		if p.text != "" {
			doc, err := resume.Read(context.Background(), []byte(p.text))
			if err != nil {
				return t, err
			}
			fields = resume.Extract(doc, readingDay)
		}
		t.pairs++
		mismatch := resume.CheckIdentity(fields, p.submitted, "submitted@example.com", "").Mismatch
		t.wrong += count(mismatch == c.right)
		t.refused += count(resume.CheckIdentity(fields, p.submitted, "another.address@example.com", "").Mismatch)
		if mismatch == c.right && printed == c.name {
			fmt.Printf("%s / %s (read as %q)\n", p.submitted, p.shown, fields.Name)
		}
	}
	return t, nil
}

// drawAll draws the class's pairs, each once; fewer if the names do not suffice.
func (c pairClass) drawAll(n names) []pair {
	n.random = rand.New(rand.NewPCG(seed, hashText(c.name+fmt.Sprint(c.right))))
	var pairs []pair
	drawn := make(map[pair]bool)
	for range 20 * perClass {
		if p := c.draw(n); !drawn[p] && len(pairs) < perClass {
			drawn[p] = true
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// names are what pairs are drawn from.
type names struct {
	language
	scripts [][2]string // names in another script and in Latin
	random  *rand.Rand
}

func newNames(heldOut bool) (names, error) {
	dir := "."
	if heldOut {
		dir = "heldout"
	}
	content, err := data.ReadFile(filepath.ToSlash(filepath.Join(dir, "pairs/names.txt")))
	if err != nil {
		return names{}, err
	}
	words, err := parseLanguage(string(content))
	if err != nil {
		return names{}, err
	}
	languages, err := readLanguages(filepath.ToSlash(filepath.Join(dir, "languages")))
	if err != nil {
		return names{}, err
	}
	n := names{language: words}
	for _, l := range languages {
		for _, p := range l.values("people") {
			if native, latin, ok := strings.Cut(p, "="); ok && !isLatin(native) {
				n.scripts = append(n.scripts, [2]string{native, latin})
			}
		}
	}
	slices.SortFunc(n.scripts, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return n, nil
}

func isLatin(s string) bool {
	return strings.ContainsAny(strings.ToLower(toASCII(s)), "abcdefghijklmnopqrstuvwxyz")
}
