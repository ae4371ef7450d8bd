package catalogue_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// childVariable is the environment variable that names the task of a child process of
// BenchmarkScale.
const childVariable = "CATALOGUE_TEST_DOES"

func TestMain(m *testing.M) {
	if task := os.Getenv(childVariable); task != "" {
		runScaleTask(task)
		return
	}
	os.Exit(m.Run())
}

// changesAMinute is the number of changes published each minute if all 1,000,000 roles change
// within a day.
const changesAMinute = 700

// BenchmarkScale rebuilds a catalogue of many roles, reads it, publishes the changes of a minute,
// and reads it again, in processes with the memory limits of the functions. Then it lists roles
// while others change for a time ([changeWhileReading]):
//
//	make bench BENCH=Scale ROLES=1000000 CHANGING=5m
//
// The roles are not stored: a server makes each one when it is read ([scaleServer]).
func BenchmarkScale(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("ROLES"))
	if err != nil {
		n = 20_000
	}
	changing, err := time.ParseDuration(os.Getenv("CHANGING"))
	if err != nil {
		changing = 15 * time.Second
	}
	host := cloudtest.System(b, nil, time.Now)
	server := newScaleServer(b, host, n)
	for b.Loop() {
		rebuilt := startScaleTask(b, server, topology.Publisher.Name, "rebuild")
		rebuilt.wait(b, "rebuild")
		reader := startScaleTask(b, server, string("roles"), "read")
		reader.awaitLine(b)
		markRoles(b, host, server.ids[:min(n, changesAMinute)])
		startScaleTask(b, server, topology.Publisher.Name, "publish").wait(b, "publish")
		_ = reader.input.Close()
		reader.wait(b, "read")
		b.ReportMetric(float64(publishedBytes(b, host))/1e6, "files-MB")
		changeWhileReading(b, server, changing)
	}
}

// scaleTask is a child process that performs one task.
type scaleTask struct {
	*exec.Cmd
	input  io.WriteCloser
	output *bufio.Reader
}

// startScaleTask starts a task with the memory limit and the environment of a function.
func startScaleTask(b *testing.B, server *scaleServer, function, task string) scaleTask {
	b.Helper()
	f := topology.FunctionNamed(function)
	child := exec.CommandContext(b.Context(), os.Args[0])
	child.Env = []string{childVariable + "=" + task, fmt.Sprintf("GOMEMLIMIT=%dMiB", f.Memory*9/10), "AWS_ENDPOINT_URL_DYNAMODB=" + server.URL}
	for _, name := range slices.AppendSeq([]string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_S3"}, maps.Keys(f.Environment())) {
		child.Env = append(child.Env, name+"="+server.host.Getenv(name))
	}
	child.Stderr = os.Stderr
	input, inputErr := child.StdinPipe()
	output, outputErr := child.StdoutPipe()
	for _, err := range []error{inputErr, outputErr, child.Start()} {
		if err != nil {
			b.Fatal(err)
		}
	}
	return scaleTask{child, input, bufio.NewReader(output)}
}

func (s scaleTask) awaitLine(b *testing.B) []byte {
	b.Helper()
	line, err := s.output.ReadBytes('\n')
	if err != nil {
		b.Fatal(err)
	}
	return line
}

// wait reports the figures that the task printed and the processor time that it used.
func (s scaleTask) wait(b *testing.B, name string) {
	b.Helper()
	var figures map[string]float64
	if err := json.Unmarshal(s.awaitLine(b), &figures); err != nil {
		b.Fatal(err)
	}
	if err := s.Wait(); err != nil {
		b.Fatal(err)
	}
	usage := s.ProcessState.SysUsage().(*syscall.Rusage)
	figures["cpu-s"] = time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
	for unit, value := range figures {
		b.ReportMetric(value, name+"-"+unit)
	}
	b.Logf("%s: %v", name, figures)
}

