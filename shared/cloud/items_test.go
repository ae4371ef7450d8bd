package cloud_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

type colour string

type paint struct {
	Colour colour `dynamo:"c,omitempty"`
	Dry    bool   `dynamo:"d"`
}

type wall struct {
	PK string `dynamo:"pk,hash"`
	paint
	Height  int64   `dynamo:"h"`
	Bricks  int     `dynamo:"b"`
	Width   float64 `dynamo:"w"`
	Names   []string
	Doors   map[string]int64 `dynamo:"doors"`
	Owner   *string          `dynamo:"o"`
	Built   time.Time        `dynamo:"built"`
	Planned string           `dynamo:"-"`
}

func TestDecodeItemIsUnmarshalItem(t *testing.T) {
	t.Parallel()
	whole, err := dynamo.MarshalItem(wall{
		"pk", paint{"red", true}, 3, 4, 1.5, []string{"a", "b"}, map[string]int64{"x": 1}, new("o"), time.Unix(5, 0).UTC(), "",
	})
	if err != nil {
		t.Fatal(err)
	}
	null := &types.AttributeValueMemberNULL{Value: true}
	number := &types.AttributeValueMemberN{Value: "12"}
	for name, item := range map[string]dynamo.Item{
		"whole": whole, "empty": {}, "null": {"pk": null, "h": null, "o": null, "c": null}, "others": {"pk": number, "-": number, "Planned": number, "x": number},
		"number for a text": {"c": number}, "text for a number": {"h": whole["pk"]}, "no number": {"h": &types.AttributeValueMemberN{Value: "1.5"}},
		"number for a boolean": {"d": number}, "list for a text": {"pk": whole["Names"]},
	} {
		var got, want wall
		err := cloud.DecodeItem(item, &got)
		wantErr := dynamo.UnmarshalItem(item, &want)
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%s: error %v, want %v", name, err, wantErr)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(wall{})); diff != "" && err == nil {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
