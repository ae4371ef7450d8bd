package capacity_test

import (
	"fmt"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// changeRoles adds perSecond changes a second to the log, as if roles had changed all the time
// since d ago.
func (s *scene) changeRoles(d time.Duration, perSecond int) {
	s.t.Helper()
	o := s.host.Opener()
	log := snapshot.Open(o, catalogue.SnapshotName)
	s.must(o.Err())
	all := int(d.Seconds()) * perSecond
	tx := dynamo.New(s.host.AWS).WriteTx()
	for n := 1; n <= all; n++ {
		ago := d * time.Duration(n) / time.Duration(all)
		log.LogChange(s.Now().Add(-ago), snapshot.Change{ID: "role-" + withTag(roleTag, n%changedRoles)}, fmt.Sprint(s.nextNumber()))(tx)
		if n%50 == 0 || n == all {
			s.must(tx.Run(s.t.Context()))
			tx = dynamo.New(s.host.AWS).WriteTx()
		}
	}
}

// changedRoles is the number of roles that change, in rotation.
const changedRoles = 100

// prepareListAt prepares a list of roles after a long time with perSecond changes a second.
func prepareListAt(perSecond int) func(s *scene) func() {
	return func(s *scene) func() {
		s.Move(time.Hour) // earlier changes are no longer read
		s.publishIndexes()
		s.changeRoles(entity.RereadWindow, perSecond)
		return newGet("", contract.PersonalKey, "/recruiter/roles").prepare(s)
	}
}

// openInstances opens two instances that list roles, and brings them up to date in turn.
func (s *scene) openInstances() (first, second *catalogue.Catalogue) {
	s.t.Helper()
	metered := s.host
	metered.AWS = s.meter.attach(s.host.AWS)
	o := metered.Opener()
	roles := role.NewStore(entity.Open(o), objectstore.Open(o, topology.MarketplaceBucket))
	first = catalogue.OpenEmbedded(o, roles)
	second = catalogue.OpenEmbedded(o, roles)
	s.must(o.Err())
	for _, instance := range []*catalogue.Catalogue{first, second} {
		s.refresh(instance)
		s.Move(time.Second)
	}
	s.refresh(first)
	return first, second
}

func (s *scene) refresh(instance *catalogue.Catalogue) {
	s.t.Helper()
	_, err := instance.Current(s.t.Context(), s.Now())
	s.must(err)
}

// prepareDigest prepares a second in which twelve roles change, and returns the refresh of the instance
// that makes the digest of them.
func prepareDigest(s *scene) func() {
	first, _ := s.openInstances()
	s.Move(time.Second)
	s.changeRoles(time.Second, 12)
	return func() { s.refresh(first) }
}

// prepareRefresh prepares such a digest, and returns the refresh of another instance.
func prepareRefresh(s *scene) func() {
	first, second := s.openInstances()
	s.Move(time.Second)
	s.changeRoles(time.Second, 12)
	s.refresh(first)
	return func() { s.refresh(second) }
}
