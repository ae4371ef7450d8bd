package system_test

import (
	"crypto/rand"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// target is the resource that a request names.
type target struct {
	// environment is the environment whose keys can see the target: all of them for data that the
	// marketplace's app owns, none for ids that do not exist.
	environment                                  string
	member, batch, upload, role, candidate, call string
}

const everywhere, nowhere = "everywhere", "nowhere"

// permissionSystem is a system in which one agency and one recruiter have a target of each kind,
// the agency in both environments.
type permissionSystem struct {
	*manualSystem
	agencyTargets    []target
	recruiterTargets []target
	expired          string
}

func newPermissionSystem(t *testing.T) *permissionSystem {
	t.Helper()
	standIn := httptest.NewServer(&provider.StandIn{})
	t.Cleanup(standIn.Close)
	closed := newClosedSystem(t, map[string]string{topology.SettingProfileURL: standIn.URL, topology.SettingProfileKey: "key"})
	closed.open()
	s := &permissionSystem{manualSystem: closed}
	expires := contract.At(s.now().Add(time.Second))
	s.expired = s.createKey(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: "test", ExpiresAt: &expires}).Secret
	s.advanceClock(time.Second)
	s.addTargets()
	return s
}

// addTargets stores the targets of the requests.
func (s *permissionSystem) addTargets() {
	s.t.Helper()
	s.seedRecruiter(demo.OwnerID)
	roles := &roleSystem{manualSystem: s.manualSystem}
	roles.openFeed()
	roles.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	roles.applyEvent("role.upserted", "role1", 1, newRoleData("Carpenter", object{"status": "CLOSED"}))
	roles.applyEvent("roleAssignment.upserted", "role1/"+demo.OwnerID, 1,
		object{"roleId": "role1", "recruiterId": demo.OwnerID, "approvalStatus": "APPROVED", "accessLevel": "FULL"})
	none := target{nowhere, "cu_01M7VZ7PS1FQ5A9FHX31Q3HE6S", uuid.Must(uuid.NewV7()).String(), uuid.Must(uuid.NewV7()).String(), "nowhere", "cand_nobody", "call_nobody"}
	for _, environment := range []string{"test", "live"} {
		key := s.createKey(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: environment}).Secret
		api := client.New(s.BaseURL, key, withShortWaits)
		in := newSubmitRequest(s.t, person{priya.file, priya.name, "priya." + environment + "@example.com", "priya-" + environment}, "")
		accepted, err := api.Submit(s.t.Context(), in)
		must(s.t, err)
		s.runWorkers()
		s.agencyTargets = append(s.agencyTargets, target{
			environment: environment, batch: accepted.BatchID, member: waitForItem(s.t, s.t.Context(), api, accepted.BatchID).CandidateUserID,
			upload: s.uploadResume(key, readPriyaResume(s.t)+environment).ResumeFileID,
		})
	}
	s.agencyTargets = append(s.agencyTargets, none)
	s.recruiterTargets = []target{{environment: everywhere, role: "role1", candidate: seededCandidate, call: seededCall}, none}
}

// targetsFor returns the targets of a route's requests: those of the account, and ids that do not
// exist. On the Talent Network the account has a target in each environment.
func (s *permissionSystem) targetsFor(route contract.Route) []target {
	switch {
	case !strings.Contains(route.Path, "{") && !namesInBody[route.Operation]:
		return []target{{environment: everywhere}}
	case slices.ContainsFunc(route.Scopes, func(c contract.Scope) bool { return strings.HasPrefix(string(c), "talent_network:") }):
		return s.agencyTargets
	}
	return s.recruiterTargets
}

// heldKey is a usable key, with what revoking it needs.
type heldKey struct {
	testKey
	id, principal, actor string
}

// keysFor creates keys of both types for two accounts each: with all scopes of their type, and,
// for each required scope that the type offers, one without that scope.
func (s *permissionSystem) keysFor(required []contract.Scope, environment string) (all []heldKey) {
	for _, of := range []heldKey{
		{testKey{kind: contract.AgencyKey, own: true}, "", demo.AgencyID, demo.OwnerID},
		{testKey{kind: contract.AgencyKey}, "", demo.OtherAgencyID, demo.OtherOwnerID},
		{testKey{kind: contract.PersonalKey, own: true}, "", demo.OwnerID, demo.OwnerID},
		{testKey{kind: contract.PersonalKey}, "", demo.MemberID, demo.MemberID},
	} {
		scopes := [][]contract.Scope{of.kind.Scopes()}
		for _, missing := range required {
			if slices.Contains(of.kind.Scopes(), missing) {
				scopes = append(scopes, slices.DeleteFunc(of.kind.Scopes(), func(c contract.Scope) bool { return c == missing }))
			}
		}
		for _, asked := range scopes {
			created := s.createKey(keys.Request{Type: of.kind, Principal: of.principal, Actor: of.actor, Environment: environment, Scopes: asked})
			key := of
			key.secret = created.Secret
			key.id = created.Key.ID
			key.environment = environment
			key.scopes = asked
			if of.kind == contract.AgencyKey { // always granted (contract, Scopes)
				key.scopes = append(key.scopes, contract.TalentNetworkRead)
			}
			all = append(all, key)
		}
	}
	return all
}

func (s *permissionSystem) revokeKey(key heldKey) {
	s.t.Helper()
	service, err := keys.New(s.t.Context(), system.Permitted(s.Host, "keys"))
	must(s.t, err)
	_, err = service.Handle(s.t.Context(), keys.Request{Action: keys.Revoke, Type: key.kind, Principal: key.principal, Actor: key.actor, KeyID: key.id})
	must(s.t, err)
}

// refusedKeys returns keys that no route accepts.
func (s *permissionSystem) refusedKeys() []testKey {
	generate := func(environment string) string {
		secret, err := apikey.Generate(rand.Reader, environment)
		must(s.t, err)
		return secret
	}
	return []testKey{
		{refusal: contract.MissingAPIKey},
		{refusal: contract.InvalidAPIKey, secret: "nobody"},
		{refusal: contract.InvalidAPIKey, secret: generate("test") + "x"},
		{refusal: contract.InvalidAPIKey, secret: generate("test")},
		{refusal: contract.InvalidAPIKey, secret: generate("staging")},
		{refusal: contract.ExpiredAPIKey, secret: s.expired},
	}
}

// sendTo sends a valid request for a target to a route.
func (s *permissionSystem) sendTo(route contract.Route, key testKey, of target) reply {
	path := strings.NewReplacer("{batchId}", of.batch, "{candidateUserId}", of.member, "{roleId}", of.role,
		"{candidateId}", of.candidate, "{callId}", of.call, "{page}", "network").Replace(route.Path)
	switch route.Operation {
	case "getAgencyRole":
		path += "?recruiterEmail=" + demo.OwnerEmail
		if !key.own {
			path = strings.Replace(path, demo.OwnerEmail, "piet.verhoeven@example.org", 1)
		}
	case "searchAgencyRoles":
		path += "?query=carpenter"
	}
	body := validBodies(s.t, of)[route.Operation]
	return s.sendRequest(route.Method, path, key.secret, body)
}
