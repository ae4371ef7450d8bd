// Package publisher is the worker that publishes what is searched: generations of the role
// catalogue (package catalogue) when a schedule starts it and roles have changed since
// the last one, and the bases of recruiters' large books (package crm) when a queue
// brings notes that they changed.
//
// Readers do not depend on its pace: they see every change besides what is published.
// It keeps the number of such changes small.
package publisher

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Service is the worker with its stores.
type Service struct {
	host      cloud.Host
	catalogue *catalogue.Catalogue
	books     *crm.Index
}

// New opens the worker's table and bucket. It fails on a missing setting.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	o := h.Opener()
	entities, bucket := entity.Open(o), o.Bucket(topology.MarketplaceBucket)
	return &Service{
		h, catalogue.New(role.NewStore(entities, bucket), snapshot.Open(o, catalogue.SnapshotName)),
		crm.NewIndex(crm.NewStore(entities, h.Now), bucket, crm.DefaultLimits),
	}, o.Err()
}

// Handle takes the schedule's event, which has no messages, and the queue's: it is
// Publish for one and Notes for the other, whose results it answers.
func (s *Service) Handle(ctx context.Context, event events.SQSEvent) (any, error) {
	if len(event.Records) == 0 {
		return s.Publish(ctx)
	}
	return s.PublishNoted(ctx, event)
}

// Result tells what became of the role catalogue.
type Result struct {
	Published bool `json:"published"`
}

// Publish publishes a generation of the role catalogue if roles changed since the
// last one.
func (s *Service) Publish(ctx context.Context) (Result, error) {
	published, err := s.catalogue.Publish(ctx, s.host.Now(), s.host.NewID().String())
	return Result{published}, err
}

// PublishNoted publishes the books that messages note, one after the other, and reports
// those that the queue shall bring back.
func (s *Service) PublishNoted(ctx context.Context, event events.SQSEvent) (out events.SQSEventResponse, err error) {
	for _, m := range event.Records {
		if err := s.publishBook(ctx, m); err != nil {
			out.BatchItemFailures = append(out.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
		}
	}
	return out, nil
}

// publishBook publishes the book that a message notes, and logs a line of it.
func (s *Service) publishBook(ctx context.Context, m events.SQSMessage) error {
	begun, ctx := s.host.Now(), cloud.Metered(ctx)
	note, err := crm.ParseChangeNotice(m.Body)
	if m.Attributes["ApproximateReceiveCount"] != "1" {
		note.At = time.Time{}
	}
	var done crm.PublishResult
	if err == nil {
		done, err = s.books.Publish(ctx, note)
	}
	level := slog.LevelInfo
	if err != nil {
		level = slog.LevelWarn
	}
	s.host.Log.Log(cloud.Finished(ctx), level, "book", "recruiter", note.RecruiterID, "published", done.Done, "candidates", done.Candidates,
		"ms", s.host.Now().Sub(begun).Milliseconds(), "cause", err)
	return err
}

// PublishBooks publishes the large ones of some books, whatever is published of them, and
// tells how many candidates they have: after a load that held back its notes.
func (s *Service) PublishBooks(ctx context.Context, recruiterIDs []string) (candidates int, err error) {
	for _, id := range recruiterIDs {
		p, err := s.books.Publish(ctx, crm.ChangeNotice{RecruiterID: id, Bulk: true})
		if err != nil {
			return candidates, err
		}
		candidates += p.Candidates
	}
	return candidates, nil
}

// Rebuild publishes a generation made of every role there is, and tells how many:
// after a bulk load, which notes no changes.
func (s *Service) Rebuild(ctx context.Context) (int, error) {
	return s.catalogue.Rebuild(ctx, s.host.Now, s.host.NewID().String())
}
