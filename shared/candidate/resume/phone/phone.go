// Package phone reads telephone numbers as people write them, in international form and in that of
// their country. It knows which numbers the countries assign, and nothing of how they are written.
//
// It does what github.com/nyaruka/phonenumbers does with a number of digits, by the same plans and
// with the same result, which a test holds it to. That library reads all plans before main, which
// took half of a start, and links protobuf and the names of all regions: 4 MB of a program.
package phone

import "strings"

//go:generate go run generate.go

const (
	// minNational and maxNational are the lengths of a number without its calling code.
	minNational, maxNational = 2, 17
	// maxCode is the length of the longest calling code.
	maxCode = 3
)

// Parse returns a number in E.164 form, as "+442079460000", and whether it is one that its country
// assigns. text has digits and separators, and begins with a plus sign if it begins with a calling
// code. region is the ISO code of the country from which other numbers are dialled; "" if that is
// not known.
func Parse(text, region string) (e164 string, ok bool) {
	all := plans()
	digits, home := keepDigits(text), all.byRegion[region]
	code, national, ok := all.splitCode(digits, strings.HasPrefix(text, "+"), home)
	if !ok || code == "" && home == nil {
		return "", false
	}
	first := home
	if code != "" {
		first = all.byCode[code][0]
	}
	if short := first.cutTrunk(national); first.fits(short) {
		national = short
	}
	if len(national) < minNational || len(national) > maxNational || !all.isAssigned(first.code, national) {
		return "", false
	}
	return "+" + first.code + national, true
}

func keepDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// splitCode splits a number into its calling code and the rest. The code is "" if the number is a
// national one. ok is false if it begins like an international number, with a code that does not exist.
// A plus sign before a number without a code counts as a slip.
func (p *numberingPlans) splitCode(digits string, plus bool, home *territory) (code, national string, ok bool) {
	if plus {
		if code, national, ok = p.cutCode(digits); ok || home == nil {
			return code, national, ok
		}
	}
	if home == nil {
		return "", digits, true
	}
	if rest, international := home.cutExit(digits); international {
		return p.cutCode(rest)
	}
	if rest, found := home.cutOwnCode(digits); found {
		return home.code, rest, true
	}
	return "", digits, !plus
}

// cutCode splits an international number after its calling code.
func (p *numberingPlans) cutCode(digits string) (code, national string, ok bool) {
	for n := 1; n <= maxCode && n < len(digits); n++ {
		if p.byCode[digits[:n]] != nil {
			return digits[:n], digits[n:], len(digits) > minNational
		}
	}
	return "", "", false
}

// isAssigned reports whether a national number belongs to a territory with the calling code.
func (p *numberingPlans) isAssigned(code, national string) bool {
	territories := p.byCode[code]
	for _, t := range territories {
		switch {
		case t.leading == "" || len(territories) == 1:
			if t.isAssigned(national) {
				return true
			}
		case prefixOf(t.leading).MatchString(national):
			return t.isAssigned(national)
		}
	}
	return false
}
