package topology

import (
	"slices"
	"time"
)

// The actions of DynamoDB. A transaction needs the action of each of its parts and none of its own.
const (
	getItem    = "dynamodb:GetItem"
	putItem    = "dynamodb:PutItem"
	updateItem = "dynamodb:UpdateItem"
	deleteItem = "dynamodb:DeleteItem"
	checkItem  = "dynamodb:ConditionCheckItem"
	queryItems = "dynamodb:Query"
	batchGet   = "dynamodb:BatchGetItem"
)

// The actions of S3 and SQS.
const (
	putObject    = "s3:PutObject"
	getObject    = "s3:GetObject"
	deleteObject = "s3:DeleteObject"
	sendMessage  = "sqs:SendMessage"
)

// The workers.
var (
	Ingest = Function{
		Name: "ingest", Memory: 1024, Timeout: 60 * time.Second, Queue: &IngestQueue,
		Settings: []string{SettingProfileURL, SettingProfileKey, SettingProfileProvider, SettingProfileRate},
		Grants: []Grant{
			{Accounts.Items(), []string{getItem, checkItem}},
			{Submissions.Items(), []string{getItem, putItem, updateItem, deleteItem}},
			{Network.Items(), []string{getItem, putItem, updateItem, deleteItem, batchGet}},
			{Marketplace.Items(), []string{batchGet, checkItem}},
			{Resumes.Objects("uploads/"), []string{getObject, deleteObject}},
			{Resumes.Objects("resumes/"), []string{putObject, deleteObject}},
			{Changes.Items(), []string{putItem}},
		},
	}
	Sweep = Function{
		Name: "sweep", Memory: 3538, Timeout: 5 * time.Minute, Every: time.Minute,
		Settings: []string{SettingPauseLimit, SettingProfileRate},
		Grants: []Grant{
			{Submissions.Items(), []string{getItem, batchGet, putItem, updateItem, deleteItem}},
			{Submissions.Entries(DueIndex), []string{queryItems}},
			{Network.Items(), []string{getItem, putItem, deleteItem}},
			{Network.Entries(DueIndex), []string{queryItems}},
			{Resumes.Objects("resumes/"), []string{deleteObject}},
			{Resumes.Objects("uploads/"), []string{deleteObject}},
			{IngestQueue.Messages(), []string{sendMessage}},
			{Marketplace.Items(), []string{getItem, putItem, updateItem, deleteItem, queryItems, batchGet}},
			{Marketplace.Entries(DueIndex), []string{queryItems}},
			{MarketplaceBucket.Objects("catalog/"), []string{deleteObject}},
			{MarketplaceBucket.Objects("transcripts/"), []string{deleteObject}},
			{Changes.Items(), []string{putItem}},
		},
	}
	Feed = Function{
		Name: "feed", Memory: 512, Timeout: 60 * time.Second, Queue: &FeedQueue,
		Grants: []Grant{
			{Accounts.Items(), []string{getItem, putItem, updateItem, deleteItem, checkItem}},
			{Marketplace.Items(), []string{getItem, batchGet, putItem, updateItem, deleteItem, checkItem, queryItems}},
			{Changes.Items(), []string{putItem}},
			{Network.Items(), []string{getItem, batchGet, putItem, updateItem, deleteItem, queryItems}},
			{Network.Entries(PersonIndex), []string{queryItems}},
			{Submissions.Items(), []string{getItem, batchGet, putItem, updateItem, deleteItem, queryItems}},
			{Submissions.Entries(DueIndex), []string{queryItems}},
			{MarketplaceBucket.Objects("feed/"), []string{getObject}},
			{MarketplaceBucket.Objects(ErasuresPrefix), []string{putObject}},
			{MarketplaceBucket.Objects("transcripts/"), []string{putObject, deleteObject}},
			{Resumes.Objects("resumes/"), []string{deleteObject}},
			{Resumes.Objects("uploads/"), []string{deleteObject}},
			{FeedQueue.Messages(), []string{sendMessage}},
			{FeedQueue.DeadLetters(), []string{sendMessage}},
			{CRMIndexQueue.Messages(), []string{sendMessage}},
		},
	}
	// Publisher publishes the role catalogue, and the bases of large CRMs after notices.
	Publisher = Function{
		Name: "publisher", Memory: 1024, Timeout: 5 * time.Minute, Every: time.Minute, Queue: &CRMIndexQueue,
		Settings: []string{SettingSearchURL},
		Grants: []Grant{
			{Marketplace.Items(), []string{getItem, batchGet, queryItems, putItem, updateItem, deleteItem}},
			{Changes.Items(), []string{queryItems, putItem}},
			{MarketplaceBucket.Objects("catalog/"), []string{getObject, putObject}},
			{MarketplaceBucket.Objects("books/"), []string{putObject}},
		},
	}
	Keys = Function{
		Name: "keys", Memory: 256, Timeout: 25 * time.Second, Settings: []string{SettingKeyEnvironments},
		Grants: []Grant{{Accounts.Items(), []string{getItem, putItem, updateItem, checkItem, queryItems, batchGet}}},
	}
	// Canary does the main jobs of callers against the deployment.
	Canary = Function{
		Name: "canary", Memory: 128, Timeout: 4 * time.Minute, Every: 5 * time.Minute,
		Settings: []string{SettingCanaryURL, SettingCanaryAgencyKey, SettingCanaryRecruiterKey},
	}
)

