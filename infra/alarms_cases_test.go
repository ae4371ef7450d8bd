package main

import "github.com/recruiting-marketplace/external-api/shared/cloud/topology"

// alarmCase is what an alarm's metrics are in a period without trouble and in one with: close to
// the threshold from both sides, so that a changed threshold is noticed.
type alarmCase struct {
	good, bad map[string]float64
	// few is trouble with so few requests that it must not fire.
	few map[string]float64
	// onSilence says that the alarm fires without data.
	onSilence bool
}

// values returns the values of metrics, names and values in turn.
func values(pairs ...any) map[string]float64 {
	all := map[string]float64{}
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i].(string)] = float64(pairs[i+1].(int))
	}
	return all
}

// count returns the case of an alarm on one metric.
func count(metric string, good, bad int) alarmCase {
	return alarmCase{good: values(metric, good), bad: values(metric, bad)}
}

// burning returns the case of one window of an objective's alarm, for each surface, for large uploads and
// for the edge, in which good and bad of 100,000 requests are bad.
func burning(metric string, good, bad int, isLong bool) alarmCase {
	c := alarmCase{good: burningValues(metric, good, 100_000), bad: burningValues(metric, bad, 100_000)}
	if isLong {
		c.few = burningValues(metric, 4, 4)
	}
	return c
}

// burningValues returns the metrics of so many bad requests of all. The load balancer of large uploads
// answers half of the bad ones itself.
func burningValues(metric string, bad, all int) map[string]float64 {
	of := values("agencies_"+metric, bad, "agencies_requests", all, "recruiters_"+metric, bad, "recruiters_requests", all,
		"HTTPCode_Target_5XX_Count", bad/2, "HTTPCode_ELB_5XX_Count", bad/2, "RequestCount", all-bad/2, "Requests", all)
	of["5xxErrorRate"] = 100 * float64(bad) / float64(all)
	return of
}

// outcomes returns the case of one window of the alarm of late outcomes, of 100,000 submissions.
func outcomes(good, bad int, isLong bool) alarmCase {
	c := alarmCase{good: values("late", good, "ended", 100_000), bad: values("late", bad, "ended", 100_000)}
	if isLong {
		c.few = values("late", 4, "ended", 4)
	}
	return c
}

// rollbackValues returns what a new version does: of so many calls, so many fail in Lambda.
func rollbackValues(errors, calls int) map[string]float64 {
	all := values("Errors", errors, "Invocations", calls)
	for _, f := range topology.Functions {
		all[f.Name+"_failed"] = 0 // TestBadVersionsAreTakenBack has versions that answer 5xx
	}
	return all
}

// withSilence returns the case of an alarm that fires without data.
func withSilence(c alarmCase) alarmCase {
	c.onSilence = true
	return c
}

