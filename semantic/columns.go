package semantic

import "context"

// Columns computes a row and returns its bursts as they are, for who walks all of
// them once and needs no Series: burst i holds value[i] from begin[i] to
// begin[i+1], the last one to end. The error is that of ctx, when it is done first.
func (e *Evaluator) Columns(ctx context.Context, row int) (begin []int64, value []float64, end int64, err error) {
	b, err := e.full(ctx, row)
	if err != nil {
		return nil, nil, 0, err
	}
	return b.begin, b.value, b.end, nil
}

// Together parts rows into groups that cost least when ColumnsOf computes them in
// one go: the CPUs of a node among which threads move. Other groups have one row.
func (e *Evaluator) Together(rows []int) [][]int { return e.groups(rows) }

// ColumnsOf is Columns for the rows of a group of Together; it hands each row to
// done.
func (e *Evaluator) ColumnsOf(ctx context.Context, rows []int,
	done func(row int, begin []int64, value []float64, end int64)) (err error) {
	defer catch(&err)
	if len(rows) == 1 {
		begin, value, end, err := e.Columns(ctx, rows[0])
		if err == nil {
			done(rows[0], begin, value, end)
		}
		return err
	}
	cpus := make([]int32, len(rows))
	for k, row := range rows {
		cpus[k] = int32(row + 1)
	}
	all, err := e.cpuRows(ctx, cpus)
	if err != nil {
		return err
	}
	for k := range all {
		all[k].object = rows[k]
		e.top(&all[k])
		done(rows[k], all[k].begin, all[k].value, all[k].end)
	}
	return nil
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
