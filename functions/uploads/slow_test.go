package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// slowClients are connections that each send a body of 12 MB, faster than PaceBody requires
// and so slowly that it takes more than a minute.
type slowClients struct {
	open []net.Conn
	// asked receives a value for each connection whose body the server begins to read.
	asked chan struct{}
	ended atomic.Int64
}

// openConnections opens connections that send the head of a submission, with further headers.
func (s *slowClients) openConnections(t *testing.T, p *process, n int, headers string) {
	t.Helper()
	for range n {
		connection, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = connection.Close() })
		_, err = fmt.Fprintf(connection, "POST %s/talent-network/candidates/submit HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n%s\r\n\r\n",
			contract.BasePath, contract.MaxBodyBytes, headers)
		if err != nil {
			t.Fatal(err)
		}
		s.open = append(s.open, connection)
		go s.readResponse(connection)
	}
}

// readResponse reads what the server sends until the connection ends.
func (s *slowClients) readResponse(connection net.Conn) {
	answers := bufio.NewReader(connection)
	if line, _ := answers.ReadString('\n'); strings.HasPrefix(line, "HTTP/1.1 100 ") {
		s.asked <- struct{}{}
	}
	_, _ = io.Copy(io.Discard, answers)
	s.ended.Add(1)
}

// sendBodies sends a part of each body every 100 ms until ctx ends.
func (s *slowClients) sendBodies(ctx context.Context) {
	part := []byte(strings.Repeat(" ", 8<<10))
	for tick := time.Tick(100 * time.Millisecond); ; {
		for _, connection := range s.open {
			_, _ = connection.Write(part) // a closed connection is counted in ended
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// Neither clients without a key nor three agencies, however many slow requests they send, delay
// another agency.
func TestSlowClientsDelayNoOtherCaller(t *testing.T) {
	t.Parallel()
	p := startProcess(t)
	slow := &slowClients{asked: make(chan struct{}, 64)}
	for _, key := range []string{p.key, p.newAgency("agy_slow"), p.newAgency("agy_slower")} {
		slow.openConnections(t, p, 3*maxOwnPlaces, "Expect: 100-continue\r\nAuthorization: Bearer "+key)
	}
	for range 3 * maxOwnPlaces {
		<-slow.asked
	}
	slow.openConnections(t, p, 64, "Authorization: Bearer nobody")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go slow.sendBodies(ctx)
	body := submissionBody(256 << 10)
	response, answer := p.postWith(t.Context(), strings.NewReader(body), int64(len(body)), "Authorization", "Bearer "+p.otherKey)
	if response.StatusCode != http.StatusOK {
		t.Errorf("got %d %s; want 200", response.StatusCode, answer)
	}
	health, err := http.Get(p.url + "/healthz")
	if err != nil || health.StatusCode != http.StatusOK {
		t.Fatalf("health: %v, %v", health, err)
	}
	_ = health.Body.Close()
	if ended := slow.ended.Load(); ended != 0 {
		t.Errorf("the upload was answered when %d of %d slow clients had ended; want it to wait for none", ended, len(slow.open))
	}
}

// A caller has at most its own slots, and gets another one when a request of its own ends; all
// callers together have at most all.
func TestSlotsAreBoundedForEachCallerAndForAll(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end()
	const all, own = 12, 4
	s := newSlots(all, own)
	var releases []func()
	for i := range all {
		caller := fmt.Sprint("agency ", i/own)
		release, err := s.takeSlot(t.Context(), caller)
		if err != nil {
			t.Fatal(err)
		}
		releases = append(releases, release)
	}
	for _, caller := range []string{"agency 0", "another"} {
		if _, err := s.takeSlot(ended, caller); !errors.Is(err, context.Canceled) {
			t.Errorf("%s got a slot, or %v; want to wait", caller, err)
		}
	}
	releases[0]()
	releases[0], _ = s.takeSlot(t.Context(), "agency 0")
	for _, release := range releases {
		release()
	}
	s.own.Range(func(caller, slots any) bool {
		if !slots.(*semaphore.Weighted).TryAcquire(own) {
			t.Errorf("%s still has a slot; want none", caller)
		}
		return true
	})
	if !s.all.TryAcquire(all) {
		t.Error("slots are still taken; want none")
	}
}

// A request that gets no place or no slot in time is refused with a Retry-After, and gives back
// the place that it had.
func TestARequestWithoutATurnInTimeIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		places := newSlots(2, 2)
		slots := newSlots(1, 1)
		caller := apikey.Caller{Principal: "agency"}
		handled := &queuedBody{places: places, slots: slots}
		read := &queuedBody{places: places, slots: slots}
		waiting := &queuedBody{places: places, slots: slots}
		for _, turn := range []error{
			handled.AwaitReading(t.Context(), caller), handled.AwaitHandling(t.Context(), caller), read.AwaitReading(t.Context(), caller),
		} {
			if turn != nil {
				t.Fatal(turn)
			}
		}
		for _, err := range []error{waiting.AwaitReading(t.Context(), caller), read.AwaitHandling(t.Context(), caller)} {
			if f := fault.As(err); f.Kind != fault.TooMany || f.RetryAfter <= 0 {
				t.Errorf("got %v; want a 429 with Retry-After", err)
			}
		}
		read.release()
		if err := waiting.AwaitReading(t.Context(), caller); err != nil {
			t.Errorf("got %v when a place was given back; want it", err)
		}
	})
}
