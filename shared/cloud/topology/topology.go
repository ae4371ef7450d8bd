// Package topology is the deployed shape as data: tables with their keys and indexes, queues, buckets and
// workers. The deployment creates it, the local runner creates the same, and a test holds the two together.
//
// It is a leaf: it imports nothing of this project and does no work. Which
// routes a function serves is the contract's table.
package topology

import "time"

// Table is one DynamoDB table. Keys are strings unless an index says otherwise.
type Table struct {
	// Name is the logical name; the deployed one is in the environment variable Env.
	Name string
	// Env names the environment variable that holds the deployed name.
	Env string
	// Indexes are the secondary indexes.
	Indexes []Index
}

// The attributes every table has: partition key, sort key, and the time to live
// in epoch seconds (absent: kept indefinitely).
const (
	PK  = "pk"
	SK  = "sk"
	TTL = "ttl"
)

// Index is a sparse, global secondary index that projects keys only: what is in it is read
// from the table, consistently. A local one would bind all items of a partition key to one
// partition, of 10 GB and 1,000 write units a second.
type Index struct {
	Name string
	// Hash is a string attribute, Range a numeric one.
	Hash, Range string
}

// The tables.
var (
	// Accounts holds keys, keyrings, agencies and recruiters.
	Accounts = Table{Name: "accounts", Env: "TABLE_ACCOUNTS"}
	// Submissions holds idempotency claims, batches and in-flight items.
	Submissions = Table{Name: "submissions", Env: "TABLE_SUBMISSIONS", Indexes: []Index{DueIndex}}
	// Network holds memberships, their list rows and identities, and cached profiles.
	Network = Table{Name: "network", Env: "TABLE_NETWORK", Indexes: []Index{PersonIndex, DueIndex, ExpiryIndex}}
	// Marketplace holds what the feed brings: roles, companies, CRM candidates,
	// applications, matches, calls, and who was erased.
	Marketplace = Table{Name: "marketplace", Env: "TABLE_MARKETPLACE", Indexes: []Index{DueIndex}}
	// Changes holds the log of changes since the role catalogue was published, and each
	// agency's feed of changes. It has no index.
	Changes = Table{Name: "changes", Env: "TABLE_CHANGES"}
)

// DueIndex finds in-flight items, pending matches, and memberships with an end of eligibility, by the
// time the sweeper must look at them.
var DueIndex = Index{Name: "due", Hash: "shard", Range: "due"}

// ExpiryIndex finds those memberships of one tenant.
var ExpiryIndex = Index{Name: "expiry", Hash: "expiring", Range: "due"}

// PersonIndex finds the identities of a person, in every agency, by identity hash.
var PersonIndex = Index{Name: "person", Hash: "person", Range: "version"}

// Tables lists every table.
var Tables = []Table{Accounts, Submissions, Network, Marketplace, Changes}

// Queue is an SQS queue with a dead-letter queue named like it with "-dlq".
type Queue struct {
	Name string
	// Env names the environment variable that holds the queue's URL.
	Env string
	// DeadEnv names the variable that holds the dead-letter queue's URL, where a
	// function sends to it; empty where only the queue itself does.
	DeadEnv string
	// MaxReceives is how often a message is tried before the dead-letter queue.
	MaxReceives int
	// MaxConcurrency bounds the event source, BatchSize is messages per invocation.
	MaxConcurrency, BatchSize int
}

// IngestQueue carries wake-up messages to run an in-flight item, in a message group for each tenant. One message per
// invocation, so one bad file cannot push its neighbours to the dead-letter queue.
var IngestQueue = Queue{Name: "ingest", Env: "QUEUE_INGEST", MaxReceives: 8, MaxConcurrency: 20, BatchSize: 1}

// FeedQueue carries marketplace events. The worker itself sends what is malformed
// to the dead-letter queue, with the reason; what is brought back too often follows.
var FeedQueue = Queue{
	Name: "feed", Env: "QUEUE_FEED", DeadEnv: "QUEUE_FEED_DLQ",
	MaxReceives: 10, MaxConcurrency: 20, BatchSize: 10,
}

// CRMIndexQueue carries notices that a recruiter's CRM has changed, delayed so that one
// publication covers all changes of that time.
var CRMIndexQueue = Queue{Name: "books", Env: "QUEUE_BOOKS", MaxReceives: 5, MaxConcurrency: 2, BatchSize: 10}

// MessageDays is how long a queue, and its dead-letter queue, keeps a message: the most that SQS allows.
const MessageDays = 14

// Queues lists every queue.
var Queues = []Queue{IngestQueue, FeedQueue, CRMIndexQueue}

// Bucket is a private S3 bucket.
type Bucket struct {
	Name string
	// Env names the environment variable that holds the deployed name.
	Env string
	// Expires are the life cycles of its objects; others are kept until deleted.
	Expires []Expiry
	// OldVersionDays is how long an object that was deleted or overwritten can be restored; 0 if
	// it cannot. What expires is gone a day later.
	OldVersionDays int
}

// Expiry removes objects with keys that begin with Prefix, Days after they were written.
type Expiry struct {
	Prefix string
	Days   int
}

// Resumes holds uploads and the memberships' resumes. An upload is gone within 40 days: S3 deletes
// it, and a day later its version, each up to a day late. Other deleted files can be restored for
// 30 days (contract, Erasure).
var Resumes = Bucket{Name: "resumes", Env: "BUCKET_RESUMES", Expires: []Expiry{{"uploads/", 37}}, OldVersionDays: 30}

// MarketplaceBucket holds what the feed's events refer to (under feed/, life cycle 14 days),
// the transcripts that no item can hold, the generations of the role catalogue,
// the digests of its changes, and the bases of large CRMs. It is not versioned, so an erasure is one.
var MarketplaceBucket = Bucket{
	Name: "marketplace", Env: "BUCKET_MARKETPLACE", Expires: []Expiry{{"feed/", 14}, {ErasuresPrefix, 40}, {DigestsPrefix, 1}},
}

// DigestsPrefix is where instances share the roles that changed recently; they are read for some minutes.
const DigestsPrefix = "digests/"

// ErasuresPrefix is where the feed archives each erasure, outside the tables: after a table was restored, the
// erasures since are applied again. They are kept longer than any backup, which is 35 days.
const ErasuresPrefix = "erasures/"

// Buckets lists every bucket.
var Buckets = []Bucket{Resumes, MarketplaceBucket}

// Workers lists the functions to which no route leads. Each is started by its queue, its schedule or both; with neither
// IAM callers invoke it.
var Workers = []Function{Ingest, Sweep, Feed, Publisher, Keys, Canary}

// UnavailablePath is where platform serves CloudFront the response for requests that got
// none from their origin. It is not a path of the contract.
const UnavailablePath = "/edge/unavailable"

// HTTPTimeout ends an HTTP function's invocation.
const HTTPTimeout = 25 * time.Second
