package crm

import (
	"bytes"
	"errors"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
)

const (
	// maxText is the longest text of a transcript, in bytes (contract, Limits). A response
	// holds the text twice.
	maxText = 3_000_000
	// maxAnswer is the longest response in Lambda's encoding, in bytes: Lambda takes 6 MB
	// with the headers. A transcript with many escapes or many short segments reaches it
	// before its text is as long as maxText.
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
		line := s.Text
		if i > 0 {
			line = "\n" + line
		}
		own, segmentErr := escapedLength(segment)
		added, lineErr := escapedLength(line)
		if err := errors.Join(segmentErr, lineErr); err != nil {
			return err
		}
		length += own + 1 + added
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
