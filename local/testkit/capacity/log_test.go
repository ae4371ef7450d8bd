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
		log.Mark(s.Now().Add(-ago), "role-"+withTag(roleTag, n%changedRoles), fmt.Sprint(s.nextNumber()))(tx)
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

// prepareRefresh prepares a second in which twelve roles change, and returns the refresh of an
// instance after it.
func prepareRefresh(s *scene) func() {
	metered := s.host
	metered.AWS = s.meter.attach(s.host.AWS)
	o := metered.Opener()
	instance := catalogue.OpenEmbedded(o, role.NewStore(entity.Open(o), objectstore.Open(o, topology.MarketplaceBucket)))
	s.must(o.Err())
	refresh := func() {
		_, err := instance.Current(s.t.Context(), s.Now())
		s.must(err)
	}
	refresh()
	s.Move(time.Second)
	s.changeRoles(time.Second, 12)
	return refresh
}
