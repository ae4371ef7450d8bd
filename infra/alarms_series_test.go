package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// series is a metric over time: for each minute the values that were published in it, none if
// data is missing.
type series [][]float64

// repeat returns a series of so many minutes, in each of which the values are published.
func repeat(minutes int, values ...float64) series {
	return slices.Repeat(series{values}, minutes)
}

// silence returns a series of so many minutes without data.
func silence(minutes int) series { return make(series, minutes) }

// metricKey is what an alarm looks at. References to other resources in the values of dimensions
// have the form ${Id} or ${Id.Attribute}.
type metricKey struct {
	Namespace, Name, Statistic string
	Dimensions                 map[string]string
}

// metricData returns the series of a metric; false if it does not know the metric. A nil series has no
// data at any time.
type metricData func(metricKey) (series, bool)

// byName returns the data of metrics with any dimensions and statistic, by their names without
// namespace.
func byName(all map[string]series) metricData {
	return func(m metricKey) (series, bool) {
		s, found := all[m.Name]
		return s, found
	}
}

// summarize returns the statistic of values; NaN if there are none.
func summarize(statistic string, values []float64) (float64, error) {
	if len(values) == 0 {
		return math.NaN(), nil
	}
	switch statistic {
	case "Sum":
		return sum(values), nil
	case "Average":
		return sum(values) / float64(len(values)), nil
	case "SampleCount":
		return float64(len(values)), nil
	case "Minimum":
		return slices.Min(values), nil
	case "Maximum":
		return slices.Max(values), nil
	}
	percent, err := strconv.ParseFloat(strings.TrimPrefix(statistic, "p"), 64)
	if err != nil || percent <= 0 || percent > 100 {
		return 0, fmt.Errorf("no statistic %q", statistic)
	}
	rank := math.Ceil(percent / 100 * float64(len(values)))
	return slices.Sorted(slices.Values(values))[int(rank)-1], nil
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}
