package main

import (
	"fmt"
	"slices"
	"strings"
)

// pick returns one value of a key.
func (n names) pick(key string) string { return n.draw(key, n.random) }

// pickCode returns a language that has nicknames or spellings.
func (n names) pickCode(prefix, suffix string) string {
	var codes []string
	for key := range n.language {
		if strings.HasPrefix(key, prefix) && strings.HasSuffix(key, suffix) {
			codes = append(codes, strings.TrimSuffix(strings.TrimPrefix(key, prefix), suffix))
		}
	}
	slices.Sort(codes)
	return drawOne(codes, n.random)
}

// pickPerson returns a given name, its nickname, and a surname of one language.
func (n names) pickPerson() (given, short, family string) {
	code := n.pickCode("nicknames.", "")
	given, short, _ = strings.Cut(n.pick("nicknames."+code), " ")
	return given, short, n.pick("surnames." + code)
}

// pickTwo returns the full names of two given names and surnames of one language, all
// different.
func (n names) pickTwo() (given, family [2]string) {
	for {
		code := n.pickCode("nicknames.", "")
		groups := drawSome(n.values("nicknames."+code), 2, n.random)
		surnames := drawSome(n.values("surnames."+code), 2, n.random)
		if len(groups) == 2 && len(surnames) == 2 {
			return [2]string{strings.Fields(groups[0])[0], strings.Fields(groups[1])[0]}, [2]string{surnames[0], surnames[1]}
		}
	}
}

// swapSides lets either form be the submitted one.
func (n names) swapSides(a, b string) pair {
	if chance(0.5, n.random) {
		a, b = b, a
	}
	return pair{submitted: a, shown: b}
}

func (n names) drawNickname() pair {
	given, short, family := n.pickPerson()
	return n.swapSides(given+" "+family, short+" "+family)
}

func (n names) drawSpelling() pair {
	code := n.pickCode("spellings.", ".given")
	given := drawSome(strings.Fields(n.pick("spellings."+code+".given")), 2, n.random)
	family := drawSome(strings.Fields(n.pick("spellings."+code+".family")), 2, n.random)
	return n.swapSides(given[0]+" "+family[0], given[1]+" "+family[1])
}

// drawScripts pairs a name in another script with its Latin form, or with another
// person's of the same list.
func (n names) drawScripts(right bool) pair {
	two := drawSome(n.scripts, 2, n.random)
	if right {
		return n.swapSides(two[0][0], two[0][1])
	}
	return n.swapSides(two[0][0], two[1][1])
}

// drawDoubleSurname adds a surname as marriages and Spanish custom do. One in ten drops
// the former name, which no comparison of names can see through.
func (n names) drawDoubleSurname() pair {
	given, family := n.pickTwo()
	before := given[0] + " " + family[0]
	if chance(0.1, n.random) {
		return n.swapSides(before, given[0]+" "+family[1])
	}
	form := drawOne([]string{"%s %s-%s", "%[1]s %[3]s-%[2]s", "%s %s %s", "%[1]s %[3]s (%[2]s)", "%[1]s %[3]s née %[2]s"}, n.random)
	return n.swapSides(before, fmt.Sprintf(form, given[0], family[0], family[1]))
}

func (n names) drawSecondName() pair {
	given, _, family := n.pickPerson()
	second := n.pick("second")
	full := given + " " + second + " " + family
	return n.swapSides(full, drawOne([]string{given + " " + family, second + " " + family, given + " " + second[:1] + ". " + family}, n.random))
}

func (n names) drawInitials() pair {
	given, _, family := n.pickPerson()
	initial := string([]rune(given)[:1])
	return n.swapSides(given+" "+family, drawOne([]string{initial + ". " + family, family + " " + initial + ".", initial + " " + family}, n.random))
}

