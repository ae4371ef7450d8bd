package account

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Principal is the account that a key acts as: an agency (agency key) or a recruiter
// (personal key).
type Principal struct {
	Type contract.KeyType
	ID   string
}

// maxActive is the number of active keys a principal may have (contract, Limits).
var maxActive = map[contract.KeyType]int{contract.AgencyKey: 50, contract.PersonalKey: 5}

func (p Principal) ringKey() itemKey { return keyOf(itemkey.Keyring, string(p.Type), p.ID) }

// administrator is an actor who may administer a principal's keys.
type administrator struct {
	Principal
	// actor is the owner of the agency, or the recruiter.
	actor Member
	// offered are the scopes that a new key may ask for.
	offered []contract.Scope
	// refusal says why the actor may create no key now; nil if allowed.
	refusal error
	// networkOff says that the principal is an agency without Talent Network access.
	networkOff bool
	// primaryOwner is the id of the agency's primary owner.
	primaryOwner string
	// unchanged are conditions for a transaction: the items of the principal and of the
	// actor have not changed since they were read.
	unchanged []*dynamo.ConditionCheck
}

// authorizeActor returns the actor if he or she may administer the principal's keys. It
// fails with fault.Missing for an outsider, and with fault.Forbidden and the reason for
// a member who is not an owner.
func (s *Store) authorizeActor(ctx context.Context, p Principal, actor string) (administrator, error) {
	switch p.Type {
	case contract.AgencyKey:
		return s.authorizeOwner(ctx, p, actor)
	case contract.PersonalKey:
		return s.authorizeRecruiter(ctx, p, actor)
	}
	return administrator{}, fault.Field(contract.ValidationFailed, "type", "Must be agency or personal.")
}

func (s *Store) authorizeOwner(ctx context.Context, p Principal, actor string) (administrator, error) {
	agencyKey := keyOf(itemkey.Agency, p.ID)
	memberKey := keyOf(itemkey.Member, p.ID, actor)
	found, err := s.readItems(ctx, []dynamo.Keyed{agencyKey, memberKey}, true)
	agency := found.agency
	member := found.members.byID[actor]
	switch {
	case err != nil:
		return administrator{}, err
	case agency.PK == "" || agency.Absent || member.ID == "":
		return administrator{}, fault.Missing()
	case !member.Owner || !member.Active():
		return administrator{}, forbiddenError("Only an owner of the agency can manage its keys.")
	}
	out := administrator{
		Principal: p, actor: member.Member, networkOff: !agency.TalentNetworkAccess, primaryOwner: agency.PrimaryOwner,
		offered: offeredScopes(p.Type, agency.TalentNetworkAccess), unchanged: []*dynamo.ConditionCheck{
			s.requireUnchanged(agencyKey, agency.Revision), s.requireUnchanged(memberKey, member.Revision),
		},
	}
	if !agency.APIAccess {
		out.refusal = forbiddenError("API access is not enabled for this agency. Ask the marketplace to enable it.")
	}
	return out, nil
}

func (s *Store) authorizeRecruiter(ctx context.Context, p Principal, actor string) (administrator, error) {
	if actor != p.ID {
		return administrator{}, fault.Missing()
	}
	var recruiter recruiterItem
	key := keyOf(itemkey.Recruiter, p.ID)
	if err := recruiter.missingIfAbsent(s.readItem(ctx, key, &recruiter)); err != nil {
		return administrator{}, err
	}
	out := administrator{
		Principal: p, actor: Member{ID: actor, Name: recruiter.Name, Email: recruiter.Email},
		offered: offeredScopes(p.Type, false), unchanged: []*dynamo.ConditionCheck{s.requireUnchanged(key, recruiter.Revision)},
	}
	switch {
	case !recruiter.CanRecruit:
		out.refusal = forbiddenError("This account cannot recruit at the moment; no new keys can be created.")
	case !recruiter.PersonalKeys:
		out.refusal = forbiddenError("Personal keys are not enabled for this account. Ask the marketplace to enable them.")
	}
	return out, nil
}

// requireUnchanged returns the condition that an item still has the revision that was read.
func (s *Store) requireUnchanged(key itemKey, revision string) *dynamo.ConditionCheck {
	return s.check(key).If("$ = ?", attrRevision, revision)
}

// check starts a condition on an item.
func (s *Store) check(key itemKey) *dynamo.ConditionCheck {
	return s.table.Check(topology.PK, key.PK).Range(topology.SK, key.SK)
}

func forbiddenError(message string) error {
	return fault.New(fault.Forbidden, contract.NoCode, message)
}
