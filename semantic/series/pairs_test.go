package series

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Four cells of 100, in two pairs. The first half of the first pair is 1 for 60 % of its time, the second 2 for 70 %:
// each has its own value. In the second pair no value holds for more than half of either cell: both show 3, which holds
// for 45 + 30, more than 4 and 5.
func TestPairs(t *testing.T) {
	s := New(
		[]int64{0, 60, 100, 170, 200, 245, 275, 300, 330, 365},
		[]float64{1, 2, 2, 3, 3, 4, 5, 3, 4, 5}, 400)
	cells := [][2]int64{{0, 100}, {100, 200}, {200, 300}, {300, 400}}
	got := make([]float64, 4)
	s.Pairs(got, cells, MostTime, 0, -1)
	if want := []float64{1, 2, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("values %v, want %v", got, want)
	}
	var widths []int
	s.SharesOfPairs(cells, func(x, n int, shares []Share) {
		widths = append(widths, x, n)
		if x == 2 {
			slices.SortFunc(shares, func(a, b Share) int { return int(a.Value - b.Value) })
			if want := []Share{{3, 75}, {4, 65}, {5, 60}}; !slices.Equal(shares, want) {
				t.Errorf("shares of the second pair %v, want %v", shares, want)
			}
		}
	})
	if want := []int{0, 1, 1, 1, 2, 2}; !slices.Equal(widths, want) {
		t.Errorf("first column and width of each: %v, want %v", widths, want)
	}
}

// The halves of the first cell are also merged if neither has its own value.
func TestFirstPairTogether(t *testing.T) {
	s := New([]int64{0, 45, 75, 100, 130, 165}, []float64{3, 4, 5, 3, 4, 5}, 400)
	got := make([]float64, 2)
	s.Pairs(got, [][2]int64{{0, 100}, {100, 200}}, MostTime, 0, -1)
	if want := []float64{3, 3}; !slices.Equal(got, want) { // 3: 45 + 30, 4: 30 + 35, 5: 25 + 35
		t.Errorf("values %v, want %v", got, want)
	}
}

// Every pair shows the same as adding up its bursts one by one, for cells with a handful of bursts and with thousands,
// within the run and beyond its end.
func TestPairsAgreeWithAddingUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		codes int
		gap   int64
	}{{2, 10}, {5, 10}, {200, 10}, {5, 2}, {200, 2}} { // with gaps below 2, half of the bursts have no length
		s, codes := busySeries(r, 20000, c.codes, c.gap), c.codes
		for _, width := range []int64{1, 2, 7, 40, 1000, 30000} {
			start := r.Int64N(s.End())
			var cells [][2]int64
			for x := range int64(40) {
				cells = append(cells, [2]int64{start + x*width, start + (x+1)*width})
			}
			got := make([]float64, len(cells))
			s.Pairs(got, cells, MostTime, 0, -1)
			for x := 0; x < len(cells); x += 2 {
				left, right := pairByHand(s, cells[x], cells[x+1])
				if got[x] != left || got[x+1] != right {
					t.Fatalf("%d codes, cells %v %v: %v %v, want %v %v", codes, cells[x], cells[x+1], got[x], got[x+1],
						left, right)
				}
			}
			sameShares(t, s, cells)
		}
	}
}

// busySeries has n bursts shorter than gap, except one in ten, which lasts up to 20 gaps.
func busySeries(r *rand.Rand, n, codes int, gap int64) *Series {
	var begin []int64
	var value []float64
	at := int64(0)
	for range n {
		begin, value = append(begin, at), append(value, float64(r.IntN(codes)))
		if at += r.Int64N(gap); r.IntN(10) == 0 {
			at += r.Int64N(20 * gap)
		}
	}
	return New(begin, value, at+5)
}

// pairByHand returns what two cells show: -1 outside the series.
func pairByHand(s *Series, l, r [2]int64) (left, right float64) {
	tl, tr := timesByHand(s, l), timesByHand(s, r)
	vl, ml, nl := longest(tl)
	vr, mr, nr := longest(tr)
	if nl == 0 || nr == 0 {
		one := func(c [2]int64) float64 {
			if v, ok := s.Value(c[0], c[1], MostTime, 0); ok {
				return v
			}
			return -1
		}
		return one(l), one(r)
	}
	if 2*ml > nl && 2*mr > nr {
		return vl, vr
	}
	for v, t := range tr {
		tl[v] += t
	}
	v, _, _ := longest(tl)
	return v, v
}

func timesByHand(s *Series, c [2]int64) map[float64]int64 {
	times := map[float64]int64{}
	for i := range s.Len() {
		begin, end, v := s.Burst(i)
		if t := min(end, c[1]) - max(begin, c[0]); t > 0 {
			times[v] += t
		}
	}
	return times
}

func longest(times map[float64]int64) (best float64, most, all int64) {
	for v, t := range times {
		all += t
		if t > most || t == most && v > best {
			best, most = v, t
		}
	}
	return best, most, all
}

// sameShares checks that the shares of all pairs cover their cells.
func sameShares(t *testing.T, s *Series, cells [][2]int64) {
	t.Helper()
	s.SharesOfPairs(cells, func(x, n int, shares []Share) {
		want := timesByHand(s, [2]int64{cells[x][0], cells[x+n-1][1]})
		if len(want) == 0 || len(want) == 1 && len(shares) == 1 {
			return // a share of a cell with one value has no time
		}
		got := map[float64]int64{}
		for _, p := range shares {
			got[p.Value] += p.Time
		}
		for v := range want {
			if got[v] != want[v] {
				t.Fatalf("cells %d to %d: %v holds %d, want %d", x, x+n-1, v, got[v], want[v])
			}
		}
	})
}
