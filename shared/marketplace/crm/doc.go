// Package crm is a recruiter's own candidates: thin rows for the list, details
// apart, and how far each one's applications have come.
//
// The types are the payloads of the feed's events. A candidate belongs to one
// recruiter; the same person in two recruiters' books is two candidates, and
// nothing is merged. Applications are package role's; of them only the furthest
// status is kept here, in step with them.
//
// A small book is listed and searched by its rows (Store), a large one by a base
// that is published now and then and what was written since (Books).
package crm
