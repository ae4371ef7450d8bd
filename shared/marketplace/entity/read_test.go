package entity

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Every role of a page has its revision read, so texts and bodies beside the versions must cost nothing.
func TestRevisionAllocatesNothing(t *testing.T) {
	item := Item{attributes: map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: "R#r1"}, "body": &types.AttributeValueMemberB{Value: []byte("{}")},
		"v": &types.AttributeValueMemberN{Value: "3"}, "hmv": &types.AttributeValueMemberN{Value: "4"},
	}}
	if got := item.Revision(); got != 7 {
		t.Errorf("revision %d, want 7", got)
	}
	if got := testing.AllocsPerRun(100, func() { item.Revision() }); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
