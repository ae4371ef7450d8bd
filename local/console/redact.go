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
	shown := redactJSON(p.data)
	if p.size > int64(len(p.data)) {
		shown += fmt.Sprintf("\n‹the rest of %d bytes›", p.size)
	}
	return shown
}

// redactJSON returns JSON that may be cut off, indented and with other texts.
func redactJSON(data []byte) string {
	duplicates, invalid := jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)
	from := jsontext.NewDecoder(bytes.NewReader(data), duplicates, invalid)
	var out strings.Builder
	to := jsontext.NewEncoder(&out, jsontext.WithIndent("  "), duplicates, invalid)
	// names are the members that contain the next token, one a level: an array has that of the level around it.
	names := []string{""}
	for to.OutputOffset() < maxShown { // indentation makes nested arrays many times as long
		token, err := from.ReadToken()
		if err != nil {
			break
		}
		last := len(names) - 1
		kind, length := to.StackIndex(to.StackDepth())
		isName := kind == '{' && length%2 == 0
		switch token.Kind() {
		case '{', '[':
			names = append(names, names[last])
		case '}', ']':
			names = names[:last]
		case '"':
			if isName {
				names[last] = plainName(token.String())
				token = jsontext.String(names[last])
			} else {
				token = jsontext.String(redactString(token.String(), names))
			}
		}
		_ = to.WriteToken(token) // it was read, so it fits
	}
	end := to.OutputOffset()
	for to.StackDepth() > 0 { // so that the encoder holds nothing back
		_ = to.WriteToken(nextEnd(to))
	}
	return strings.TrimSuffix(out.String()[:end], "\n")
}

// nextEnd returns what ends the array, the member or the object that is being written.
func nextEnd(to *jsontext.Encoder) jsontext.Token {
	switch kind, length := to.StackIndex(to.StackDepth()); {
	case kind == '[':
		return jsontext.EndArray
	case length%2 == 1:
		return jsontext.Null
	}
	return jsontext.EndObject
}

// redactString returns what is shown of a text in members with the names.
func redactString(text string, names []string) string {
	switch {
	case shownMembers[names[len(names)-1]] && cloud.LogID(text) == text:
		return text
	case slices.ContainsFunc(names, func(name string) bool { return slices.Contains(messageMembers, name) }):
		return withoutQuotes(text)
	}
	return fmt.Sprintf("‹%d characters›", utf8.RuneCountInString(text))
}

// withoutQuotes returns a sentence without what it quotes, and without addresses and keys.
func withoutQuotes(sentence string) string {
	return address.ReplaceAllString(quoted.ReplaceAllString(sentence, `"…"`), "…")
}
