package itemkey

// Tables lists the kinds of each table, by the table's logical name.
var Tables = map[string][]Kind{
	"accounts":    {Agency, Member, MemberAddress, Recruiter, Keyring, KeyPointer, APIKey},
	"submissions": {Claim, Batch, BatchPart, BatchItem, BatchRow, LiveItem, Disposal, UploadedContent, Upload, PersonSubmission},
	"network":     {Membership, MembershipRow, OwnerRow, StatusRow, OwnerStatusRow, LinkedInIdentity, EmailIdentity, EmailLink, CachedProfile, ProviderBreaker},
	"marketplace": {
		Role, RoleProse, RoleAnnouncement, RoleTranscript, ListedRole, Company, CompanyRole,
		RecruiterRole, Preferences, CandidateApplication, RecruiterApplication, AgencyApplication,
		Announcement, Transcript, Application,
		Candidate, CandidateProgress, CandidateRow, CandidateChange, CRMIndexHead, BulkIndexHead,
		Match, RecruiterMatch, UnresolvedMatch, RoleMatch, MatchPause,
		Call, CallDetail, RecruiterCall,
		PersonMark, PersonCopy, ErasureReceipt, ObjectDisposal, SnapshotHead, SnapshotDraft,
	},
	"changes": {SnapshotChange, SnapshotDigests, ChangeEntry, ChangeSegment, ChangeHead},
}

const (
	accounts    = "shared/account"
	apiKeys     = "shared/account/apikey"
	submissions = "shared/agency/submission"
	claims      = "shared/agency/idempotency"
	network     = "shared/agency/network"
	changeFeed  = "shared/agency/changefeed"
	profiles    = "shared/candidate/profile"
	entities    = "shared/marketplace/entity"
	roles       = "shared/marketplace/role"
	crm         = "shared/marketplace/crm"
	matches     = "shared/marketplace/match"
	calls       = "shared/marketplace/notetaker"
	snapshots   = "shared/search/snapshot"
	feed        = "functions/feed"
)

// The table accounts.
var (
	Agency = Kind{accounts, "A#<agency>", "A"}
	// Member is one member of an agency; MemberAddress holds the members who share an
	// e-mail address, usually one. An agency's addresses are its list of members.
	Member        = Kind{accounts, "M#<agency>#<member>", "M"}
	MemberAddress = Kind{accounts, "E#<agency>", "<email…>"}
	Recruiter     = Kind{accounts, "U#<recruiter>", "U"}
	// Keyring lists a principal's active keys; pointers in its partition lead from
	// the id of a key, which administrators know, to its item.
	Keyring    = Kind{accounts, "P#<type>#<principal>", "P"}
	KeyPointer = Kind{accounts, "P#<type>#<principal>", "K#<key>"}
	APIKey     = Kind{apiKeys, "K#<hash>", "K"}
)

// The table submissions.
var (
	Claim = Kind{claims, "I#<tenant>#<hash of the key>", "I"}
	// Batch is a batch's header; BatchPart is that of a further part or generation.
	Batch     = Kind{submissions, "B#<batch>", "H"}
	BatchPart = Kind{submissions, "B#<batch>", "H#<part>.<generation>"}
	BatchItem = Kind{submissions, "B#<batch>", "R#<index>"}
	// BatchRow is a row of a tenant's list of batches, by time.
	BatchRow = Kind{submissions, "T#<tenant>", "<batch>"}
	// LiveItem is keyed by a hash of the dedupe identity.
	LiveItem = Kind{submissions, "L#<hash>", "L"}
	// Disposal names files that nothing needs any more.
	Disposal        = Kind{submissions, "X#<batch>#<header or index>", "X"}
	UploadedContent = Kind{submissions, "F#<tenant>#<sha256>", "F"}
	Upload          = Kind{submissions, "U#<tenant>#<upload>", "U"}
	// PersonSubmission leads from a person, by the hash of an identity, to a submission to which
	// no other item leads.
	PersonSubmission = Kind{submissions, "P#<hash>", "<tenant>#<batch>#<index>"}
)

// The table network.
var (
	Membership = Kind{network, "M#<membership>", "M"}
	// MembershipRow is a row of a tenant's list, newest first. The other three are the same
	// row in the list of an owner, of a status on the market, and of both.
	MembershipRow    = Kind{network, "A#<tenant>", "<added>#<membership>"}
	OwnerRow         = Kind{network, "A#<tenant>#o#<owner>", "<added>#<membership>"}
	StatusRow        = Kind{network, "A#<tenant>#s#<status>", "<added>#<membership>"}
	OwnerStatusRow   = Kind{network, "A#<tenant>#o#<owner>#s#<status>", "<added>#<membership>"}
	LinkedInIdentity = Kind{network, "A#<tenant>#li#<url…>", "I"}
	EmailIdentity    = Kind{network, "A#<tenant>#em#<email…>", "I"}
	// EmailLink leads to one of the memberships of an e-mail address that many share.
	EmailLink     = Kind{network, "A#<tenant>#em#<email…>", "L#<membership>"}
	CachedProfile = Kind{profiles, "V#<hash>", "V"}
	// ProviderBreaker is a shard of the state of a profile provider, by its host, that all workers share.
	ProviderBreaker = Kind{profiles, "P#<host>#<shard:number>", "P"}
)

