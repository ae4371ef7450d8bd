package heading

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// JoinRuns returns the blocks of a section, successive ones as one.
func JoinRuns(blocks []Block, s words.Section) []Block {
	var runs []Block
	for i, b := range blocks {
		switch {
		case b.Section != s:
		case i > 0 && blocks[i-1].Section == s && len(runs) > 0:
			last := &runs[len(runs)-1]
			last.Lines = slices.Concat(last.Lines, b.Lines)
		default:
			runs = append(runs, b)
		}
	}
	return runs
}

// Block is the run of lines under one heading.
type Block struct {
	Section words.Section
	Lines   []string
}

const MaxEntryHead = 4 // lines of an entry that may be read until it shows what it is
