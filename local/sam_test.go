package main

import "testing"

// Containers get the addresses of services on loopback by a name that leads out of the container.
func TestAddressesForContainers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value, want string
		port        int
	}{
		{"http://127.0.0.1:4566", "http://host.docker.internal:4566", 4566},
		{"http://localhost:8080/api/external/v1", "http://host.docker.internal:8080/api/external/v1", 8080},
		{"http://[::1]:80/", "http://host.docker.internal:80/", 80},
		{"https://dynamodb.us-east-1.amazonaws.com", "https://dynamodb.us-east-1.amazonaws.com", 0},
		{"http://127.0.0.1", "http://127.0.0.1", 0},
		{"http://notlocalhost:1", "http://notlocalhost:1", 0},
		{"rmk-local-accounts", "rmk-local-accounts", 0},
		{"live,test", "live,test", 0},
		{"", "", 0},
	} {
		if got, port := addressForContainers(tt.value); got != tt.want || port != tt.port {
			t.Errorf("%s: got %s, %d; want %s, %d", tt.value, got, port, tt.want, tt.port)
		}
	}
}
