package roleindex

import "pgregory.net/rapid"

// Model, DrawDoc, DrawQuery and RoleIDs are for tests of other engines, which are held to the
// same definition.
type Model = model

func (m model) Search(q Query) Page { return m.searchModel(q) }

func DrawDoc(t *rapid.T, id string) Doc { return drawDoc(t, id) }

func DrawQuery(t *rapid.T) Query { return drawQuery(t) }

// DrawDenseDoc and DrawDenseQuery draw documents and queries that differ in little but their scores.
func DrawDenseDoc(t *rapid.T, id string) Doc { return drawDenseDoc(t, id) }

func DrawDenseQuery(t *rapid.T) Query { return drawDenseQuery(t) }

var RoleIDs = roleIDs

// ByID is for tests outside of the package.
var ByID = byID
