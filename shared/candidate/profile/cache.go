package profile

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Store keeps outcomes by slug. It need not be exact: an entry may vanish early,
// and one past its expiry may still be returned.
type Store interface {
	// Get returns the entry put under slug, and whether there is one. Errors are the
	// store's own and only cost a look-up.
	Get(ctx context.Context, slug string) (entry []byte, found bool, err error)
	// Put stores a JSON object below 380 KB (a DynamoDB item holds 400) under slug,
	// replacing an older one, and may delete it from expires on. Errors are the
	// store's own.
	Put(ctx context.Context, slug string, entry []byte, expires time.Time) error
}

// NotFoundTTL bounds how long ErrNotFound is stored: people correct a URL or
// publish a profile, then submit again.
const NotFoundTTL = time.Hour

// Cached returns a provider that stores the outcomes of provider, because a repeated
// look-up is billed again: profiles and [ErrNoExperience] for ttl, [ErrNotFound] for
// ttl or [NotFoundTTL], whichever is shorter, *[Unavailable] never. Errors of the
// store are ignored: they cost money, not a candidate, and the store reports them.
// Do not wrap a [Sandbox].
//
// Entries hold personal data: a store must be able to delete them by slug.
func Cached(provider Provider, store Store, ttl time.Duration, now func() time.Time) Provider {
	return &cache{provider, store, ttl, now}
}

type cache struct {
	provider Provider
	store    Store
	ttl      time.Duration
	now      func() time.Time
}

// entry is the stored form of an outcome. It holds its expiry because stores delete late.
type entry struct {
	Outcome string    `json:"outcome"`
	Expires time.Time `json:"expires"`
	Profile *Profile  `json:"profile,omitempty"`
}

// The outcomes of an entry. They are stored: changing one invalidates what was stored.
const (
	verified     = "verified"
	notFound     = "not_found"
	noExperience = "no_experience"
)

func (c *cache) Profile(ctx context.Context, slug string) (Profile, error) {
	if found, err, ok := c.readStored(ctx, slug); ok {
		return found, err
	}
	found, err := c.provider.Profile(ctx, slug)
	c.storeOutcome(ctx, slug, found, err)
	return found, err
}

func (c *cache) readStored(ctx context.Context, slug string) (_ Profile, _ error, ok bool) {
	raw, stored, err := c.store.Get(ctx, slug)
	var e entry
	if err != nil || !stored || json.Unmarshal(raw, &e) != nil {
		return Profile{}, nil, false
	}
	if !c.now().Before(e.Expires) {
		return Profile{}, nil, false
	}
	switch {
	case e.Outcome == notFound:
		return Profile{}, ErrNotFound, true
	case e.Outcome == noExperience:
		return Profile{}, ErrNoExperience, true
	case e.Outcome == verified && e.Profile != nil:
		return *e.Profile, nil, true
	}
	return Profile{}, nil, false
}

func (c *cache) storeOutcome(ctx context.Context, slug string, found Profile, outcome error) {
	e := entry{Outcome: verified, Expires: c.now().Add(c.ttl)}
	switch {
	case outcome == nil:
		e.Profile = &found
	case errors.Is(outcome, ErrNotFound):
		e.Outcome = notFound
		e.Expires = c.now().Add(min(c.ttl, NotFoundTTL))
	case errors.Is(outcome, ErrNoExperience):
		e.Outcome = noExperience
	default:
		return
	}
	if raw, err := json.Marshal(e); err == nil {
		_ = c.store.Put(ctx, slug, raw, e.Expires) // see Cached
	}
}
