package console

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// shownMembers are the members of JSON objects with texts that are shown, if a log may hold them as
// well ([cloud.LogID]): ids, times, codes and values of enumerations. Every other text, in a member
// that is new as well, is replaced by its length: it may be a name, an address, a key or a part of a
// resume.
var shownMembers = map[string]bool{
	"id": true, "batchId": true, "submissionId": true, "candidateUserId": true, "uploadId": true, "resumeUploadId": true, "roleId": true,
	"candidateId": true, "matchId": true, "callId": true, "agencyId": true, "request_id": true, "clientReferenceId": true,
	"createdAt": true, "updatedAt": true, "expiresAt": true, "occurredAt": true, "addedAt": true,
	"status": true, "type": true, "code": true, "errorCode": true, "resultStatus": true, "environment": true, "scopes": true,
	"keyType": true, "version": true, "entityId": true,
	"locations": true, "workplaceTypes": true, "idealFundingRounds": true, "visaAuthorization": true, "roleType": true,
}

// messageMembers hold sentences of the API's own, in which what a caller sent is quoted. They are
// shown without what is quoted.
var messageMembers = []string{"message", "errorMessage", "formErrors", "fieldErrors", "errors"}

var (
	quoted  = regexp.MustCompile(`"(?:\\.|[^"\\])*"?|'[^']*@[^']*'`)
	address = regexp.MustCompile(`\S*(@|rmk_)\S*`)
	plain   = regexp.MustCompile(`^[A-Za-z0-9_.\[\]-]{1,64}$`)
)

// plainName returns the name of a member or parameter, and "*" for one that may be something else.
func plainName(name string) string {
	if plain.MatchString(name) && !strings.Contains(name, "rmk_") {
		return name
	}
	return "*"
}

// maxShown is about how many bytes of a redacted body are shown.
const maxShown = 4 * maxCaptured

// redacted returns a body as a page may show it: JSON, indented, in which texts are replaced as
// [shownMembers] says. It ends where the JSON does, or what was kept of it.
func (p *part) redacted() string {
	switch {
	case p.size == 0:
		return ""
	case !p.isJSON():
		return fmt.Sprintf("‹%d bytes that are not JSON›", p.size)
	}
	r := redactor{from: jsontext.NewDecoder(bytes.NewReader(p.data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	for r.to.Len() < maxShown { // indentation makes nested arrays many times as long
		token, err := r.from.ReadToken()
		if err != nil {
			break
		}
		r.write(token)
	}
	if p.size > int64(len(p.data)) {
		fmt.Fprintf(&r.to, "\n‹the rest of %d bytes›", p.size)
	}
	return r.to.String()
}

// redactor writes tokens as indented JSON.
type redactor struct {
	from *jsontext.Decoder
	to   strings.Builder
	// names are the members that contain the next token, one a level: an array has that of the level
	// around it.
	names []string
}

func (r *redactor) write(token jsontext.Token) {
	kind, length := r.from.StackIndex(r.from.StackDepth())
	switch bracket := token.Kind(); bracket {
	case '{', '[':
		outer, count := r.from.StackIndex(r.from.StackDepth() - 1)
		r.separate(outer, count, r.from.StackDepth()-1)
		r.to.WriteByte(byte(bracket))
		r.names = append(r.names, r.currentName())
	case '}', ']':
		r.names = r.names[:len(r.names)-1]
		if written := r.to.String(); written[len(written)-1] != '{' && written[len(written)-1] != '[' {
			r.to.WriteString("\n" + strings.Repeat("  ", r.from.StackDepth()))
		}
		r.to.WriteByte(byte(bracket))
	default:
		r.separate(kind, length, r.from.StackDepth())
		if kind == '{' && length%2 == 1 {
			name := plainName(token.String())
			r.names[len(r.names)-1] = name
			r.quote(name)
			return
		}
		r.writeValue(token)
	}
}

// separate writes the separator before the n-th token of an object or array.
func (r *redactor) separate(kind jsontext.Kind, n int64, depth int) {
	switch {
	case depth == 0:
	case kind == '{' && n%2 == 0:
		r.to.WriteString(": ")
	default:
		if n > 1 {
			r.to.WriteByte(',')
		}
		r.to.WriteString("\n" + strings.Repeat("  ", depth))
	}
}

// currentName returns the name of the nearest member.
func (r *redactor) currentName() string {
	if len(r.names) == 0 {
		return ""
	}
	return r.names[len(r.names)-1]
}

func (r *redactor) writeValue(token jsontext.Token) {
	if token.Kind() != '"' {
		r.to.WriteString(token.String())
		return
	}
	text := token.String()
	switch {
	case shownMembers[r.currentName()] && cloud.LogID(text) == text:
		r.quote(text)
	case slices.ContainsFunc(r.names, func(name string) bool { return slices.Contains(messageMembers, name) }):
		r.quote(withoutQuotes(text))
	default:
		r.quote(fmt.Sprintf("‹%d characters›", utf8.RuneCountInString(text)))
	}
}

// withoutQuotes returns a sentence without what it quotes, and without addresses and keys.
func withoutQuotes(sentence string) string {
	return address.ReplaceAllString(quoted.ReplaceAllString(sentence, `"…"`), "…")
}

func (r *redactor) quote(text string) {
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil { // not UTF-8, which is replaced
		quoted = []byte(`"‹not UTF-8›"`)
	}
	r.to.Write(quoted)
}
