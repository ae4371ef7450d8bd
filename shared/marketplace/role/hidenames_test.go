package role

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHide(t *testing.T) {
	t.Parallel()
	h := newNameHider("XX", []string{"Acmé Robotics, Inc.", "ACR", "株式会社アクメ", "C3", "Ørsted"})
	tests := []struct{ in, want string }{
		{"", ""},
		{"Nothing here", "Nothing here"},
		{"Join Acmé Robotics, Inc. today", "Join XX. today"},
		{"Join ACME ROBOTICS today", "Join XX today"},
		{"Join acme-robotics' team", "Join XX' team"},
		{"Acme\u00ad Robotics's team", "XX's team"},
		{"Ａｃｍｅ　Ｒｏｂｏｔｉｃｓ", "XX"},
		{"jobs at acmerobotics.com or @AcmeRobotics", "jobs at XX.com or @XX"},
		{"ACR and acrobats, MACR, acr_team", "XX and acrobats, MACR, XX_team"},
		{"Robotics at Acme", "Robotics at XX"},
		{"Acme and its many Robotics", "XX and its many Robotics"},
		{"東京の株式会社アクメで働く", "東京のXXで働く"},
		{"c3.ai, C3PO, c3po", "XX.ai, XX, XX"},
		{"at orsted", "at XX"},
		{"A\u0301cme\u0301 robotics", "XX"},
		{"Acme Robotics Acme Robotics", "XX XX"},
		{"AcmeRoboticsHQ, getacmerobotics.com, #LifeAtAcmeRobotics", "XX, XX.com, #XX"},
		{"Orsteds and ORSTEDHQ, not worsted", "XX and XX, not worsted"},
		{"<b>Acme</b>\n<i class=\"x\">Robotics</i>", "<b>XX</i>"},
		{"Acme&nbsp;Robotics, acme%20robotics, Acme &#8211; Robotics", "XX, XX, XX"},
		{"<img alt=\"Acme Robotics\"> &ACR;", "<img alt=\"XX\"> &XX;"},
		{"see joinacr.com, mail jobs@get-acr.io or hi@acrteam.example.org, follow @useacr", "see XX.com, mail jobs@get-XX.io or hi@XX.example.org, follow @XX"},
		{"macro.js, the massacre. Common sense", "macro.js, the massacre. Common sense"},
		{"Acme<br><br>Our robotics", "XX<br><br>Our robotics"},
		{"&Oslash;rsted, Acm&eacute; Robotics, Ac&shy;me &#82;obotics, %C3%98rsted", "XX, XX, XX, XX"},
		{"<b>Ac</b>me Robotics, <i class=\"x\">Ø</i>rsted, Ør<wbr>sted", "XX, XX, XX"},
		{"a ma<br>crome pot, the <p>mac</p>romancer", "a ma<br>crome pot, the <p>mac</p>romancer"},
		{"caf&eacute; &amp; bar, 5 &lt; 6, 100%25 of %zz", "café &amp; bar, 5 &lt; 6, 100%25 of %zz"},
	}
	for _, tt := range tests {
		if got := h.hideNames(tt.in); got != tt.want {
			t.Errorf("hide(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	amp := newNameHider("XX", []string{"Harbour & Vale", "The Trade Desk", "Salt and Pepper Ltd"})
	for in, want := range map[string]string{
		"Harbour & Vale, Harbour and Vale, harbour-vale, HARBOUR AND VALE's": "XX, XX, XX, XX's",
		"harbourandvale.com, @harbourvale, Harbour&amp;Vale":                 "XX.com, @XX, XX",
		"a harbour and a vale, harbour or vale, harbours":                    "a XX and a XX, XX or XX, harbours",
		"at the Trade Desk or Trade Desk, the trade, a desk":                 "at XX or XX, the trade, a desk",
		"Salt & Pepper, Salt and Pepper Ltd., salt pepper, salt and":         "XX, XX., XX, XX and",
	} {
		if got := amp.hideNames(in); got != want {
			t.Errorf("hide(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := newNameHider("XX", []string{"Salt & Co", "&"}).hideNames("Salt and pepper & more at Salt and Co."), "XX and pepper & more at XX."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := newNameHider("XX", []string{"", "—"}).hideNames("a — b"); got != "a — b" {
		t.Errorf("a name without words hid something: %q", got)
	}
}

// FuzzHide hides any name in any text: no whole word of a one-word name is left.
func FuzzHide(f *testing.F) {
	f.Add("Acmé", "We are ACME. acme's \u00adacme")
	f.Add("東京", "東京都")
	f.Add("a\u0301", "á Á a\u0301\xff")
	f.Fuzz(func(t *testing.T, name, s string) {
		words := wordsOf(name)
		if len(words) != 1 || !utf8.ValidString(s) || !utf8.ValidString(name) {
			return
		}
		got := newNameHider("[…]", []string{name}).hideNames(s)
		if strings.Contains(" "+strings.Join(wordsOf(got), " ")+" ", " "+words[0]+" ") {
			t.Errorf("%q is still in %q", name, got)
		}
		if again := newNameHider("[…]", []string{name}).hideNames(got); again != got {
			t.Errorf("hiding twice makes %q of %q", again, got)
		}
	})
}
