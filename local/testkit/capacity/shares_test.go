package capacity_test

import (
	"slices"

	model "github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

const (
	// keyRequests is the largest number of requests a second with one key, which may read 120 and write 60 times a
	// minute (contract, Limits).
	keyRequests = 180 / 60.0
	// agencyRequests and recruiterRequests are those of one agency with 50 keys, and of one recruiter with 5.
	agencyRequests    = 50 * keyRequests
	recruiterRequests = 5 * keyRequests
	// largestAgency is the share of the largest agency, with 5,000 of 200,000 recruiters, in the
	// operations of recruiters.
	largestAgency = 0.025
	// popularRole is the share of the busiest role in the reads of single roles.
	popularRole = 0.02
	// firstPage is the share of the one page that is the same for all callers in the lists of
	// roles.
	firstPage = 0.1
	// largestImport is the share of one CRM in the candidates that the feed delivers: 100,000 in
	// two hours.
	largestImport = 0.14
	// one is the share of any single person, batch or upload.
	one = 0.0005
)

// share is the part of the use of a form of keys that falls on the busiest of them.
type share struct {
	// agencies, recruiters and elsewhere are the shares for operations on these surfaces.
	agencies, recruiters, elsewhere float64
	// shards, if positive, is the number of keys over which the units of each run are spread
	// evenly.
	shards float64
	// operations has the shares of operations that differ from those, by name.
	operations map[string]float64
}

func sameShare(of float64) share { return share{agencies: of, recruiters: of, elsewhere: of} }

// callerShare returns the share for keys that belong to an agency or a recruiter who calls.
func callerShare(recruiters, elsewhere float64) share {
	return share{agencies: agencyRequests / surfaceRequests(model.OfAgencies), recruiters: recruiters, elsewhere: elsewhere}
}

func newShares() map[string]share {
	ofAgency := callerShare(largestAgency, largestAgency)
	ofPerson := sameShare(one)
	ofAll := sameShare(1)
	ofRecruiter := callerShare(recruiterRequests/surfaceRequests(model.OfRecruiters), one)
	crm := ofRecruiter
	role := sameShare(popularRole)
	list := sameShare(firstPage)
	person := ofPerson
	member := ofAgency
	batch := ofPerson
	crm.operations = map[string]float64{"feed crmCandidate": largestImport}
	role.operations = map[string]float64{
		"listRoles": list.recruiters, "listRoles by query": one, "listActiveRoles": one,
		"listAgencyRoles": list.agencies, "searchAgencyRoles": one,
		"listRecommendedRoles": popularRole, "catalogue digest": 1, // which has read a role that has changed
	}
	person.operations = map[string]float64{"feed call": 1} // one note taker takes part in all calls
	member.operations = map[string]float64{"ingest": 1}    // one member may own all submissions for a while
	// One agency may have all ingestions for a while; their entries are spread over four keys.
	entries := 50 * targetOf("listChanges of 50").PerSecond
	entry := ofAgency
	changes := ofAgency
	entry.operations = map[string]float64{"ingest": 1.0 / 4, "listChanges of 50": model.Submissions / entries}
	changes.operations = map[string]float64{"listChanges of 50": model.Submissions / entries}
	batch.operations = map[string]float64{"ingest": 100 / model.Submissions} // one batch of 100, all in one second
	return map[string]share{
		"accounts A#<agency>":          ofAgency,
		"accounts M#<agency>#<member>": member,
		"accounts E#<agency>":          ofAgency,
		"accounts U#<recruiter>":       ofRecruiter,
		"accounts K#<hash>":            {agencies: keyRequests / surfaceRequests(model.OfAgencies)},

		"submissions B#<batch>":                    batch,
		"submissions T#<tenant>":                   ofAgency,
		"submissions L#<hash>":                     ofPerson,
		"submissions I#<tenant>#<hash of the key>": ofPerson,
		"submissions F#<tenant>#<sha256>":          ofPerson,
		"submissions U#<tenant>#<upload>":          ofPerson,
		"submissions P#<hash>":                     ofPerson,
		"submissions X#<batch>#<header or index>":  ofPerson,
		"submissions due":                          {shards: 16},

		"network A#<tenant>":                      member,
		"network A#<tenant>#o#<owner>":            member,
		"network A#<tenant>#s#<status>":           member,
		"network A#<tenant>#o#<owner>#s#<status>": member,
		"network A#<tenant>#li#<url…>":            ofPerson,
		"network A#<tenant>#em#<email…>":          ofPerson,
		"network M#<membership>":                  ofPerson,
		"network person":                          ofPerson,
		"network due":                             {shards: 16},
		"network expiry":                          member,
		"network P#<host>#<shard:number>":         {shards: breakerShards},
		"network V#<hash>":                        ofPerson,

		"marketplace U#<recruiter>":             crm,
		"marketplace G#<recruiter>":             crm,
		"marketplace U#<recruiter>#<candidate>": ofPerson,
		"marketplace R#<role>":                  role,
		"marketplace C#<company>":               sameShare(popularRole),
		"marketplace S#<role>#<recruiter>":      ofPerson,
		"marketplace S#<role>#A#<agency>":       ofPerson,
		"marketplace L#<shard:number>":          {shards: 16},
		"marketplace N#<announcement>":          ofPerson,
		"marketplace I#<transcript>":            ofPerson,
		"marketplace A#<application>":           ofPerson,
		"marketplace M#<match>":                 ofPerson,
		"marketplace L#<call>":                  ofPerson,
		"marketplace H#<hash>":                  person,
		"marketplace E#<person>":                ofPerson,
		"marketplace X#<object…>":               ofPerson,
		"marketplace due":                       {shards: 1},
		"marketplace H#<snapshot>":              ofAll,

		"changes I#<tenant>#<shard:number>": entry,
		"changes A#<tenant>":                changes,

		"changes D#<snapshot>#<day:number>#<shard:number>": {shards: 3},
		"changes G#<snapshot>#<format:number>":             ofAll,
	}
}

// shares has the share of each form of key. A form without one fails the test.
var shares = newShares()

// busiestUnits returns the mean units that one run of an operation uses of the busiest key.
func (s share) busiestUnits(t model.Target, use model.Use) model.Units {
	if s.shards > 0 {
		return model.Units{}.Add(1/s.shards, use.Total)
	}
	of, ok := s.operations[t.Operation]
	if !ok {
		of = [...]float64{model.Elsewhere: s.elsewhere, model.OfAgencies: s.agencies, model.OfRecruiters: s.recruiters}[t.Surface]
	}
	return model.Units{}.Add(of, use.Busiest)
}

func targetOf(operation string) model.Target {
	all := model.Targets()
	return all[slices.IndexFunc(all, func(t model.Target) bool { return t.Operation == operation })]
}

// surfaceRequests returns the requests a second on a surface.
func surfaceRequests(s model.Surface) (sum float64) {
	for _, t := range model.Targets() {
		if t.Surface == s {
			sum += t.PerSecond
		}
	}
	return sum
}

// breakerShards is the number of items over which the provider's breaker spreads the look-ups.
var breakerShards = float64(profile.Limits{PerMinute: model.LookUps}.Shards())
