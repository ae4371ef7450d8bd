// Package section names the parts of a resume.
package section

// Name is a part of a resume as its headings name it.
type Name string

// The parts of a resume.
const (
	Header     Name = "header" // before the first heading
	Experience Name = "experience"
	Education  Name = "education"
	Skills     Name = "skills"
	Languages  Name = "languages"
	Summary    Name = "summary"
	Referees   Name = "references" // other people's addresses
	Other      Name = "other"      // other headings; their text is not read
	Unknown    Name = "unknown"    // a line set as a heading, with unknown words
)
