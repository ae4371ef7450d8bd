// Package personname compares people's names as they write them: in any order, with
// initials and nicknames, without middle names or particles, in another romanisation or
// script. A name is evidence, never a key.
//
// Words of Latin, Cyrillic and Greek letters are compared by their spelling (fold.go), their
// sound (sound.go, eastasian.go; spellings.txt), the lists of given names with
// their short forms (givennames.txt) and the cost of the edits between them (alike.go). Names in two
// scripts are compared by consonants (script.go) and by the readings of Chinese, Japanese and
// Korean surnames (hansurnames.txt).
//
// The lists were written for this package from general knowledge of names in about 50 languages.
// They are loaded at the first comparison, or by [Load].
package personname

// Similarity is the result of comparing two names.
type Similarity string

// The three results. Names are also Uncertain if evidence is missing: an empty name, a
// first name alone, or another script in which one word corresponds.
const (
	Same      Similarity = "same"
	Uncertain Similarity = "uncertain"
	Different Similarity = "different"
)

// Load loads the lists of names, which the first comparison otherwise does.
func Load() {
	givenNames()
	surnames()
	hanSurnames()
}
