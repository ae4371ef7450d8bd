// Package archtest checks the structure of the module: which package may import
// which, and which conventions every source file follows.
//
// Each rule is a row of a table with its reason, which is printed when the rule is
// broken. A rule that has become wrong is changed in its table. The checks only parse
// source text: they build nothing and import nothing of this module.
package archtest
