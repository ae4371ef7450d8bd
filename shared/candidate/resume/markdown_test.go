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
