package catalogue_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

const (
	// changedWord is a word in the titles of changed roles, and in no others.
	changedWord = "Zyxomorph"
	// listPause is the time between two lists of the process that reads.
	listPause = 100 * time.Millisecond
	// maxAge bounds how long the process that reads waits for the last change.
	maxAge = 20 * time.Second
)

// changeWhileReading changes [dailyRate] roles a second and publishes them each minute. It reports
// how long after its commit a change was in the lists of a process that lists roles all the time.
func changeWhileReading(b *testing.B, server *scaleServer, d time.Duration) {
	b.Helper()
	reader := startScaleTask(b, server, "roles", "follow")
	reader.awaitLine(b)
	publisher := startScaleTask(b, server, topology.Publisher.Name, "publish each")
	committed := map[string]time.Time{}
	change := time.NewTicker(time.Second / dailyRate)
	minute := time.NewTicker(time.Minute)
	defer change.Stop()
	defer minute.Stop()
	for end := time.After(d); end != nil; {
		select {
		case <-end:
			end = nil
		case <-minute.C:
			fmt.Fprintln(publisher.input)
		case <-change.C:
			id := server.ids[(changesAMinute+len(committed))%len(server.ids)]
			server.changed.Store(id, true)
			markRoles(b, server.host, []string{id})
			committed[id] = time.Now()
		}
	}
	fmt.Fprintln(reader.input, len(committed))
	_ = publisher.input.Close()
	reportAges(b, committed, reader.awaitLine(b))
	reader.wait(b, "follow")
	publisher.wait(b, "publish-each")
}

// reportAges reports the ages of changes when they were first listed: seen maps the ids to times.
func reportAges(b *testing.B, committed map[string]time.Time, seen []byte) {
	b.Helper()
	var listed map[string]time.Time
	if err := json.Unmarshal(seen, &listed); err != nil {
		b.Fatal(err)
	}
	var ages []time.Duration
	for id, at := range committed {
		if listed[id].IsZero() {
			b.Errorf("a change of role %s was not listed, committed %v", id, at)
			continue
		}
		ages = append(ages, listed[id].Sub(at))
	}
	slices.Sort(ages)
	b.ReportMetric(float64(len(ages)), "follow-changes")
	b.ReportMetric(ages[len(ages)/2].Seconds(), "follow-age-p50-s")
	b.ReportMetric(ages[len(ages)-1].Seconds(), "follow-age-max-s")
	b.Logf("%d changes, listed after %v (median), %v (p99), %v (longest)", len(ages), ages[len(ages)/2], ages[len(ages)*99/100], ages[len(ages)-1])
}

// followScale lists changed roles until it has listed as many as the input names. It prints when
// it listed each of them for the first time. A list that fails ends it.
func followScale(ctx context.Context, c *catalogue.Catalogue) (map[string]float64, error) {
	if err := c.Load(ctx); err != nil {
		return nil, err
	}
	fmt.Println()
	wanted := make(chan int, 1)
	go func() {
		line, _, _ := bufio.NewReader(os.Stdin).ReadLine()
		n, _ := strconv.Atoi(string(line))
		wanted <- n
	}()
	listed := map[string]time.Time{}
	most := -1
	until := time.Time{}
	var times []time.Duration
	for most < 0 || len(listed) < most && time.Now().Before(until) {
		begun := time.Now()
		current, err := c.Current(ctx, begun)
		if err != nil {
			return nil, err
		}
		page, err := current.Search(ctx, roleindex.Query{Text: changedWord, Limit: 100_000}, nil)
		if err != nil {
			return nil, err
		}
		times = append(times, time.Since(begun))
		for _, row := range page.Rows {
			if listed[row.ID].IsZero() {
				listed[row.ID] = time.Now()
			}
		}
		select {
		case most = <-wanted:
			until = time.Now().Add(maxAge)
		case <-time.After(listPause):
		}
	}
	slices.Sort(times)
	figures := map[string]float64{
		"lists": float64(len(times)), "list-p50-ms": float64(times[len(times)/2]) / 1e6,
		"list-p99-ms": float64(times[len(times)*99/100]) / 1e6, "list-max-ms": float64(times[len(times)-1]) / 1e6,
	}
	return figures, json.NewEncoder(os.Stdout).Encode(listed)
}

// publishEach publishes changes for each line of the input.
func publishEach(ctx context.Context, c *catalogue.Catalogue) (map[string]float64, error) {
	lines := bufio.NewScanner(os.Stdin)
	published := 0.0
	for ; lines.Scan(); published++ {
		if _, err := c.Publish(ctx, time.Now, uuid.NewString()); err != nil {
			return nil, err
		}
	}
	return map[string]float64{"publications": published}, lines.Err()
}
