package submission

// ShardOf returns which of the sweeper's shards a submission's live item is in.
func ShardOf(s Submission) string { return shards.Of(s.liveID()) }

// SweptAtATime is the number of live items that a sweep checks at a time.
const SweptAtATime = liveParallel * itemParallel
