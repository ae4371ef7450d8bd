package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// starts is the number of starts of each program. They are interleaved. One of requestEvery continues to
// a first request, with a key of its own, of which an agency has 50; Node, which takes as long as fifty
// of the others, starts for these alone.
const starts, requestEvery = 121, 3

const peersDir = "local/lab/bench/peers"

var httpFunctions = []string{"platform", "submissions", "network", "roles", "crm"}

// A function makes no call while it starts if this line of a source file always holds.
const warmCallFile, warmCallLine = "shared/cloud/host.go", "	if o.Err() != nil {\n"

// program is a program that serves Lambda's runtime API, and what was measured of it.
type program struct {
	lambda.RuntimeOptions
	// first makes each start also serve a request.
	first bool
	// inits and firsts are milliseconds from the start of the process to its first request for an
	// event, and to the end of its first request.
	inits, firsts []float64
}

// measureStarts measures rows 1 to 3: the starts of all programs, one of each in turn.
func measureStarts(b *bench) ([]figure, error) {
	s, err := system.Start(b.ctx, system.Options{WithoutIngest: true, Getenv: quietSettings})
	if err != nil {
		return nil, fmt.Errorf("start the system: %w", err)
	}
	defer s.Stop()
	programs, err := b.buildPrograms(s)
	if err != nil {
		return nil, fmt.Errorf("build the functions: %w", err)
	}
	secrets, err := createKeys(b.ctx, s.Host, starts/requestEvery+1)
	if err != nil {
		return nil, fmt.Errorf("create the keys: %w", err)
	}
	for n := range starts {
		key := ""
		if n%requestEvery == 0 {
			key = secrets[n/requestEvery]
		}
		for name, p := range programs {
			if name == "node" && key == "" {
				continue
			}
			if err := b.startOnce(p, key); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		if n == 0 { // the first of each reads the program from the disk
			for _, p := range programs {
				p.inits = nil
				p.firsts = nil
			}
		}
	}
	return startFigures(programs), nil
}

func createKeys(ctx context.Context, host cloud.Host, n int) (secrets []string, err error) {
	service, err := keys.New(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("open the administration of keys: %w", err)
	}
	for i := range n {
		out, err := service.Handle(ctx, keys.Request{
			Action: keys.Create, Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID,
			Name: fmt.Sprint("bench ", i), Scopes: contract.AgencyKey.Scopes(), Environment: "live",
		})
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, out.Secret)
	}
	return secrets, nil
}

// quietSettings keep the system's own workers still.
func quietSettings(name string) string {
	return map[string]string{"SWEEP_EVERY": "1h", topology.SettingKeyEnvironments: "live"}[name]
}

// buildPrograms builds the functions for this machine as for the deployment, the HTTP functions
// also without the call at their start, and the peers.
func (b *bench) buildPrograms(s *system.System) (map[string]*program, error) {
	programs := map[string]*program{}
	add := func(name, binary, function string, first bool, args ...string) {
		env := append(system.FunctionEnvironment(s.Host, function), "PATH="+os.Getenv("PATH"), "AGENCY="+demo.AgencyID)
		if function != "ingest" {
			env = append(env, "GOMAXPROCS=1") // as deployed, and the peers alike
		}
		options := lambda.RuntimeOptions{Binary: binary, Args: args, Env: env, NewID: uuid.NewString}
		programs[name] = &program{RuntimeOptions: options, first: first}
	}
	silent, err := b.writeOverlay(warmCallFile, warmCallLine, "	if true || o.Err() != nil {\n")
	if err != nil {
		return nil, fmt.Errorf("write the overlay: %w", err)
	}
	build := strings.Replace(os.Getenv("LAMBDA_BUILD"), "GOARCH=arm64", "", 1) // the deployment's command, for this machine
	if build == "" {
		return nil, fmt.Errorf("LAMBDA_BUILD is not set; use make bench")
	}
	for _, f := range append([]string{"ingest"}, httpFunctions...) {
		for kind, overlay := range map[string]string{"": "", " without the call": silent} {
			if f == "ingest" && kind != "" {
				continue
			}
			binary := filepath.Join(b.dir, f+strings.ReplaceAll(kind, " ", "-"))
			if _, err := b.run(".", nil, "sh", "-c", build+" "+overlay+" -o "+binary+" ./functions/"+f+"/lambda"); err != nil {
				return nil, err
			}
			add(f+kind, binary, f, f == "platform" && kind == "")
		}
	}
	for _, peer := range []string{"echo", "sdk"} {
		binary := filepath.Join(b.dir, peer)
		if err := b.buildPeer(peer, binary); err != nil {
			return nil, fmt.Errorf("build a peer: %w", err)
		}
		add(peer, binary, "platform", peer == "sdk")
	}
	// Each program is replaced by a copy that is written in one piece. One that the linker has written and one that comes
	// from the build cache are not in the page cache alike: starts of the same bytes have differed by 0.8 ms.
	for _, p := range programs {
		content, err := os.ReadFile(p.Binary)
		if err != nil {
			return nil, fmt.Errorf("copy a program: %w", err)
		}
		if err := errors.Join(os.Remove(p.Binary), os.WriteFile(p.Binary, content, 0o755)); err != nil {
			return nil, fmt.Errorf("copy a program: %w", err)
		}
	}
	node, err := filepath.Abs(filepath.Join(peersDir, "node/start.mjs"))
	add("node", "node", "platform", true, node)
	return programs, err
}

