package capacity

// callerRequests are the most requests a second of one agency or recruiter: five keys, of which
// each may make 120 and write 60 times a minute (contract, Limits).
const callerRequests = 5 * 180 / 60.0

const (
	// largestAgency is the share of the agency with 5,000 of 200,000 recruiters in what they do.
	largestAgency = 0.025
	// popularRole is the share of the busiest role in what is read of single roles.
	popularRole = 0.02
	// firstPage is the share of the one page that is the same for all in the lists of roles.
	firstPage = 0.1
	// largestImport is the share of one CRM in what the feed brings of candidates: 100,000 in two hours.
	largestImport = 0.14
	// one is the share of any single person, batch or upload.
	one = 0.0005
)

// share is how much of what operations do with keys of a form is with the busiest of them.
type share struct {
	// agencies, recruiters and elsewhere are of operations on these surfaces.
	agencies, recruiters, elsewhere float64
	// shards, if positive, is over how many keys the units of each run spread evenly.
	shards float64
	// operations are those of which another share is with the busiest key.
	operations map[string]float64
}

func sameShare(of float64) share { return share{agencies: of, recruiters: of, elsewhere: of} }

// callerShare is of keys that belong to an agency or a recruiter who calls.
func callerShare(recruiters, elsewhere float64) share {
	return share{agencies: callerRequests / surfaceRequests(OfAgencies), recruiters: recruiters, elsewhere: elsewhere}
}

func newShares() map[string]share {
	ofAgency, ofPerson, ofAll := callerShare(largestAgency, largestAgency), sameShare(one), sameShare(1)
	ofRecruiter := callerShare(callerRequests/surfaceRequests(OfRecruiters), one)
	crm, role, list, person, member, batch := ofRecruiter, sameShare(popularRole), sameShare(firstPage), ofPerson, ofAgency, ofPerson
	crm.operations = map[string]float64{"feed crmCandidate": largestImport}
	role.operations = map[string]float64{
		"listRoles": list.recruiters, "listRoles by query": one, "listActiveRoles": one, "listAgencyRoles": list.agencies, "searchAgencyRoles": one,
		"listRecommendedRoles": popularRole, "catalogue refresh": 1, // every instance reads a role that has changed
	}
	person.operations = map[string]float64{"feed call": 1}             // a note taker takes part in all
	member.operations = map[string]float64{"ingest": 1}                // one member may own all that is submitted for a while
	batch.operations = map[string]float64{"ingest": 100 / Submissions} // of a batch of 100, all in one second
	return map[string]share{
		"accounts A#<agency>":          ofAgency,
		"accounts M#<agency>#<member>": member,
		"accounts E#<agency>#<email…>": ofAgency,
		"accounts U#<recruiter>":       ofRecruiter,
		"accounts K#<hash>":            {agencies: callerRequests / 5 / surfaceRequests(OfAgencies)},

		"submissions B#<batch>":                    batch,
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
		"network P#<host>":                        ofAll,
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
		"marketplace person":                    person,
		"marketplace person2":                   person,
		"marketplace H#<snapshot>":              ofAll,

		"changes D#<snapshot>#<day:number>#<shard:number>": {shards: 3},
	}
}

// shares are by the form of the key. A form without a row fails the test.
var shares = newShares()

// busiestUnits returns what one run of an operation uses, on average, of the busiest key.
func (s share) busiestUnits(t Target, use Use) Units {
	if s.shards > 0 {
		return Units{}.Add(1/s.shards, use.Total)
	}
	of, ok := s.operations[t.Operation]
	if !ok {
		of = [...]float64{Elsewhere: s.elsewhere, OfAgencies: s.agencies, OfRecruiters: s.recruiters}[t.Surface]
	}
	return Units{}.Add(of, use.Busiest)
}
