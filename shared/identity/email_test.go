package identity

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEmail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 63)
	tests := []struct{ raw, want string }{ // want "" = refused
		{"maya@example.com", "maya@example.com"},
		{"Maya.Okafor+Jobs@Example.COM", "maya.okafor+jobs@example.com"},
		{"o'brien_x-1@mail.example.co.uk", "o'brien_x-1@mail.example.co.uk"},
		{"JO\u0308RG@example.org", "jörg@example.org"},
		{"info@müller.example", "info@müller.example"},
		{"info@xn--mller-kva.example", "info@xn--mller-kva.example"},
		{"用户@例子.测试", "用户@例子.测试"},
		{"अजय@डाटा.भारत", "अजय@डाटा.भारत"},
		{strings.Repeat("a", 64) + "@example.com", strings.Repeat("a", 64) + "@example.com"},

		{"", ""},
		{"maya", ""},
		{"@example.com", ""},
		{"maya@", ""},
		{"maya@localhost", ""},
		{"maya@example.c", ""},
		{"maya@127.0.0.1", ""},
		{"maya@[127.0.0.1]", ""},
		{"maya@@example.com", ""},
		{"maya@example.com,jo@example.com", ""},
		{"Maya <maya@example.com>", ""},
		{"<maya@example.com>", ""},
		{" maya@example.com", ""},
		{"maya@example.com\n", ""},
		{"ma ya@example.com", ""},
		{"maya\x00@example.com", ""},
		{"maya\u00a0@example.com", ""},
		{"\"ma ya\"@example.com", ""},
		{".maya@example.com", ""},
		{"maya.@example.com", ""},
		{"ma..ya@example.com", ""},
		{"maya@example..com", ""},
		{"maya@.example.com", ""},
		{"maya@example.com.", ""},
		{"maya@-example.com", ""},
		{"maya@example-.com", ""},
		{"maya@exam_ple.com", ""},
		{"maya@" + long + "a.com", ""},
		{strings.Repeat("a", 65) + "@example.com", ""},
		{"maya@" + strings.Repeat(long+".", 4) + "com", ""},
		{strings.Repeat("a", 64) + "@" + strings.Repeat(strings.Repeat("𠀀", 63)+".", 3) + strings.Repeat("𠀀", 61), ""}, // 318 characters, 1,068 bytes
		{"maya\xff@example.com", ""},
		{"maya\u202e@example.com", ""},
		{"ma\u2066ya@example.com", ""},
		{"maya@exam\u202eple.com", ""},
		{"maya@example.com\u200f", ""},
	}
	for _, tt := range tests {
		got, ok := Email(tt.raw)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("Email(%q) = %q, %v; want %q", tt.raw, got, ok, tt.want)
		}
	}
}

func TestEmailIgnoresCaseOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.StringMatching(`[a-z0-9]+([.+_-][a-z0-9]+){0,3}@([a-z0-9]{1,10}\.){1,3}[a-z]{2,6}`).
			Filter(func(s string) bool { return strings.IndexByte(s, '@') <= maxLocal }).Draw(t, "email")
		if got, ok := Email(strings.ToUpper(want)); !ok || got != want {
			t.Fatalf("Email(upper(%q)) = %q, %v", want, got, ok)
		}
	})
}

func FuzzEmail(f *testing.F) {
	f.Add("Maya@Example.com")
	f.Add("ǅ@İ.example")
	f.Add("a@b.cc\u0301")
	f.Fuzz(func(t *testing.T, raw string) {
		got, ok := Email(raw)
		if !ok {
			return
		}
		if again, ok := Email(got); !ok || again != got {
			t.Errorf("Email(%q) = %q, whose canonical form is %q, %v", raw, got, again, ok)
		}
		if strings.Count(got, "@") != 1 || strings.ContainsAny(got, " \t\r\n<>\",;") {
			t.Errorf("Email(%q) = %q is no single bare address", raw, got)
		}
	})
}
