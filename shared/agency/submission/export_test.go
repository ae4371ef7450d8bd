package submission

// ShardOf returns which of the sweeper's shards a submission's in-flight item is in.
func ShardOf(s Submission) string { return shards.Of(s.inFlightID()) }

// SweptAtATime is the number of in-flight items that a sweep checks at a time.
const SweptAtATime = inFlightParallel * itemParallel
