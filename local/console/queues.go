package console

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/recruiting-marketplace/external-api/local/operate/deadletter"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// lettersShown is how many dead letters of a queue are shown and redriven at a time.
const lettersShown = 50

var purposes = map[string]string{
	topology.IngestQueue.Name:   "accepted submissions, for the ingest worker",
	topology.FeedQueue.Name:     "events of the marketplace app, for the feed worker",
	topology.CRMIndexQueue.Name: "recruiters with CRM changes, for the publisher",
}

func (c *Console) listQueues(r *http.Request) (any, error) {
	var all []map[string]any
	for _, name := range deadletter.QueueNames() {
		l, err := deadletter.Open(r.Context(), c.config.Host, name)
		if err != nil {
			return nil, err
		}
		all = append(all, map[string]any{
			"name": name, "purpose": purposes[name], "waiting": l.Waiting, "inFlight": l.InFlight, "dead": l.Count,
		})
	}
	return all, nil
}

// lettersRequest names a queue, and one of its dead letters; "" for all of them.
type lettersRequest struct {
	Queue string `json:"queue"`
	ID    string `json:"id"`
}

// listLetters returns dead letters of a queue, without their texts. They are received and released, so it is a change.
func (c *Console) listLetters(r *http.Request, in lettersRequest) (any, error) {
	dead, err := deadletter.Open(r.Context(), c.config.Host, in.Queue)
	if err != nil {
		return nil, err
	}
	found, err := dead.Receive(r.Context(), min(dead.Count, lettersShown))
	all := make([]map[string]any, len(found))
	for i, m := range found {
		body := part{contentType: "application/json"}
		body.add([]byte(*m.Body))
		all[i] = map[string]any{
			"id": *m.MessageId, "sentAt": deadletter.SentAt(m), "receives": m.Attributes["ApproximateReceiveCount"],
			"reason": withoutQuotes(deadletter.Reason(m)), "body": cmp.Or(body.redacted(), "‹no JSON›"),
		}
	}
	return all, errors.Join(err, dead.Release(r.Context(), found))
}

func (c *Console) redriveLetters(r *http.Request, in lettersRequest) (any, error) {
	sent, err := c.settleLetters(r.Context(), in, func(from *deadletter.Letters, ctx context.Context, m types.Message) error {
		if err := from.Redrive(ctx, m); err != nil {
			return err
		}
		var wakeUp struct {
			Submission string `json:"submission"`
		}
		if err := json.Unmarshal([]byte(*m.Body), &wakeUp); err == nil && wakeUp.Submission != "" {
			sent := map[string]any{"at": c.config.Host.Now(), "submissionId": wakeUp.Submission}
			c.config.Recorder.tell(func() (string, any) { return "redelivery", sent })
		}
		return nil
	})
	return map[string]int{"sent": sent}, err
}

func (c *Console) removeLetter(r *http.Request, in lettersRequest) (any, error) {
	if in.ID == "" {
		return nil, fault.New(fault.Invalid, contract.NoCode, "Name the letter to remove.")
	}
	removed, err := c.settleLetters(r.Context(), in, (*deadletter.Letters).Remove)
	return map[string]int{"removed": removed}, err
}

// settleLetters receives all letters for one that is named, which can be any of the queue's.
func (c *Console) settleLetters(
	ctx context.Context, in lettersRequest, settle func(*deadletter.Letters, context.Context, types.Message) error,
) (int, error) {
	dead, err := deadletter.Open(ctx, c.config.Host, in.Queue)
	if err != nil {
		return 0, err
	}
	most := lettersShown
	if in.ID != "" {
		most = dead.Count
	}
	return dead.Settle(ctx, most, in.ID, func(ctx context.Context, m types.Message) error { return settle(dead, ctx, m) })
}

// sendExample sends the feed an event that it refuses, so that there is a dead letter to look at.
func (c *Console) sendExample(r *http.Request) (any, error) {
	feed := messaging.Open(c.config.Host.Opener(), topology.FeedQueue) // which the system has
	example := `{"id": "evt_` + strings.ToLower(c.config.Host.NewID().String()) + `", ` +
		`"type": "example.refused", "entityId": "example", "version": 1}`
	return map[string]bool{"sent": true}, errors.Join(feed.Send(r.Context(), []cloud.Message{{Body: example}})...)
}
