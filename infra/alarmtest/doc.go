// Package alarmtest evaluates CloudWatch alarms on made-up metrics: the alarms as they stand in a
// synthesized template, with their threshold, comparison, periods, datapoints to alarm, treatment
// of missing data, metric math and composite rules. A test that changes none of them cannot say
// that an alarm fires.
//
// It evaluates every minute, on the periods that end there. It differs from CloudWatch in this:
// CloudWatch looks further back than the evaluation periods if some of their data is missing, by
// an unpublished number of periods; this package does not. So a series with gaps says little, and
// one that is silent for a whole window says the truth. Metric math is limited to what [Alarms]
// documents; any other expression is an error, as are a metric that the data does not mention and
// a series that is shorter than the alarm's window.
package alarmtest
