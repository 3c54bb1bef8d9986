package semantic

// pyramid is the aggregates above the bursts of a series.
type pyramid struct{}

func newPyramid(*Series) pyramid { return pyramid{} }

// reduce returns what bursts i..j-1 show in the cell [a,b).
func (s *Series) reduce(i, j int, a, b int64, m DrawMode, seed uint64) float64 {
	best := s.value(i)
	for k := i; k < j; k++ {
		best = max(best, s.value(k))
	}
	return best
}

// Aggregate returns what is known of [a,b).
func (s *Series) Aggregate(a, b int64) Agg {
	return Agg{}
}

// Bytes returns the memory that the series holds.
func (s *Series) Bytes() int64 { return int64(cap(s.begins)*8 + cap(s.values)*8) }
