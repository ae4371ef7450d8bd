package role

import "testing"

// TestLinkFormsAreRemoved has every form in which a text may link: nothing of the address is left.
func TestLinkFormsAreRemoved(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		// with a scheme
		"http://a.com": "", "https://a.com/x": "", "HTTPS://A.COM/X": "", "ftp://a.com/x": "", "https://user:pw@a.com:8080/x": "",
		"https://10.0.0.1/x": "", "https://localhost:8080": "", "https://[::1]/x": "", "slack://channel?id=1": "", `https:\\a.com\x`: "",
		"mailto:ada@example.com": "", "tel:+15550100": "", "javascript:alert(1)": "", "data:text/html,x": "",
		// without a scheme
		"//a.com/x": "", "//a.com": "", "www.a.com": "", "www2.a.com/x": "", "a.com/": "", "a.com/x": "", "a.com?x=1": "", "a.com#x": "",
		"a.com:8080": "", "a.com:8080/x": "", "a.com./x": "", "ada@a.com/x": "", "sub_x.a.com/x": "", "A.COM/X": "",
		// of any public suffix
		"acme.careers/eng": "", "acme.jobs/eng": "", "acme.ch/jobs": "", "acme.it/x": "", "acme.in/x": "", "acme.vc/x": "", "acme.co.uk/x": "",
		"acme.com.br/x": "", "acme.github.io/x": "", "acme.museum#x": "", "bücher.de/x": "", "例子.中国/x": "", "пример.рф/x": "",
		// Markdown
		"[text](https://a.com)": "text", "[text](/relative \"Title\")": "text", "![alt](https://a.com/x.png)": "alt", "<https://a.com>": "",
		"[text][1]": "text", "[text][]": "text", "[text][ref]\n\n[ref]: https://a.com \"Title\"": "text",
		"[ref] it\n[ref]: a.com": "ref it", "[1]: <https://a.com/x>": "",
		// HTML
		`<a href="https://a.com">text</a>`: "text", `<img src="//a.com/x">text`: "text",
		// in a sentence
		"See (acme.careers/eng), or acme.ch/jobs?x=1.": "See , or .", "Ask //acme.it/x!": "Ask !",
	} {
		if got := removeLinks(in); got != want {
			t.Errorf("removeLinks(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestNoLinksStay has texts with dots, colons, slashes and brackets that are no links.
func TestNoLinksStay(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"Booking.com", "Do you know Booking.com? Or Monday.com: yes.", "We compete with Amazon.com, Walmart.com and others", "ada@a.com",
		"Node.js/React, Vue.js/Nuxt.js", "ASP.NET/C# and VB.NET/C#, Socket.io/Redis", ".NET/C#", "and/or, 24/7, 3.5/5, v1.2.3:4", "e.g./i.e., U.S./U.K.",
		"B.Sc./M.Sc. or B.Com/M.Com or B.Tech/M.Tech", "Ph.D./M.D.", "ratio 3:1, note: fine", "// a comment", "at 10.30:15", "what?x=1#y", "a.b.c:1",
		"rows[i][j] and m[0][1]", "[Note]: we pay for travel", "[senior][junior] engineer", "C:\\x is a path", "x::y", "#hash ?query /path",
	} {
		if got := removeLinks(s); got != s {
			t.Errorf("removeLinks(%q) = %q", s, got)
		}
	}
}
