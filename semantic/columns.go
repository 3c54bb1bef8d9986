package semantic

import "context"

// Columns computes a row and returns its bursts as they are, for who walks all of
// them once and needs no Series: burst i holds value[i] from begin[i] to
// begin[i+1], the last one to end. The error is that of ctx, when it is done first.
func (e *Evaluator) Columns(ctx context.Context, row int) (begin []int64, value []float64, end int64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, 0, err
	}
	b, err := e.row(ctx, e.level, row)
	if err != nil {
		return nil, nil, 0, err
	}
	for _, f := range e.tops {
		f.compose(&b, f.p, e.clock)
	}
	return b.begin, b.value, b.end, nil
}

// Columns appends the bursts of the series to begin and value: see
// Evaluator.Columns.
func (s *Series) Columns(begin []int64, value []float64) ([]int64, []float64) {
	if s.wide != nil {
		begin = append(begin, s.wide...)
	} else {
		for k, base := range s.base {
			for _, d := range s.since[k<<blockBits : min((k+1)<<blockBits, s.n)] {
				begin = append(begin, base+int64(d))
			}
		}
	}
	if s.code == nil {
		return begin, append(value, s.values...)
	}
	for _, c := range s.code {
		value = append(value, s.table[c])
	}
	return begin, value
}
