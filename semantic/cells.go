// The cells of a line of the screen, from left to right.
//
// A screen asks for the cells of a row in the order of time, so that where one
// cell ends the next begins. Searching each anew costs more than what is done with
// the bursts found; going on from where the last search ended, in steps that
// double, costs the logarithm of the bursts in a cell.

package semantic

// Values sets dst[x] to what Value answers for cell x, [cells[x][0], cells[x][1]),
// or to absent where the cell lies outside the series. The cells must be in the
// order of their begins and have a length. It does not allocate.
func (s *Series) Values(dst []float64, cells [][2]int64, m DrawMode, seed uint64, absent float64) {
	first, next := 0, 0 // first burst that begins at the begin, and at the end, of the cell before, or later
	end := int64(0)     // of the cell before
	for x, c := range cells {
		a, b := c[0], c[1]
		if b <= 0 || a > s.end || a == s.end && s.end > 0 {
			dst[x] = absent
			continue
		}
		if a >= end {
			first = next
		}
		first = s.searchFrom(first, a)
		i := first
		if i == s.n || i > 0 && s.begin(i) > a {
			i--
		}
		next = s.searchFrom(first, b)
		end = b
		if j := max(i+1, next); j > i+1 {
			dst[x] = s.reduce(i, j, a, b, m, seed)
		} else {
			dst[x] = s.value(i)
		}
	}
}

// searchFrom is search for a t whose burst is i or a later one.
func (s *Series) searchFrom(i int, t int64) int {
	step := 1
	for i+step <= s.n && s.begin(i+step-1) < t {
		i += step
		step *= 2
	}
	// The answer is within [i, i+step-1].
	for j := min(i+step-1, s.n); i < j; {
		mid := int(uint(i+j) >> 1)
		if s.begin(mid) < t {
			i = mid + 1
		} else {
			j = mid
		}
	}
	return i
}
