package cloud

import (
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
)

// awsConfig returns the SDK's configuration, built by hand: loading the SDK's default one
// costs half as much again of a function's start (credentials come from the
// environment on Lambda anyway).
func awsConfig(getenv func(string) string, calls *attempts) aws.Config {
	cfg := aws.Config{
		Region:      getenv("AWS_REGION"),
		Credentials: aws.NewCredentialsCache(credentialsProvider(getenv), renewEarly),
		Retryer:     newRetryer,
		HTTPClient:  &http.Client{Transport: bufferedTransport{newTransport(trustedRoots(getenv), responseTimeout(getenv))}},
	}
	cfg.APIOptions = append(cfg.APIOptions, addMeter, calls.addTo)
	cfg.ConfigSources = append(cfg.ConfigSources, endpoints{getenv})
	if url := getenv("AWS_ENDPOINT_URL"); url != "" {
		cfg.BaseEndpoint = aws.String(url)
	}
	return cfg
}

func environmentCredentials(getenv func(string) string) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{
			AccessKeyID:     getenv("AWS_ACCESS_KEY_ID"),
			SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
			SessionToken:    getenv("AWS_SESSION_TOKEN"),
			Source:          "environment",
		}, nil
	})
}

// newTransport returns a transport that abandons a dead peer quickly: a lost connection is
// retried, while a hanging one would use up the caller's 25 seconds.
func newTransport(trust *x509.CertPool, timeout time.Duration) http.RoundTripper {
	return awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.DialContext = (&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 30 * time.Second}).DialContext
		t.ResponseHeaderTimeout = timeout
		t.MaxIdleConnsPerHost = 64
		t.TLSClientConfig.RootCAs = trust
	}).GetTransport()
}

// responseTimeoutVariable is the setting of the time in which a response of AWS has to begin, 5 seconds
// unless set. Emulators on a busy machine take longer.
const responseTimeoutVariable = "AWS_RESPONSE_TIMEOUT"

func responseTimeout(getenv func(string) string) time.Duration {
	timeout, err := time.ParseDuration(getenv(responseTimeoutVariable))
	if err != nil || timeout <= 0 {
		return 5 * time.Second
	}
	return timeout
}

// endpointVariable begins the variables that replace one service's endpoint; services
// has the rest of their names, by the SDK's names.
const endpointVariable = "AWS_ENDPOINT_URL_"

var services = map[string]string{"DynamoDB": "DYNAMODB", "SQS": "SQS", "S3": "S3"}

// endpoints replaces a service's endpoint by AWS_ENDPOINT_URL_<SERVICE>, as the SDK's own
// loader would.
type endpoints struct{ getenv func(string) string }

// GetServiceBaseEndpoint implements what the SDK's clients ask of a configuration source.
func (e endpoints) GetServiceBaseEndpoint(_ context.Context, sdkID string) (string, bool, error) {
	url := e.getenv(endpointVariable + services[sdkID])
	return url, url != "", nil
}

// ReplacesEndpoint reports whether a setting replaces AWS's endpoint of a service, which has the
// name it has in AWS_ENDPOINT_URL_<SERVICE>.
func (h Host) ReplacesEndpoint(service string) bool {
	return h.Getenv("AWS_ENDPOINT_URL") != "" || h.Getenv(endpointVariable+service) != ""
}
