// Package feed is the worker that applies what the marketplace app sends: events
// from a queue, in batches, and whole files of them through the same Apply.
//
// An event ends in one of three ways: it is applied (or dropped, because a newer one was), it is invalid and goes to the
// dead-letter queue with its reason, or something of ours failed and the queue brings it back. One event never stops
// its neighbours.
//
// The package is a table from events to the functions of the domains (kinds.go),
// and what needs several of them.
package feed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Service holds what the worker works with.
type Service struct {
	host     cloud.Host
	router   *event.Router
	dead     messaging.Queue
	bucket   objectstore.Bucket
	accounts *account.Store
	entities *entity.Store
	roles    *role.Store
	crm      *crm.Store
	matches  *match.Store
	calls    *notetaker.Store
	network  *network.Store
	// submissions, profiles and resumes hold what an erasure must reach.
	submissions *submission.Store
	profiles    dynamo.Table
	resumes     objectstore.Bucket
	// notices carries notices of changed CRMs; erasures is this worker's own queue. Both hold messages back.
	notices, erasures messaging.Queue

	// mu guards noted, and lets only one note of a bulk load be sent at a time.
	mu sync.Mutex
	// noted has, by recruiter, when the CRMs that a bulk load changes were last noted; nil outside a bulk load.
	noted map[string]time.Time
}

// New opens the worker's tables, bucket and dead-letter queue. It fails on a missing setting.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	o := h.Opener()
	entities := entity.Open(o)
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	log := snapshot.Open(o, catalogue.SnapshotName)
	s := &Service{
		host: h, dead: messaging.OpenDeadLetters(o, topology.FeedQueue), bucket: bucket, entities: entities,
		accounts: account.Open(o),
		roles:    role.NewStore(entities, bucket).WithChangeLog(catalogue.NewChangeLog(log, h.Now, h.NewID)),
		matches:  match.NewStore(entities), calls: notetaker.NewStore(entities, bucket),
		network: network.Open(o), resumes: objectstore.Open(o, topology.Resumes),
		profiles: o.Table(topology.Network), submissions: submission.Open(o),
		notices:  messaging.Open(o, topology.CRMIndexQueue).Delayed(crm.NoticeDelay),
		erasures: messaging.Open(o, topology.FeedQueue).Delayed(indexDelay),
	}
	s.crm = crm.NewStore(entities, h.Now)
	s.crm.NoteLoss = s.noteCRM
	s.router = event.NewRouter(s.readObject, h.Now, s.eventKinds()...)
	return s, o.Err()
}

// NewBulk is New for loading many roles and candidates: changes of roles and of large CRMs are not noted, and no search
// finds them until the catalogue is rebuilt and the CRMs ([Service.ChangedCRMs]) are published. Notes of CRMs are delayed
// for so long that they matter only if a load is killed.
func NewBulk(ctx context.Context, h cloud.Host) (*Service, error) {
	s, err := New(ctx, h)
	if err == nil {
		s.roles = s.roles.Bulk()
		s.crm.Bulk = true
		s.noted = map[string]time.Time{}
		s.notices = s.notices.Delayed(crm.BulkDelay)
		s.router = event.NewRouter(s.readObject, h.Now, s.eventKinds()...) // of the stores that the service has now
	}
	return s, err
}

// FinishBulk completes what events have postponed in bulk, before they are said to be done and with none under way.
func (s *Service) FinishBulk(ctx context.Context) error { return s.roles.FinishBulk(ctx) }

// Handle applies the events of one invocation concurrently and reports those that the queue must deliver again.
func (s *Service) Handle(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
	errs := make([]error, len(event.Records))
	var all sync.WaitGroup
	for i, message := range event.Records {
		all.Go(func() { _, errs[i] = s.Apply(cloud.WithMessageTrace(ctx, message.Attributes), message.Body) })
	}
	all.Wait()
	var response events.SQSEventResponse
	for i, err := range errs {
		if err != nil {
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: event.Records[i].MessageId})
		}
	}
	return response, nil
}

// Apply applies one event. An invalid one goes to the dead-letter queue, and
// refused says why; the error is of ours and worth another try. The one log line has nothing of the
// event's content, and so no reason for a refusal, which quotes the event: only the dead-letter queue has it.
func (s *Service) Apply(ctx context.Context, body string) (refused string, err error) {
	start := s.host.Now()
	ctx = cloud.Metered(ctx)
	e, err := s.applyRecovering(ctx, body)
	var invalid *event.InvalidError
	switch { // it can never be applied
	case errors.As(err, &invalid):
		refused = invalid.Reason
	case errors.Is(err, entity.ErrTooLarge):
		refused = "data: " + entity.ErrTooLarge.Error() + "."
	}
	if refused != "" {
		err = s.dead.Refuse(ctx, body, refused)
	}
	level := slog.LevelInfo
	if refused != "" || err != nil {
		level = slog.LevelWarn
	}
	s.host.Log.Log(cloud.Finished(ctx), level, "feed", "event", e.ID, "type", cloud.LogID(e.Type), "version", e.Version,
		"refused", refused != "", "ms", s.host.Now().Sub(start).Milliseconds(), "cause", err)
	return refused, err
}

// applyRecovering applies an event. A panic becomes an internal error: the process is applying
// other events, and this one is delivered again until it is a dead letter.
func (s *Service) applyRecovering(ctx context.Context, body string) (e event.Envelope, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w\n%s", cloud.Panicked(v), debug.Stack())
		}
	}()
	return s.router.Apply(ctx, body)
}

// maxObject is the size in bytes of the largest object that a dataRef may name. Applying one
// takes up to about twenty times its size in memory. [event.Router] therefore applies one at a
// time, for which the function's memory suffices (TestBatchOfTheLargestEventsFitsTheFunction).
const maxObject = 16 << 20

func (s *Service) readObject(ctx context.Context, key string) ([]byte, error) {
	content, err := s.bucket.Get(ctx, key, maxObject)
	if errors.Is(err, objectstore.ErrTooLarge) {
		return nil, event.Invalidf("dataRef: the object is larger than %d bytes.", maxObject)
	}
	if err != nil {
		return nil, fmt.Errorf("reading a dataRef: %w", err)
	}
	return content, nil
}

// indexDelay is after how long an index has what was written before an erasure's tombstones.
const indexDelay = time.Minute

// noteCRM sends a note that a recruiter's CRM changes. A bulk load sends one in half of [crm.BulkDelay]: before the
// previous note is delivered, so that the changes of a load that is killed are published.
func (s *Service) noteCRM(ctx context.Context, recruiterID string) error {
	if s.noted == nil {
		return s.sendNote(ctx, recruiterID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.host.Now().Sub(s.noted[recruiterID]) < crm.BulkDelay/2 {
		return nil
	}
	err := s.sendNote(ctx, recruiterID)
	if err == nil {
		s.noted[recruiterID] = s.host.Now()
	}
	return err
}

func (s *Service) sendNote(ctx context.Context, recruiterID string) error {
	notice := crm.ChangeNotice{RecruiterID: recruiterID, At: s.host.Now(), Bulk: s.noted != nil}
	return errors.Join(s.notices.Send(ctx, []cloud.Message{{Body: notice.String()}})...)
}

// ChangedCRMs returns the recruiters with changed CRMs, for a Service of [NewBulk].
func (s *Service) ChangedCRMs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.noted))
}
