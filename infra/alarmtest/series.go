package alarmtest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Series is a metric over time: for each minute the values that were published in it, none if
// data is missing.
type Series [][]float64

// Repeat returns a series of so many minutes, in each of which the values are published.
func Repeat(minutes int, values ...float64) Series {
	return slices.Repeat(Series{values}, minutes)
}

// Silence returns a series of so many minutes without data.
func Silence(minutes int) Series { return make(Series, minutes) }

// Metric is what an alarm looks at. References to other resources in the values of dimensions
// have the form ${Id} or ${Id.Attribute}.
type Metric struct {
	Namespace, Name, Statistic string
	Dimensions                 map[string]string
}

// Data returns the series of a metric; false if it does not know the metric. A nil series has no
// data at any time.
type Data func(Metric) (Series, bool)

// ByName returns the data of metrics with any dimensions and statistic, by their names without
// namespace.
func ByName(series map[string]Series) Data {
	return func(m Metric) (Series, bool) {
		s, found := series[m.Name]
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
