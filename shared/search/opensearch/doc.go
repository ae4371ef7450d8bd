// Package opensearch keeps the documents of the role index (package roleindex) in an
// OpenSearch domain, and finds and ranks them there as an index does: the same filters,
// order keys, cursors and typos.
//
//	[Open]          a domain by the settings of a function
//	[Index.Search]  a page of what the domain has and of a view of what changed since
//	[Index.Choose]  documents that are worth ranking for a candidate
//	[Writer.Write]  new states of roles; of two, the one of the later revision stays
//	[Index.Begin]   a whole new index, which takes the place of the old one at once
//
// Words are split and folded here and compared as whole terms, so that a domain needs no
// analyzer. A word that is allowed typos is compared by Lucene's automata, which count them
// as package text does; the rule on first letters is in typo.go. For unfinished words the
// beginnings of all terms are terms too.
//
// An index has a head: the time up to which changes are in it. Every search reads it
// along, so that a reader never lays its own changes over an older state than it knows.
//
// The package knows no store of roles and decides nothing about callers.
package opensearch