func (b *bench) buildPeer(name, binary string, env ...string) error {
	args := []string{"build", "-trimpath", "-tags=lambda.norpc", "-ldflags=-s -w", "-o", binary, "./" + name}
	_, err := b.run(peersDir, append(env, "CGO_ENABLED=0"), "go", args...)
	return err
}

// startOnce starts a program, and stops it after its first request for an event, or after its
// first request, with a key.
func (b *bench) startOnce(p *program, key string) error {
	begun := time.Now()
	r, err := lambda.StartRuntime(p.RuntimeOptions)
	if err != nil {
		return fmt.Errorf("start the runtime: %w", err)
	}
	defer r.Stop()
	if err := r.AwaitReady(b.ctx); err != nil {
		return fmt.Errorf("await the first start: %w", err)
	}
	p.inits = append(p.inits, milliseconds(time.Since(begun)))
	if !p.first || key == "" {
		return nil
	}
	event, err := os.ReadFile("events/identity.json")
	if err != nil {
		return err
	}
	out, err := r.Invoke(b.ctx, bytes.Replace(event, []byte("${AGENCY_KEY}"), []byte(key), 1))
	if err != nil || !strings.Contains(string(out), `"statusCode":200`) {
		return fmt.Errorf("the first request: %s, %w", out, err)
	}
	p.firsts = append(p.firsts, milliseconds(time.Since(begun)))
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// startRounds is how many rounds of equal length the starts of row 1 are divided in. A goal holds only if
// it does in every round.
const startRounds = 5

func startFigures(programs map[string]*program) (figures []figure) {
	rounds := func(name string) []float64 { return mediansOfRounds(programs[name].inits) }
	add := func(row int, name string, ours []float64, peer string, theirs []float64, most float64) {
		figures = append(figures, figure{
			Row: row, Name: name, Unit: "ms", Ours: ours, Peer: peer, Theirs: theirs, Goal: ratioAtMost(most), Every: row == 1,
		})
	}
	for _, f := range httpFunctions {
		add(1, "init of "+f+" without its call", rounds(f+" without the call"), "bare echo", rounds("echo"), 1.5)
		add(1, "init of "+f, rounds(f), "bare echo", rounds("echo"), 2)
	}
	add(1, "init of platform without its call", rounds("platform without the call"), "Go, SDK alone", rounds("sdk"), 1.2)
	add(2, "init and first identity", programs["platform"].firsts, "Go, SDK alone", programs["sdk"].firsts, 1.2)
	add(2, "init and first identity", programs["platform"].firsts, "Express on Node", programs["node"].firsts, 0.15)
	add(3, "init of ingest", programs["ingest"].inits, "bare echo", programs["echo"].inits, 2.5)
	return figures
}

// mediansOfRounds returns the medians of the rounds that samples, in the order of their time, are of.
func mediansOfRounds(samples []float64) (medians []float64) {
	for round := range slices.Chunk(samples, (len(samples)+startRounds-1)/startRounds) {
		medians = append(medians, median(round))
	}
	return medians
}
