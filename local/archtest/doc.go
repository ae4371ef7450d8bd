// Package archtest checks the structure of the module: which package may import
// which, and what every source file owes its reader.
//
// Each rule is a row of a table with its reason, which is printed when the rule is
// broken. A rule that has become wrong is changed in its table. The checks read
// source text alone: they build nothing and import nothing of this module.
package archtest
