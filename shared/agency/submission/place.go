package submission

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Place is where an item is: the batch, and the index in it.
type Place struct {
	Batch uuid.UUID
	Index int
}

// Place returns the place of the submission's item.
func (s Submission) Place() Place { return Place{s.BatchID, s.Index} }

// String returns the place as it is in the keys of files.
func (p Place) String() string { return p.Batch.String() + "." + strconv.Itoa(p.Index) }

// part returns the number of the batch's part that has the item.
func (p Place) part() int { return p.Index / partSize }

// createdAt returns when the batch was created, which its id holds to the millisecond.
func (p Place) createdAt() time.Time { return time.Unix(p.Batch.Time().UnixTime()) }

// copyPrefix is what the keys of memberships' copies begin with.
const copyPrefix = "resumes/"

// ParseCopyKey returns the place of the submission with a [Submission.CopyKey]; ok is false for any
// other key.
func ParseCopyKey(key string) (p Place, ok bool) {
	batch, index, _ := strings.Cut(strings.TrimPrefix(path.Dir(key), copyPrefix), ".")
	id, idErr := uuid.Parse(batch)
	n, err := strconv.Atoi(index)
	return Place{id, n}, idErr == nil && err == nil
}
