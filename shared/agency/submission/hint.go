package submission

import (
	"encoding/json"
	"errors"
)

// hint is a queue message: run this live item if it is still this submission's. It holds
// no personal data, and losing or repeating it does no harm.
type hint struct {
	Live       string `json:"live"`
	Submission string `json:"submission"`
}

func (h hint) String() string {
	b, _ := json.Marshal(h) // two strings always marshal
	return string(b)
}

func parseHint(message string) (hint, error) {
	var h hint
	err := json.Unmarshal([]byte(message), &h)
	if err == nil && (h.Live == "" || h.Submission == "") {
		err = errors.New("the message names no live item")
	}
	return h, err
}
