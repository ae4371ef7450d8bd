package crm

import (
	"bytes"
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// ListCalls serves GET /recruiter/notetaker-calls.
func (s *Service) ListCalls(ctx context.Context, call *gateway.Call, in contract.ListCallsRequest) (out contract.CallList, err error) {
	page, position, err := s.calls.List(ctx, call.Caller.Principal, optional.Value(in.Cursor), int(in.Limit))
	if err != nil {
		return out, err
	}
	ids := distinctIDs(page, func(l notetaker.Recorded) string { return roleIDOf(l.Call) })
	roles, err := s.roles.ReadForRecruiter(ctx, call.Caller.Principal, ids)
	if err != nil {
		return out, err
	}
	for _, l := range page {
		_, row := showCall(l, roles, call.Now)
		out.Calls = append(out.Calls, row)
	}
	out.NextCursor = optional.NonZero(position)
	return out, nil
}

// GetCall serves GET /recruiter/notetaker-calls/{callId}: the call is read, then its transcript and its role in parallel.
func (s *Service) GetCall(ctx context.Context, call *gateway.Call, in contract.CallRequest) (out contract.RecordedCall, err error) {
	me := call.Caller.Principal
	found, there, err := s.calls.Call(ctx, me, in.CallID)
	if err != nil {
		return out, err
	}
	if !there {
		return out, fault.Missing()
	}
	var transcript notetaker.Transcript
	var roles role.RolesForRecruiter
	err = cloud.InParallel(ctx,
		cloud.Reading(&transcript, func(ctx context.Context) (notetaker.Transcript, error) { return s.calls.Transcript(ctx, found) }),
		cloud.Reading(&roles, func(ctx context.Context) (role.RolesForRecruiter, error) {
			return s.roles.ReadForRecruiter(ctx, me, distinctIDs([]notetaker.Call{found.Call}, roleIDOf))
		}))
	if err != nil {
		return out, err
	}
	found.Transcript = &transcript
	recorded, row := showCall(found, roles, call.Now)
	out = contract.RecordedCall{CallRow: row, SummaryFull: recorded.SummaryFull, UpdatedAt: recorded.UpdatedAt}
	return out, addTranscript(&out, *recorded.Transcript)
}

func roleIDOf(c notetaker.Call) string { return optional.Value(c.RoleID) }

// showCall returns a call with its texts as the caller may read them, who can be a stranger to the role that it is about,
// and its row, with the role, if that is known. Of a role that is not stored, it is not known what to withhold. A
// transcript is changed in its place.
func showCall(l notetaker.Recorded, roles role.RolesForRecruiter, now time.Time) (notetaker.Call, contract.CallRow) {
	c := l.Call
	about, known := roles.View(roleIDOf(c), false, now)
	if roleIDOf(c) != "" {
		c.Title = optional.Value(about.RedactText(&c.Title))
		c.Summary = about.RedactText(c.Summary)
		c.SummaryFull = about.RedactText(c.SummaryFull)
		for i := range optional.Value(c.Transcript).Segments {
			said := &c.Transcript.Segments[i].Text
			*said = optional.Value(about.RedactText(said))
		}
	}
	row := contract.CallRow{
		CallID: l.ID, Title: c.Title, ScheduledAt: c.ScheduledAt, Platform: c.Platform, URL: c.URL,
		DurationSeconds: c.DurationSeconds, Candidate: (*contract.CallCandidate)(c.Candidate),
		Participants: c.Participants, Summary: c.Summary,
	}
	if known {
		summary := about.Summary()
		row.Role = &contract.CallRole{
			RoleID: summary.ID, Name: summary.Name, CompanyName: summary.Company.Name,
			ConfidentialSearch: summary.Company.ConfidentialSearch, AnonymizedName: summary.Company.AnonymizedName, URLs: summary.URLs,
		}
	}
	return c, row
}

const (
	// maxText is the longest text of a transcript, in bytes (contract, Limits). A response holds it twice.
	maxText = 3_000_000
	// maxAnswer is the longest response in Lambda's encoding, in bytes: Lambda takes 6 MB with the headers. A
	// transcript with many escapes or short segments reaches it before its text is as long as maxText.
	maxAnswer = 6<<20 - 64<<10
)

// addTranscript adds as many whole segments of a transcript to a response as fit, and marks it as truncated if some do not.
func addTranscript(out *contract.RecordedCall, t notetaker.Transcript) error {
	into := &out.Transcript
	into.Language = t.Language
	length, err := escapedLength(out)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for i, s := range t.Segments {
		segment := contract.CallSegment{
			Index: i, Speaker: s.Speaker, SpeakerEmail: s.SpeakerEmail, StartSeconds: s.StartSeconds, EndSeconds: s.EndSeconds, Text: s.Text,
		}
		line := s.Text
		if i > 0 {
			line = "\n" + line
		}
		added, err := escapedLength([]any{segment, line})
		if err != nil {
			return err
		}
		length += added - len("[]")
		if length > maxAnswer || text.Len()+len(line) > maxText {
			into.Truncated = new(true)
			break
		}
		text.WriteString(line)
		into.Segments = append(into.Segments, segment)
	}
	into.Text = text.String()
	return nil
}

// escapedLength returns the length in bytes of a value in the function's response to
// Lambda: JSON with JSON in a string as its body, so escapes are escaped twice.
func escapedLength(v any) (int, error) {
	body, err := gateway.Encode(v)
	long := bytes.Count(body, []byte("\u2028")) + bytes.Count(body, []byte("\u2029"))
	return len(body) + bytes.Count(body, []byte(`"`)) + bytes.Count(body, []byte(`\`)) + 3*long, err
}
