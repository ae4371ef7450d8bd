package personname

import (
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// romanised replaces Cyrillic and Greek letters, folded and without marks, by Latin ones, as
// BGN/PCGN does. Passports (ICAO 9303), ISO 9 and their owners spell otherwise; soundKey evens
// that out.
var romanised = newReplacer("romanised")

// Letters of a word that is compared by its sound.
const (
	minSound = 4
	maxSound = 40
)

// digraphs replaces spellings of one sound in the romanisations of Russian, Ukrainian, Bulgarian
// (also in French and German), Greek and Arabic. Earlier pairs win.
var digraphs = newReplacer("digraphs")

// soundsLike reports whether two words of ASCII letters have one sound key.
func soundsLike(a, b string) bool {
	if !isSoundable(a) || !isSoundable(b) {
		return false
	}
	x := soundKey(a)
	y := soundKey(b)
	return x == y || isSlavicSurname(a+" "+b) && slavicKey(x) == slavicKey(y)
}

func isSoundable(word string) bool {
	return len(word) >= minSound && len(word) <= maxSound && isASCII(word)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// soundKey makes the usual romanisations of one name equal: Yevgeniy and Evgeny, Tchaikovsky
// and Chaikovskii, Sergei and Sergey. The key itself is not a spelling.
func soundKey(s string) string {
	s = digraphs().Replace(s)
	key := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isGlide(c) {
			for i+1 < len(s) && isGlide(s[i+1]) {
				i++
			}
			switch {
			case i+1 < len(s) && s[i+1] == 'e':
				continue // Yelena, Matveyev
			case i+1 < len(s) && s[i+1] == 'o' && len(key) > 0 && c != 'i':
				i++
				c = 'e' // Solovyov
			default:
				c = 'i'
			}
		}
		last := len(key) - 1
		isMuteH := c == 'h' && i+1 == len(s)
		if last >= 0 && (key[last] == c || isMuteH && strings.IndexByte("aeo", key[last]) >= 0) {
			continue
		}
		key = append(key, c)
	}
	if last := len(key) - 1; last >= 0 && key[last] == 'c' && last > 0 && s[len(s)-1] == 'c' {
		key[last] = 'k' // Eric
	}
	return string(key)
}

func isGlide(c byte) bool { return c == 'i' || c == 'y' || c == 'j' }

// slavicEnding matches the ends of Slavic surnames, in either gender.
var slavicEnding = text.Expression(`(?:[oe](?:v|ff)a?|[iy]na?|s[kc](?:[iyj]+|a|aya|aja|aia)|ko|[uiya]k|[iy]ch|ets)(?: |$)`)

func isSlavicSurname(words string) bool { return slavicEnding().MatchString(words) }

var slavicEnds = text.Expression(`([aoe]f)$|(sk|n)aia$|(sh|ch|zh)o`)

// slavicKey makes the sound keys of one Slavic surname equal: h and g (Hryshchuk, Grishchuk),
// e and o behind a sibilant (Chernyshov), -off and -ov, -aya and -a.
func slavicKey(key string) string {
	key = slavicEnds().ReplaceAllStringFunc(key, func(m string) string {
		switch {
		case strings.HasSuffix(m, "f"):
			return m[:1] + "v"
		case strings.HasSuffix(m, "aia"):
			return m[:len(m)-2]
		}
		return m[:len(m)-1] + "e"
	})
	return plainG.Replace(key)
}

// plainG leaves digraphs with h alone.
var plainG = strings.NewReplacer("sh", "sh", "ch", "ch", "zh", "zh", "h", "g")

// isFeminine reports whether long is the feminine form of the Slavic surname short: Volkov
// and Volkova, Kowalski and Kowalska.
func isFeminine(short, long string) bool {
	if !isSlavicSurname(short) || len(short) < minSound {
		return false
	}
	stem := strings.TrimRight(short, "iyj")
	if long == short+"a" {
		return true
	}
	return stem != short && (long == stem+"a" || long == stem+"aya" || long == stem+"aia")
}

// plainCarons makes romanisations with carons (ISO 9, Czech, Croatian), without their marks,
// and English ones equal.
var plainCarons = newReplacer("plainCarons")

// soundsSlavic compares a romanisation with carons with another one.
func soundsSlavic(a, b string) bool {
	return isSoundable(a) && isSoundable(b) && collapseDoubles(plainCarons().Replace(a)) == collapseDoubles(plainCarons().Replace(b))
}

func collapseDoubles(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}
