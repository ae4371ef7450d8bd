package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The load: about 40 requests a second, each key within half of its rate.
const (
	loadTime      = 10 * time.Minute
	loadAgencies  = 8
	keysPerAgency = 4
	agencyPause   = time.Second // average between two requests of a key
	recruiterKeys = 2
	crmKeys       = 4
	recruitPause  = 2 * time.Second
	memoryPause   = 5 * time.Second
	// maxOvertime bounds how much longer the load lasts while the flood is not drained.
	maxOvertime = 8 * time.Minute
)

// loadRun is a running system under load.
type loadRun struct {
	o       Options
	child   *child
	maker   *accountMaker
	minute  time.Duration // of the table; shorter than one in a shortened run
	seen    recorder
	memory  memoryLog
	probe   probe
	flood   flood
	started time.Time
	ended   time.Time
	actors  sync.WaitGroup
}

// runLoad sends a realistic mix of requests for ten minutes, with a flood of one agency's
// candidates in the middle, and prints times, errors and memory by minute.
func runLoad(ctx context.Context, o Options) error {
	return withChild(ctx, o, func(c *child) error {
		l := &loadRun{o: o, child: c, minute: time.Duration(float64(time.Minute) * o.Scale)}
		var err error
		l.maker, err = newAccountMaker(ctx, c)
		if err != nil {
			return err
		}
		if err := l.run(ctx); err != nil {
			return err
		}
		return l.printReport()
	})
}

// run runs the actors, the probe and the flood, and returns when the load has ended.
func (l *loadRun) run(ctx context.Context) error {
	loading, stop := context.WithCancel(ctx)
	defer func() {
		stop()
		l.actors.Wait()
	}()
	if err := l.startAllActors(ctx, loading); err != nil {
		return err
	}
	l.started = time.Now()
	l.actors.Go(func() { l.logMemory(loading) })
	l.actors.Go(func() { l.probe.run(loading) })
	floodAt := 4 * l.minute
	over := make(chan error, 1)
	go func() {
		pause(ctx, floodAt)
		over <- l.flood.run(ctx, l.o.scale(floodSize))
	}()
	pause(ctx, 10*l.minute)
	var err error
	select {
	case err = <-over:
	case <-time.After(maxOvertime):
		err = errors.New("the flood was not drained in time")
	}
	l.ended = time.Now()
	return err
}

// startAllActors creates the accounts and starts their actors, and prepares probe and flood.
func (l *loadRun) startAllActors(ctx, loading context.Context) error {
	for n := range loadAgencies {
		name := fmt.Sprint("load", n)
		keys, err := l.maker.createAgency(ctx, name, keysPerAgency)
		if err != nil {
			return err
		}
		l.startActors(loading, keys, name, agencyPause, agencyActions)
		keys, err = l.maker.createKeys(ctx, contract.PersonalKey, "rec_soak_"+name, "rec_soak_"+name, recruiterKeys)
		if err != nil {
			return err
		}
		l.startActors(loading, keys, name+"-recruiter", recruitPause, recruiterActions)
	}
	keys, err := l.maker.createKeys(ctx, contract.PersonalKey, demo.OwnerID, demo.OwnerID, crmKeys)
	if err != nil {
		return err
	}
	l.startActors(loading, keys, "crm", recruitPause, crmActions)
	l.probe.clients, err = l.newClients(ctx, "probe", 8)
	if err != nil {
		return err
	}
	for i, of := range samples { // the first PDF compiles its reader
		if err := submitOnce(ctx, l.probe.clients[i], fmt.Sprint("warm-", i), of); err != nil {
			return err
		}
	}
	l.flood.recorder = &l.seen
	l.flood.clients, err = l.newClients(ctx, "flood", 4)
	return err
}

// newClients returns clients of a new agency, one for each key.
func (l *loadRun) newClients(ctx context.Context, agency string, n int) (clients []*client.Client, err error) {
	keys, err := l.maker.createAgency(ctx, agency, n)
	for _, key := range keys {
		clients = append(clients, l.child.client(key))
	}
	return clients, err
}

func (l *loadRun) startActors(ctx context.Context, keys []string, name string, pause time.Duration, actions []action) {
	for i, key := range keys {
		a := &actor{
			api: l.child.client(key), recorder: &l.seen, name: fmt.Sprintf("%s-%d", name, i),
			random: rand.New(rand.NewPCG(uint64(len(name)), uint64(i))),
		}
		l.actors.Go(func() { a.run(ctx, pause, actions) })
	}
}

func (l *loadRun) logMemory(ctx context.Context) {
	for ctx.Err() == nil {
		l.memory.addSample(l.child.cmd.Process.Pid)
		select {
		case <-ctx.Done():
		case <-time.After(memoryPause):
		}
	}
}
