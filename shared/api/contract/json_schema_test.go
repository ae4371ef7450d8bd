package contract

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type described struct {
	ID    string   `path:"id" check:"required,min=1"`
	Where *string  `json:"where" check:"required,nullable,enum=workplaceType" doc:"Where."`
	Size  int64    `json:"size,omitempty" check:"min=1,max=9"`
	Flag  bool     `json:"flag" check:"required,const=true"`
	Word  string   `json:"word" check:"const=yes"`
	Inner *inner   `json:"inner" check:"nullable"`
	Mails []string `json:"mails" check:"min=1,max=3,format=email"`
}

// TestJSONSchema shows both directions of one type, with and without references.
func TestJSONSchema(t *testing.T) {
	t.Parallel()
	short := func(*Schema) map[string]any { return map[string]any{"$ref": "inner"} }
	self := SchemaOf(typeOf[described]())
	for name, tt := range map[string]struct{ got, want any }{
		"taken in": {JSONSchema{Object: short}.Describe(self), `{"type":"object","required":["where","flag"],"properties":{
			"where":{"type":["string","null"],"enum":["REMOTE","ON_SITE","HYBRID",null],"description":"Where."},
			"size":{"type":"integer","format":"int64","minimum":1,"maximum":9},"flag":{"type":"boolean","not":{"const":false}},"word":{"type":"string","const":"yes"},
			"inner":{"anyOf":[{"$ref":"inner"},{"type":"null"}]},
			"mails":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","format":"email"}}}}`},
		"sent": {JSONSchema{Response: true, Object: short}.Describe(self), `{"type":"object","required":["where","flag","word","inner","mails"],"properties":{
			"where":{"type":["string","null"],"x-extensible-enum":["REMOTE","ON_SITE","HYBRID"],"description":"Where."},
			"size":{"type":"integer","format":"int64","minimum":1,"maximum":9},"flag":{"type":"boolean"},"word":{"type":"string","const":"yes"},
			"inner":{"anyOf":[{"$ref":"inner"},{"type":"null"}]},
			"mails":{"type":"array","items":{"type":"string","format":"email"}}}}`},
		"in full": {JSONSchema{}.Field(self.Fields[5]), `{"type":["object","null"],"required":["flag"],
			"properties":{"flag":{"type":"boolean","not":{"const":false},"description":"Must be true."}}}`},
	} {
		raw, err := json.Marshal(tt.got)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(tt.want.(string)), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFormatsAreDescribed holds that every format has words of JSON Schema.
func TestFormatsAreDescribed(t *testing.T) {
	t.Parallel()
	for _, name := range Formats {
		if jsonFormats[name] == nil {
			t.Errorf("the format %s has none", name)
		}
	}
	if len(jsonFormats) != len(Formats) {
		t.Errorf("%d formats are described of %d", len(jsonFormats), len(Formats))
	}
}
