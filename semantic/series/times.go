package series

// Times calls add with every value that the series has in [a,b), and the time that it covers there; a value may come
// several times. With few distinct values the cost is bounded (see shares), else it grows with the bursts.
func (s *Series) Times(a, b int64, add func(v float64, time int64)) {
	i, j, ok := s.cell(a, b)
	if a, b = max(a, 0), min(b, s.end); !ok || a >= b {
		return
	}
	if s.code != nil {
		var time [maxCodes]int64
		s.timeOfTable(&time, i, j, a, b)
		for c, t := range time[:len(s.table)] {
			if t > 0 {
				add(s.table[c], t)
			}
		}
		return
	}
	for ; i < j; i++ {
		if from, to := max(a, s.begin(i)), min(b, s.until(i)); from < to {
			add(s.value(i), to-from)
		}
	}
}
