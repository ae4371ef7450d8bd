package entity

import "time"

// The one timing rule of logs of changes: the catalogue's (package snapshot), and those of
// recruiters' CRMs (package crm).
//
// An entry's key is the time at which its writer made it, and becomes visible when
// its transaction commits, which is later. A reader that asked only for what stands
// after its last read would miss an entry made before that read and committed after it,
// and would never see it. So a writer commits an entry within CommitBound or not at all,
// and a reader asks again from RereadWindow before its last read on. The window must
// exceed the bound by as much as the clocks of writer and reader may differ.
//
// An entry's time is read when all work but the commit is done. The commits of roles and of
// bases have the bound as their deadline; those of candidates end with the worker's invocation.
//
// Readers of the catalogue read most of the window only once a minute, and a few seconds back
// each time: a commit of a role that took longer than PromptCommit is noted a second time.
const (
	// CommitBound is how long after an entry is made it may be committed: the timeout
	// of the worker that makes entries, topology.Feed's.
	CommitBound = 60 * time.Second
	// PromptCommit is how long after an entry is made it is committed, as a rule.
	PromptCommit = 3 * time.Second
	// RereadWindow is how far before its last read a reader asks again.
	RereadWindow = CommitBound + 30*time.Second
)
