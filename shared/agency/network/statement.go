package network

import "time"

// Statement is the position of a statement about a membership in the one order of all such
// statements (contract, Order of statements). Statements that are merged by it result in the same
// state in any order of arrival, with any repetition. The zero value is before every other.
type Statement struct {
	// At has milliseconds, as it is stored.
	At time.Time
	// Rank orders statements of the same millisecond: 0 for a submission, the version
	// for a command of the app, and apiRank for a call of the API.
	Rank int64
}

// apiRank is above every version: a call is answered with its own effect.
const apiRank = 1 << 53

// after reports whether s is newer than what is stored.
func (s Statement) after(stored Statement) bool {
	return s.At.After(stored.At) || s.At.Equal(stored.At) && s.Rank > stored.Rank
}

// statement returns w's statement where stored is the newest one. A
// command has its own time. A call of the API is after everything that is stored when it
// is made, so it has its effect even where a clock is behind.
func (w Write) statement(stored Statement) Statement {
	s := Statement{At: w.Now.UTC().Truncate(time.Millisecond), Rank: w.Version}
	if w.Version == 0 {
		s.Rank = apiRank
		if !s.after(stored) {
			s.At = stored.At.Add(time.Millisecond)
		}
	}
	return s
}
