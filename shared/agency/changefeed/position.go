package changefeed

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
)

// Position is a reader's place in the log. The zero value is before the oldest change that is kept.
type Position struct {
	// Segment is the first number of the segment that is read next, and Skip the number of its
	// changes that were read already.
	Segment int64
	Skip    int
	// At is a time up to which the reader has read, in milliseconds: changes recorded before it
	// have been read, except those committed late and those in the segment being read.
	At int64
	// From leaves out what was recorded before it, in milliseconds.
	From int64
}

// tagOf returns what a tenant's positions begin with, so that no other tenant's is taken for one.
func tagOf(t tenant.ID) string {
	return strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(t))), 36)
}

// Format returns the position as a text that [ParsePosition] reads for the same tenant.
func (p Position) Format(t tenant.ID) string {
	return fmt.Sprintf("%s.%d.%d.%d.%d", tagOf(t), p.Segment, p.Skip, p.At, p.From)
}

// ParsePosition is the inverse of [Position.Format]; ok is false for any other text.
func ParsePosition(t tenant.ID, text string) (p Position, ok bool) {
	_, err := fmt.Sscanf(text, tagOf(t)+".%d.%d.%d.%d", &p.Segment, &p.Skip, &p.At, &p.From)
	isPositive := p.Segment > 0 && min(int64(p.Skip), p.At, p.From) >= 0
	isBounded := p.Skip < maxSegment && max(p.Segment, p.At, p.From) <= 1<<53
	return p, err == nil && isPositive && isBounded && p.Format(t) == text
}

// Expired reports whether changes after the position may have been deleted.
func (p Position) Expired(now time.Time) bool {
	return p.Segment > 0 && p.At < now.Add(-Retention-tolerance).UnixMilli()
}
