// Package apikey authenticates a request: it turns an API key into a [Caller] and
// counts the request against the key's rate, both in one DynamoDB call.
//
// A key is rmk_<env>_<secret>. A string that cannot be a key, by its shape, its
// checksum or an environment that the deployment does not serve, is refused before
// any call. Any other is looked up by its SHA-256: one UpdateItem adds 1 to a counter
// named by tier and epoch minute, on condition that the key's item exists, is not
// revoked, expired or disabled, and has the counter under the tier's limit. A failed
// condition returns the item, which decides between 401 and 429. So limits are exact
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
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Checker authenticates requests and counts them. It is safe for use by several goroutines.
type Checker struct {
	table        dynamo.Table
	environments []string
	// refused has the keys that used up a window, by the window's counter and the key's hash; passed
	// has the callers of the keys that passed, by the hash.
	refused *cloud.Cache[Authentication]
	passed  *cloud.Cache[Caller]
}

// maxRemembered bounds the keys of each, whose values take about 2 MB.
const maxRemembered = 4096

// NewChecker returns a checker on the table topology.Accounts for keys of the
// environments that the deployment serves.
func NewChecker(table dynamo.Table, environments []string) *Checker {
	return &Checker{
		table: table, environments: slices.Clone(environments),
		refused: cloud.NewCache[Authentication](maxRemembered), passed: cloud.NewCache[Caller](maxRemembered),
	}
}

// Authenticate authenticates the Authorization header and counts the request in the
// tier, which must have a limit. It fails with a *fault.Error: Unauthenticated
// with one of the four key codes, or TooMany with rate_limited and RetryAfter;
// with a 429 the Authentication is filled too. Any other error is an internal error.
func (c *Checker) Authenticate(ctx context.Context, authorization string, tier contract.Tier, now time.Time) (_ Authentication, err error) {
	defer fault.Wrap(&err, "apikey.Authenticate(authorization)")

	hash, err := c.parseAuthorization(authorization)
	if err != nil {
		return Authentication{}, err
	}
	w := windowAt(tier, now)
	if a, ok := c.refused.Get(w.counterName() + hash); ok {
		return a, w.rateLimitError(now)
	}
	key, err := c.countRequest(ctx, hash, w, now)
	if err != nil {
		c.passed.Remove(hash)
		return Authentication{}, err
	}
	a := Authentication{Caller: key.Caller, Limit: tier.Limit, Remaining: max(0, tier.Limit-key.count(w)), Reset: w.endTime()}
	if !key.withinRate {
		c.refused.Put(w.counterName()+hash, a, 1)
		return a, w.rateLimitError(now)
	}
	c.passed.Put(hash, a.Caller, 1)
	return a, nil
}

// Recall returns the caller that the key in the Authorization header had when this process last
// counted it, without a call. ok is false if it never did, or if the key is known to be refused now. The
// caller may have changed since, so nothing may be answered before [Checker.Authenticate] has
// returned the same one.
func (c *Checker) Recall(authorization string, tier contract.Tier, now time.Time) (caller Caller, ok bool) {
	hash, err := c.parseAuthorization(authorization)
	if err != nil {
		return Caller{}, false
	}
	if _, refused := c.refused.Get(windowAt(tier, now).counterName() + hash); refused {
		return Caller{}, false
	}
	caller, ok = c.passed.Get(hash)
	return caller, ok && !caller.Expired(now)
}

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

var adviceByCode = map[contract.Code]string{
	contract.MissingAPIKey: "Send an API key in the header Authorization: Bearer <API_KEY>.",
	contract.InvalidAPIKey: "The API key is invalid. Check that it was copied whole and belongs to this environment.",
	contract.ExpiredAPIKey: "The API key has expired. Create a new one in the app's settings.",
	contract.RevokedAPIKey: "The API key was revoked or its account was switched off. Use another key.",
}

func unauthenticatedError(code contract.Code) error {
	return fault.New(fault.Unauthenticated, code, adviceByCode[code])
}

// Caller is who a request acts for, as the key's record says. It never holds the key.
type Caller struct {
	// KeyID and KeyName identify the key to people; Last4 are its last characters.
	KeyID   string `dynamo:"id"`
	KeyName string `dynamo:"name"`
	Last4   string `dynamo:"last4"`
	// Environment is the key's, "live" or "test".
	Environment string           `dynamo:"environment"`
	Type        contract.KeyType `dynamo:"type"`
	// Principal is the id of the agency (agency key) or recruiter (personal key).
	Principal string `dynamo:"principal"`
	// Creator is the id of the member or recruiter who created the key and may have been
	// deleted since.
	Creator string           `dynamo:"creator"`
	Scopes  []contract.Scope `dynamo:"scopes"`
	// NetworkOff is set while the principal is an agency without Talent Network access.
	NetworkOff bool `dynamo:"networkOff,omitempty"`
	// PrimaryOwner is the id of the agency's primary owner that is stored with the key; empty for a
	// recruiter. With it, the owner can be read together with the agency, which says whether the id
	// is still current.
	PrimaryOwner string `dynamo:"primaryOwner,omitempty"`
	// CreatedAt and ExpiresAt are epoch milliseconds; ExpiresAt is 0 for a key without expiry.
	CreatedAt int64 `dynamo:"createdAt"`
	ExpiresAt int64 `dynamo:"expiresAt,omitempty"`
}

