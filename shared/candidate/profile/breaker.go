package profile

import (
	"context"
	"encoding/binary"
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Limits bounds what all workers together ask of a provider, and how long they pause after failures.
type Limits struct {
	PerMinute int           // look-ups in a minute, at least 1
	Pause     time.Duration // the first pause; it doubles up to maxPauseFactor times itself
}

// MaxRetryAfter bounds how long a provider's Retry-After is obeyed: it may ask for a day,
// and recover, or be paid, within the hour.
const MaxRetryAfter = time.Hour

// Limits of the breaker itself.
const (
	failureThreshold = 5                // consecutive failures that open it
	maxPauseFactor   = 5                // bounds the doubled pause, in first pauses
	burst            = 5 * time.Second  // the look-ups of this time may be made in advance
	credit           = 5 * time.Second  // the unused look-ups of this time may be made later
	maxTokenWait     = 10 * time.Second // longer waits are left to the queue
	acquireRounds    = 10               // writes for a permit: each that fails returns the item that another worker changed
	probeLease       = time.Minute      // after which a worker that did not report its probe counts as dead
)

// Breaker is a provider behind a circuit breaker and a token bucket. All workers share its
// state in the network table. It has shards, an item each, with equal parts of the rate
// ([Limits.Shards]), and each look-up uses a random one. Consecutive failures in a shard, a rate
// limit or a refusal that needs an operator open all shards: no look-up is sent until the
// provider's Retry-After, or a doubling pause, is over. Then one look-up, the probe, is let
// through, and its outcome decides. A look-up costs one write and, when it has an answer, one read;
// it costs none while this worker knows that the breaker is open. How many look-ups there are at a
// time is bounded by the number of workers alone.
//
// Every field but Wait is required. It is safe for concurrent use.
type Breaker struct {
	Provider Provider
	Table    dynamo.Table // topology.Network
	Endpoint string       // the provider's host: each has items of its own
	Limits   Limits
	Now      func() time.Time
	NewID    func() uuid.UUID
	// Wait pauses for a token and returns early with ctx's error; nil means a timer.
	Wait func(ctx context.Context, pause time.Duration) error

	openUntil atomic.Int64 // what this worker last saw of the items, in milliseconds
}

// permit is the right to one look-up.
type permit struct {
	id    string // by which a probe is known
	shard int
	probe bool
	trips int           // how often the breaker has opened since it was closed
	wait  time.Duration // before the look-up
}

// Profile implements [Provider]. It also returns *[Unavailable], with RetryAfter and without asking, while the breaker is
// open or the limits are reached. Errors of the table are returned as they are.
func (b *Breaker) Profile(ctx context.Context, slug string) (_ Profile, err error) {
	defer fault.Wrap(&err, "profile.Profile(slug)")

	p, err := b.acquirePermit(ctx)
	if err != nil {
		return Profile{}, err
	}
	var found Profile
	if p.wait > 0 {
		err = waitFor(ctx, b.Wait, p.wait)
	}
	if err == nil {
		found, err = b.Provider.Profile(ctx, slug)
	}
	b.reportOutcome(context.WithoutCancel(ctx), p, err)
	return found, err
}

// CheckOpen returns *[Unavailable] if this worker knows that the breaker is open, and
// otherwise nil. It makes no call, and saves the work that precedes a look-up.
func (b *Breaker) CheckOpen() error {
	if left := time.UnixMilli(b.openUntil.Load()).Sub(b.Now()); left > 0 {
		return notAsked(Paused, left)
	}
	return nil
}

// reportOutcome opens or closes the breaker. An error of the table is ignored: a probe's lease ends,
// and the next look-up reports the same.
func (b *Breaker) reportOutcome(ctx context.Context, p permit, outcome error) {
	down, isDown := errors.AsType[*Unavailable](outcome)
	switch {
	case isDown && down.Reason == Canceled: // says nothing about the provider
		if p.probe {
			_ = b.endProbe(p).Run(ctx)
		}
	case isDown && down.IsOutage():
		b.recordFailure(ctx, p, down)
	case p.probe: // its answer closes the breaker
		err := b.endProbe(p).Set("failures", 0).Remove("openUntil", "trips").Run(ctx)
		if err == nil {
			b.forEachOther(func(shard int) error { return b.closeShard(ctx, shard) })
		}
	default:
		// Reads first: the count is almost always 0, a read costs a tenth of a write, and a failed condition as much as a write.
		var item breakerItem
		pk, sk := b.key(p.shard)
		err := b.Table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).One(ctx, &item)
		if err == nil && item.Failures > 0 {
			_ = b.updateItem(p.shard).Set("failures", 0).Run(ctx)
		}
	}
}

// endProbe begins the write that ends a probe. It fails if the lease ended and another worker has the probe.
func (b *Breaker) endProbe(p permit) *dynamo.Update {
	return b.updateItem(p.shard).Remove("probe", "probeUntil").If("probe = ?", p.id)
}

