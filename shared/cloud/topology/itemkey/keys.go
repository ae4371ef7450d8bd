// Package itemkey is the table of all item keys: of every kind of item in the five tables, the form of its
// partition key and sort key, beside the packages that write it. They build and read their keys with it and
// have no key literals of their own, so a test can hold that no kind is ever taken for another.
//
// It knows no item's attributes and, like topology, imports nothing of this project.
package itemkey

import "strings"

// Kind is a kind of item.
//
// A form is literal text with values in angle brackets: "U#<recruiter>". No value holds a "#" (ids may not:
// contract's format id) unless its name ends in "…"; a value is a number if its name ends in ":number".
type Kind struct {
	// Partition and Sort are the forms of the two keys.
	Partition, Sort string
}

// Key returns both keys. The values are those of the partition key, then those of
// the sort key; it panics unless there is one for each place in the forms.
func (k Kind) Key(values ...string) (pk, sk string) {
	n := strings.Count(k.Partition, "<")
	return k.PK(values[:n]...), k.SK(values[n:]...)
}

// PK returns the partition key. It panics as Key does.
func (k Kind) PK(values ...string) string { return fillAll(k.Partition, values) }

// SK returns the sort key. It panics as Key does.
func (k Kind) SK(values ...string) string { return fillAll(k.Sort, values) }

// PartialKey returns the partition key and what all sort keys with the values after
// those of the partition key begin with.
func (k Kind) PartialKey(values ...string) (pk, prefix string) {
	n := strings.Count(k.Partition, "<")
	return k.PK(values[:n]...), k.Prefix(values[n:]...)
}

// Prefix returns what all sort keys with these first values begin with.
func (k Kind) Prefix(values ...string) string { return fillForm(k.Sort, values) }

// Parse returns the values of both keys in the order of Key, and reports whether the keys are of this kind.
func (k Kind) Parse(pk, sk string) (values []string, ok bool) {
	partition, inPartition := matchForm(k.Partition, pk)
	sort, inSort := matchForm(k.Sort, sk)
	return append(partition, sort...), inPartition && inSort
}

// ParseSK is Parse of a sort key alone, where the partition is known.
func (k Kind) ParseSK(sk string) (values []string, ok bool) { return matchForm(k.Sort, sk) }

// Has reports whether the keys are of this kind.
func (k Kind) Has(pk, sk string) bool {
	_, ok := k.Parse(pk, sk)
	return ok
}

// String returns both forms.
func (k Kind) String() string { return k.Partition + " " + k.Sort }

func fillAll(form string, values []string) string {
	if strings.Count(form, "<") != len(values) {
		panic("itemkey: the number of values does not fit " + form)
	}
	return fillForm(form, values)
}

// fillForm puts values in a form's first places and cuts it off before the next place.
func fillForm(form string, values []string) string {
	var key strings.Builder
	for _, value := range values {
		literal, rest, _ := strings.Cut(form, "<")
		_, form, _ = strings.Cut(rest, ">")
		key.WriteString(literal)
		key.WriteString(value)
	}
	literal, _, _ := strings.Cut(form, "<")
	key.WriteString(literal)
	return key.String()
}

// matchForm returns the values that fillForm has put in a form.
func matchForm(form, key string) (values []string, ok bool) {
	for {
		literal, rest, more := strings.Cut(form, "<")
		key, ok = strings.CutPrefix(key, literal)
		if !ok || !more {
			return values, ok && key == ""
		}
		name, after, _ := strings.Cut(rest, ">")
		next := "#" // which ends the value
		switch {
		case after != "":
			next = after[:1]
		case strings.HasSuffix(name, "…"):
			next = "\n" // in no key
		}
		value, _, _ := strings.Cut(key, next)
		if strings.HasSuffix(name, ":number") && strings.Trim(value, "0123456789") != "" {
			return nil, false
		}
		values = append(values, value)
		key = key[len(value):]
		form = after
	}
}

// Tables lists the kinds of each table, by the table's logical name.
var Tables = map[string][]Kind{
	"accounts":    {Agency, Member, MemberAddress, Recruiter, Keyring, KeyPointer, APIKey},
	"submissions": {Claim, Batch, BatchPart, BatchItem, BatchRow, InFlightItem, Disposal, UploadedContent, Upload, PersonSubmission},
	"network": {Membership, MembershipRow, OwnerRow, StatusRow, OwnerStatusRow, LinkedInIdentity, EmailIdentity, EmailLink,
		CachedProfile, ProviderBreaker},
	"marketplace": {
		Role, RoleProse, RoleAnnouncement, RoleTranscript, ListedRole, Company, CompanyRole,
		RecruiterRole, Preferences, CandidateApplication, RecruiterApplication, AgencyApplication,
		Announcement, Transcript, Application,
		Candidate, CandidateProgress, CandidateRow, CandidateChange, CRMIndexHead, LoggedIndexHead,
		Match, RecruiterMatch, UnresolvedMatch, RoleMatch, MatchPause,
		Call, CallDetail, RecruiterCall,
		PersonTombstone, PersonCopy, ErasureReceipt, ObjectDisposal, SnapshotHead, SnapshotDraft,
	},
	"changes": {SnapshotChange, SnapshotDigests, ChangeEntry, ChangeSegment, ChangeHead},
}

