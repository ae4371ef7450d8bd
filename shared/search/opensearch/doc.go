// Package opensearch keeps the documents of the role index (package roleindex) in an
// OpenSearch domain, and finds and ranks them there as an index does: the same filters,
// order keys, cursors and typos.
//
//	[Open]          a domain by the settings of a function
//	[Index.Search]  a page of the domain's roles and of a view of the changes since
//	[Index.Choose]  documents that are worth ranking for a candidate
//	[Writer.Write]  new states of roles; of two states, the one with the later revision is kept
//	[Index.Begin]   a new index, which replaces the old one in one step when it is filled
//
// Words are split and folded here and compared as whole terms, so that a domain needs no
// analyzer. A word that is allowed typos is compared by Lucene's automata, which count them
// as package text does; the rule on first letters is in typo.go. For unfinished words the
// beginnings of all terms are terms too.
//
// An index has a head: the time up to which it contains changes. Every search also reads the
// head, so that a reader never applies its own changes to a state older than they assume.
//
// The package knows no store of roles and decides nothing about callers.
package opensearch
