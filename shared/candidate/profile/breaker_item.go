package profile

import (
	"context"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// breakerItem is the state of a shard, which all workers share. Times are in milliseconds. Every
// change is one conditional write, so that no worker decides on what it read before.
type breakerItem struct {
	ID   string `dynamo:"pk"`
	Kind string `dynamo:"sk"`
	// Refilled is when the token bucket will be full, in microseconds: a look-up moves it by one interval of the rate.
	Refilled int64 `dynamo:"refilled"`
	// Failures counts the consecutive ones.
	Failures int `dynamo:"failures"`
	// OpenUntil is set while the breaker is open; after that time one probe may be made.
	// Trips counts how often the breaker has opened since it was closed.
	OpenUntil int64 `dynamo:"openUntil,omitempty"`
	Trips     int   `dynamo:"trips,omitempty"`
	// Probe is the permit of the probe under way, and ProbeUntil the end of its lease.
	Probe      string `dynamo:"probe,omitempty"`
	ProbeUntil int64  `dynamo:"probeUntil,omitempty"`
}

// acquireRounds bounds the writes for a permit. Each failed write returns the current item;
// many failures mean that other workers change it at the same moment.
const acquireRounds = 10

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

// notAsked returns the error of a look-up that is not made.
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

// isClosed is the condition that a shard is closed.
const isClosed = "attribute_not_exists(openUntil)"

// takeToken takes a token of a closed shard by an addition, so that concurrent workers do not conflict.
// If an answer of DynamoDB is lost, the write is repeated: it then takes a token that no look-up uses.
func (b *Breaker) takeToken(shard int, now time.Time) *dynamo.Update {
	oldest := now.Add(-credit).UnixMicro()
	latest := now.Add(burst + maxTokenWait).UnixMicro()
	taken := b.updateItem(shard).Add("refilled", b.interval().Microseconds())
	return taken.If(isClosed+" AND refilled BETWEEN ? AND ?", oldest, latest)
}
