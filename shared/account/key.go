package account

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Key is an API key as its administrators see it: everything but the key.
type Key struct {
	apikey.Record
	// CreatedBy is the member or recruiter who created the key, as he or she is now; the zero one
	// if the member was deleted.
	CreatedBy Member
}

// Active reports whether the key counts towards the limit of active keys: not
// revoked and not expired. A disabled key counts.
func (k Key) Active(now time.Time) bool {
	return k.RevokedAt == 0 && !k.Expired(now)
}

const maxName = 100 // characters

// buildRecord checks what the actor asks for and returns the key's item. Its error names
// all problems together.
func (by administrator) buildRecord(asked apikey.Caller, hash string) (apikey.Record, error) {
	problems := map[string][]string{}
	note := func(field, message string) { problems[field] = append(problems[field], message) }

	name, err := cleanName(asked.KeyName)
	if err != "" {
		note("name", err)
	}
	offered := slices.DeleteFunc(asked.Type.Scopes(), func(s contract.Scope) bool {
		return by.networkOff && strings.HasPrefix(string(s), "talent_network:")
	})
	accepted := strings.Join(contract.ConvertValues[string](offered), ", ")
	for i, s := range asked.Scopes {
		if !slices.Contains(offered, s) {
			note("scopes", fmt.Sprintf("scopes[%d]: %.40q is not available to this account. Accepted: %s.", i, s, accepted))
		}
	}
	if len(asked.Scopes) == 0 {
		note("scopes", "Choose at least one of: "+accepted+".")
	}
	if asked.Expired(cloud.FromMillis(asked.CreatedAt)) {
		note("expiresAt", "Must be in the future.")
	}
	if len(problems) > 0 {
		return apikey.Record{}, fault.Fields(contract.ValidationFailed, problems)
	}
	asked.KeyName = name
	wanted := asked.Scopes // granted in the contract's order, and talent_network:read to every agency key (contract, Scopes)
	asked.Scopes = slices.DeleteFunc(asked.Type.Scopes(), func(s contract.Scope) bool {
		always := asked.Type == contract.AgencyKey && s == contract.TalentNetworkRead
		return !always && !slices.Contains(wanted, s)
	})
	asked.NetworkOff = by.networkOff
	asked.PrimaryOwner = by.primaryOwner
	pk, sk := apikey.RecordKey(hash)
	return apikey.Record{PK: pk, SK: sk, Caller: asked}, nil
}

// cleanName trims a key's name; problem is empty if the rest is valid.
func cleanName(raw string) (name, problem string) {
	name = strings.TrimSpace(raw)
	isText := utf8.ValidString(name) && text.IsSingleLine(name)
	if length := utf8.RuneCountInString(name); !isText || length < 1 || length > maxName {
		return "", fmt.Sprintf("Must have 1 to %d characters and no control characters.", maxName)
	}
	return name, ""
}

// keyring is the item that makes the number of a principal's active keys exact: every
// unrevoked key is in it, until a creation finds it expired and needs its place. It
// never holds more than the limit.
type keyring struct {
	itemKey
	// Version grows whenever a key comes or goes.
	Version int64 `dynamo:"version"`
	// Keys by key id.
	Keys map[string]ringEntry `dynamo:"keys,allowempty"`
}

type ringEntry struct {
	Hash string `dynamo:"hash"`
	// ExpiresAt is in epoch milliseconds, 0 for never.
	ExpiresAt int64 `dynamo:"expiresAt,omitempty"`
}

// pointer leads from a key's id, which administrators know, to its item.
type pointer struct {
	itemKey
	Hash string `dynamo:"hash"`
}

const (
	attrKeys    = "keys"
	attrVersion = "version"
)

// prunedAtOnce bounds the size of a creation's expressions.
const prunedAtOnce = 10

func (r keyring) expiredIDs(now time.Time) []string {
	var ids []string
	for id, e := range r.Keys {
		if e.ExpiresAt != 0 && e.ExpiresAt <= now.UnixMilli() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (s *Store) updateRing(p Principal) *dynamo.Update {
	key := p.ringKey()
	return s.table.Update(topology.PK, key.PK).Range(topology.SK, key.SK).Add(attrVersion, 1)
}

// keyPath returns a key's place on the ring, in the store library's notation.
func keyPath(id string) string { return "'" + attrKeys + "'.'" + id + "'" }
