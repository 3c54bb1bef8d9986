// The cells of a line of the screen, from left to right.
//
// A screen asks for the cells of a row in order of time, and each cell begins where the last one ended. Searching from
// scratch costs more than the work on the bursts found; continuing from the end of the last search, in steps that
// double, costs the logarithm of the bursts in a cell.

package series

// Values sets dst[x] to Value of cell x, [cells[x][0], cells[x][1]), or to absent if the cell lies outside the series.
// The cells must be sorted by begin and have a length. It does not allocate.
func (s *Series) Values(dst []float64, cells [][2]int64, m DrawMode, seed uint64, absent float64) {
	if (m == MostTime || m == Proportional) && s.since != nil && s.code != nil && !s.twoZeros() {
		s.mostTimes(dst, cells, absent)
		return
	}
	var at cellWalk
	for x, c := range cells {
		a, b := c[0], c[1]
		i, j := s.step(&at, a, b)
		switch {
		case i == j:
			dst[x] = absent
		case j == i+1:
			dst[x] = s.value(i)
		default:
			dst[x] = s.reduce(i, j, a, b, m, seed)
		}
	}
}

// mostTimes is Values under MostTime for values in a table. Most cells have a handful of bursts: one walk over them
// finds the end of the cell and adds up their times, without a search.
func (s *Series) mostTimes(dst []float64, cells [][2]int64, absent float64) {
	var at cellWalk
	var time [maxCodes]int64 // by code; all 0 between cells
	for x, c := range cells {
		a, b := c[0], c[1]
		i := s.enter(&at, a, b)
		if i < 0 {
			dst[x] = absent
			continue
		}
		best, most, j := s.addUp(&time, i, max(a, s.begin(i)), b)
		for _, c := range s.code[i:j] {
			time[c] = 0
		}
		if j < s.n && s.begin(j) < b { // more than a handful
			s.leave(&at, j, b)
			dst[x] = s.mostTime(i, at.next, a, b)
			continue
		}
		if most == 0 {
			best = s.code[j-1]
		}
		dst[x] = s.table[best]
		at.next, at.end = j, b
	}
}

// addUp adds to time, by code, how much of [a,b) each burst from i on covers, up to a handful of bursts. It returns the
// code that covers most, its time, and the next burst. time must be 0 for these codes.
func (s *Series) addUp(time *[maxCodes]int64, i int, a, b int64) (best uint8, most int64, j int) {
	const handful = 16
	code, since := s.code[:s.n], s.since[:s.n]
	for j = i; j < len(code) && j-i < handful && a < b; j++ {
		end := min(b, s.end)
		if k := j + 1; k < len(since) {
			end = min(b, s.base[k>>blockBits]+int64(since[k]))
		}
		c := code[j]
		t := time[c] + end - a
		if t > most || t == most && end > a && s.table[c] > s.table[best] {
			best, most = c, t
		}
		time[c], a = t, end
	}
	return best, most, j
}

// twoZeros reports whether the table has both 0 and -0, which count as one value.
func (s *Series) twoZeros() bool {
	n := 0
	for _, v := range s.table {
		if v == 0 {
			n++
		}
	}
	return n > 1
}

// Share is a value and its time in a cell.
type Share struct {
	Value float64
	Time  int64
}

// Shares calls f for each cell, in order, with its values and how long each holds: at least one, unordered, none twice.
// Cells outside the series are left out, cells without time have the value that they end with. The cells are as for
// Values. In a series with more than 256 distinct values, a cell gets only the one that holds longest. The arguments of
// f are valid during the call.
func (s *Series) Shares(cells [][2]int64, f func(x int, shares []Share)) {
	var at cellWalk
	var buf [maxCodes]Share
	for x, c := range cells {
		a, b := c[0], c[1]
		i, j := s.step(&at, a, b)
		switch {
		case i == j:
		case j == i+1:
			buf[0] = Share{s.value(i), 1}
			f(x, buf[:1])
		default:
			f(x, buf[:s.share(&buf, i, j, a, b)])
		}
	}
}

// share lists the values of [a,b), which bursts i..j-1 cover, and returns their number.
func (s *Series) share(buf *[maxCodes]Share, i, j int, a, b int64) (n int) {
	from, to := max(a, s.begin(i)), min(b, s.until(j-1))
	if s.code == nil || from >= to {
		buf[0] = Share{s.mostTime(i, j, a, b), 1}
		return 1
	}
	if j-i <= fewBursts {
		var few fewShares
		for k := range few.count(s, i, j, from, to) {
			if few[k].Time > 0 {
				buf[n] = few[k]
				n++
			}
		}
		return n
	}
	var time [maxCodes]int64
	s.timeOfTable(&time, i, j, from, to)
	for c, t := range time[:len(s.table)] {
		if t > 0 {
			buf[n] = Share{s.table[c], t}
			n++
		}
	}
	return n
}

// cellWalk is the position of a walk along the cells of a line.
type cellWalk struct {
	first, next int   // first burst that begins at or after the begin, and the end, of the previous cell
	end         int64 // of the previous cell
}

// step returns the bursts i..j-1 that the next cell shows; i == j if it lies outside the series.
func (s *Series) step(w *cellWalk, a, b int64) (i, j int) {
	if i = s.enter(w, a, b); i < 0 {
		return 0, 0
	}
	s.leave(w, w.first, b)
	return i, max(i+1, w.next)
}

// enter goes to the next cell and returns the first burst that it shows; -1 if it lies outside the series.
func (s *Series) enter(w *cellWalk, a, b int64) (i int) {
	if b <= 0 || a > s.end || a == s.end && s.end > 0 {
		return -1
	}
	if a >= w.end {
		w.first = w.next
	}
	w.first = s.searchFrom(w.first, a)
	i = w.first
	if i == s.n || i > 0 && s.begin(i) > a {
		i--
	}
	return i
}

// leave goes to the end of the cell; burst i begins in it, if any does.
func (s *Series) leave(w *cellWalk, i int, b int64) {
	w.next, w.end = s.searchFrom(i, b), b
}

// searchFrom is search for a t whose burst is i or later.
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
