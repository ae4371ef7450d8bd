// Package crm stores recruiters' own candidates: a thin row for the list, details in an
// item of their own, and how far each candidate's applications have come.
//
// The types are the payloads of the feed's events. A candidate belongs to one
// recruiter; the same person in two recruiters' CRMs is two candidates, and nothing is
// merged. Applications belong to package role; only their furthest status is kept here,
// in step with them.
//
// A small CRM is listed and searched by its rows ([Store]), a large one by an index that
// is published from time to time, and by the changes since ([Index]).
package crm