func (b *Breaker) recordFailure(ctx context.Context, p permit, down *Unavailable) {
	pause := min(b.Limits.Pause<<min(p.trips, maxPauseFactor), maxPauseFactor*b.Limits.Pause)
	if down.RetryAfter > 0 {
		pause = min(down.RetryAfter, MaxRetryAfter)
	}
	until := b.Now().Add(pause)
	var err error
	if p.probe {
		err = setOpen(b.endProbe(p), p, until).Run(ctx)
	} else {
		var item breakerItem // stays empty if the write fails; an item that is gone is not made anew without its tokens
		_ = b.updateItem(p.shard).Add("failures", 1).If("attribute_exists(refilled)").Value(ctx, &item)
		// The next look-up is sure to fail like this one.
		failsAgain := down.Operator || down.RetryAfter > 0 || down.StatusCode == http.StatusTooManyRequests
		opens := failsAgain || item.Failures >= failureThreshold
		if !opens || item.OpenUntil > shortened(until) {
			return
		}
		err = b.openShard(ctx, homeShard, p, until)
	}
	if err == nil {
		b.openUntil.Store(until.UnixMilli())
		b.forEachOther(func(shard int) error { return b.openShard(ctx, shard, p, until) })
	}
}

func setOpen(u *dynamo.Update, p permit, until time.Time) *dynamo.Update {
	return u.Set("openUntil", until.UnixMilli()).Set("trips", p.trips+1)
}

// Bounds of the shards. A look-up is one write of one unit, so that 50 a second use a twentieth of the 1,000 units that
// DynamoDB takes for a key in a second.
const (
	ratePerShard   = 50 * 60     // look-ups in a minute of a shard, at most
	maxShardTries  = 4           // that are tried for a permit: the others may have one when some have none
	parallelShards = 16          // that are opened or closed at the same time
	minExtension   = time.Second // of a pause, at least
	homeShard      = 0           // decides for all shards who probes, and is opened and closed before the others
)

// errPauseOver reports that a shard's pause is over and that the home shard has the probe.
var errPauseOver = errors.New("the pause of the shard is over")

// Shards returns the number of shards. It depends on the limits alone, so all workers have the
// same number; while a release changes it, the sum of the old and the new limits applies.
func (l Limits) Shards() int { return (l.PerMinute + ratePerShard - 1) / ratePerShard }

// interval is the time between two look-ups at a shard's part of the provider's rate.
func (b *Breaker) interval() time.Duration {
	return time.Minute * time.Duration(b.Limits.Shards()) / time.Duration(b.Limits.PerMinute)
}

// acquirePermit returns a permit of a random shard, or *Unavailable if the shards that it tries have none now.
func (b *Breaker) acquirePermit(ctx context.Context) (p permit, err error) {
	if err := b.CheckOpen(); err != nil {
		return permit{}, err
	}
	id := b.NewID()
	text := id.String()[24:]
	shards := b.Limits.Shards()
	first := int(binary.BigEndian.Uint32(id[12:])) % shards
	for try := range min(shards, maxShardTries) {
		shard := (first + try) % shards
		p, err = b.acquireIn(ctx, permit{id: text, shard: shard})
		if errors.Is(err, errPauseOver) {
			p, err = b.acquireIn(ctx, permit{id: text, shard: homeShard})
			if err == nil && !p.probe { // the worker that closed the home shard died before it closed the other
				_ = b.closeShard(ctx, shard)
			}
		}
		if down, ok := errors.AsType[*Unavailable](err); !ok || down.Reason != Throttled {
			return p, err
		}
	}
	return p, err
}

// forEachOther calls do with each shard but the home shard. Errors are ignored: a shard that stays
// closed opens by its own failures, and one that stays open is closed by acquirePermit.
func (b *Breaker) forEachOther(do func(shard int) error) {
	others := make([]struct{}, b.Limits.Shards()-1)
	_ = cloud.ForEach(parallelShards, others, func(n int, _ struct{}) error { return do(homeShard + 1 + n) })
}

func (b *Breaker) closeShard(ctx context.Context, shard int) error {
	return b.updateItem(shard).Set("failures", 0).Remove("openUntil", "trips").If("openUntil <= ?", b.Now().UnixMilli()).Run(ctx)
}

// openShard opens a shard until a time, or longer if it is open already. It creates the item of a shard that no look-up has used.
func (b *Breaker) openShard(ctx context.Context, shard int, p permit, until time.Time) error {
	const isSooner = isClosed + " OR (openUntil <= ? AND attribute_not_exists(probe))"
	item := b.updateItem(shard).SetIfNotExists("refilled", b.Now().UnixMicro())
	return setOpen(item, p, until).If(isSooner, shortened(until)).Run(ctx)
}

