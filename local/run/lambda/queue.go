package lambda

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Queue identifies a standard queue.
type Queue struct {
	URL, ARN string
}

// QueueSpec is what [EnsureQueue] ensures.
type QueueSpec struct {
	Name string
	// Visibility is how long a received message stays hidden, in whole seconds.
	Visibility time.Duration
	// MaxReceives is how often a message is received before it moves to the dead-letter queue.
	MaxReceives int
}

// EnsureQueue creates the queue and its dead-letter queue, named like it with "-dlq" appended, if they do not exist,
// and sets the queue's attributes. It is idempotent.
func EnsureQueue(ctx context.Context, client *sqs.Client, spec QueueSpec) (queue, deadLetters Queue, err error) {
	deadLetters, err = createQueue(ctx, client, spec.Name+"-dlq")
	if err != nil {
		return Queue{}, Queue{}, err
	}
	queue, err = createQueue(ctx, client, spec.Name)
	if err != nil {
		return Queue{}, Queue{}, err
	}
	redrive, err := json.Marshal(map[string]any{
		"deadLetterTargetArn": deadLetters.ARN,
		"maxReceiveCount":     spec.MaxReceives,
	})
	if err != nil {
		return Queue{}, Queue{}, err
	}
	_, err = client.SetQueueAttributes(ctx, &sqs.SetQueueAttributesInput{QueueUrl: &queue.URL, Attributes: map[string]string{
		string(types.QueueAttributeNameVisibilityTimeout): strconv.Itoa(int(spec.Visibility / time.Second)),
		string(types.QueueAttributeNameRedrivePolicy):     string(redrive),
	}})
	return queue, deadLetters, err
}

// createQueue creates a queue without attributes, which succeeds if it exists with any attributes.
func createQueue(ctx context.Context, client *sqs.Client, name string) (Queue, error) {
	created, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		return Queue{}, err
	}
	got, err := client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl:       created.QueueUrl,
		AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn},
	})
	if err != nil {
		return Queue{}, err
	}
	return Queue{URL: *created.QueueUrl, ARN: got.Attributes[string(types.QueueAttributeNameQueueArn)]}, nil
}
