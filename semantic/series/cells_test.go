package series

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Values agrees with Value cell by cell, for cells that tile an interval, leave gaps, or overlap.
func TestValuesIsValueOfEachCell(t *testing.T) {
	rnd := rand.New(rand.NewPCG(71, 72))
	for range 400 {
		begin, value, long := []int64{0}, []float64{3}, 1+rnd.IntN(8) // 1: bursts of up to 1, which often last equally
		for range rnd.IntN(300) {
			begin = append(begin, begin[len(begin)-1]+rnd.Int64N(1<<rnd.IntN(long+1)))
			value = append(value, math.Copysign(float64(rnd.IntN(5)), float64(rnd.IntN(3)-1))) // -0 and 0 are one value
		}
		end := begin[len(begin)-1] + rnd.Int64N(50)
		s := New(begin, value, end)
		var cells [][2]int64
		at, width := rnd.Int64N(200)-100, 1+rnd.Int64N(1+end/4)
		for at < end+50 && len(cells) < 300 {
			cells = append(cells, [2]int64{at, at + width})
			switch rnd.IntN(4) {
			case 0:
				at += rnd.Int64N(2 * width)
			default:
				at += width
			}
		}
		dst := make([]float64, len(cells))
		for _, mode := range DrawModes {
			s.Values(dst, cells, mode.Mode, 5, -1)
			for x, c := range cells {
				want, ok := s.Value(c[0], c[1], mode.Mode, 5)
				if !ok {
					want = -1
				}
				if dst[x] != want {
					t.Fatalf("%s: cell [%d,%d) of bursts %v is %v, want %v", mode.Name, c[0], c[1], begin, dst[x], want)
				}
			}
		}
	}
}

// Shares lists the time of each value in each cell: those of the bursts, cut to the cell.
func TestSharesOfEachCell(t *testing.T) {
	rnd := rand.New(rand.NewPCG(73, 74))
	for range 300 {
		begin, value := []int64{0}, []float64{3}
		for range rnd.IntN(400) {
			begin = append(begin, begin[len(begin)-1]+rnd.Int64N(1<<rnd.IntN(8)))
			value = append(value, float64(rnd.IntN(5)))
		}
		end := begin[len(begin)-1] + rnd.Int64N(50)
		s := New(begin, value, end)
		long := 1 + rnd.Int64N(1+end/4)
		var cells [][2]int64
		for at := -long; at < end+2*long; at += long {
			cells = append(cells, [2]int64{at, at + long})
		}
		seen := map[int]bool{}
		s.Shares(cells, func(x int, shares []Share) {
			seen[x] = true
			want := map[float64]int64{}
			for i := range value {
				b, e, v := s.Burst(i)
				if d := min(e, cells[x][1]) - max(b, cells[x][0]); d > 0 {
					want[v] += d
				}
			}
			if len(want) == 0 || len(want) == 1 && len(shares) == 1 && want[shares[0].Value] > 0 {
				return // one value: its time does not matter
			}
			if len(shares) != len(want) {
				t.Fatalf("cell %v has %v, want %v", cells[x], shares, want)
			}
			for _, sh := range shares {
				if want[sh.Value] != sh.Time {
					t.Fatalf("cell %v has %v, want %v", cells[x], shares, want)
				}
			}
		})
		for x, c := range cells {
			if _, ok := s.Value(c[0], c[1], Maximum, 0); ok != seen[x] {
				t.Fatalf("cell %v of a series until %d is seen: %v", c, end, seen[x])
			}
		}
	}
}
