package deadletter

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
)

// A redriven letter keeps its group, in SQS and in the emulator, so that it waits for its
// tenant's turn.
func TestRedriveKeepsTheGroup(t *testing.T) {
	t.Parallel()
	text := func(value string) types.MessageAttributeValue {
		return types.MessageAttributeValue{DataType: aws.String("String"), StringValue: &value}
	}
	group := map[string]string{"MessageGroupId": "agy_1", "SentTimestamp": "1"}
	for name, tt := range map[string]struct {
		letter types.Message
		want   sqs.SendMessageInput
	}{
		"SQS":          {types.Message{Attributes: group}, sqs.SendMessageInput{MessageGroupId: aws.String("agy_1")}},
		"the emulator": {types.Message{MessageAttributes: map[string]types.MessageAttributeValue{"MessageGroupId": text("agy_1")}}, sqs.SendMessageInput{MessageAttributes: map[string]types.MessageAttributeValue{"MessageGroupId": text("agy_1")}}},
		"SQS, with a trace": {types.Message{Attributes: map[string]string{"AWSTraceHeader": "Root=1"}}, sqs.SendMessageInput{
			MessageSystemAttributes: map[string]types.MessageSystemAttributeValue{"AWSTraceHeader": {DataType: aws.String("String"), StringValue: aws.String("Root=1")}},
		}},
		"a refused letter without a group": {types.Message{MessageAttributes: map[string]types.MessageAttributeValue{messaging.ReasonAttribute: text("no JSON")}},
			sqs.SendMessageInput{MessageAttributes: map[string]types.MessageAttributeValue{}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.letter.Body, tt.want.MessageBody, tt.want.QueueUrl = aws.String("body"), aws.String("body"), aws.String("queue")
			if diff := cmp.Diff(&tt.want, newRedrive("queue", tt.letter), cmpopts.IgnoreUnexported(sqs.SendMessageInput{}, types.MessageAttributeValue{}, types.MessageSystemAttributeValue{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
