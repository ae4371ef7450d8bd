package terminal

// flagOf is the flag or argument of submit and of preferences set that has a field.
var flagOf = map[string]string{
	"name": "--name", "email": "--email", "linkedinUrl": "--linkedin", "recruiterEmail": "--member", "screeningCallLink": "--screening",
	"clientReferenceId": "--reference", resumeColumn: "<file>",
	"locations": "--locations", "workplaceTypes": "--workplace-types", "salaryMin": "--salary-min", "salaryMax": "--salary-max", "ote": "--ote",
	"idealFundingRounds": "--funding-rounds", "visaAuthorization": "--visa", "roleType": "--role-type",
	"excludedIndustries": "--excluded-industries", "companySizePreferences": "--company-sizes",
}

// flagProblem is what is wrong with a flag.
type flagProblem struct {
	Flag    string `json:"flag,omitempty"`
	Message string `json:"message"`
}

// printFlagProblems prints what is wrong with the flags of a candidate, and returns the error of the command.
func printFlagProblems(c *call, problems []problem) error {
	all := make([]flagProblem, len(problems))
	for i, p := range problems {
		all[i] = flagProblem{flagOf[p.Column], p.Message}
	}
	if err := printRows(c, rowsOf(all, nil), mostProblems,
		column[flagProblem]{"FLAG", func(p flagProblem) string { return p.Flag }},
		column[flagProblem]{"PROBLEM", func(p flagProblem) string { return p.Message }}); err != nil {
		return err
	}
	return newExitError(exitInput, "the command has %s; nothing was sent", count(len(problems), "problem"))
}
