package cloud

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// credentialsProvider returns the source of credentials: the environment on Lambda, and
// the task's own address in a container. Nothing else is looked for.
func credentialsProvider(getenv func(string) string) aws.CredentialsProvider {
	if path := getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"); path != "" {
		return taskCredentials{url: "http://169.254.170.2" + path}
	}
	return environmentCredentials(getenv)
}

// taskCredentials asks the agent beside a container for its role's credentials.
// They expire; the cache around asks again in time.
type taskCredentials struct{ url string }

// Retrieve implements aws.CredentialsProvider.
func (t taskCredentials) Retrieve(ctx context.Context) (aws.Credentials, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url, nil)
	if err != nil {
		return aws.Credentials{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return aws.Credentials{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return aws.Credentials{}, fmt.Errorf("the task's credentials: status %d", response.StatusCode)
	}
	return decodeCredentials(io.LimitReader(response.Body, 64<<10))
}

func decodeCredentials(from io.Reader) (aws.Credentials, error) {
	var c struct {
		AccessKeyID     string `json:"AccessKeyId"`
		SecretAccessKey string
		Token           string
		Expiration      time.Time
	}
	if err := json.NewDecoder(from).Decode(&c); err != nil || c.AccessKeyID == "" || c.SecretAccessKey == "" {
		return aws.Credentials{}, fmt.Errorf("the task's credentials cannot be read")
	}
	return aws.Credentials{
		AccessKeyID: c.AccessKeyID, SecretAccessKey: c.SecretAccessKey, SessionToken: c.Token,
		Source: "task", CanExpire: true, Expires: c.Expiration,
	}, nil
}

// renewEarly renews credentials before they expire, so that no request in flight is
// signed with old ones.
func renewEarly(o *aws.CredentialsCacheOptions) { o.ExpiryWindow = 5 * time.Minute }
