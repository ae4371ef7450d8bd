package cloud_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// decodeLines are what was logged, without the time.
func decodeLines(t *testing.T, log *bytes.Buffer) (all []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(log.Bytes()) {
		var one map[string]any
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		delete(one, "time")
		all = append(all, one)
	}
	return all
}

func TestFinishedWorkTellsItsUsage(t *testing.T) {
	t.Parallel()
	host := cloudtest.Host(t, nil, time.Now)
	table := cloudtest.TableOf(t, host, topology.Network)
	other := cloudtest.TableOf(t, host, topology.Accounts)
	work := func(ctx context.Context) error {
		return errors.Join(
			table.Put(row{PK: "a", SK: "1"}).Run(ctx),
			table.Update("pk", "a").Range("sk", "1").Add("n", 1).Run(ctx),
			table.Get("pk", "a").Range("sk", dynamo.Equal, "1").Consistent(true).One(ctx, &row{}),
			table.Get("pk", "a").All(ctx, &[]row{}),
			dynamo.New(host.AWS).WriteTx().Put(table.Put(row{PK: "b", SK: "1"})).Put(other.Put(row{PK: "b", SK: "1"})).Run(ctx),
		)
	}
	var out bytes.Buffer
	log := cloud.NewLog(&out, "network")
	for range 2 {
		ctx := cloud.Metered(t.Context())
		if err := work(ctx); err != nil {
			t.Fatal(err)
		}
		log.InfoContext(ctx, "on the way")
		log.InfoContext(cloud.Finished(ctx), "request", "status", 200)
	}
	all := decodeLines(t, &out)
	if len(all) != 4 {
		t.Fatalf("got %d lines", len(all))
	}
	if diff := cmp.Diff(map[string]any{"level": "INFO", "msg": "on the way"}, all[0]); diff != "" {
		t.Errorf("a line on the way (-want +got):\n%s", diff)
	}
	for i, line := range []map[string]any{all[1], all[3]} {
		delete(line, "_aws")
		want := map[string]any{
			"level": "INFO", "msg": "request", "status": 200.0, "function": "network", "cold": float64(1 - i),
			// two reads, one of them eventually consistent; two writes, and two in a transaction over two tables, which count double
			"calls": 5.0, "read_units": 1.5, "write_units": 6.0,
		}
		if diff := cmp.Diff(want, line); diff != "" {
			t.Errorf("line %d (-want +got):\n%s", i, diff)
		}
	}
}

// TestALineOnTheWayCanHaveAMetric fails unless a line that ends no unit of work has its own metric, and no others.
func TestALineOnTheWayCanHaveAMetric(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	ctx := cloud.Metered(t.Context())
	log := cloud.NewLog(&out, "roles")
	log.WarnContext(ctx, "held", topology.MetricCatalogueAge, 90.5)
	log.InfoContext(cloud.Finished(ctx), "request")
	lines := decodeLines(t, &out)
	set := lines[0]["_aws"].(map[string]any)["CloudWatchMetrics"].([]any)[0].(map[string]any)
	want := []any{map[string]any{"Name": topology.MetricCatalogueAge, "Unit": "Seconds"}}
	if diff := cmp.Diff(want, set["Metrics"]); diff != "" || lines[0][topology.MetricCatalogueAge] != 90.5 || lines[0]["function"] != "roles" {
		t.Errorf("got %v (-want +got):\n%s", lines[0], diff)
	}
	if lines[0]["calls"] != nil || lines[1]["cold"] != 1.0 {
		t.Errorf("got %v; want that the second line alone ends the unit of work", lines)
	}
}

// wantUnit returns the unit of a metric.
func wantUnit(name string) string {
	if name == topology.MetricCanaryDuration {
		return "Milliseconds"
	}
	return "Count"
}

// A line in the embedded metric format names values that it has, as numbers.
func TestLogIsInTheEmbeddedMetricFormat(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		attrs            []any
		want             []string
		stage, namespace string
	}{
		"a stage":         {[]any{"status", 200}, []string{"read_units", "write_units", "cold"}, "prod-us", "rmk/prod-us"},
		"a request":       {[]any{"status", 200}, []string{"read_units", "write_units", "cold"}, "", "rmk"},
		"a worker's item": {[]any{"alarm", true}, []string{"alarm", "read_units", "write_units", "cold"}, "", "rmk"},
		"a canary's run": {
			[]any{topology.MetricCanaryFailed, false, topology.MetricCanaryDuration, int64(1200)},
			[]string{topology.MetricCanaryFailed, topology.MetricCanaryDuration, "read_units", "write_units", "cold"},
			"", "rmk",
		},
	} {
		var out bytes.Buffer
		cloud.NewStageLog(&out, c.stage, "ingest").With(slog.String("x", "y")).ErrorContext(cloud.Finished(cloud.Metered(t.Context())), "line", c.attrs...)
		line := decodeLines(t, &out)[0]
		var format struct {
			Timestamp         int64
			CloudWatchMetrics []struct {
				Namespace  string
				Dimensions [][]string
				Metrics    []struct{ Name, Unit string }
			}
		}
		data, _ := json.Marshal(line["_aws"])
		if err := json.Unmarshal(data, &format); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range format.CloudWatchMetrics[0].Metrics {
			if _, number := line[m.Name].(float64); !number || m.Unit != wantUnit(m.Name) {
				t.Errorf("%s: %s is %v %s", name, m.Name, line[m.Name], m.Unit)
			}
			got = append(got, m.Name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if format.Timestamp == 0 || line["function"] != "ingest" || line["x"] != "y" || format.CloudWatchMetrics[0].Namespace != c.namespace {
			t.Errorf("%s: got %v", name, line)
		}
	}
}
