package terminal

import (
	"strings"
	"testing"
)

func TestMembers(t *testing.T) {
	t.Parallel()
	service := respond(200, `{"members":[{"name":"Ada Example","email":"ada@example.com","role":"OWNER","primaryOwner":true,"status":"approved"},
		{"name":"Ben Example","email":"ben@example.com","role":"MEMBER","primaryOwner":false,"status":"deactivated"}],"nextCursor":null}`)
	out, messages, code := runCommand(t, service, "members")
	var got []string
	for line := range strings.Lines(out) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	want := "EMAIL NAME ROLE STATUS PRIMARY|ada@example.com Ada Example OWNER approved yes|ben@example.com Ben Example MEMBER deactivated -"
	if strings.Join(got, "|") != want || code != 0 {
		t.Errorf("got %q, %s, %d; want %q", got, messages, code, want)
	}
}
