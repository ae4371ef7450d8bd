package resume

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// The same resume, saved by LibreOffice in three more formats, says the same as its DOCX.
func TestFormatsAgree(t *testing.T) {
	t.Parallel()
	want := Extract(mustRead(t, readSample("jonas-lindqvist.docx")), asOf)
	for _, kind := range []filetype.Type{filetype.ODT, filetype.RTF, filetype.HTML} {
		content, err := os.ReadFile("testdata/jonas-lindqvist." + string(kind))
		if err != nil {
			t.Fatal(err)
		}
		doc := mustRead(t, content)
		if doc.Type != kind {
			t.Errorf("type %q, want %q", doc.Type, kind)
		}
		if diff := cmp.Diff(want, Extract(doc, asOf)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}

func TestReadODT(t *testing.T) {
	t.Parallel()
	got := mustRead(t, resumetest.NewODT(`<text:h>Maya<text:tab/>Okafor</text:h>stray<text:p>one<text:line-break/>two<text:s/>three<office:annotation><text:p>note</text:p></office:annotation></text:p>
		<text:p>before <draw:text-box><text:p>boxed</text:p></draw:text-box>after</text:p><text:p><text:a xlink:href="https://example.org/a">link</text:a></text:p>`,
		resumetest.Part{Name: "styles.xml", Text: `<s><style:header><text:p>head</text:p></style:header></s>`}))
	want := document.Document{Type: filetype.ODT, Blocks: [][]string{{"head", "Maya\tOkafor", "one", "two three", "before"}, {"boxed"}, {"after", "link"}}, Links: []string{"https://example.org/a"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

func TestReadHTML(t *testing.T) {
	t.Parallel()
	got := mustRead(t, []byte(`<!DOCTYPE html><html><head><title>no</title></head><body><!-- no --><h1>Maya
		<b>Ok</b>afor</h1><script>var no = "<p>"</script><STYLE>no</STYLE><p>a &lt; b &amp; 5 < 6<br>next</p>
		<table><tr><td>left</td><td>right</td></tr></table><a title=">" href='https://example.org/?a=1&amp;b=2'>link</a></body></html>`))
	want := document.Document{Type: filetype.HTML, Blocks: [][]string{{"Maya Okafor", "a < b & 5 < 6", "next", "left\tright", "link"}}, Links: []string{"https://example.org/?a=1&b=2"},
		Markup: document.Markup{Styles: map[string]string{"Maya Okafor": "h1.", "a < b & 5 < 6": "p.", "next": "p.", "left": "td.", "right": "td.", "link": ">a."}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

// A role is that of the whole element, with the elements of its name inside.
func TestRolesOfHTML(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]map[string]document.Role{
		`<span class="company"><span>Tern</span> Ltd</span>`:                      {"Tern Ltd": document.CompanyRole},
		`<span class="company">Tern</span> <span>Ltd</span>`:                      {"Tern": document.CompanyRole},
		`<span class="company"><span hidden>Company: </span>Tern Ltd</span>`:      {"Tern Ltd": document.CompanyRole},
		`<span class="company">Tern <span hidden>x</span>Ltd</span>`:              {"Tern Ltd": document.CompanyRole},
		`<span class="company"><b>Tern<br></b> <span>Ltd</span></span>`:           nil,
		`<span><span class="company">Tern</span> Ltd</span>`:                      {"Tern": document.CompanyRole},
		`<span class="company"></span>Deck <span>Officer</span>`:                  nil,
		`<div class="job-title"><div>Deck</div> Officer</div>`:                    nil,
		`<b class="role">Deck <span class="company"><span>Tern</span> Ltd</span>`: {"Tern Ltd": document.CompanyRole},
	} {
		if diff := cmp.Diff(want, mustRead(t, []byte("<html>"+body)).Markup.Roles); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

func TestReadRTF(t *testing.T) {
	t.Parallel()
	got := mustRead(t, []byte(`{\rtf1\ansi\ansicpg1250\uc1{\fonttbl{\f0 Arial;}}{\info{\title no}}{\*\generator no;}
{\header\pard head\par}\pard Maya Oka\'9cfor \u379?\u321\'3f\'f3\par
one\tab two\line three\{\\\}\~x\_y{\pict\bin2 {}}{\uc2\u26093??}\u-24561?\par
{\field{\*\fldinst{HYPERLINK "https://example.org/a"}}{\fldrslt link}}\par Yoshi \u-10174?\u-8265?\par lone \u-10174?x\u-8265?}junk`))
	want := document.Document{Type: filetype.RTF, Blocks: [][]string{{"head", "Maya Okaśfor ŻŁó", "one\ttwo", `three{\} x-y旭` + "\ua00f", "link", "Yoshi \U00020bb7", "lone x"}}, Links: []string{"https://example.org/a"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

// White space of the file is one space, however its elements divide it; the spaces of text:s are as many as it says.
func TestODTSpaces(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"<text:p>\n\t\t<text:span>Maya\n\t\t\t</text:span>\n\t\tOkafor\n\t</text:p>": "Maya Okafor",
		`<text:p>Engineer <text:s text:c="7"/>2019</text:p>`:                         "Engineer\t2019",
		`<text:p>Engineer<text:s text:c="999999999"/>2019</text:p>`:                  "Engineer\t2019",
		`<text:p>Engineer.<text:s text:c="2"/>Worker</text:p>`:                       "Engineer. Worker",
		`<text:p>Maya<text:s text:c="0"/>Okafor</text:p>`:                            "MayaOkafor",
		"<text:p>Maya <text:s/>\n<text:tab/> Okafor</text:p>":                        "Maya\tOkafor",
	} {
		if got := mustRead(t, resumetest.NewODT(body)).Blocks; !cmp.Equal(got, [][]string{{want}}) {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}

// An element hides what is in it, and nothing behind it.
func TestHiddenHTML(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`<div hidden><div>no</div>no</div>`:                                          nil,
		`<div hidden><DIV><div/>no</div>no</div>no</div>`:                            nil,
		`<div hidden><p>no<br hidden><div>no</div></p>no</div>`:                      nil,
		`<table style="display: none"><tr><td><table></table>no</table>`:             nil,
		`<template><template></template>no</template>`:                               nil,
		`<ul><li hidden>no<ul><li>no</ul>no<li>yes</li></ul>`:                        {"• yes"},
		`<ul><li hidden>no<ul><li>no</li></ul>no</ul>yes`:                            {"yes"},
		`<p hidden>no<p>yes</p>`:                                                     {"yes"},
		`<table><tr><td hidden>no<table><td>no</table>no<td>yes</table>`:             {"yes"},
		`<svg><svg/><text>no</text></svg>yes<svg/>yes<script>"<script>"</script>yes`: {"yes", "yes", "yes"},
		`<form hidden>no<form>no</form>yes`:                                          {"yes"},
		`<dl><dd hidden>no<dl><dt>no</dl>no<dt>yes</dl>`:                             {"yes"},
		`<table><tr><th hidden>no<td>yes</table>`:                                    {"yes"},
		`<table><tr><td>a<td hidden>no<tr><td>b</table>`:                             {"a", "b"},
		`<table><thead hidden><tr><th>no<tbody><tr><td>yes</table>`:                  {"yes"},
		`<p hidden>no<ul><li>yes</li></ul>`:                                          {"• yes"},
		`<p hidden>no<hr>yes`:                                                        {"yes"},
		`<h2 hidden><div><h3>no</h3></div></h2>yes`:                                  {"yes"},
	} {
		got := slices.Concat(mustRead(t, []byte("<html><p>before</p>"+body+"<p>after")).Blocks...)
		if diff := cmp.Diff(slices.Concat([]string{"before"}, want, []string{"after"}), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

// The head ends with or without an end tag, and holds no second one.
func TestHeadOfHTML(t *testing.T) {
	t.Parallel()
	for _, head := range []string{
		`<head><title>no</title></head><body>`, `<head><title>no</title><head><meta charset="utf-8"></head><body>`, `<head><title>no</title><body>`,
		`<head><style>no</style>`, `<HEAD><script>"</head>"</script></HEAD>`, `<title>no</title>`,
		`<head><template><p>no</p></template><meta name="x" content="no"><link rel="no"><noscript><p>no</noscript></head>`,
	} {
		got := slices.Concat(mustRead(t, []byte("<html>"+head+"<p>Maya")).Blocks...)
		if !slices.Equal(got, []string{"Maya"}) {
			t.Errorf("%s: got %q", head, got)
		}
	}
}

func hostileOthers() []hostile {
	return []hostile{
		{"odt: a gigabyte of spaces", document.ResourceLimit, resumetest.ZipParts(resumetest.Part{Name: "mimetype", Text: filetype.ODT.ContentType()}, resumetest.Part{Name: "content.xml", Deflated: repeatDeflated(" ", 1<<30), Size: 1 << 30})},
		{"odt: nested 100,000 deep", document.ResourceLimit, resumetest.NewODT(strings.Repeat("<text:p>", 100_000))},
		{"odt: entity bomb", document.Corrupt, resumetest.ZipParts(resumetest.Part{Name: "mimetype", Text: filetype.ODT.ContentType()}, resumetest.Part{Name: "content.xml", Text: `<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>`})},
		{"odt: no content", document.Corrupt, resumetest.ZipParts(resumetest.Part{Name: "mimetype", Text: filetype.ODT.ContentType()})},
		{"odt: locked with a password", document.Encrypted, resumetest.NewODT("", resumetest.Part{Name: "META-INF/manifest.xml", Text: "<m:encryption-data/>"})},
		{"rtf: a million groups", document.ResourceLimit, []byte(`{\rtf1` + strings.Repeat("{", 1_000_000))},
		{"rtf: a million closing braces", "", []byte(`{\rtf1 Maya}` + strings.Repeat("}", 1_000_000))},
		{"rtf: binary without end", document.NoTextLayer, []byte(`{\rtf1\bin2147483647 Maya`)},
		{"rtf: no text", document.NoTextLayer, []byte(`{\rtf1{\*\x Maya}}`)},
		{"rtf: one line of 2 MB", "", []byte(`{\rtf1 ` + strings.Repeat("word ", 2<<20/5))},
		{"html: nested 200,000 deep", document.NoTextLayer, []byte("<html>" + strings.Repeat("<div>", 200_000))},
		{"html: a tag of 8 MB", document.ResourceLimit, []byte("<html><p " + strings.Repeat("a", 8<<20))},
		{"html: a tag of 2,000 attributes", document.ResourceLimit, []byte("<html><p " + repeatNumbered(2000*6, "a%04d ") + ">Maya")},
		{"html: two million open comments", document.NoTextLayer, []byte("<html>" + strings.Repeat("<!--", 2_000_000))},
		{"html: a million open scripts", document.NoTextLayer, []byte("<html>" + strings.Repeat("<script>", 1_000_000))},
		{"html: 100,000 scripts", document.NoTextLayer, []byte("<html>" + strings.Repeat("<script></script>", 100_000))},
		{"html: 400,000 entities", "", []byte("<html>" + strings.Repeat("&#x41;", 400_000))},
		{"html: a million open brackets", "", []byte("<html>" + strings.Repeat("< ", 1_000_000))},
		{"markdown: 8.9 MB of open brackets", "", []byte("# Curriculum vitae\n" + strings.Repeat("[", 89<<20/10))},
		{"docx: 90,000 hyperlinks and relationships", "", resumetest.NewDOCX(resumetest.NewDocumentPart("<w:p>"+strings.Repeat(`<w:hyperlink r:id="x"/>`, 90_000)+"<w:t>Maya Okafor</w:t></w:p>"),
			newRelationships(repeatNumbered(90_000*43, `<Relationship Id="%d" Target="%[1]d.xml"/>`)))},
		{"docx: 90,000 relationships to headers", document.Corrupt, resumetest.NewDOCX(resumetest.NewDocumentPart("<w:p><w:t>Maya Okafor</w:t></w:p>"),
			newRelationships(repeatNumbered(90_000*43, `<Relationship Id="%[1]d" Type="x/header" Target="%[1]d"/>`)))},
		{"text: nothing but brackets", "", []byte(strings.Repeat("[](", 500_000))},
	}
}

func FuzzRTF(f *testing.F) {
	f.Add([]byte(` Maya \'9c\u379?\par{\field{\*\fldinst HYPERLINK "x"}{\fldrslt y}}}`))
	f.Add([]byte(`\uc9\u-1\bin3 {{{\*\*`))
	f.Fuzz(func(t *testing.T, content []byte) { checkRead(t, append([]byte(`{\rtf1`), content...)) })
}

func FuzzHTML(f *testing.F) {
	f.Add([]byte(`<p title=">">Maya<script>x</script><a href=x>&lt;`))
	f.Add([]byte("<!--<title><<<"))
	f.Fuzz(func(t *testing.T, content []byte) { checkRead(t, append([]byte("<html>"), content...)) })
}

func FuzzODT(f *testing.F) {
	f.Add(`<text:p>Maya<text:s/><draw:x><text:p/></draw:x></text:p>`)
	f.Fuzz(func(t *testing.T, body string) { checkRead(t, resumetest.NewODT(body)) })
}
