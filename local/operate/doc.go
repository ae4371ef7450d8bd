// Package operate has the operator's commands for a deployment or the running local system: API keys, the feed of
// marketplace events, dead letters, the restoration of lost data, and one run of the canary. A command reads the names of
// tables, queues and buckets from the environment and, where it may, falls back to the local system's files.
//
// It knows flags and how results are printed. What a command does is in the packages below it and in functions/.
package operate