// Functions lists what every deployed function gets. The local system refuses
// what is not granted here, and a test finds what is not used.
var Functions = []Function{{
	Name: "platform", Memory: 256, Timeout: HTTPTimeout, Settings: slices.Concat(gatewaySettings, []string{SettingPublicURL}),
	Grants: []Grant{{Accounts.Items(), []string{getItem, updateItem, batchGet, queryItems}}},
}, {
	Name: "submissions", Memory: 1024, Timeout: HTTPTimeout, Settings: gatewaySettings,
	Grants: []Grant{
		{Accounts.Items(), []string{updateItem, batchGet}},
		{Submissions.Items(), []string{getItem, putItem, updateItem, deleteItem, queryItems, batchGet}},
		{Resumes.Objects("uploads/"), []string{putObject}},
		{IngestQueue.Messages(), []string{sendMessage}},
		{Changes.Items(), []string{putItem}},
	},
}, {
	Name: "network", Memory: 256, Timeout: HTTPTimeout, Settings: gatewaySettings,
	Grants: []Grant{
		{Accounts.Items(), []string{getItem, updateItem, batchGet}},
		{Network.Items(), []string{getItem, putItem, updateItem, deleteItem, queryItems, batchGet}},
		{Network.Entries(ExpiryIndex), []string{queryItems}},
		{Submissions.Items(), []string{batchGet}},
		{Changes.Items(), []string{getItem, putItem, updateItem, deleteItem, queryItems}},
	},
}, {
	Name: "roles", Memory: 512, Timeout: HTTPTimeout,
	Settings: slices.Concat(gatewaySettings, []string{SettingSearchURL, SettingCatalogueAge}),
	Grants: []Grant{
		{Accounts.Items(), []string{getItem, updateItem, batchGet}},
		{Marketplace.Items(), []string{getItem, batchGet, queryItems}},
		{Changes.Items(), []string{queryItems, getItem, putItem, updateItem}},
		{MarketplaceBucket.Objects("catalog/"), []string{getObject}},
		{MarketplaceBucket.Objects(DigestsPrefix), []string{getObject, putObject}},
		{MarketplaceBucket.Objects("transcripts/intake/"), []string{getObject}},
	},
}, Publisher, {
	Name: "crm", Memory: 512, Timeout: HTTPTimeout, Settings: gatewaySettings,
	Grants: []Grant{
		{Accounts.Items(), []string{getItem, updateItem, batchGet}},
		{Marketplace.Items(), []string{getItem, queryItems, batchGet}},
		{MarketplaceBucket.Objects("books/"), []string{getObject}},
		{MarketplaceBucket.Objects("transcripts/calls/"), []string{getObject}},
	},
}, Ingest, Sweep, Feed, Keys, Canary}

// Uploads is the container that takes the bodies too large for Lambda, with the handlers of submissions.
var Uploads = Function{
	Name: "uploads", Memory: 1024, Settings: gatewaySettings,
	Grants: []Grant{
		{Accounts.Items(), []string{updateItem, batchGet}},
		{Submissions.Items(), []string{getItem, putItem, updateItem, deleteItem}},
		{Resumes.Objects("uploads/"), []string{putObject}},
		{IngestQueue.Messages(), []string{sendMessage}},
		{Changes.Items(), []string{putItem}},
	},
}

// UploadOperations are the contract's operations with bodies that may exceed Lambda's
// limit (about 6 MB): where uploads run, their paths lead there.
var UploadOperations = []string{"uploadResume", "submitCandidate"}

// Reads is the container that serves roles, crm and the members of agencies in stages with many requests.
// It has what those functions have.
var Reads = Function{
	Name: "reads", Memory: 4096,
	Settings: slices.Concat(gatewaySettings, []string{SettingPublicURL, SettingSearchURL, SettingCatalogueAge}),
	Grants: []Grant{
		{Accounts.Items(), []string{getItem, updateItem, batchGet, queryItems}},
		{Marketplace.Items(), []string{getItem, batchGet, queryItems}},
		{Changes.Items(), []string{queryItems, getItem, putItem, updateItem}},
		{MarketplaceBucket.Objects("catalog/"), []string{getObject}},
		{MarketplaceBucket.Objects(DigestsPrefix), []string{getObject, putObject}},
		{MarketplaceBucket.Objects("books/"), []string{getObject}},
		{MarketplaceBucket.Objects("transcripts/intake/"), []string{getObject}},
		{MarketplaceBucket.Objects("transcripts/calls/"), []string{getObject}},
	},
}

// ReadFunctions are the functions with handlers that Reads serves.
var ReadFunctions = []string{"platform", "roles", "crm"}

// Containers are what runs in containers beside the functions.
var Containers = []Function{Uploads, Reads}

// ReadPaths begin the paths that lead to Reads, after the base path.
var ReadPaths = []string{"/recruiter/", "/agency/"}
