// Package publisher is the worker that publishes what is searched: generations of the role
// catalogue (package catalogue) when a schedule starts it and roles have changed since
// the last one, and the bases of recruiters' large CRMs (package crm) when a queue
// brings notices that they changed.
//
// Readers do not depend on its pace: they also see every change not yet published.
// It keeps the number of such changes small.
package publisher

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/remote"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Service is the worker with its stores.
type Service struct {
	host      cloud.Host
	catalogue *catalogue.Catalogue
	remote    *remote.Catalogue // nil without a search domain
	indexes   *crm.Index
}

// New opens the worker's table and bucket. It fails on a missing setting.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	o := h.Opener()
	entities := entity.Open(o)
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	roles := role.NewStore(entities, bucket)
	embedded := catalogue.New(roles, snapshot.Open(o, catalogue.SnapshotName))
	return &Service{
		h, embedded, remote.Open(o, roles, embedded),
		crm.NewIndex(crm.NewStore(entities, h.Now), bucket, crm.DefaultLimits),
	}, o.Err()
}

// Handle calls Publish for the schedule's event, which has no messages, and PublishNoticed for the queue's.
func (s *Service) Handle(ctx context.Context, event events.SQSEvent) (any, error) {
	if len(event.Records) == 0 {
		return s.Publish(ctx)
	}
	return s.PublishNoticed(ctx, event)
}

// Result reports whether a generation of the role catalogue was published.
type Result struct {
	Published bool `json:"published"`
}

// Publish publishes a generation of the role catalogue if roles changed since the last one, and brings the search domain
// up to date, if there is one: each also if the other fails.
func (s *Service) Publish(ctx context.Context) (Result, error) {
	published, err := s.catalogue.Publish(ctx, s.host.Now, s.host.NewID().String())
	if s.remote != nil {
		err = errors.Join(err, s.remote.Sync(ctx, s.host.Now, s.host.NewID().String()))
	}
	return Result{published}, err
}

// PublishNoticed publishes the CRM indexes of change notices one by one. It returns those that failed, to be delivered again.
func (s *Service) PublishNoticed(ctx context.Context, event events.SQSEvent) (out events.SQSEventResponse, err error) {
	for _, m := range event.Records {
		begun := s.host.Now()
		one := cloud.WithMessageTrace(cloud.Metered(ctx), m.Attributes)
		notice, err := crm.ParseChangeNotice(m.Body)
		var result crm.PublishResult
		if err == nil {
			if m.Attributes["ApproximateReceiveCount"] != "1" {
				notice.At = time.Time{} // publish in any case: an earlier delivery may have left an older base
			}
			result, err = s.indexes.Publish(one, notice)
		}
		level := slog.LevelInfo
		if err != nil {
			level = slog.LevelWarn
			out.BatchItemFailures = append(out.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
		}
		s.host.Log.Log(cloud.Finished(one), level, "book", "recruiter", notice.RecruiterID, "published", result.Done,
			"candidates", result.Candidates, "ms", s.host.Now().Sub(begun).Milliseconds(), "cause", err)
	}
	return out, nil
}

// PublishIndexes publishes the bases of those of the recruiters' CRMs that are large, even if unchanged,
// and returns how many candidates they have: after a load that held back its notices.
func (s *Service) PublishIndexes(ctx context.Context, recruiterIDs []string) (candidates int, err error) {
	for _, id := range recruiterIDs {
		p, err := s.indexes.Publish(ctx, crm.ChangeNotice{RecruiterID: id, Bulk: true})
		if err != nil {
			return candidates, err
		}
		candidates += p.Candidates
	}
	return candidates, nil
}

// Rebuild publishes a generation of every role, and returns their number: after a bulk
// load, which sends no notices. It fills the search domain anew, if there is one. It calls progress,
// if that is not nil, with the number of roles that were read so far and the number of all.
func (s *Service) Rebuild(ctx context.Context, progress func(read, roles int)) (roles int, err error) {
	s.catalogue.Progress = progress
	roles, err = s.catalogue.Rebuild(ctx, s.host.Now, s.host.NewID().String())
	if err == nil && s.remote != nil {
		err = s.remote.Fill(ctx, s.host.Now, s.host.NewID().String())
	}
	return roles, err
}
