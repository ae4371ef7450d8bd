package role

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWithoutLinks(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"", ""},
		{"No links; Node.js, ASP.NET and/or e.g. C++: 3.5/5", "No links; Node.js, ASP.NET and/or e.g. C++: 3.5/5"},
		{"See https://example.com/a?b=c#d.", "See ."},
		{"See (https://example.com/a) for more", "See for more"},
		{"[Our handbook](https://example.com/handbook_(v2) \"Title\") says", "Our handbook says"},
		{"![Logo](http://example.com/l.png) here", "Logo here"},
		{`<a href="https://example.com">Apply</a> now<img src=x>`, "Apply now"},
		{"<https://example.com> and www.example.com, too", "and , too"},
		{"mail MAILTO:ada@example.com or HTTPS://EXAMPLE.COM", "mail or"},
		{"watch youtube.com/watch?v=1 and loom.com", "watch and loom.com"},
		{"[docs][1]\n[1]: https://example.com", "docs"},
		{"hthttps://a.bttps://b.c", ""},
		{"javascript:alert(1)", ""},
		{strings.Repeat("[", 99) + "a" + strings.Repeat("](x)", 99), ""},
		{"ratio 3:1, note: fine", "ratio 3:1, note: fine"},
	}
	for _, tt := range tests {
		if got := removeLinks(tt.in); got != tt.want {
			t.Errorf("withoutLinks(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// Each expression is only run on texts that may match it.
func TestLinksAreFoundInTextsThatMayHaveThem(t *testing.T) {
	t.Parallel()
	pieces := rapid.SampledFrom([]string{"a", "[", "]", "(", ")", ":", "<", ">", "/", "//", " ", "\n", "w", "wWw", "WWW", "www", ".", "1",
		".io", "?", "#", "@", "[1]", "[x]", "mailto", "img", "\\", "é"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(pieces).Draw(t, "pieces"), "")
		if got, want := removeLinks(s), removeByAll(s); got != want {
			t.Fatalf("removeLinks(%q) = %q, want %q", s, got, want)
		}
	})
}

// removeByAll is removeLinks that runs every expression on every text.
func removeByAll(s string) string {
	for range maxNestedLinks {
		next := removeReferences(markdownLink().ReplaceAllString(s, "$1"))
		next = address().ReplaceAllStringFunc(htmlLink().ReplaceAllString(next, ""), trailingPunctuation)
		next = removeHostLinks(next)
		if next == s {
			return s
		}
		next = emptied().ReplaceAllString(next, "")
		s = strings.TrimSpace(spaces().ReplaceAllString(next, " "))
	}
	return ""
}

// FuzzWithoutLinks takes links out of anything: none is left, and a second time
// changes nothing.
func FuzzWithoutLinks(f *testing.F) {
	for _, s := range []string{"[a](https://b)", "hhttp://ttp://x", "www.wwww.", "[x](<javascript:y>)", "<a\n href=//x>", "a.com/(b.com/)", "\xffhttp://\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := removeLinks(s)
		if strings.Contains(got, "://") && address().MatchString(got) || htmlLink().MatchString(got) || removeHostLinks(got) != got {
			t.Errorf("%q leaves a link in %q", s, got)
		}
		if again := removeLinks(got); again != got {
			t.Errorf("%q becomes %q, then %q", s, got, again)
		}
		if len(got) > len(s) {
			t.Errorf("%q grew to %q", s, got)
		}
	})
}