func (n names) drawSwapped() pair {
	given, _, family := n.pickPerson()
	return n.swapSides(given+" "+family, drawOne([]string{family + ", " + given, strings.ToUpper(family) + " " + given, family + " " + given}, n.random))
}

func (n names) drawTitled() pair {
	given, _, family := n.pickPerson()
	name := given + " " + family
	return n.swapSides(name, drawOne([]string{n.pick("titles") + " " + name, name + n.pickCredential(), n.pick("titles") + " " + name + n.pickCredential()}, n.random))
}

// pickCredential returns letters as they stand behind a name.
func (n names) pickCredential() string {
	if c := n.pick("credentials"); strings.HasPrefix(c, ",") {
		return c
	} else {
		return " " + c
	}
}

func (n names) drawParticles() pair {
	given, _, _ := n.pickPerson()
	family := n.pick("particles")
	words := strings.Fields(family)
	return n.swapSides(given+" "+family, given+" "+drawOne([]string{words[len(words)-1], strings.Join(words, ""), strings.ToUpper(family)}, n.random))
}

func (n names) drawMisspelt() pair {
	given := drawSome(strings.Fields(n.pick("typo.given")), 2, n.random)
	_, _, family := n.pickPerson()
	return n.swapSides(given[0]+" "+family, given[1]+" "+family)
}

// drawHeaded writes a resume that begins with a heading.
func (n names) drawHeaded(right bool) pair {
	given, family := n.pickTwo()
	p := pair{submitted: given[0] + " " + family[0], shown: given[0] + " " + family[0]}
	if !right {
		p.shown = given[1] + " " + family[1]
	}
	p.text = fmt.Sprintf("%s\n\n%s\nanother.address@example.com\n+44 20 7946 0958\n", n.pick("headings"), p.shown)
	return p
}

func (n names) drawSibling() pair {
	given, family := n.pickTwo()
	return pair{submitted: given[0] + " " + family[0], shown: given[1] + " " + family[0]}
}

func (n names) drawNamesake() pair {
	given, family := n.pickTwo()
	return pair{submitted: given[0] + " " + family[0], shown: given[0] + " " + family[1]}
}

// drawAlike pairs names that differ in one word that looks alike.
func (n names) drawAlike(key string) pair {
	two := strings.Fields(n.pick(key))
	given, _, family := n.pickPerson()
	if key == "alike.given" {
		return n.swapSides(two[0]+" "+family, two[1]+" "+family)
	}
	return n.swapSides(given+" "+two[0], given+" "+two[1])
}

func (n names) drawOtherInitial() pair {
	for {
		given, family := n.pickTwo()
		if initial := []rune(given[1])[0]; initial != []rune(given[0])[0] {
			return n.swapSides(given[0]+" "+family[0], string(initial)+". "+family[0])
		}
	}
}

// drawSameInitials pairs names of which both words begin alike.
func (n names) drawSameInitials() pair {
	var all [][2]string
	for range 400 {
		given, _, family := n.pickPerson()
		all = append(all, [2]string{given, family})
	}
	first := all[0]
	for _, other := range all {
		if other[0] != first[0] && other[1] != first[1] && other[0][0] == first[0][0] && other[1][0] == first[1][0] {
			return pair{submitted: first[0] + " " + first[1], shown: other[0] + " " + other[1]}
		}
	}
	return n.drawStrangers()
}

// drawOtherNickname pairs a name with the nickname of another of its language.
func (n names) drawOtherNickname() pair {
	for {
		code := n.pickCode("nicknames.", "")
		two := drawSome(n.values("nicknames."+code), 2, n.random)
		if len(two) < 2 {
			continue
		}
		family := n.pick("surnames." + code)
		return n.swapSides(strings.Fields(two[0])[0]+" "+family, strings.Fields(two[1])[1]+" "+family)
	}
}

func (n names) drawStrangers() pair {
	given, family := n.pickTwo()
	return pair{submitted: given[0] + " " + family[0], shown: given[1] + " " + family[1]}
}