// Expired reports whether the key has expired.
func (c Caller) Expired(now time.Time) bool {
	return c.ExpiresAt != 0 && c.ExpiresAt <= now.UnixMilli()
}

// Tenant returns the tenant that an agency key reads and writes.
func (c Caller) Tenant() tenant.ID { return tenant.Of(c.Principal, c.Environment) }

// Authentication is the result of checking one request: who calls, and what is left of
// the key's window for the rate headers. It is also filled with a 429.
type Authentication struct {
	Caller Caller
	// Limit is the tier's, Remaining what is left of it after this request.
	Limit, Remaining int
	// Reset is when the window ends.
	Reset time.Time
}

// Open returns the checker of a function, by the names in its environment.
func Open(o *cloud.Opener) *Checker { return NewChecker(o.Table(topology.Accounts), Environments(o)) }

// Environments returns the setting KEY_ENVIRONMENTS: the environments in which
// the deployment creates and accepts keys, separated by commas; default "live".
func Environments(o *cloud.Opener) []string {
	names := o.List(topology.SettingKeyEnvironments)
	if names == nil {
		return []string{"live"}
	}
	for _, name := range names {
		if !isEnvironment(name) {
			o.Note(fmt.Errorf("%s holds %q: %w", topology.SettingKeyEnvironments, name, ErrEnvironment))
		}
	}
	return names
}

// countRequest counts the request, in the one call, and returns the item of the usable key. Its error is a 401 or an
// internal error.
func (c *Checker) countRequest(ctx context.Context, hash string, w window, now time.Time) (key storedKey, err error) {
	nonce := strconv.FormatUint(rand.Uint64(), 36)
	key.withinRate, err = Update(c.table, hash).
		Add(w.counterName(), 1).
		Set(attrLastUsed, now.UnixMilli()).
		Set(w.nonceName(), nonce).
		If("attribute_exists($) AND attribute_not_exists($) AND attribute_not_exists($)", topology.PK, AttrRevokedAt, AttrDisabled).
		If("attribute_not_exists($) OR $ > ?", attrExpiresAt, attrExpiresAt, now.UnixMilli()).
		If("attribute_not_exists($) OR $ < ?", w.counterName(), w.counterName(), w.tier.Limit).
		If("attribute_not_exists($) OR $ <> ?", w.nonceName(), w.nonceName(), nonce).
		CurrentValue(ctx, &key)
	switch {
	case dynamo.IsCondCheckFailed(err): // and no item exists
		return storedKey{}, unauthenticatedError(contract.InvalidAPIKey)
	case err != nil:
		return storedKey{}, err
	case key.withinRate:
		c.removeStale(ctx, hash, key, w)
		return key, nil
	case key.text(w.nonceName()) == nonce: // our own attempt, counted; its answer was lost
		key.withinRate = true
		return key, nil
	case key.RevokedAt != 0 || key.Disabled:
		return key, unauthenticatedError(contract.RevokedAPIKey)
	case key.Expired(now):
		return key, unauthenticatedError(contract.ExpiredAPIKey)
	}
	return key, nil
}

// removeStale removes stale counters when they are many, so that the item stays under
// 1 KB (one write unit). The first request of a window does it, so that few processes
// do it at once, and waits for it, since a function may be frozen after its response.
// Its error is ignored: the next window's first request tries again.
func (c *Checker) removeStale(ctx context.Context, hash string, key storedKey, w window) {
	var stale []string
	for name := range key.item { // a counter's name is one letter and the minute
		minute, err := strconv.ParseUint(name[1:], 10, 63)
		if err == nil && int64(minute) < w.minute-keptMinutes && len(stale) < staleAtOnce {
			stale = append(stale, name)
		}
	}
	if len(stale) < staleEnough || key.count(w) != 1 {
		return
	}
	_ = Update(c.table, hash).Remove(stale...).If("attribute_exists($)", topology.PK).Run(ctx)
}

// window is one tier's UTC clock minute.
type window struct {
	tier   contract.Tier
	minute int64
}

func windowAt(tier contract.Tier, now time.Time) window {
	return window{tier: tier, minute: now.Unix() / contract.WindowSeconds}
}

// counterName returns the name of the window's counter: the tier's letter and the epoch minute.
func (w window) counterName() string { return w.tier.Name[:1] + strconv.FormatInt(w.minute, 10) }

// nonceName returns the name of the attribute with the last nonce that was counted in the tier.
func (w window) nonceName() string { return "nonce_" + w.tier.Name[:1] }

func (w window) endTime() time.Time { return time.Unix((w.minute+1)*contract.WindowSeconds, 0).UTC() }

func (w window) rateLimitError(now time.Time) error {
	wait := w.endTime().Sub(now).Truncate(time.Second) + time.Second
	err := fault.New(fault.TooMany, contract.RateLimited, fmt.Sprintf(
		"The key has used its %d requests of this minute in the %s tier. Retry after %d seconds.",
		w.tier.Limit, w.tier.Name, wait/time.Second))
	err.RetryAfter = wait
	return err
}
