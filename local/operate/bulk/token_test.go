package bulk_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/local/operate/bulk"
)

// recordingClient records the body of a request and responds with {}.
type recordingClient struct{ body []byte }

func (c *recordingClient) Do(r *http.Request) (*http.Response, error) {
	c.body, _ = io.ReadAll(r.Body)
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}}, Body: io.NopCloser(bytes.NewReader([]byte("{}")))}, nil
}

// Transactions are sent without a token; without the option they have one.
func TestWithoutTokens(t *testing.T) {
	t.Parallel()
	sent := &recordingClient{}
	cfg := aws.Config{Region: "us-east-1", HTTPClient: sent, Credentials: aws.AnonymousCredentials{}, BaseEndpoint: aws.String("http://127.0.0.1")}
	for name, c := range map[string]struct {
		cfg  aws.Config
		want bool
	}{"as it is": {cfg, true}, "without": {bulk.WithoutTokens(cfg), false}} {
		_, err := dynamodb.NewFromConfig(c.cfg).TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{{Delete: &types.Delete{TableName: aws.String("t"), Key: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(sent.body, []byte("ClientRequestToken")); got != c.want {
			t.Errorf("%s: a token is sent: %v; want %v", name, got, c.want)
		}
	}
}
