package crm

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"strconv"
	"time"
)

// ChangeNotice is the message that a recruiter's CRM changed, so that its index may be worth
// publishing.
type ChangeNotice struct {
	RecruiterID string    `json:"recruiterId"`
	At          time.Time `json:"at"`
	// Bulk says that the changes are of a bulk load ([Store.ForBulkLoad]), which the index
	// of changes does not list: a process with an older base must read the new one.
	Bulk bool `json:"quiet,omitempty"`
}

const (
	// NoticeDelay is how long a notice is held back, so that one publication covers all
	// changes of that time.
	NoticeDelay = 90 * time.Second
	// BulkDelay is NoticeDelay for a bulk load. The load publishes when it ends, and the
	// notice serves for one that is killed.
	BulkDelay = 10 * time.Minute
	// clockMargin is how much younger than a notice a base must be to surely hold its
	// changes, given that clocks differ. With NoticeDelay it bounds publications of an
	// index to one a minute.
	clockMargin = 30 * time.Second
	// changesPerNotice is the number of changes of which one is worth a notice. So few
	// others are searched beside the base.
	changesPerNotice = 64
)

// WorthNotice reports whether a change that takes no person away is worth a notice: one in 64, the same one every time.
func WorthNotice(entityID string, version int64) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(entityID + "#" + strconv.FormatInt(version, 10)))
	sum := h.Sum32()
	return (sum^sum>>15)%changesPerNotice == 0
}

// String returns the notice as a message.
func (n ChangeNotice) String() string {
	out, _ := json.Marshal(n) // of a string and a time, which cannot fail
	return string(out)
}

// ParseChangeNotice parses a message. It fails if the message names no recruiter.
func ParseChangeNotice(message string) (n ChangeNotice, err error) {
	err = json.Unmarshal([]byte(message), &n)
	if err == nil && n.RecruiterID == "" {
		err = errors.New("the change notice has no recruiter")
	}
	return n, err
}
