package submission

import (
	"encoding/json"
	"errors"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// hint is the body of a queue message: run this live item if it is still this submission's. It holds
// no personal data, and losing or repeating it does no harm.
type hint struct {
	Live       string `json:"live"`
	Submission string `json:"submission"`
}

func (h hint) String() string {
	b, _ := json.Marshal(h) // two strings always marshal
	return string(b)
}

// maxGroup is the greatest length of a group in SQS. An agency's id is never longer.
const maxGroup = 128

// toHint returns the queue message that names the live item. Its group is the tenant, so
// that one tenant's backlog does not delay the submissions of the others.
func (s Submission) toHint() cloud.Message {
	group := string(s.Tenant())
	return cloud.Message{Body: hint{s.liveID(), s.ID.String()}.String(), Group: group[:min(len(group), maxGroup)], Trace: s.Trace}
}

func parseHint(message string) (hint, error) {
	var h hint
	err := json.Unmarshal([]byte(message), &h)
	if err == nil && (h.Live == "" || h.Submission == "") {
		err = errors.New("the message names no in-flight item")
	}
	return h, err
}
