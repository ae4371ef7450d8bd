// Package capacity is the model of the load that the tables take. From what each operation
// uses of each partition key ([ReadMeasurements], which the tests of local/capacity write) and
// from how often it runs ([Targets]) it computes the units a second of the busiest key of
// every form, and of each table and index as a whole.
//
// It calls nothing in AWS. The deployment warms tables by it, infra/cost has its units from
// the same measurements, and docs/capacity.md holds its tables.
package capacity

// Units are read and write units of DynamoDB.
type Units struct {
	Reads  float64 `json:"reads,omitempty"`
	Writes float64 `json:"writes,omitempty"`
}

// Add returns the sum of u and n times v.
func (u Units) Add(n float64, v Units) Units {
	return Units{u.Reads + n*v.Reads, u.Writes + n*v.Writes}
}

// Use is what one run of an operation uses of the keys of one form.
type Use struct {
	// Total is of all keys together, Busiest are the most reads, and the most writes, of one key.
	Total   Units `json:"total"`
	Busiest Units `json:"busiest"`
}

// AddKey adds the units of one more key.
func (u *Use) AddKey(key Units) {
	u.Total = u.Total.Add(1, key)
	u.Busiest = Units{max(u.Busiest.Reads, key.Reads), max(u.Busiest.Writes, key.Writes)}
}
