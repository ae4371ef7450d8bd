// Package apikey authenticates a request: it turns an API key into a [Caller] and
// counts the request against the key's rate, both in one DynamoDB call.
//
// A key is rmk_<env>_<secret>. A string that cannot be a key, by its shape, its
// checksum or an environment that the deployment does not serve, is refused before
// any call. Any other is looked up by its SHA-256: one UpdateItem adds 1 to a counter
// named by tier and epoch minute, on condition that the key's item exists, is not
// revoked, expired or disabled, and has the counter under the tier's limit. A failed
// condition returns the item, from which follows the 401 or 429. So limits are exact
// under any concurrency, and a revoked key is refused from the very next request on.
//
// There is one bounded exception. A 429 is remembered in the process until its minute
// ends, so that a flood of refused requests costs no calls; a key that is revoked in
// that minute may receive 429 instead of 401 until then. It is refused either way.
//
// The condition also excludes the attempt's own nonce: when the answer to a counted
// attempt is lost and the SDK sends it again, it is neither counted twice nor refused.
// Only the last nonce of each tier is kept, so a repeat that another request overtook
// counts again: towards the limit, never past it.
//
// The package knows the layout of a key's item ([Record]) but not who may create or
// revoke keys: that is package account.
package apikey

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Checker authenticates requests and counts them. It is safe for use by several goroutines.
type Checker struct {
	table        dynamo.Table
	environments []string
	refused      refusals
}

// NewChecker returns a checker on the table topology.Accounts for keys of the
// environments that the deployment serves.
func NewChecker(table dynamo.Table, environments []string) *Checker {
	return &Checker{table: table, environments: slices.Clone(environments)}
}

// Authenticate authenticates the Authorization header and counts the request in the
// tier, which must have a limit. It fails with a *fault.Error: Unauthenticated
// with one of the four key codes, or TooMany with rate_limited and RetryAfter;
// with a 429 the Authentication is filled too. Any other error is a fault of ours.
func (c *Checker) Authenticate(ctx context.Context, authorization string, tier contract.Tier, now time.Time) (Authentication, error) {
	hash, err := c.parseAuthorization(authorization)
	if err != nil {
		return Authentication{}, err
	}
	w := windowAt(tier, now)
	if a, ok := c.refused.lookUp(hash, w); ok {
		return a, w.rateLimitError(now)
	}
	key, err := c.countRequest(ctx, hash, w, now)
	if err != nil {
		return Authentication{}, err
	}
	a := w.buildAuthentication(key.Record, key.counters[w.counterName()])
	if !key.withinRate {
		c.refused.addRefusal(hash, w, a)
		return a, w.rateLimitError(now)
	}
	return a, nil
}

// parseAuthorization returns the hash of the key in the header.
func (c *Checker) parseAuthorization(authorization string) (string, error) {
	scheme, key, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	key = strings.TrimSpace(key)
	if !strings.EqualFold(scheme, "Bearer") || key == "" {
		return "", unauthenticatedError(contract.MissingAPIKey)
	}
	environment, ok := Environment(key)
	if !ok || !slices.Contains(c.environments, environment) {
		return "", unauthenticatedError(contract.InvalidAPIKey)
	}
	return Hash(key), nil
}

// countedKey is a usable key's item, after the request was counted or refused.
type countedKey struct {
	storedKey
	withinRate bool
}

// countRequest counts the request, in the one call. Its error is a 401 or a fault of ours.
func (c *Checker) countRequest(ctx context.Context, hash string, w window, now time.Time) (countedKey, error) {
	var key countedKey
	nonce := strconv.FormatUint(rand.Uint64(), 36)
	var err error
	key.withinRate, err = Update(c.table, hash).
		Add(w.counterName(), 1).
		Set(attrLastUsed, now.UnixMilli()).
		Set(w.nonceName(), nonce).
		If("attribute_exists($) AND attribute_not_exists($) AND attribute_not_exists($)", topology.PK, AttrRevokedAt, AttrDisabled).
		If("attribute_not_exists($) OR $ > ?", attrExpiresAt, attrExpiresAt, now.UnixMilli()).
		If("attribute_not_exists($) OR $ < ?", w.counterName(), w.counterName(), w.tier.Limit).
		If("attribute_not_exists($) OR $ <> ?", w.nonceName(), w.nonceName(), nonce).
		CurrentValue(ctx, &key.storedKey)
	switch {
	case dynamo.IsCondCheckFailed(err): // and there is no item to show
		return countedKey{}, unauthenticatedError(contract.InvalidAPIKey)
	case err != nil:
		return countedKey{}, err
	case key.withinRate:
		c.removeStale(ctx, hash, key.storedKey, w)
		return key, nil
	case key.nonces[w.nonceName()] == nonce: // our own attempt, counted; its answer was lost
		key.withinRate = true
		return key, nil
	}
	return key, key.refuseUnusable(now)
}

// refuseUnusable returns the 401 of a key that exists but may not be used, or nil.
func (s *storedKey) refuseUnusable(now time.Time) error {
	switch {
	case s.RevokedAt != 0 || s.Disabled:
		return unauthenticatedError(contract.RevokedAPIKey)
	case s.ExpiresAt != 0 && s.ExpiresAt <= now.UnixMilli():
		return unauthenticatedError(contract.ExpiredAPIKey)
	}
	return nil
}

// removeStale removes stale counters when they are many, so that the item stays under
// 1 KB (one write unit). The first request of a window does it, so that few processes
// do it at once, and waits for it, since a function may be frozen after its response.
// Its error is ignored: the next window's first request tries again.
func (c *Checker) removeStale(ctx context.Context, hash string, key storedKey, w window) {
	stale := key.staleCounters(w.minute)
	if len(stale) < staleEnough || key.counters[w.counterName()] != 1 {
		return
	}
	_ = Update(c.table, hash).Remove(stale...).If("attribute_exists($)", topology.PK).Run(ctx)
}

var adviceByCode = map[contract.Code]string{
	contract.MissingAPIKey: "Send an API key in the header Authorization: Bearer <API_KEY>.",
	contract.InvalidAPIKey: "The API key is invalid. Check that it was copied whole and belongs to this environment.",
	contract.ExpiredAPIKey: "The API key has expired. Create a new one in the app's settings.",
	contract.RevokedAPIKey: "The API key was revoked or its account was switched off. Use another key.",
}

func unauthenticatedError(code contract.Code) error {
	return fault.New(fault.Unauthenticated, code, adviceByCode[code])
}
