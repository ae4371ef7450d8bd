// Package catalogue is the role catalogue: the role index (package roleindex), its
// generations and the log of changes (package snapshot), and the roles themselves
// (package role), brought together. It belongs to no function: one publishes the
// catalogue and another serves it.
//
// There are two indexes. The shared one has every role as a stranger may see it. The
// other has the stealth roles as they are, and a caller is shown those that the
// caller is approved on ([Roles]): what is withheld from others can be neither
// found nor counted nor ordered by them, and costs no further read.
//
// What roles are filtered by is a field of [roleindex.Doc], which newDoc fills, and a line of
// [AddFilters], which puts it into a query.
package catalogue
