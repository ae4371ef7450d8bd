package terminal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type identityCommand struct {
	As string `enum:"agency,recruiter" default:"agency" help:"Which key: agency or recruiter."`
}

// Run shows the identity that the key acts as.
func (identityCommand) Run(c *call, api *client.Client) error {
	who, err := api.Identity(context.Background())
	return printOne(c, who, err, describeIdentity(who)...)
}

func describeIdentity(who contract.Identity) []line {
	name := ""
	switch {
	case who.Agency != nil:
		name = who.Agency.Name
	case who.Recruiter != nil:
		name = who.Recruiter.Name + " <" + who.Recruiter.Email + ">"
	}
	limits := who.RateLimits
	return []line{
		{"acts as", who.Principal}, {"name", name}, {"environment", who.Environment}, {"key", who.Key.Name + " (…" + who.Key.Last4 + ")"},
		{"expires", who.Key.ExpiresAt}, {"scopes", who.Scopes},
		{"rate", fmt.Sprintf("%d reads and %d writes in %d seconds", limits.Default.Limit, limits.Write.Limit, limits.Write.WindowSeconds)},
	}
}

type enumerationsCommand struct {
	Name string `arg:"" optional:"" help:"Only the values of this enumeration, or of those that this field takes."`
}

// Run lists the enumerations.
func (e enumerationsCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	all, err := api.Enumerations(ctx)
	if err != nil {
		return explain(err)
	}
	type row struct {
		Enumeration string `json:"enumeration"`
		contract.NamedValue
	}
	var rows []row
	var names []string
	for _, enumeration := range all.Enumerations {
		names = append(names, enumeration.Name)
		for _, value := range enumeration.Values {
			if e.Name == "" || e.Name == enumeration.Name || slices.Contains(enumeration.Fields, e.Name) {
				rows = append(rows, row{enumeration.Name, value})
			}
		}
	}
	if len(rows) == 0 {
		return newExitError(exitInput, "no enumeration and no field that takes one is named %q; there are %s", e.Name, strings.Join(names, ", "))
	}
	return printRows(c, rowsOf(rows, nil), 0, "ENUMERATION, VALUE, NAME", func(r row) []any {
		return []any{r.Enumeration, r.Value, r.Name}
	})
}

type statusCommand struct{}

// Run shows whether the system responds, and the identity each key acts as. It fails if the system does not
// respond or refuses a key.
func (statusCommand) Run(ctx context.Context, c *call, lookUp variables) error {
	address := lookUp(baseURLVariable)
	if address == "" {
		return fmt.Errorf("%s is needed: %s", baseURLVariable, c.adviseSettings())
	}
	health, err := client.New(address, "").Health(ctx)
	if err != nil {
		return explain(fmt.Errorf("%s: %w", address, err))
	}
	lines := []line{{"address", address}, {"responds", "yes, version " + health.Version}}
	keys := map[string]any{} // by variable, the identity that a key acts as, or why it cannot be used
	failed := error(nil)
	for _, variable := range []string{agencyVariable, recruiterVariable} {
		if lookUp(variable) == "" {
			lines = append(lines, line{variable, "none"})
			continue
		}
		who, err := client.New(address, lookUp(variable)).Identity(ctx)
		if err != nil {
			failed = explain(fmt.Errorf("%s: %w", variable, err))
			keys[variable] = map[string]string{"refused": err.Error()}
			lines = append(lines, line{variable, "refused"})
			continue
		}
		keys[variable] = map[string]any{"identity": who}
		lines = append(lines, line{variable, "accepted"})
		lines = append(lines, describeIdentity(who)...)
	}
	return cmp.Or(printOne(c, map[string]any{"baseUrl": address, "health": health, "keys": keys}, nil, lines...), failed)
}
