package facts

import (
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// IsSchool reports whether a piece has a school's word.
func IsSchool(piece string) bool { return words.Vocabulary().SchoolWords.IsIn(words.Scan(piece)) }

// IsDegree reports whether a piece has a degree's word.
func IsDegree(piece string) bool { return words.Vocabulary().DegreeWords.IsIn(words.Scan(piece)) }