// shortened returns the milliseconds of the latest end of a pause that is worth an extension until a
// time: many look-ups fail within a second, and each extension is written to every shard.
func shortened(until time.Time) int64 { return until.Add(-minExtension).UnixMilli() }

// breakerItem is the state of a shard, which all workers share. Times are in milliseconds. Every
// change is one conditional write, so that no worker decides on what it read before.
type breakerItem struct {
	ID         string `dynamo:"pk"`
	Kind       string `dynamo:"sk"`
	Refilled   int64  `dynamo:"refilled"`             // when the token bucket will be full, in microseconds: a look-up adds one interval
	Failures   int    `dynamo:"failures"`             // consecutive ones
	OpenUntil  int64  `dynamo:"openUntil,omitempty"`  // set while the breaker is open; after that time one probe may be made
	Trips      int    `dynamo:"trips,omitempty"`      // how often the breaker has opened since it was closed
	Probe      string `dynamo:"probe,omitempty"`      // the permit of the probe under way
	ProbeUntil int64  `dynamo:"probeUntil,omitempty"` // the end of its lease
}

// acquireIn returns a permit of the shard that p names, or *Unavailable if the shard has none now.
// It returns errPauseOver if only the home shard knows whether there is one.
func (b *Breaker) acquireIn(ctx context.Context, p permit) (permit, error) {
	now := b.Now()
	update := b.takeToken(p.shard, now)
	for range acquireRounds {
		var item breakerItem
		wrote, err := update.CurrentValue(ctx, &item)
		switch {
		case dynamo.IsCondCheckFailed(err): // and no item exists
			pk, sk := b.key(p.shard)
			created := breakerItem{ID: pk, Kind: sk, Refilled: now.UnixMicro()}
			err = cloud.IgnoreCondition(b.Table.Put(created).If("attribute_not_exists(pk)").Run(ctx))
		case err != nil:
			return permit{}, err
		case wrote, item.Probe == p.id: // or an earlier answer was lost
			p.probe = item.Probe == p.id
			p.trips = item.Trips
			if !p.probe {
				p.wait = time.UnixMicro(item.Refilled).Add(-b.interval() - burst).Sub(now)
			}
			return p, nil
		default:
			update, err = b.nextUpdate(p, item, now)
		}
		if err != nil {
			return permit{}, err
		}
	}
	return permit{}, notAsked(Throttled, b.interval())
}

// nextUpdate returns the write that may succeed on the current item, or an error of acquireIn.
func (b *Breaker) nextUpdate(p permit, item breakerItem, now time.Time) (*dynamo.Update, error) {
	at := now.UnixMilli()
	switch {
	case item.OpenUntil > at:
		b.openUntil.Store(item.OpenUntil)
		return nil, notAsked(Paused, time.UnixMilli(item.OpenUntil).Sub(now))
	case item.ProbeUntil > at:
		return nil, notAsked(Paused, b.Limits.Pause)
	case item.OpenUntil != 0 && p.shard != homeShard:
		return nil, errPauseOver
	case item.OpenUntil != 0: // the probe
		return b.updateItem(p.shard).Set("probe", p.id).Set("probeUntil", now.Add(probeLease).UnixMilli()).
			If("openUntil <= ? AND (attribute_not_exists(probeUntil) OR probeUntil <= ?)", at, at), nil
	}
	if wait := time.UnixMicro(item.Refilled).Sub(now) - burst; wait > maxTokenWait {
		return nil, notAsked(Throttled, wait)
	}
	if oldest := now.Add(-credit).UnixMicro(); item.Refilled < oldest {
		refill := b.updateItem(p.shard).Set("refilled", now.Add(b.interval()).UnixMicro())
		return refill.If(isClosed+" AND refilled < ?", oldest), nil
	}
	return b.takeToken(p.shard, now), nil
}

func notAsked(why Reason, wait time.Duration) error {
	return &Unavailable{Reason: why, Retryable: true, RetryAfter: wait}
}

func (b *Breaker) updateItem(shard int) *dynamo.Update {
	pk, sk := b.key(shard)
	return b.Table.Update(topology.PK, pk).Range(topology.SK, sk)
}

func (b *Breaker) key(shard int) (pk, sk string) {
	return itemkey.ProviderBreaker.Key(b.Endpoint, strconv.Itoa(shard))
}

const isClosed = "attribute_not_exists(openUntil)"

// takeToken takes a token of a closed shard by an addition, so that concurrent workers do not conflict.
// If an answer of DynamoDB is lost, the write is repeated: it then takes a token that no look-up uses.
func (b *Breaker) takeToken(shard int, now time.Time) *dynamo.Update {
	oldest := now.Add(-credit).UnixMicro()
	latest := now.Add(burst + maxTokenWait).UnixMicro()
	taken := b.updateItem(shard).Add("refilled", b.interval().Microseconds())
	return taken.If(isClosed+" AND refilled BETWEEN ? AND ?", oldest, latest)
}
