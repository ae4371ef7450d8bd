package crm

import (
	"bytes"
	"errors"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
)

const (
	// maxText is the longest text of a transcript, in bytes.
	maxText = 4 << 20
	// maxAnswer is the longest response in Lambda's encoding, in bytes: Lambda takes 6 MB
	// with the headers. A response holds the text twice, so most transcripts are cut by
	// maxAnswer and not by maxText.
	maxAnswer = 6<<20 - 64<<10
)

// addTranscript adds as many whole segments of a transcript to a response as fit, and
// marks the transcript as truncated if some do not.
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
		own, segmentErr := escapedLength(segment)
		line, lineErr := escapedLength("\n" + s.Text)
		if err := errors.Join(segmentErr, lineErr); err != nil {
			return err
		}
		if length += own + 1 + line; length > maxAnswer || text.Len()+1+len(s.Text) > maxText {
			into.Truncated = new(true)
			break
		}
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(s.Text)
		into.Segments = append(into.Segments, segment)
	}
	into.Text = text.String()
	return nil
}

// escapedLength returns the length in bytes of a value in what the function returns to
// Lambda: JSON whose body is JSON in a string, so escapes are escaped twice.
func escapedLength(v any) (int, error) {
	body, err := gateway.Encode(v)
	long := bytes.Count(body, []byte("\u2028")) + bytes.Count(body, []byte("\u2029"))
	return len(body) + bytes.Count(body, []byte(`"`)) + bytes.Count(body, []byte(`\`)) + 3*long, err
}
