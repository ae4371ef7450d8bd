// Package capacity is a model of the load on the tables. From the units that each operation uses of
// each partition key ([ReadMeasurements]; the tests of local/testkit/capacity measure them) and from how
// often it runs ([Targets]) it computes the units a second of the busiest key of every form, and of
// each table and index as a whole.
//
// It calls nothing in AWS. The deployment derives the warm throughput of tables from it, infra/cost
// takes its units from the same measurements, and docs/capacity.md contains its tables.
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

// Use is the units that one run of an operation uses of the keys of one form.
type Use struct {
	// Total is the sum of all keys. Busiest has the most reads of one key, and the most writes of
	// one key.
	Total   Units `json:"total"`
	Busiest Units `json:"busiest"`
}

// AddKey adds the units of one more key.
func (u *Use) AddKey(key Units) {
	u.Total = u.Total.Add(1, key)
	u.Busiest = Units{max(u.Busiest.Reads, key.Reads), max(u.Busiest.Writes, key.Writes)}
}
