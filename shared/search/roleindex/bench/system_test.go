package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// dataDir is where a running system keeps its state; "" starts one.
var dataDir = os.Getenv("BENCH_DATA_DIR")

// dir is the directory of this run, which TestMain creates and removes; TestMain also
// calls stop.
var (
	dir  string
	stop = func() {}
)

// corpus is the catalogue that a system has published, and the roles in it.
type corpus struct {
	catalogue.Docs
	files [][]byte
}

// published reads the roles of the given system, or loads them into one of its own.
var published = sync.OnceValue(func() corpus {
	if dataDir == "" {
		must(loadRoles())
	}
	h, err := openHost()
	must(err)
	table, err := h.Table(topology.Marketplace)
	must(err)
	bucket, err := h.Bucket(topology.MarketplaceBucket)
	must(err)
	log := snapshot.NewStore(table, bucket, catalogue.SnapshotName, dynamo.New(h.AWS).WriteTx)
	roles := role.NewStore(entity.NewStore(table, dynamo.New(h.AWS).WriteTx), bucket)
	docs, err := catalogue.New(roles, log).ReadDocs(context.Background())
	must(err)
	slices.SortFunc(docs.Shared, func(a, b roleindex.Doc) int { return strings.Compare(a.ID, b.ID) }) // always the same queries
	bases, err := log.Bases(context.Background())
	must(err)
	var files [][]byte
	for _, key := range bases.Heads[0].Files {
		file, err := log.File(context.Background(), key)
		must(err)
		files = append(files, file)
	}
	if !slices.EqualFunc(files, docs.Build(len(files)), bytes.Equal) {
		panic("the published generation is not that of the roles: publish one first (feed load --bulk)")
	}
	return corpus{docs, files}
})

// loadRoles starts a system and runs README's two commands.
func loadRoles() error {
	program, roles := filepath.Join(dir, "local"), filepath.Join(dir, "roles.ndjson")
	build := exec.Command("go", "build", "-o", program, "./local")
	build.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	dataDir = filepath.Join(dir, "data")
	server := inSystem(program)
	if err := server.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	stop = func() {
		_ = server.Process.Signal(os.Interrupt)
		<-ended
	}
	if err := waitUntilServing(ended); err != nil {
		return err
	}
	made, err := os.Create(roles)
	if err != nil {
		return err
	}
	demo := inSystem(program, "demo", "--roles", fmt.Sprint(size))
	demo.Stdout = made
	if err := errors.Join(demo.Run(), made.Close()); err != nil {
		return err
	}
	feed := inSystem(program, "feed", "load", "--bulk", roles)
	feed.Stdout, feed.Stderr = os.Stdout, os.Stderr
	return feed.Run()
}

// inSystem returns a run of the program on the benchmark's own system, in the module's
// root, where the emulators are.
func inSystem(program string, args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir = filepath.Join("..", "..", "..", "..")
	c.Env = append(os.Environ(), "PORT=0", "DATA_DIR="+dataDir)
	return c
}

// waitUntilServing waits until the system has written its file "env", which it does when
// it serves.
func waitUntilServing(ended <-chan error) error {
	for range 600 {
		if _, err := os.Stat(filepath.Join(dataDir, "env")); err == nil {
			return nil
		}
		select {
		case err := <-ended:
			return fmt.Errorf("the system ended: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("the system does not answer")
}

// openHost opens the system's services, which its file "aws" names.
func openHost() (cloud.Host, error) {
	text, err := os.ReadFile(filepath.Join(dataDir, "aws"))
	env := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		env[name] = value
	}
	return cloud.NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler)), err
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
