package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"

	"github.com/recruiting-marketplace/external-api/local/run/bridge"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// containerHost is the name by which containers reach this machine: Docker Desktop resolves it, and
// samconfig.toml makes Docker on Linux do so.
const containerHost = "host.docker.internal"

// samEnvironment returns the variables that SAM sets in every function in place of the template's values,
// which are references that only a deployment resolves, and the ports of this machine that they name.
func (r startupKeys) samEnvironment(s *system.System) (env map[string]string, ports []int) {
	env = maps.Clone(s.Environment)
	for _, name := range []string{topology.SettingKeyEnvironments, topology.SettingProfileKey, topology.SettingVersion} {
		env[name] = s.Host.Getenv(name)
	}
	env[topology.SettingCanaryURL] = s.BaseURL
	env[topology.SettingCanaryAgencyKey] = r.agency
	env[topology.SettingCanaryRecruiterKey] = r.recruiter
	for name, value := range env {
		kind := topology.Environment()[name].Kind
		if kind == topology.Messages || kind == topology.Dead || name == topology.SettingPublicURL {
			continue // SQS knows a queue by its URL, but is asked at its endpoint; the other is for callers
		}
		if address, port := addressForContainers(value); port > 0 {
			env[name] = address
			ports = append(ports, port)
		}
	}
	slices.Sort(ports)
	return env, slices.Compact(ports)
}

// addressForContainers returns the URL of a service on loopback as containers reach it, and its port. Any
// other text is returned as it is, with port 0.
func addressForContainers(value string) (string, int) {
	address, err := url.Parse(value)
	if err != nil {
		return value, 0
	}
	if host := address.Hostname(); host != "localhost" && !net.ParseIP(host).IsLoopback() {
		return value, 0
	}
	port, err := strconv.Atoi(address.Port())
	if err != nil {
		return value, 0
	}
	address.Host = net.JoinHostPort(containerHost, address.Port())
	return address.String(), port
}

// offerToContainers lets the containers of a bridge reach the system until ctx ends, if the setting SAM is 1,
// for Docker's own bridge, or names one.
func (r startupKeys) offerToContainers(ctx context.Context, s *system.System, log *slog.Logger) error {
	name := os.Getenv("SAM")
	switch name {
	case "":
		return nil
	case "1":
		name = bridge.Docker
	}
	network, err := bridge.Find(name)
	if errors.Is(err, bridge.ErrNoBridge) {
		log.WarnContext(ctx, "containers can reach this system with Docker Desktop only; with another Docker, start that first", "cause", err)
		return nil
	}
	if err != nil {
		return err
	}
	_, ports := r.samEnvironment(s)
	return bridge.Relay(ctx, network, ports)
}
