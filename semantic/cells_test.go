package semantic

import (
	"math/rand/v2"
	"testing"
)

// Values answers for each cell what Value answers, for cells that tile an interval,
// that leave gaps, and that overlap.
func TestValuesIsValueOfEachCell(t *testing.T) {
	rnd := rand.New(rand.NewPCG(71, 72))
	for range 400 {
		begin, value := []int64{0}, []float64{3}
		for range rnd.IntN(300) {
			begin = append(begin, begin[len(begin)-1]+rnd.Int64N(1<<rnd.IntN(8)))
			value = append(value, float64(rnd.IntN(5)))
		}
		end := begin[len(begin)-1] + rnd.Int64N(50)
		s := FromBursts(begin, value, end)
		var cells [][2]int64
		at, long := rnd.Int64N(200)-100, 1+rnd.Int64N(1+end/4)
		for at < end+50 && len(cells) < 300 {
			cells = append(cells, [2]int64{at, at + long})
			switch rnd.IntN(4) {
			case 0:
				at += rnd.Int64N(2 * long)
			default:
				at += long
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