// alarmCases has the case of every alarm, by its kind; those of the parts of a composite alarm by
// the kind and the part.
var alarmCases = map[string]alarmCase{
	"availability-60m":   burning("failed", 1400, 1500, true),
	"availability-5m":    burning("failed", 1400, 1500, false),
	"availability-360m":  burning("failed", 590, 610, true),
	"availability-30m":   burning("failed", 590, 610, false),
	"latency-60m":        burning("slow", 14_000, 15_000, true),
	"latency-5m":         burning("slow", 14_000, 15_000, false),
	"latency-360m":       burning("slow", 5900, 6100, true),
	"latency-30m":        burning("slow", 5900, 6100, false),
	"outcome-60m":        outcomes(14_000, 15_000, true),
	"outcome-5m":         outcomes(14_000, 15_000, false),
	"outcome-360m":       outcomes(5900, 6100, true),
	"outcome-30m":        outcomes(5900, 6100, false),
	"traffic-floor":      withSilence(count("succeeded", 101, 100)),
	"rejected-keys":      {good: values("rejected_keys", 48, "Count", 100, "RequestCount", 0), bad: values("rejected_keys", 52, "Count", 100, "RequestCount", 0), few: values("rejected_keys", 9, "Count", 9, "RequestCount", 0)},
	"throttled":          {good: values("throttled", 190, "Count", 1000, "RequestCount", 0), bad: values("throttled", 210, "Count", 1000, "RequestCount", 0), few: values("throttled", 99, "Count", 99, "RequestCount", 0)},
	"function-errors":    {good: values("Errors", 10, "Invocations", 1000), bad: values("Errors", 11, "Invocations", 1000), few: values("Errors", 1, "Invocations", 1)},
	"rollback":           {good: rollbackValues(5, 100), bad: rollbackValues(6, 100), few: rollbackValues(1, 1)},
	"rollback-slow":      count("Duration", 3000, 3001),
	"function-throttled": {good: values("Throttles", 10, "Invocations", 990), bad: values("Throttles", 11, "Invocations", 989), few: values("Throttles", 4, "Invocations", 0)},
	"catalogue-age":      count(topology.MetricCatalogueAge, 300, 301),
	"operator":           count("alarm", 0, 1),
	"parked":             {good: values(topology.MetricParked, 100, topology.MetricParkedLeft, 100), bad: values(topology.MetricParked, 101, topology.MetricParkedLeft, 100)},
	"schedule":           withSilence(count("AsyncEventsReceived", 1, 0)),
	"backup-copies":      withSilence(count("MatchedEvents", 1, 0)),
	"canary":             withSilence(count(topology.MetricCanaryFailed, 0, 1)),
	"verification":       {good: values("unverified", 95, "ended", 1000), bad: values("unverified", 105, "ended", 1000), few: values("unverified", 4, "ended", 4)},
	"concurrency":        count("ConcurrentExecutions", 800, 801),
	"queue-age-quiet":    count("ApproximateAgeOfOldestMessageInQuietGroups", 300, 301),
	"queue-age-ingest":   count("ApproximateAgeOfOldestMessage", 3600, 3601),
	"queue-age":          count("ApproximateAgeOfOldestMessage", 900, 901),
	"dead-letters":       count("ApproximateNumberOfMessagesVisible", 0, 1),
	"table-throttled":    {good: values("ReadThrottleEvents", 0, "WriteThrottleEvents", 0), bad: values("ReadThrottleEvents", 0, "WriteThrottleEvents", 1)},
	"table-slow":         count("SuccessfulRequestLatency", 50, 51),
	"uploads-errors": {
		good: values("HTTPCode_Target_5XX_Count", 20, "HTTPCode_ELB_5XX_Count", 30, "RequestCount", 970),
		bad:  values("HTTPCode_Target_5XX_Count", 20, "HTTPCode_ELB_5XX_Count", 31, "RequestCount", 970),
		few:  values("HTTPCode_Target_5XX_Count", 2, "HTTPCode_ELB_5XX_Count", 3, "RequestCount", 2),
	},
	"uploads-down":      withSilence(count("HealthyHostCount", 1, 0)),
	"uploads-unhealthy": count("UnHealthyHostCount", 0, 1),
	"reads-errors": {
		good: values("HTTPCode_Target_5XX_Count", 50, "RequestCount", 1000),
		bad:  values("HTTPCode_Target_5XX_Count", 51, "RequestCount", 1000),
		few:  values("HTTPCode_Target_5XX_Count", 5, "RequestCount", 5),
	},
	"reads-unhealthy": count("UnHealthyHostCount", 0, 1),
	"reads-down":      withSilence(count("HealthyHostCount", 1, 0)),
	"edge-function": {
		good: values("FunctionExecutionErrors", 5, "FunctionThrottles", 5, "FunctionInvocations", 995),
		bad:  values("FunctionExecutionErrors", 6, "FunctionThrottles", 5, "FunctionInvocations", 995),
		few:  values("FunctionExecutionErrors", 4, "FunctionThrottles", 0, "FunctionInvocations", 4),
	},
	"edge-blocked":    count("BlockedRequests", 10_000, 10_001),
	"search-fallback": count("search_failures", 0, 1),
	"search-red":      count("ClusterStatus.red", 0, 1),
	"search-storage":  count("FreeStorageSpace", 13_000, 12_500),
	"search-memory":   count("JVMMemoryPressure", 92, 93),
}
