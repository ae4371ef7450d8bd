package role

import (
	"fmt"
	"testing"
	"time"
)

// A kept role is found for less than its age, by those who need a consistent read only if it was one.
func TestKeptRowsAreFound(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		maxAge, after time.Duration
		wasConsistent bool
		consistent    bool
		want          bool
	}{
		"at once":               {time.Second, 0, false, false, true},
		"just in time":          {time.Second, time.Second - 1, true, true, true},
		"too old":               {time.Second, time.Second, true, false, false},
		"eventual for changed":  {time.Second, 0, false, true, false},
		"consistent for others": {time.Second, 0, true, false, true},
		"none are kept":         {0, 0, true, false, false},
		"asked before":          {time.Second, -time.Millisecond, false, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := NewRowCache(nil, tt.maxAge)
			c.keep(map[string]Unredacted{"r": {id: "r"}}, now, tt.wasConsistent)
			if row, got := c.find("r", now.Add(tt.after), tt.consistent); got != tt.want || got && row.id != "r" {
				t.Errorf("got %v, %+v; want %v", got, row, tt.want)
			}
		})
	}
}

// No more than a bounded number of roles is kept, and those that are too old go first.
func TestKeptRowsAreBounded(t *testing.T) {
	t.Parallel()
	c := NewRowCache(nil, time.Second)
	for i := range 2 * maxDecoded {
		c.keep(map[string]Unredacted{fmt.Sprint(i): {}}, now, false)
	}
	if len(c.kept) != maxDecoded {
		t.Errorf("%d are kept; want %d", len(c.kept), maxDecoded)
	}
	c.keep(map[string]Unredacted{"last": {}}, now.Add(time.Second), false)
	if len(c.kept) != 1 {
		t.Errorf("%d are kept after their time; want 1", len(c.kept))
	}
}
