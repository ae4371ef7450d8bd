// Package ingest is the worker that runs accepted submissions: it reads the
// resume, checks whose it is, verifies the profile and commits the candidate to
// the talent network together with the end of the item.
//
// It is fed by a queue, one message per invocation; a message is a hint, and
// what it hints at is claimed by condition. An attempt ends in one of three
// ways: the item succeeded, it failed with a published code, or it is queued
// again and the message is reported as failed, so that the queue brings it back.
package ingest

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Service holds what the worker works with.
type Service struct {
	host        cloud.Host
	accounts    *account.Store
	submissions *submission.Store
	network     *network.Store
	resumes     cloud.Bucket
	// persons knows who was erased.
	persons    *entity.Store
	profiles   profile.TableStore
	write      func() *dynamo.WriteTx
	live, test profile.Provider
	settings   settings
}

// New opens the worker's tables, bucket and provider. It fails on a missing or
// malformed setting.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	o := h.Opener()
	s := &Service{
		host: h, write: o.Write, settings: settingsFrom(o), resumes: o.Bucket(topology.Resumes),
		accounts: account.Open(o),
		network:  network.Open(o),
		persons:  entity.Open(o),
		profiles: profile.Open(o),
	}
	s.submissions = submission.Open(o).Discarding(s.resumes.Delete)
	s.live, s.test = newProviders(o, s.profiles)
	return s, o.Err()
}

// Handle runs the messages of one invocation and reports those that the queue
// shall bring back.
func (s *Service) Handle(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
	var response events.SQSEventResponse
	for _, message := range event.Records {
		if err := s.processMessage(ctx, message); err != nil {
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: message.MessageId})
		}
	}
	return response, nil
}

// processMessage claims what the message hints at and brings it to an end or back to the queue.
func (s *Service) processMessage(ctx context.Context, message events.SQSMessage) error {
	start, ctx := s.host.Now(), cloud.Metered(ctx)
	nonce := s.host.NewID().String()
	claim, err := s.submissions.Claim(ctx, message.Body, nonce, start, s.leaseTime(ctx))
	if errors.Is(err, submission.ErrGone) || errors.Is(err, submission.ErrBusy) {
		return nil
	}
	if err != nil {
		s.host.Log.ErrorContext(ctx, "ingest: no claim", "message", message.MessageId, "error", err)
		return err
	}
	end := s.runAttempt(ctx, claim)
	s.logAttempt(ctx, claim, end, s.host.Now().Sub(start))
	return end.err
}

// leaseTime is how long this attempt may hold the item: until the function is
// stopped, and a little longer so that two never work at the same time.
func (s *Service) leaseTime(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return topology.Ingest.Timeout + s.settings.leaseGrace
	}
	return time.Until(deadline) + s.settings.leaseGrace
}

// logAttempt writes the attempt's one line; it never holds a person's data.
func (s *Service) logAttempt(ctx context.Context, claim submission.Claim, result attemptResult, took time.Duration) {
	s.host.Log.InfoContext(cloud.Finished(ctx), "ingest", "submission", claim.ID, "batch", claim.BatchID, "agency", claim.AgencyID,
		"attempt", claim.Attempt, "status", result.status, "code", result.code, "ms", took.Milliseconds(), "cause", result.cause, "alarm", result.alarm)
}
