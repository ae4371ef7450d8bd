package capacity_test

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/local/capacity"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// storedBytes returns what each template takes of the partitions of tables with a local index,
// by the form of the partition key and the template.
func (s *scene) storedBytes() map[string]map[string]int {
	s.t.Helper()
	stored := map[string]map[string]int{}
	for _, table := range topology.Tables {
		if slices.ContainsFunc(table.Indexes, topology.Index.Local) {
			s.addStored(stored, table)
		}
	}
	return stored
}

// addStored adds what the templates take of a table, of their largest partitions.
func (s *scene) addStored(stored map[string]map[string]int, table topology.Table) {
	s.t.Helper()
	partitions := map[[2]string]int{}
	for _, i := range s.scanTable(table) {
		pk, sk := textOf(i[topology.PK]), textOf(i[topology.SK])
		form, name := capacity.Form(table, pk, sk), templateNames[s.groupOf(pk+" "+sk)]
		if stored[form] == nil {
			stored[form] = map[string]int{}
		}
		partitions[[2]string{pk, name}] += capacity.StoredBytes(table, i)
		stored[form][name] = max(stored[form][name], partitions[[2]string{pk, name}])
	}
}

var templateNames = map[string]string{
	"": "others", roleTag: "role", candidateTag: "candidate", matchTag: "match", callTag: "call", companyTag: "company",
	membershipTag: "membership", memberTag: "member",
}
