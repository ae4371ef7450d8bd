package roleindex

// blockTerms is the number of terms in a block of a termList.
const blockTerms = 16

// termList is a sorted list of terms.
type termList struct {
	packed
	// longest holds the length in bytes of the longest term of each whole block. It may end early.
	longest []uint8
}

// newTermList returns a list of terms of at most maxWordBytes bytes.
func newTermList(terms packed) termList {
	list := termList{packed: terms, longest: make([]uint8, terms.len()/blockTerms)}
	for i := range list.longest {
		for term := i * blockTerms; term < (i+1)*blockTerms; term++ {
			list.longest[i] = max(list.longest[i], uint8(len(terms.at(term))))
		}
	}
	return list
}

// hasTermOf reports whether one of the terms in [low, high) has at least size bytes.
func (t termList) hasTermOf(size, low, high int) bool {
	for low < high {
		block := low / blockTerms
		if low%blockTerms == 0 && low+blockTerms <= high && block < len(t.longest) {
			if int(t.longest[block]) >= size {
				return true
			}
			low += blockTerms
			continue
		}
		if len(t.at(low)) >= size {
			return true
		}
		low++
	}
	return false
}
