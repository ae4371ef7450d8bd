package emulator

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// LocalStackVariable is the environment variable with the address of a LocalStack, which then takes the place of the
// emulators of all services with their own variable unset. It is sent no credentials but LocalStack's own.
const LocalStackVariable = "LOCALSTACK"

// localStackCredentials replace those of the environment, which can be an account's.
var localStackCredentials = map[string]string{"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_SESSION_TOKEN": "test"}

// localStackEndpoint returns the address of the LocalStack that the environment names, or "".
func localStackEndpoint() string { return strings.TrimSuffix(os.Getenv(LocalStackVariable), "/") }

// checkLocalStack reports as an error if the LocalStack that the environment names does not run one of the services
// for which it is used.
func checkLocalStack(ctx context.Context, services []Service) error {
	endpoint := localStackEndpoint()
	if endpoint == "" {
		return nil
	}
	if address, err := url.Parse(endpoint); err != nil || address.Host == "" {
		return fmt.Errorf("%s=%s is no address like http://localhost:4566", LocalStackVariable, endpoint)
	}
	states, err := readHealth(ctx, endpoint)
	if err != nil {
		return fmt.Errorf("no LocalStack answers at %s; start one: docker run --rm -p 4566:4566 localstack/localstack:4.14.0 (%w)", endpoint, err)
	}
	var missing []string
	for _, service := range services {
		name := strings.ToLower(string(service))
		isRunning := states[name] == "available" || states[name] == "running"
		if os.Getenv(service.Variable()) == "" && !isRunning {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the LocalStack at %s runs no %s", endpoint, strings.Join(missing, ", "))
	}
	return nil
}

// readHealth returns the states of a LocalStack's services; an available one starts at its first request.
func readHealth(ctx context.Context, endpoint string) (map[string]string, error) {
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, endpoint+"/_localstack/health", nil) // the endpoint is a URL
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var health struct{ Services map[string]string }
	err = json.NewDecoder(response.Body).Decode(&health)
	return health.Services, err
}
