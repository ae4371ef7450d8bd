package capacity_test

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// usage is what an operation used: the units of each key, and the calls to all services.
type usage struct {
	calls int
	// reported are the units of all calls as the emulator reports them.
	reported float64
	keys     map[keyOf]capacity.Units
	// largest is the size of the largest item written, by the form of its key.
	largest map[string]int
}

// keyOf is one partition key of a table or index.
type keyOf struct {
	table, index string
	// pk is the value of the key, form its form.
	pk, form string
}

// add adds units to a key. sk distinguishes kinds whose partition keys look alike.
func (u *usage) add(table topology.Table, index, pk, sk string, units capacity.Units) {
	if u.keys == nil {
		u.keys = map[keyOf]capacity.Units{}
		u.largest = map[string]int{}
	}
	key := keyOf{table: table.Name, index: index, pk: pk, form: index}
	if index == "" {
		key.form = partitionForm(table, pk, sk)
	}
	u.keys[key] = u.keys[key].Add(1, units)
}

// operation returns the usage by the form of the keys.
func (u usage) operation() capacity.Operation {
	o := capacity.Operation{Calls: u.calls, Keys: map[string]capacity.Use{}}
	for key, units := range u.keys {
		name := key.table + " " + key.form
		use := o.Keys[name]
		use.Total = use.Total.Add(1, units)
		use.Busiest = capacity.Units{Reads: max(use.Busiest.Reads, units.Reads), Writes: max(use.Busiest.Writes, units.Writes)}
		if key.index == topology.DueIndex.Name {
			use.Busiest = capacity.Units{} // its keys are shards, and which one is used is random
		}
		o.Keys[name] = use
	}
	return o
}

// partitionForm returns the form of the partition key of an item, or of a query that found
// nothing, whose sort key is "".
func partitionForm(table topology.Table, pk, sk string) string {
	for _, kind := range itemkey.Tables[table.Name] {
		if kind.Has(pk, sk) {
			return kind.Partition
		}
	}
	for _, kind := range itemkey.Tables[table.Name] {
		kind.Sort = ""
		if kind.Has(pk, "") {
			return kind.Partition
		}
	}
	return "unknown " + strings.SplitN(pk, "#", 2)[0]
}
