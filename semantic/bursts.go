package semantic

// bursts is a row under construction: burst i holds value[i] from begin[i] to begin[i+1], the last one to end. There is
// at least one burst, and the first begins at 0. Zero-length bursts exist where records share a time, except at time 0,
// where only the last record counts, and at the end, where none does.
type bursts struct {
	begin []int64
	value []float64
	cpu   []int32 // CPU of the record that began each burst; nil if not needed
	end   int64
	ends  []int64 // of bursts that do not follow one another: see Printed
	// object is the number of the row's object, set when a compose function is applied.
	object int
}

// newBursts returns a row with the given value from 0 to end, and room for n more bursts.
func newBursts(end int64, first float64, n int) bursts {
	b := bursts{begin: make([]int64, 1, n+1), value: make([]float64, 1, n+1), end: end}
	b.value[0] = first
	return b
}

// add begins a burst. Times must not decrease.
func (b *bursts) add(t int64, v float64) {
	b.begin = append(b.begin, t)
	b.value = append(b.value, v)
}

// until returns the end of burst i.
func (b *bursts) until(i int) int64 {
	if b.ends != nil {
		return b.ends[i]
	}
	if i+1 < len(b.begin) {
		return b.begin[i+1]
	}
	return b.end
}
