// Package capacity measures what operations cost each partition key of each table and index. Its
// tests run every operation against much data, record the units in
// infra/capacity/measurements.json, and check them against the model of package infra/capacity.
//
// Units are computed by AWS's rules from the items that a call reads, and writes, since no emulator
// says which key of a transaction or batch they belong to. The units of a query are those that
// DynamoDB reports.
package capacity
