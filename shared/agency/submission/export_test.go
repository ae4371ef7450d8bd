package submission

// ShardOf returns which of the sweeper's shards a submission's live item is in.
func ShardOf(s Submission) string { return shardOf(s.liveID()) }
