// Package soak has checks that take minutes, in its tests (make soak): an outage, kills, a flood, a file of candidates.
package soak
