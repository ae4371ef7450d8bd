package network

import "time"

// Resume is what ingestion read in the file of a membership. It is stored with the membership: it
// is replaced when the file is, and erased with it.
type Resume struct {
	// ReadAt is when it was read; zero: never.
	ReadAt    time.Time `json:"readAt"`
	Skills    []string  `json:"skills,omitempty"`
	Languages []string  `json:"languages,omitempty"`
	Education []Study   `json:"education,omitempty"`
	// Years are those of experience; 0: unknown.
	Years float64 `json:"years,omitempty"`
	// Confidence is from 0 to 1, by the names of the contract; a field that was not found has none.
	Confidence map[string]float64 `json:"confidence,omitempty"`
}

// Study is one entry of a person's education. Years are 0 where they are unknown.
type Study struct {
	School string `json:"school,omitempty"`
	Degree string `json:"degree,omitempty"`
	From   int    `json:"from,omitempty"`
	To     int    `json:"to,omitempty"`
}