// The table accounts, of shared/account; a key's item is of its package apikey.
var (
	Agency = Kind{"A#<agency>", "A"}
	// Member is one member of an agency; MemberAddress holds the members who share an
	// e-mail address, usually one. An agency's addresses are its list of members.
	Member        = Kind{"M#<agency>#<member>", "M"}
	MemberAddress = Kind{"E#<agency>", "<email…>"}
	Recruiter     = Kind{"U#<recruiter>", "U"}
	// Keyring lists a principal's active keys; pointers in its partition lead from
	// the id of a key, which administrators know, to its item.
	Keyring    = Kind{"P#<type>#<principal>", "P"}
	KeyPointer = Kind{"P#<type>#<principal>", "K#<key>"}
	APIKey     = Kind{"K#<hash>", "K"}
)

// The table submissions, of shared/agency/submission; a claim is of shared/agency/idempotency.
var (
	Claim = Kind{"I#<tenant>#<hash of the key>", "I"}
	// Batch is a batch's header; BatchPart is that of a further part or generation.
	Batch     = Kind{"B#<batch>", "H"}
	BatchPart = Kind{"B#<batch>", "H#<part>.<generation>"}
	BatchItem = Kind{"B#<batch>", "R#<index>"}
	// BatchRow is a row of a tenant's list of batches, by time.
	BatchRow = Kind{"T#<tenant>", "<batch>"}
	// LiveItem is keyed by a hash of the dedupe identity.
	InFlightItem = Kind{"L#<hash>", "L"}
	// Disposal names files that nothing needs any more.
	Disposal        = Kind{"X#<batch>#<header or index>", "X"}
	UploadedContent = Kind{"F#<tenant>#<sha256>", "F"}
	Upload          = Kind{"U#<tenant>#<upload>", "U"}
	// PersonSubmission leads from a person, by the hash of an identity, to a submission to which
	// no other item leads.
	PersonSubmission = Kind{"P#<hash>", "<tenant>#<batch>#<index>"}
)

// The table network, of shared/agency/network; profiles and the breaker are of shared/candidate/profile.
var (
	Membership = Kind{"M#<membership>", "M"}
	// MembershipRow is a row of a tenant's list, newest first. The other three are the same
	// row in the list of an owner, of a status on the market, and of both.
	MembershipRow    = Kind{"A#<tenant>", "<added>#<membership>"}
	OwnerRow         = Kind{"A#<tenant>#o#<owner>", "<added>#<membership>"}
	StatusRow        = Kind{"A#<tenant>#s#<status>", "<added>#<membership>"}
	OwnerStatusRow   = Kind{"A#<tenant>#o#<owner>#s#<status>", "<added>#<membership>"}
	LinkedInIdentity = Kind{"A#<tenant>#li#<url…>", "I"}
	EmailIdentity    = Kind{"A#<tenant>#em#<email…>", "I"}
	// EmailLink leads to one of the memberships of an e-mail address that many share.
	EmailLink     = Kind{"A#<tenant>#em#<email…>", "L#<membership>"}
	CachedProfile = Kind{"V#<hash>", "V"}
	// ProviderBreaker is a shard of the state of a profile provider, by its host, that all workers share.
	ProviderBreaker = Kind{"P#<host>#<shard:number>", "P"}
)

// Roles and what belongs to them, in the table marketplace, of shared/marketplace/role. Parts of one item are
// entities of their own.
var (
	// Role holds a role's card, and as parts its metrics, its pipeline and a copy of its
	// company's facts: what a list reads of a role in one small item.
	Role      = Kind{"R#<role>", "R"}
	RoleProse = Kind{"R#<role>", "T"}
	// RoleAnnouncement and RoleTranscript are rows of a role, oldest first.
	RoleAnnouncement = Kind{"R#<role>", "N#<created>#<announcement>"}
	RoleTranscript   = Kind{"R#<role>", "I#<recorded>#<transcript>"}
	// ListedRole lists all roles, in shards, to build the catalogue anew.
	ListedRole  = Kind{"L#<shard:number>", "<role>"}
	Company     = Kind{"C#<company>", "C"}
	CompanyRole = Kind{"C#<company>", "R#<role>"}
	// RecruiterRole holds, as parts, the recruiter's assignment to the role and the
	// count of the recruiter's applications to it.
	RecruiterRole = Kind{"U#<recruiter>", "R#<role>"}
	// Preferences holds, as a part, how often the items after it have changed.
	Preferences = Kind{"U#<recruiter>", "R"}
	// The applications of a candidate, and those to a role of a recruiter and of an agency, newest last.
	CandidateApplication = Kind{"U#<recruiter>#<candidate>", "A#<application>"}
	RecruiterApplication = Kind{"S#<role>#<recruiter>", "<submitted>#<application>"}
	AgencyApplication    = Kind{"S#<role>#A#<agency>", "<submitted>#<application>"}
	// The version and the rows of each, by its id.
	Announcement = Kind{"N#<announcement>", "N"}
	Transcript   = Kind{"I#<transcript>", "I"}
	Application  = Kind{"A#<application>", "A"}
)

