// Package bridge offers services that listen on loopback to containers. It listens on the address of a
// container network's bridge alone, never on all interfaces, and serves connections from that network alone.
package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"syscall"
)

// Docker is the interface of Docker's default network on Linux. Docker Desktop has none: its containers
// reach loopback by themselves.
const Docker = "docker0"

// ErrNoBridge is wrapped by the error for a name of which no interface has an address.
var ErrNoBridge = errors.New("there is no network interface")

// Find returns the address of a bridge on this machine, and its network.
func Find(name string) (*net.IPNet, error) {
	found, err := net.InterfaceByName(name)
	if err != nil {
		return nil, fmt.Errorf("%w %s", ErrNoBridge, name)
	}
	addresses, err := found.Addrs()
	if err != nil {
		return nil, fmt.Errorf("addresses of %s: %w", name, err)
	}
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil {
			return network, nil
		}
	}
	return nil, fmt.Errorf("%w %s", ErrNoBridge, name)
}

// Relay passes connections to ports of a bridge's address on to the same ports of loopback, until ctx ends.
// It returns once it listens. A port that is taken belongs to a service that listens on all interfaces,
// as DynamoDB Local does, and needs no relay.
func Relay(ctx context.Context, bridge *net.IPNet, ports []int) error {
	for _, port := range ports {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(bridge.IP.String(), strconv.Itoa(port)))
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return fmt.Errorf("offering port %d to containers: %w", port, err)
		}
		context.AfterFunc(ctx, func() { _ = listener.Close() })
		go acceptFrom(ctx, listener, bridge, port)
	}
	return nil
}

// acceptFrom passes the connections on that come from the bridge's network. Other machines could send
// packets to the address too.
func acceptFrom(ctx context.Context, listener net.Listener, bridge *net.IPNet, port int) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return // the listener is closed
		}
		if remote, ok := conn.RemoteAddr().(*net.TCPAddr); !ok || !bridge.Contains(remote.IP) {
			_ = conn.Close()
			continue
		}
		go passOn(ctx, conn, port)
	}
}

// passOn joins a connection with one to a port of loopback, until both ends are done or ctx ends.
func passOn(ctx context.Context, from net.Conn, port int) {
	defer func() { _ = from.Close() }()
	to, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return
	}
	defer func() { _ = to.Close() }()
	defer context.AfterFunc(ctx, func() {
		_ = from.Close()
		_ = to.Close()
	})()
	var both sync.WaitGroup
	both.Go(func() { copyHalf(to, from) })
	both.Go(func() { copyHalf(from, to) })
	both.Wait()
}

func copyHalf(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	if half, ok := to.(*net.TCPConn); ok {
		_ = half.CloseWrite()
	}
}
