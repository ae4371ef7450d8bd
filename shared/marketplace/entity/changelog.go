package entity

import "time"

// The timing rule of all logs of changes: the catalogue's (package snapshot), and those of
// recruiters' CRMs (package crm).
//
// The key of an entry is the time at which its writer made it. The entry becomes visible when its
// transaction commits, which is later. A reader that asked only for entries after its last read
// would never see an entry made before that read and committed after it. So a writer commits an
// entry within CommitBound or not at all, and a reader reads again from RereadWindow before its
// last read on. The window must exceed the bound by as much as the clocks of writer and reader may
// differ.
//
// An entry is given its time when only the commit remains to be done. The commits of roles and of
// bases have the bound as their deadline; those of candidates end with the worker's invocation.
//
// Readers of the catalogue read most of the window only once a minute, and otherwise only a few
// seconds of it. So a role's change that took longer than PromptCommit to commit is entered a
// second time.
const (
	// CommitBound is how long after an entry is made it may be committed: the timeout of the worker, topology.Feed's.
	CommitBound = 60 * time.Second
	// PromptCommit is how soon after an entry is made it is normally committed.
	PromptCommit = 3 * time.Second
	// RereadWindow is how far before its last read a reader reads again.
	RereadWindow = CommitBound + 30*time.Second
)
