package feed_test

import (
	"fmt"
	"math/rand/v2"
	"time"
)

type object = map[string]any

// sample makes an entity id and its content of a kind. Ids are few, so that
// entities refer to each other.
type sample struct {
	kind string
	make func(r *rand.Rand) (id string, data object)
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func id(r *rand.Rand, prefix string, n int) string { return fmt.Sprint(prefix, r.IntN(n)) }

func at(r *rand.Rand) string {
	return time.Date(2026, 1, 1+r.IntN(60), r.IntN(24), 0, 0, 0, time.UTC).Format(time.RFC3339)
}

func words(r *rand.Rand) string {
	return fmt.Sprint("Sample ", pick(r, "alpha", "beta", "gamma"), " ", r.IntN(1000))
}

// samples are the kinds that are upserted and deleted, each with content that is valid.
var samples = []sample{
	{"agency", func(r *rand.Rand) (string, object) {
		return id(r, "agy", 3), object{"name": words(r), "apiAccess": r.IntN(2) == 0, "talentNetworkAccess": true, "talentNetworkManagement": false, "hidesPayment": r.IntN(2) == 0, "primaryOwner": "rec0"}
	}},
	{"member", func(r *rand.Rand) (string, object) {
		rec := id(r, "rec", 5)
		return id(r, "agy", 3) + "/" + rec, object{"name": words(r), "email": rec + "@example.com", "owner": r.IntN(2) == 0, "approved": r.IntN(3) > 0}
	}},
	{"recruiter", func(r *rand.Rand) (string, object) {
		rec := id(r, "rec", 5)
		return rec, object{"name": words(r), "email": rec + "@example.com", "agencyId": nil, "canRecruit": r.IntN(2) == 0, "personalKeys": true}
	}},
	{"company", func(r *rand.Rand) (string, object) {
		return id(r, "co", 4), object{"name": words(r), "aliases": []string{"Alias " + words(r)}, "industries": []string{pick(r, "ai", "fintech")}, "description": words(r), "size": r.IntN(900)}
	}},
	{"role", func(r *rand.Rand) (string, object) {
		return id(r, "role", 10), object{
			"title": words(r), "companyId": id(r, "co", 4), "status": pick(r, "ACTIVE", "PAUSED", "CLOSED"), "visibility": pick(r, "PUBLIC", "STEALTH"),
			"updatedAt": at(r), "browseUrl": "https://app.example.com/roles/x", "salary": object{"min": 100000, "max": 150000, "currency": "USD"},
			"description": words(r), "requirements": []object{{"description": words(r), "type": "REQUIRED"}},
		}
	}},
	{"roleAssignment", func(r *rand.Rand) (string, object) {
		role := id(r, "role", 10)
		rec := id(r, "rec", 5)
		return role + "/" + rec, object{"roleId": role, "recruiterId": rec, "approvalStatus": pick[any](r, "APPROVED", "PENDING", nil), "accessLevel": pick(r, "FULL", "CROSS_SUBMIT"), "trial": object{"endsAt": at(r), "submissionGoal": 3}}
	}},
	{"hiringManagerMetrics", func(r *rand.Rand) (string, object) {
		return id(r, "role", 10), object{"lastActiveAt": at(r), "reviewDays": r.Float64() * 5}
	}},
	{"rolePipeline", func(r *rand.Rand) (string, object) {
		return id(r, "role", 10), object{"totalApplications": r.IntN(90), "stageCounts": []object{{"stage": "Submitted", "count": r.IntN(9)}}}
	}},
	{"announcement", func(r *rand.Rand) (string, object) {
		return id(r, "ann", 8), object{"roleId": id(r, "role", 10), "message": words(r), "createdAt": at(r), "recipients": object{"all": false, "recruiterIds": []string{id(r, "rec", 5)}}}
	}},
	{"intakeTranscript", func(r *rand.Rand) (string, object) {
		return id(r, "intake", 6), object{"roleId": id(r, "role", 10), "updatedAt": at(r), "text": words(r), "readers": object{"all": true}}
	}},
	{"savedPreferences", func(r *rand.Rand) (string, object) {
		return id(r, "rec", 5), object{"roleTypes": []string{"backend_engineer"}, "minSalary": r.IntN(200000)}
	}},
	{"application", func(r *rand.Rand) (string, object) {
		return id(r, "app", 30), object{
			"roleId": id(r, "role", 4), "recruiterId": id(r, "rec", 2), "agencyId": pick[any](r, "agy1", nil), "candidateId": id(r, "cand", 6), "candidateName": words(r),
			"status": pick(r, "SUBMITTED", "IN_REVIEW", "INTERVIEWING", "OFFER", "HIRED", "REJECTED", "WITHDRAWN"), "autoMatch": r.IntN(3) == 0,
			"via": pick(r, "PRIMARY", "SINGLE", "REQUEST", "AUTO_MATCH"), "submittedAt": at(r), // without via it matters when the assignment comes
		}
	}},
	{"crmCandidate", func(r *rand.Rand) (string, object) {
		rec := id(r, "rec", 2)
		cand := id(r, "cand", 6)
		return rec + "/" + cand, object{
			"recruiterId": rec, "candidateId": cand, "name": words(r), "email": cand + "@example.com", "linkedinUrl": "https://www.linkedin.com/in/" + cand,
			"relationshipStatus": pick(r, "SOURCED", "SCREENED"), "addedAt": at(r), "hidden": r.IntN(5) == 0, "experiences": []object{{"company": words(r)}},
		}
	}},
	{"match", func(r *rand.Rand) (string, object) {
		return id(r, "match", 12), object{"recruiterId": id(r, "rec", 3), "roleId": id(r, "role", 10), "status": pick(r, "pending", "submitted", "dismissed"), "sentAt": at(r), "candidate": object{"candidateId": id(r, "cand", 6), "name": words(r), "email": "cand9@example.com"}}
	}},
	{"call", func(r *rand.Rand) (string, object) {
		data := object{"recruiterId": id(r, "rec", 3), "title": words(r), "scheduledAt": at(r), "url": "https://app.example.com/calls/x", "updatedAt": at(r), "participants": []object{{"email": id(r, "cand", 6) + "@example.com"}}}
		if r.IntN(4) > 0 {
			data["transcript"] = object{"segments": []object{{"text": words(r), "speaker": "A"}}}
		}
		return id(r, "call", 8), data
	}},
}
