package roleindex

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"math"
	"time"
)

// An order key is a role's position in Browse order, smaller is earlier. It has 53 bits,
// so that it is exact as a JSON number: 13 bits of rank, 20 of posted hour, 20 of a hash
// of the id. No role has key 0, so that 0 is before all.
const (
	rankBits, hourBits, hashBits = 13, 20, 20

	maxRank = 1<<rankBits - 1
	maxHour = 1<<hourBits - 1 // the year 2089
	maxHash = 1<<hashBits - 1
)

// OrderKey returns the role's position in Browse order: higher ranks (0 … 8191) first,
// then later hours (the zero time last), then by a hash of the id. Values out of range
// count as the nearest in range.
func (d *Doc) OrderKey() uint64 {
	rank := uint64(max(0, min(d.BrowseRank, maxRank)))
	return (maxRank-rank)<<(hourBits+hashBits) | (maxHour-postedHour(d.PostedAt))<<hashBits | hashID(d.ID)
}

// postedHour returns hours since 1970, 0 for the zero time.
func postedHour(t time.Time) uint64 {
	return uint64(max(0, min(t.Unix()/3600, maxHour)))
}

func hourOfKey(key uint64) uint64 { return maxHour - key>>hashBits&maxHour }

// hashID returns a hash that is never 0. It must not change, because cursors have it.
func hashID(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	sum := h.Sum64()
	return 1 + (sum^sum>>32)%maxHash
}

func compareRows(a, b uint64, idA, idB []byte) int {
	if a != b {
		return cmp.Compare(a, b)
	}
	return bytes.Compare(idA, idB)
}

// Figures are a role's numbers as the index keeps them.
type Figures struct {
	// SalaryLower and SalaryUpper are in thousands of any currency, rounded to the
	// nearest; SalaryUpper is 0 if no band is recorded.
	SalaryLower int `json:"salaryLower"`
	SalaryUpper int `json:"salaryUpper"`
	// YearsMin and YearsMax are in tenths of a year; YearsMax is 0 without an upper end.
	YearsMin int `json:"yearsMin"`
	YearsMax int `json:"yearsMax"`
	// FeePercent is in hundredths of a percent, 0 unknown.
	FeePercent int `json:"feePercent"`
	// CompanySize is a head count, 0 unknown.
	CompanySize int `json:"companySize"`
}

// Figure is one of a role's numbers.
type Figure int

// The figures: those of [Figures] in the order of a row, and the hour in which the role was posted, since 1970.
const (
	SalaryLower Figure = iota
	SalaryUpper
	YearsMin
	YearsMax
	FeePercent
	CompanySize
	Hour
)

// figureBytes is the width of a row: five numbers of two bytes, two spare, one of four.
const figureBytes = 16

// newFigures rounds a document's numbers. A salary band with only a lower end is that
// number; swapped ends are put in order.
func newFigures(d *Doc) Figures {
	low := d.SalaryLower
	high := d.SalaryUpper
	if high <= 0 {
		high = low
	}
	if low > high {
		low, high = high, low
	}
	f := Figures{
		SalaryLower: roundToUnit(low, 1000), SalaryUpper: roundToUnit(high, 1000),
		YearsMin: roundToUnit(d.YearsMin, 0.1), YearsMax: roundToUnit(d.YearsMax, 0.1),
		FeePercent: roundToUnit(d.FeePercent, 0.01), CompanySize: max(0, min(d.CompanySize, math.MaxUint32)),
	}
	if high > 0 {
		f.SalaryUpper = max(1, f.SalaryUpper) // recorded, however small
	}
	return f
}

func (f Figures) appendTo(dst []byte) []byte {
	for _, v := range []int{f.SalaryLower, f.SalaryUpper, f.YearsMin, f.YearsMax, f.FeePercent, 0} {
		dst = order.AppendUint16(dst, uint16(v))
	}
	return order.AppendUint32(dst, uint32(f.CompanySize))
}

func decodeFigures(row column) Figures {
	return Figures{
		SalaryLower: row.u16(0), SalaryUpper: row.u16(1), YearsMin: row.u16(2), YearsMax: row.u16(3),
		FeePercent: row.u16(4), CompanySize: row.u32(3),
	}
}

// RoundFee returns a percentage in the unit of [Figures].
func RoundFee(percent float64) int { return roundToUnit(percent, 0.01) }
