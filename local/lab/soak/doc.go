// Package soak has checks that take minutes, in its tests: an outage of the provider, kills of the whole system, a flood of
// submissions and a file of candidates (make soak).
package soak