// Recruiters' CRMs, in the table marketplace, of shared/marketplace/crm.
var (
	// What is large, or written with each application, is in the candidate's own partition.
	Candidate = Kind{"U#<recruiter>#<candidate>", "D"}
	// CandidateProgress counts how many applications have reached each status.
	CandidateProgress = Kind{"U#<recruiter>#<candidate>", "F"}
	// CandidateRow is the list's row, newest first (entity.Rank). Hidden and archived candidates have none.
	CandidateRow = Kind{"U#<recruiter>", "C#<rank>#<candidate>"}
	// CRMIndexHead exists once a CRM has a published base, and holds when its rows were read.
	CRMIndexHead = Kind{"U#<recruiter>", "B"}
	// CandidateChange repeats a row in the order in which rows were written: one for each
	// candidate, the last, but those of a bulk load. LoggedIndexHead repeats the head.
	CandidateChange = Kind{"G#<recruiter>", "<written>#C#<candidate>"}
	LoggedIndexHead = Kind{"G#<recruiter>", "<written>#B"}
)

// Matches and notetaker calls, in the table marketplace, of shared/marketplace/match and notetaker.
var (
	// Match is in the index by due time while it is pending.
	Match = Kind{"M#<match>", "M"}
	// RecruiterMatch is a row of the recruiter's list, oldest first.
	RecruiterMatch = Kind{"U#<recruiter>", "M#<sent>#<match>"}
	// UnresolvedMatch is there until the match, pending or expired, is resolved.
	UnresolvedMatch = Kind{"U#<recruiter>", "Q#<candidate>#<role>#<match>"}
	// RoleMatch finds, by role, the matches that a recruiter was sent.
	RoleMatch = Kind{"U#<recruiter>", "V#<role>#<match>"}
	// MatchPause marks a recruiter with auto-match paused.
	MatchPause = Kind{"U#<recruiter>", "W"}

	Call       = Kind{"L#<call>", "L"}
	CallDetail = Kind{"L#<call>", "D"}
	// RecruiterCall is a row of the recruiter's list, newest first (entity.Rank).
	RecruiterCall = Kind{"U#<recruiter>", "L#<rank>#<call>"}
)

// What several domains share, in the table marketplace, of shared/marketplace/entity; the receipt is of functions/feed, and
// snapshots are of shared/search/snapshot.
var (
	// PersonTombstone says that a person was erased, and PersonCopy leads from a person to
	// an entity that concerns them.
	PersonTombstone = Kind{"H#<hash>", "E"}
	PersonCopy      = Kind{"H#<hash>", "X|<pk…>|<sk…>|<part>"}
	ErasureReceipt  = Kind{"E#<person>", "E"}
	// ObjectDisposal names an object of the bucket that no other item leads to.
	ObjectDisposal = Kind{"X#<object…>", "X"}
	// SnapshotHead names the base files of a format, and SnapshotDraft those of a base that is not complete.
	SnapshotHead  = Kind{"H#<snapshot>", "H#<format>"}
	SnapshotDraft = Kind{"H#<snapshot>", "R#<format>"}
)

// The feed of a tenant's changes, in the table changes, of shared/agency/changefeed.
var (
	// ChangeEntry is a change that has no number yet, ChangeSegment a part of the log, by its first
	// number, and ChangeHead holds the last number.
	ChangeEntry   = Kind{"I#<tenant>#<shard:number>", "<recorded>#<subject>#<version>"}
	ChangeSegment = Kind{"A#<tenant>", "S#<first:number>"}
	ChangeHead    = Kind{"A#<tenant>", "H"}
)

// The log of a collection's changes, in the table changes, of shared/search/snapshot.
var (
	// SnapshotChange is an entry of the log: that a member of a collection changed. A day has several shards.
	SnapshotChange = Kind{"D#<snapshot>#<day:number>#<shard:number>", "<time>#<member>#<nonce>"}
	// SnapshotDigests names the files with the state of the members that changed recently.
	SnapshotDigests = Kind{"G#<snapshot>#<format:number>", "G"}
)
