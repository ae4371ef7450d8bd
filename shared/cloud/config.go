package cloud

import (
	"bytes"
	"context"
	"crypto/x509"
	_ "embed"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials/endpointcreds"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// awsConfig returns the SDK's configuration, built by hand: loading the SDK's default one costs half as much
// again of a function's start (credentials come from the environment on Lambda anyway).
func awsConfig(getenv func(string) string, calls *attempts) aws.Config {
	timeout, err := time.ParseDuration(getenv("AWS_RESPONSE_TIMEOUT")) // in which a response has to begin
	if err != nil || timeout <= 0 {
		timeout = 5 * time.Second // emulators on a busy machine take longer
	}
	// A dead peer is abandoned quickly: a lost connection is retried, while a hanging one would use up the caller's 25 seconds.
	transport := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.DialContext = (&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 30 * time.Second}).DialContext
		t.ResponseHeaderTimeout = timeout
		t.MaxIdleConnsPerHost = 64
		t.TLSClientConfig.RootCAs = trustedRoots(getenv)
	}).GetTransport()
	cfg := aws.Config{
		Region: getenv("AWS_REGION"),
		Credentials: aws.NewCredentialsCache(credentialsProvider(getenv), func(o *aws.CredentialsCacheOptions) {
			o.ExpiryWindow = 5 * time.Minute // so that no request in flight is signed with expired ones
		}),
		Retryer:    newRetryer,
		HTTPClient: &http.Client{Transport: bufferedTransport{transport}},
	}
	cfg.APIOptions = append(cfg.APIOptions, calls.addTo)
	cfg.ConfigSources = append(cfg.ConfigSources, endpoints{getenv})
	if url := getenv("AWS_ENDPOINT_URL"); url != "" {
		cfg.BaseEndpoint = aws.String(url)
	}
	return cfg
}

// endpointVariable begins the variables that replace one service's endpoint.
const endpointVariable = "AWS_ENDPOINT_URL_"

// endpoints replaces a service's endpoint by AWS_ENDPOINT_URL_<SERVICE>, as the SDK's own loader would.
type endpoints struct{ getenv func(string) string }

// GetServiceBaseEndpoint implements what the SDK's clients ask of a configuration source.
func (e endpoints) GetServiceBaseEndpoint(_ context.Context, sdkID string) (string, bool, error) {
	url := e.getenv(endpointVariable + strings.ToUpper(sdkID))
	return url, url != "", nil
}

// ReplacesEndpoint reports whether a setting replaces AWS's endpoint of a service, which has the
// name it has in AWS_ENDPOINT_URL_<SERVICE>.
func (h Host) ReplacesEndpoint(service string) bool {
	return h.Getenv("AWS_ENDPOINT_URL") != "" || h.Getenv(endpointVariable+service) != ""
}

// bufferedTransport passes each request's body to the next transport in memory. The SDK may close its own
// reader while the transport still writes it; on a fast link that kills connections and silently repeats
// requests (measured: 1,000 counter updates became 1,007).
type bufferedTransport struct{ next http.RoundTripper }

// RoundTrip buffers the body and sends the request on.
func (r bufferedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return r.next.RoundTrip(req)
	}
	body, err := ReadAll(req.Body, req.ContentLength)
	_ = req.Body.Close()
	if err != nil {
		return nil, err
	}
	clone := req.Clone(req.Context())
	clone.Body = io.NopCloser(bytes.NewReader(body))
	clone.ContentLength = int64(len(body))
	clone.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return r.next.RoundTrip(clone)
}

// ReadAll reads a body of a known length into a buffer of just that size: one
// that grows would hold a resume several times over.
func ReadAll(body io.Reader, length int64) ([]byte, error) {
	if length <= 0 {
		return io.ReadAll(body)
	}
	all := make([]byte, length)
	_, err := io.ReadFull(body, all)
	return all, err
}

// amazonRoots are the certificate authorities of AWS's endpoints, as Amazon Trust
// Services publishes them; the first expires in 2037.
//
//go:embed roots.pem
var amazonRoots []byte

// trustedRoots returns the authorities that a deployed function checks AWS's endpoints against: Amazon's own.
// With them a start takes 8 ms; with a whole system's it takes 13 ms, and 19 ms where Go reads those three
// times, as on Amazon Linux (make bench BENCH=Start, medians). A container's image has none.
//
// The risk is an endpoint that another authority signs, which fails every call. An operator ends that without
// a build, by setting SSL_CERT_FILE. Nil, which means the system's, is returned for that, for other programs,
// for replaced endpoints, and in China, where the endpoints have other authorities.
func trustedRoots(getenv func(string) string) *x509.CertPool {
	replacing := []string{
		"SSL_CERT_FILE", "AWS_ENDPOINT_URL", endpointVariable + "DYNAMODB", endpointVariable + "SQS", endpointVariable + "S3",
	}
	isReplaced := slices.ContainsFunc(replacing, func(name string) bool { return getenv(name) != "" })
	if getenv(topology.SettingFunction) == "" || isReplaced || strings.HasPrefix(getenv("AWS_REGION"), "cn-") {
		return nil
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(amazonRoots)
	return pool
}

// credentialsProvider returns the source of credentials: the environment on Lambda, and
// the task's own address in a container. Nothing else is looked for.
func credentialsProvider(getenv func(string) string) aws.CredentialsProvider {
	if url := taskURL(getenv); url != "" {
		return taskCredentials(url)
	}
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{
			AccessKeyID:     getenv("AWS_ACCESS_KEY_ID"),
			SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
			SessionToken:    getenv("AWS_SESSION_TOKEN"),
			Source:          "environment",
		}, nil
	})
}

// taskURL returns the address of a task's role's credentials, which the agent beside its container has; "" elsewhere.
func taskURL(getenv func(string) string) string {
	path := getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
	if path == "" {
		return ""
	}
	return "http://169.254.170.2" + path
}

// taskCredentials asks the agent, each time for at most 5 seconds. What it returns expires; the cache around asks again in time.
func taskCredentials(url string) aws.CredentialsProvider {
	agent := endpointcreds.New(url, func(o *endpointcreds.Options) { o.HTTPClient = &http.Client{Timeout: 5 * time.Second} })
	return aws.CredentialsProviderFunc(func(ctx context.Context) (aws.Credentials, error) {
		c, err := agent.Retrieve(ctx)
		if err == nil && !c.HasKeys() { // nor do they expire: the cache would keep them
			err = errors.New("the task's credentials are empty")
		}
		return c, err
	})
}
