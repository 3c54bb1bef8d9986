// Pairs of cells: the halves of one cell of the screen.
//
// A cell can show two columns of time. That pays if each half has its own value. In a series of many short bursts, the
// halves differ only by chance, and twice as many colours would be sampled, drawn and sent for nothing.

package series

// Pairs is Values for pairs of cells, cells[x] and cells[x+1] for even x. Under MostTime the halves have separate
// values if in each one value holds for more than half of the time; otherwise both have the value that holds longest in
// the two together. It does not allocate.
func (s *Series) Pairs(dst []float64, cells [][2]int64, m DrawMode, seed uint64, absent float64) {
	if m != MostTime && m != Proportional || !s.addsUp() {
		s.Values(dst, cells, m, seed, absent)
		return
	}
	var at cellWalk
	var p pair
	for x := 0; x < len(cells); x += 2 {
		if !p.read(s, &at, cells[x][0], cells[x][1], cells[x+1][1]) {
			s.Values(dst[x:x+2], cells[x:x+2], m, seed, absent)
			continue
		}
		if p.clear() {
			dst[x], dst[x+1] = s.table[p.left.best], s.table[p.right.best]
		} else {
			v := p.value(s)
			dst[x], dst[x+1] = v, v
		}
		p.reset()
	}
}

// SharesOfPairs is Shares for pairs of cells as in Pairs: n is 2 if f gets the values of both together.
func (s *Series) SharesOfPairs(cells [][2]int64, f func(x, n int, shares []Share)) {
	if !s.addsUp() {
		s.Shares(cells, func(x int, shares []Share) { f(x, 1, shares) })
		return
	}
	var at cellWalk
	var p pair
	var buf [2][maxCodes]Share
	for x := 0; x < len(cells); x += 2 {
		if !p.read(s, &at, cells[x][0], cells[x][1], cells[x+1][1]) {
			s.Shares(cells[x:x+2], func(k int, shares []Share) { f(x+k, 1, shares) })
			continue
		}
		if p.clear() {
			left, right := p.shares(s, &buf)
			f(x, 1, left)
			f(x+1, 1, right)
		} else {
			f(x, 2, p.sharesTogether(s, &buf[0]))
		}
		p.reset()
	}
}

// addsUp reports whether the time of each value can be added up by code.
func (s *Series) addsUp() bool { return s.since != nil && s.code != nil && !s.twoZeros() }

// pair holds how long each value lasts in the two halves of a cell.
type pair struct {
	left, right half
	codes       []uint8 // that may hold for some time; possibly listed twice
}

type half struct {
	time   [maxCodes]int64 // by code; all 0 before it is read
	length int64
	best   uint8 // code that holds longest; of two equal ones, that of the greater value
	most   int64 // how long
}

// read adds up the times of [a,m) and [m,b). It reports whether both have any.
func (p *pair) read(s *Series, w *cellWalk, a, m, b int64) bool {
	i := s.enter(w, a, m)
	if i < 0 || m >= s.end || s.begin(i) >= m {
		return false
	}
	a = max(a, s.begin(i))
	p.left.length, p.right.length = m-a, min(b, s.end)-m
	var middle, j int
	p.left.best, p.left.most, middle = s.addUp(&p.left.time, i, a, m)
	p.codes = s.code[i:middle]
	if few := middle == s.n || s.begin(middle) >= m; few {
		if s.until(middle-1) > m {
			middle-- // reaches into the right half
		}
		p.right.best, p.right.most, j = s.addUp(&p.right.time, middle, m, b)
		p.codes = s.code[i:j]
		if j == s.n || s.begin(j) >= b {
			w.next, w.end = j, b
			return true
		}
	}
	p.reset()
	j = s.searchFrom(middle, b)
	p.readMany(s, i, j, m, b)
	w.next, w.end = j, b
	return true
}

// readMany is read for many bursts, i..j-1.
func (p *pair) readMany(s *Series, i, j int, m, b int64) {
	middle := s.searchFrom(i, m) // not the first: that begins before m
	s.timeOfTable(&p.left.time, i, middle, m-p.left.length, m)
	if s.until(middle-1) > m {
		middle--
	}
	s.timeOfTable(&p.right.time, middle, j, m, min(b, s.end))
	p.codes = everyCode[:len(s.table)]
	for _, h := range []*half{&p.left, &p.right} {
		h.best, h.most = 0, 0
		for _, c := range p.codes {
			if t := h.time[c]; t > h.most || t == h.most && t > 0 && s.table[c] > s.table[h.best] {
				h.best, h.most = c, t
			}
		}
	}
}

var everyCode = func() (list [maxCodes]uint8) {
	for c := range list {
		list[c] = uint8(c)
	}
	return list
}()

func (p *pair) reset() {
	for _, c := range p.codes {
		p.left.time[c], p.right.time[c] = 0, 0
	}
}

// clear reports whether each half has a value that holds for more than half of its time.
func (p *pair) clear() bool {
	return 2*p.left.most > p.left.length && 2*p.right.most > p.right.length
}

// value returns the value that holds longest in both halves together; of two equal ones, the greater.
func (p *pair) value(s *Series) float64 {
	best, most := uint8(0), int64(0)
	for _, c := range p.codes {
		if t := p.left.time[c] + p.right.time[c]; t > most || t == most && t > 0 && s.table[c] > s.table[best] {
			best, most = c, t
		}
	}
	return s.table[best]
}

// shares lists the values of each half.
func (p *pair) shares(s *Series, buf *[2][maxCodes]Share) (left, right []Share) {
	return p.left.shares(s, p.codes, buf[0][:0]), p.right.shares(s, p.codes, buf[1][:0])
}

// sharesTogether lists the values of both halves together.
func (p *pair) sharesTogether(s *Series, buf *[maxCodes]Share) []Share {
	for _, c := range p.codes {
		p.left.time[c] += p.right.time[c]
		p.right.time[c] = 0
	}
	return p.left.shares(s, p.codes, buf[:0])
}

// shares appends the values to list and resets their times.
func (h *half) shares(s *Series, codes []uint8, list []Share) []Share {
	for _, c := range codes {
		if t := h.time[c]; t > 0 {
			list = append(list, Share{s.table[c], t})
			h.time[c] = 0
		}
	}
	return list
}