// Roles and what belongs to them, in the table marketplace. Parts of one item are
// entities of their own.
var (
	// Role holds a role's card, and as parts its metrics, its pipeline and a copy of its
	// company's facts: what a list reads of a role in one small item.
	Role      = Kind{roles, "R#<role>", "R"}
	RoleProse = Kind{roles, "R#<role>", "T"}
	// RoleAnnouncement and RoleTranscript are rows of a role, oldest first.
	RoleAnnouncement = Kind{roles, "R#<role>", "N#<created>#<announcement>"}
	RoleTranscript   = Kind{roles, "R#<role>", "I#<recorded>#<transcript>"}
	// ListedRole lists all roles, in shards, to build the catalogue anew.
	ListedRole  = Kind{roles, "L#<shard:number>", "<role>"}
	Company     = Kind{roles, "C#<company>", "C"}
	CompanyRole = Kind{roles, "C#<company>", "R#<role>"}
	// RecruiterRole holds, as parts, the recruiter's assignment to the role and the
	// count of the recruiter's applications to it.
	RecruiterRole = Kind{roles, "U#<recruiter>", "R#<role>"}
	// Preferences holds, as a part, how often the items after it have changed.
	Preferences = Kind{roles, "U#<recruiter>", "R"}
	// The applications of a candidate, and those to a role of a recruiter and of an
	// agency, newest last.
	CandidateApplication = Kind{roles, "U#<recruiter>#<candidate>", "A#<application>"}
	RecruiterApplication = Kind{roles, "S#<role>#<recruiter>", "<submitted>#<application>"}
	AgencyApplication    = Kind{roles, "S#<role>#A#<agency>", "<submitted>#<application>"}
	// The version and the rows of each, by its id.
	Announcement = Kind{roles, "N#<announcement>", "N"}
	Transcript   = Kind{roles, "I#<transcript>", "I"}
	Application  = Kind{roles, "A#<application>", "A"}
)

// Recruiters' CRMs, in the table marketplace.
var (
	// What is large, or written with each application, is in the candidate's own partition.
	Candidate = Kind{crm, "U#<recruiter>#<candidate>", "D"}
	// CandidateProgress counts how many applications have reached each status.
	CandidateProgress = Kind{crm, "U#<recruiter>#<candidate>", "F"}
	// CandidateRow is the list's row, newest first (entity.Rank). Hidden and archived
	// candidates have none.
	CandidateRow = Kind{crm, "U#<recruiter>", "C#<rank>#<candidate>"}
	// CRMIndexHead exists once a CRM has a published base, and holds when its rows were read.
	CRMIndexHead = Kind{crm, "U#<recruiter>", "B"}
	// CandidateChange repeats a row in the order in which rows were written: one for each
	// candidate, the last. BulkIndexHead is the head's after a bulk load, which leaves none.
	CandidateChange = Kind{crm, "G#<recruiter>", "<written>#C#<candidate>"}
	BulkIndexHead   = Kind{crm, "G#<recruiter>", "<written>#B"}
)

// Matches and notetaker calls, in the table marketplace.
var (
	// Match is in the index by due time while it is pending.
	Match = Kind{matches, "M#<match>", "M"}
	// RecruiterMatch is a row of the recruiter's list, oldest first.
	RecruiterMatch = Kind{matches, "U#<recruiter>", "M#<sent>#<match>"}
	// UnresolvedMatch is there until the match, pending or expired, is resolved.
	UnresolvedMatch = Kind{matches, "U#<recruiter>", "Q#<candidate>#<role>#<match>"}
	// RoleMatch finds, by role, the matches that a recruiter was sent.
	RoleMatch = Kind{matches, "U#<recruiter>", "V#<role>#<match>"}
	// MatchPause marks a recruiter with auto-match paused.
	MatchPause = Kind{matches, "U#<recruiter>", "W"}

	Call       = Kind{calls, "L#<call>", "L"}
	CallDetail = Kind{calls, "L#<call>", "D"}
	// RecruiterCall is a row of the recruiter's list, newest first (entity.Rank).
	RecruiterCall = Kind{calls, "U#<recruiter>", "L#<rank>#<call>"}
)

// What several domains share, in the table marketplace.
var (
	// PersonMark says that a person was erased, and PersonCopy leads from a person to
	// an entity that concerns them.
	PersonMark     = Kind{entities, "H#<hash>", "E"}
	PersonCopy     = Kind{entities, "H#<hash>", "X|<pk…>|<sk…>|<part>"}
	ErasureReceipt = Kind{feed, "E#<person>", "E"}
	// ObjectDisposal names an object of the bucket that no other item leads to.
	ObjectDisposal = Kind{entities, "X#<object…>", "X"}
	// SnapshotHead names the base files of a format, and SnapshotDraft those of a base that is
	// not complete.
	SnapshotHead  = Kind{snapshots, "H#<snapshot>", "H#<format>"}
	SnapshotDraft = Kind{snapshots, "H#<snapshot>", "R#<format>"}
)

// The feed of a tenant's changes, in the table changes.
var (
	// ChangeEntry is a change that has no number yet, ChangeSegment a part of the log, by its first
	// number, and ChangeHead holds the last number.
	ChangeEntry   = Kind{changeFeed, "I#<tenant>#<shard:number>", "<recorded>#<subject>#<version>"}
	ChangeSegment = Kind{changeFeed, "A#<tenant>", "S#<first:number>"}
	ChangeHead    = Kind{changeFeed, "A#<tenant>", "H"}
)

// The log of a collection's changes, in the table changes.
var (
	// SnapshotChange is an entry of the log: that a member of a collection changed. A day has several
	// shards.
	SnapshotChange = Kind{snapshots, "D#<snapshot>#<day:number>#<shard:number>", "<time>#<member>#<nonce>"}
	// SnapshotDigests names the files with the state of the members that changed recently.
	SnapshotDigests = Kind{snapshots, "G#<snapshot>#<format:number>", "G"}
)
