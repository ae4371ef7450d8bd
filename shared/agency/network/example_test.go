package network_test

import (
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
)

// A candidate who is taken off the market stays off until a later submission or a
// re-enable; eligibility ends by itself.
func ExampleMarket() {
	march := func(day int) time.Time { return time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC) }
	var none time.Time
	m := network.Market{ExpiresAt: march(20)}.Ingest(march(1), none, march(20))
	fmt.Println(m.Status(march(2)), m.Status(march(21)))

	m, result := m.TakeOff(network.Statement{At: march(3)})
	fmt.Println(result, m.Status(march(4)))
	m = m.Ingest(march(2), none, march(20)) // submitted before
	fmt.Println(m.Status(march(4)))

	m, result = m.ReEnable(network.Statement{At: march(5)}, 20*24*time.Hour)
	fmt.Println(result, m.Status(march(6)))
	// Output:
	// on_market expired
	// off_market off_market
	// off_market
	// on_market on_market
}
