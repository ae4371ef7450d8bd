package decode

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// How much an error reports: messages, characters of a message, characters quoted.
const (
	maxMessages = 50
	maxMessage  = 200
	maxEcho     = 40
)

// problems collects what is wrong with one request.
type problems struct {
	// list holds the first maxMessages, count counts all.
	list  []problem
	count int
}

type problem struct {
	// field is a top-level field or a parameter; empty for the whole request.
	field   string
	code    contract.Code
	message string
}

// add adds a message and the accepted values, which may be long.
func (p *problems) add(field string, code contract.Code, message string, accepted ...string) {
	p.count++
	if p.count > maxMessages {
		return
	}
	message = truncateTo(message, maxMessage)
	if len(accepted) > 0 {
		message += " Accepted: " + strings.Join(accepted, ", ") + "."
	}
	p.list = append(p.list, problem{field, code, message})
}

// toFault returns the error; nil without problems. Its code is a specific one
// only if all problems have it.
func (p *problems) toFault() error {
	if p.count == 0 {
		return nil
	}
	e := fault.Fields(p.list[0].code, map[string][]string{})
	for i, one := range p.list {
		if one.code != e.Code {
			e.Code = contract.ValidationFailed
		}
		if p.count > maxMessages && i == maxMessages-1 {
			one = problem{message: fmt.Sprintf("There are %d more problems.", p.count-i)}
		}
		if one.field == "" {
			e.Form = append(e.Form, one.message)
		} else {
			e.Fields[one.field] = append(e.Fields[one.field], one.message)
		}
	}
	return e
}

// quoteShort returns what the caller sent in quotes, printable and short.
func quoteShort(v string) string {
	var b strings.Builder
	for i, r := range v {
		quoted := strconv.Quote(string(r))
		quoted = quoted[1 : len(quoted)-1]
		if b.Len()+len(quoted) > maxEcho && i > 0 {
			return `"` + b.String() + `…"`
		}
		b.WriteString(quoted)
	}
	return `"` + b.String() + `"`
}

// truncateTo returns at most n characters of v. It reads no further than that.
func truncateTo(v string, n int) string {
	last := 0
	count := 0
	for i := range v {
		if count == n {
			return v[:last] + "…"
		}
		last = i
		count++
	}
	return v
}

func countEntries(n int64) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// suggestValue returns the accepted value that was probably meant; empty if none is
// near. Case, spaces and hyphens do not count, because people send display names.
func suggestValue(sent string, accepted []string) string {
	sent = foldName(sent)
	if len(sent) < 2 || len(sent) > 64 {
		return ""
	}
	best := ""
	least := max(1, len(sent)/5) + 1
	for _, v := range accepted {
		folded := foldName(v)
		d := text.Distance([]byte(sent), []byte(folded), least-1)
		if d > 0 && strings.HasPrefix(folded, sent) {
			d = 1
		}
		if d < least {
			best = v
			least = d
		}
	}
	return best
}

var separators = strings.NewReplacer(" ", "_", "-", "_", "/", "_")

func foldName(v string) string { return strings.ToLower(separators.Replace(strings.TrimSpace(v))) }