// markRoles writes log entries for changed roles.
func markRoles(b *testing.B, host cloud.Host, ids []string) {
	b.Helper()
	o := host.Opener()
	log := snapshot.Open(o, catalogue.SnapshotName)
	for _, id := range ids {
		tx := dynamo.New(host.AWS).WriteTx()
		log.LogChange(time.Now(), snapshot.Change{ID: id}, uuid.NewString())(tx)
		if err := tx.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func publishedBytes(b *testing.B, host cloud.Host) (total int) {
	b.Helper()
	log := snapshot.Open(host.Opener(), catalogue.SnapshotName)
	bases, err := log.Bases(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for _, key := range bases.Head(catalogue.Format).Files {
		file, err := log.File(b.Context(), key)
		if err != nil {
			b.Fatal(err)
		}
		total += len(file)
	}
	b.Logf("%d files", len(bases.Head(catalogue.Format).Files))
	return total
}

// scaleTasks are the tasks, which return figures.
var scaleTasks = map[string]func(context.Context, *catalogue.Catalogue) (map[string]float64, error){
	"rebuild": func(ctx context.Context, c *catalogue.Catalogue) (map[string]float64, error) {
		roles, err := c.Rebuild(ctx, time.Now, uuid.NewString())
		return map[string]float64{"roles": float64(roles)}, err
	},
	"publish": func(ctx context.Context, c *catalogue.Catalogue) (map[string]float64, error) {
		_, err := c.Publish(ctx, time.Now, uuid.NewString())
		return map[string]float64{}, err
	},
	"publish each": publishEach,
	"read":         readScale,
	"follow":       followScale,
}

// runScaleTask performs a task and prints its figures as JSON in one line.
func runScaleTask(task string) {
	host := cloud.FromEnvironment()
	host.Log = slog.New(slog.DiscardHandler)
	o := host.Opener()
	c := catalogue.OpenEmbedded(o, role.NewStore(entity.Open(o), objectstore.Open(o, topology.MarketplaceBucket)))
	begun := time.Now()
	figures, err := scaleTasks[task](context.Background(), c)
	if err == nil {
		err = o.Err()
	}
	if err != nil {
		panic(err)
	}
	figures["s"] = time.Since(begun).Seconds()
	figures["peak-MB"] = peakMemory()
	if err := json.NewEncoder(os.Stdout).Encode(figures); err != nil {
		panic(err)
	}
}

// readScale loads the catalogue, waits for the end of its input, replaces the catalogue by the
// generation published in between, and searches.
func readScale(ctx context.Context, c *catalogue.Catalogue) (map[string]float64, error) {
	begun := time.Now()
	if err := c.Load(ctx); err != nil {
		return nil, err
	}
	figures := map[string]float64{"load-s": time.Since(begun).Seconds()}
	fmt.Println()
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return nil, err
	}
	begun = time.Now()
	current, err := c.Current(ctx, time.Now())
	if err != nil {
		return nil, err
	}
	figures["replace-s"] = time.Since(begun).Seconds()
	var times []time.Duration
	docs := trial.Docs(2000, time.Now())
	for _, way := range trial.Typos {
		for _, p := range trial.Pairs(docs, way, 250) {
			for _, text := range []string{p.Clean, p.Misspelt} {
				begin := processorTime()
				if _, err := current.Search(ctx, roleindex.Query{Text: text}, nil); err != nil {
					return nil, err
				}
				times = append(times, processorTime()-begin)
			}
		}
	}
	slices.Sort(times)
	figures["p50-cpu-ms"] = float64(times[len(times)/2]) / 1e6
	figures["p99-cpu-ms"] = float64(times[len(times)*99/100]) / 1e6
	return figures, nil
}

// peakMemory returns the peak memory of this process in MB, or 0 where there is no /proc. Rusage is
// not used because it includes the parent's memory in that of a child.
func peakMemory() (mb float64) {
	status, _ := os.ReadFile("/proc/self/status")
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	_, _ = fmt.Sscan(line, &mb)
	return mb / 1024
}

// processorTime returns the processor time of this process, which excludes that of other processes.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
