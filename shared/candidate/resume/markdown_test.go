package resume

import (
	"testing"
)

func TestMarkdownEntities(t *testing.T) {
	t.Parallel()
	if got, want := Extract(mustRead(t, []byte("# Maya O&#x27;Kafor\n\nmaya@example.com\n\n## Experience\n\n**Welder**, Tern &amp; Sons\n2019 – 2021\n")), asOf), "Maya O'Kafor, Tern & Sons"; got.Name+", "+got.Experiences[0].Company != want {
		t.Errorf("got %q, want %q", got.Name+", "+got.Experiences[0].Company, want)
	}
}

// A mark behind a backslash is text, and a backslash at the end of a line breaks it.
func TestMarkdownEscapes(t *testing.T) {
	t.Parallel()
	doc := mustRead(t, []byte("# Maya Okafor\n\nmaya\\_okafor@example.com\n\n## Experience\n\nEngineer, Acme Ltd\\\n2019 – 2021\n"))
	got := Extract(doc, asOf)
	if len(got.Emails) != 1 || len(got.Experiences) != 1 {
		t.Fatalf("got addresses %q and jobs %+v", got.Emails, got.Experiences)
	}
	if all, want := got.Emails[0]+", "+got.Experiences[0].Company, "maya_okafor@example.com, Acme Ltd"; all != want {
		t.Errorf("got %q, want %q", all, want)
	}
}
