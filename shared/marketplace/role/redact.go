package role

import (
	"net/url"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

// Unredacted is a role with all that belongs to it, as the marketplace sent it. It can be
// handed on, but its fields are private: [Redact] is the only way to them.
type Unredacted struct {
	content
	revision int64
}

type content struct {
	id       string
	role     Role
	company  Company
	metrics  *Metrics
	pipeline Pipeline
}

// Revision returns a number that grows with every change of the role, its company's facts included.
func (r Unredacted) Revision() int64 { return r.revision }

// Caller is what redaction must know of who asks.
type Caller struct {
	// Involvement is that of the caller, or of the member who is acted for. Without approval one is a stranger, too.
	Involvement
	// FeesHidden: the caller's agency hides payment, and the caller is not an owner.
	FeesHidden bool
	// LinksOmitted takes embedded links out of prose (the agency surface).
	LinksOmitted bool
	// Now decides about trials.
	Now time.Time
}

// DefaultAnonymizedName is what a company is called that has no anonymized name.
const DefaultAnonymizedName = "Confidential company"

// anonymizedEmployer is the same in copy for candidates.
const anonymizedEmployer = "the company"

// View is a role as one caller may see it. Everything in it may be shown, and nothing else can be reached from it.
type View struct {
	content
	caller Caller
	// text is what every further text about the role goes through.
	text func(string) string
}

// Redact decides what a caller may see of a role: the company of a stealth role is
// withheld from strangers, with its names wherever they occur; that of a confidential one from the
// texts for candidates; the fee is the one that the caller is offered, or none; embedded links go where they are omitted.
func Redact(r Unredacted, c Caller) View {
	v := View{content: r.content, caller: c, text: func(s string) string { return s }}
	if c.LinksOmitted {
		v.text = removeLinks
	}
	isWithheld := r.role.Visibility == contract.RoleVisibilityStealth && !c.Assignment.Approved()
	switch {
	case isWithheld:
		label := v.anonymizedLabel(DefaultAnonymizedName)
		v.text = v.company.hideIn(label)
		v.company = Company{CompanyFacts: CompanyFacts{Industries: v.company.Industries}} // which do not identify it
		v.role.CompanyID = ""
		v.role.ConfidentialSearch = true
		v.role.AnonymizedName = &label
	case r.role.ConfidentialSearch: // the other texts are for the recruiter, who knows the company (contract, Role summary row)
		hider := sync.OnceValue(func() func(string) string { return v.company.hideIn(v.anonymizedLabel(anonymizedEmployer)) })
		hide := func(s string) string { return hider()(s) } // lists have none of these texts
		g := &v.role.Guidance
		g.SellingPoints = rewriteTexts(g.SellingPoints, hide)
		g.OutreachHighlights = rewriteTexts(g.OutreachHighlights, hide)
		g.CandidateSellingPoints = rewriteTexts(g.CandidateSellingPoints, hide)
		g.OutreachTemplates = rewriteTexts(g.OutreachTemplates, hide)
	}
	if c.LinksOmitted || isWithheld { // other texts stay as they are
		v.role = rewriteTexts(v.role, v.text)
		v.company = rewriteTexts(v.company, v.text)
		v.pipeline = rewriteTexts(v.pipeline, v.text)
	}
	if isWithheld {
		v.company.Name = *v.role.AnonymizedName
	}
	switch {
	case c.FeesHidden:
		v.role.Fee = Fee{}
	case c.Assignment.Approved() && c.Assignment.Fee != nil:
		v.role.Fee = *c.Assignment.Fee
	}
	if !c.Assignment.Approved() {
		v.role.RecruitURL = nil
	}
	return v
}

// anonymizedLabel returns the role's anonymized name, without the names of the company that it may
// have; other if there is none, or if the company's event has not arrived yet.
func (v *View) anonymizedLabel(other string) string {
	label := optional.Value(v.role.AnonymizedName)
	if strings.TrimSpace(label) == "" || v.company.Name == "" {
		return other
	}
	return v.company.nameHider(other).hideNames(label)
}

// hideIn returns what replaces the company's names in texts by a label, and removes links: they identify it.
func (c CompanyFacts) hideIn(label string) func(string) string {
	if c.Name == "" {
		// The company's event has not arrived yet, so it is not known which words to hide.
		return func(string) string { return "" }
	}
	h := c.nameHider(label)
	return func(s string) string { return h.hideNames(removeLinks(s)) }
}

func (c CompanyFacts) nameHider(label string) nameHider {
	names := append([]string{c.Name}, c.Aliases...)
	website, err := url.Parse(optional.Value(c.WebsiteURL))
	if err != nil {
		return newNameHider(label, names)
	}
	return newNameHider(label, names, website.Hostname())
}

// RedactText is a further text about the role as the caller may read it; nil without the role, which says what to hide.
func (v View) RedactText(s *string) *string {
	if s == nil || v.text == nil {
		return nil
	}
	return new(v.text(*s))
}

// anonymizedName returns nil unless the search is confidential.
func (v View) anonymizedName() *string {
	if !v.role.ConfidentialSearch {
		return nil
	}
	return v.role.AnonymizedName
}

// rewriteTexts returns a copy of v in which f has been over every text. A field is text
// unless its tag says "plain", so a new field cannot be forgotten.
func rewriteTexts[T any](v T, f func(string) string) T {
	rewriteValue(reflect.ValueOf(&v).Elem(), f)
	return v
}

// rewriteValue changes the texts in v, those behind pointers and in slices in copies.
func rewriteValue(v reflect.Value, f func(string) string) {
	switch {
	case v.Type() == reflect.TypeFor[contract.Time]():
	case v.Kind() == reflect.String:
		v.SetString(f(v.String()))
	case v.Kind() == reflect.Pointer && !v.IsNil():
		copied := reflect.New(v.Type().Elem())
		copied.Elem().Set(v.Elem())
		rewriteValue(copied.Elem(), f)
		v.Set(copied)
	case v.Kind() == reflect.Slice && !v.IsNil():
		copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(copied, v)
		for i := range v.Len() {
			rewriteValue(copied.Index(i), f)
		}
		v.Set(copied)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if _, plain := v.Type().Field(i).Tag.Lookup("plain"); !plain {
				rewriteValue(v.Field(i), f)
			}
		}
	}
}
