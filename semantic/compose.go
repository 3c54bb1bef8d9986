package semantic

import (
	"math"
	"slices"
)

// composeFunc changes a row in place.
type composeFunc func(b *bursts, p params, c clock)

// composeTable lists the compose functions.
var composeTable = []Entry{
	{Name: "As Is", Meaning: PassedOn, Doc: "the value unchanged", compose: func(*bursts, params, clock) {}},
	{Name: "Sign", Doc: "1 if the value is not 0, else 0", compose: each(func(v float64, _ params) float64 {
		return truth(v != 0)
	})},
	{Name: "1-Sign", Doc: "0 if the value is not 0, else 1", compose: each(func(v float64, _ params) float64 {
		return truth(v == 0)
	})},
	{Name: "Mod", Aliases: []string{"Module"}, Doc: "value modulo divider, with the sign of the value", Params: divider,
		compose: each(func(v float64, p params) float64 { return remainder(v, p.one(0)) })},
	{Name: "Mod+1", Aliases: []string{"Module+1"}, Doc: "value modulo divider, plus 1", Params: divider,
		compose: each(func(v float64, p params) float64 { return remainder(v, p.one(0)) + 1 })},
	{Name: "Div", Aliases: []string{"Divide"},
		Doc: "value over divider; for divider 0, the fractional part of the value (as in Paraver)", Params: divider,
		compose: each(func(v float64, p params) float64 {
			if p.one(0) == 0 {
				return math.Mod(v, 1)
			}
			return v / p.one(0)
		})},
	{Name: "Prod", Doc: "value times factor", Params: factor(0), compose: each(func(v float64, p params) float64 {
		return v * p.one(0)
	})},
	{Name: "Add", Doc: "value plus a number", Params: number(0), compose: each(func(v float64, p params) float64 {
		return v + p.one(0)
	})},
	{Name: "Subs", Doc: "value minus a number", Params: number(0), compose: each(func(v float64, p params) float64 {
		return v - p.one(0)
	})},
	{Name: "Complement", Doc: "a number minus the value", Params: number(1),
		compose: each(func(v float64, p params) float64 { return p.one(0) - v })},
	{Name: "Inverse Div", Doc: "factor over value; 0 for 0", Params: factor(1),
		compose: each(func(v float64, p params) float64 {
			if v == 0 {
				return 0
			}
			return p.one(0) / v
		})},
	{Name: "Select Range", Meaning: PassedOn,
		Doc: "the value if it lies within one of the pairs of limits, both included, else 0", Params: limits,
		compose: each(func(v float64, p params) float64 { return selected(v, p.within(v, false)) })},
	{Name: "Select Range [)", Meaning: PassedOn,
		Doc: "the value if it lies within one of the pairs of limits, the upper one excluded, else 0", Params: limits,
		compose: each(func(v float64, p params) float64 { return selected(v, p.within(v, true)) })},
	{Name: "Is In Range", Doc: "1 if the value lies within one of the pairs of limits, both included, else 0",
		Params:  limits,
		compose: each(func(v float64, p params) float64 { return truth(p.within(v, false)) })},
	{Name: "Is In Range [)",
		Doc: "1 if the value lies within one of the pairs of limits, the upper one excluded, else 0", Params: limits,
		compose: each(func(v float64, p params) float64 { return truth(p.within(v, true)) })},
	{Name: "Is Equal", Meaning: PassedOn, Doc: "the value if it is listed, else 0", Params: listedValues,
		compose: each(func(v float64, p params) float64 { return selected(v, p.lists(0, v)) })},
	{Name: "Is Equal (Sign)", Doc: "1 if the value is listed, else 0", Params: listedValues,
		compose: each(func(v float64, p params) float64 { return truth(p.lists(0, v)) })},
	{Name: "Floor", Meaning: PassedOn, Doc: "the value rounded down", compose: plain(math.Floor)},
	{Name: "Ceil", Meaning: PassedOn, Doc: "the value rounded up", compose: plain(math.Ceil)},
	{Name: "Round", Meaning: PassedOn, Doc: "the value rounded to the nearest integer, halves to even",
		compose: plain(math.RoundToEven)},
	{Name: "Abs", Meaning: PassedOn, Doc: "absolute value", compose: plain(math.Abs)},
	{Name: "Stacked Val", Meaning: PassedOn, Aliases: []string{"Stacked Value"},
		Doc: "value on top of a stack: non-zero values are pushed, 0 pops", History: true,
		compose: func(b *bursts, _ params, _ clock) { stacked(b, func(top float64) float64 { return top }) }},
	{Name: "In Stacked Val", Doc: "value on top of the stack if it is the given one, else 0", Params: number(1),
		History: true,
		compose: func(b *bursts, p params, _ clock) {
			stacked(b, func(top float64) float64 { return selected(top, top == p.one(0)) })
		}},
	{Name: "Nesting level", Doc: "depth of the stack: +1 for non-zero values, -1 for 0", History: true,
		compose: nestingLevel},
	{Name: "LRU Depth", Doc: "position of the value among the most recently used; size + 1 if not among them, 0 for 0",
		History: true,
		Params:  []Param{{Name: "Stack size", Default: []float64{256}}}, compose: lruDepth},
	{Name: "Enumerate", Doc: "number of non-zero bursts so far", History: true,
		compose: func(b *bursts, _ params, _ clock) {
			n := 0.0
			for i, v := range b.value {
				n += truth(v != 0)
				b.value[i] = n
			}
		}},
	{Name: "Accumulate", Doc: "sum of the bursts so far", History: true, compose: func(b *bursts, _ params, _ clock) {
		sum := 0.0
		for i, v := range b.value {
			sum += v
			b.value[i] = sum
		}
	}},
	{Name: "Delta", Doc: "difference from the previous burst", History: true,
		compose: func(b *bursts, _ params, _ clock) {
			last := 0.0
			for i, v := range b.value {
				b.value[i] = v - last
				last = v
			}
		}},
	{Name: "Burst Time", Meaning: Times, Doc: "duration of the burst",
		compose: perBurst(func(_ float64, begin, end int64, c clock) float64 { return c.at(end - begin) })},
	{Name: "Divide by Burst Time", Doc: "value over duration of the burst; 0 if the duration is 0",
		compose: perBurst(func(v float64, begin, end int64, c clock) float64 {
			if begin == end {
				return 0
			}
			return v / c.at(end-begin)
		})},
	{Name: "Join Bursts", Meaning: PassedOn, Doc: "merges adjacent bursts of equal value", History: true,
		compose: joinBursts, joins: true},
	{Name: "Begin Time", Meaning: Times, Doc: "begin of the burst",
		compose: perBurst(func(_ float64, begin, _ int64, c clock) float64 { return c.at(begin) })},
	{Name: "End Time", Meaning: Times, Doc: "end of the burst",
		compose: perBurst(func(_ float64, _, end int64, c clock) float64 { return c.at(end) })},
	{Name: "Timer", Meaning: PassedOn, Doc: "the value for a limited time after it was last 0, then 0", History: true,
		Params: []Param{{Name: "Time (in units of the trace)", Default: []float64{0}}}, compose: timer},
	{Name: "Translate", Meaning: PassedOn,
		Doc:    "the value, replaced by a list of pairs: a b c d maps a to b and c to d",
		Params: []Param{{Name: "Translation list", List: true}}, compose: each(func(v float64, p params) float64 {
			for i := 0; i+1 < len(p[0]); i += 2 {
				if v == p[0][i] {
					return p[0][i+1]
				}
			}
			return v
		})},
	{Name: "sin", Doc: "sine of the value in radians", compose: plain(math.Sin)},
	{Name: "cos", Doc: "cosine of the value in radians", compose: plain(math.Cos)},
	{Name: "sqrt (abs)", Doc: "square root of absolute value", compose: plain(func(v float64) float64 {
		return math.Sqrt(math.Abs(v))
	})},
	{Name: "arc tan", Doc: "arc tangent of the value in radians", compose: plain(math.Atan)},
	{Name: "log N", Doc: "logarithm of the value; 0 if negative or undefined",
		Params: []Param{{Name: "Base", Default: []float64{math.E}}},
		compose: each(func(v float64, p params) float64 {
			if v <= 0 {
				return 0
			}
			return max(0, math.Log(v)/math.Log(p.one(0)))
		})},
	{Name: "exp", Doc: "base to the power of the value; 0 if undefined",
		Params: []Param{{Name: "Base", Default: []float64{math.E}}},
		compose: each(func(v float64, p params) float64 {
			if w := math.Pow(p.one(0), v); !math.IsNaN(w) && !math.IsInf(w, 0) {
				return w
			}
			return 0
		})},

	{Name: "Sign (> 0)", Group: "Thesis", Doc: "1 if the value is greater than 0, else 0",
		compose: plain(func(v float64) float64 { return truth(v > 0) })},
	{Name: "1-Sign (> 0)", Group: "Thesis", Doc: "0 if the value is greater than 0, else 1",
		compose: plain(func(v float64) float64 { return truth(!(v > 0)) })},

	userCompose,
}

var (
	divider = []Param{{Name: "Divider", Default: []float64{1}}}
	limits  = []Param{{Name: "Max value", Default: []float64{1}, List: true},
		{Name: "Min value", Default: []float64{0}, List: true}}
)

func number(def float64) []Param { return []Param{{Name: "Value", Default: []float64{def}}} }

// plain makes a compose function from a function of the value.
func plain(f func(v float64) float64) composeFunc {
	return func(b *bursts, _ params, _ clock) {
		for i, v := range b.value {
			b.value[i] = f(v)
		}
	}
}

// each makes a compose function from a function of value and parameters.
func each(f func(v float64, p params) float64) composeFunc {
	return func(b *bursts, p params, _ clock) {
		for i, v := range b.value {
			b.value[i] = f(v, p)
		}
	}
}

// perBurst makes a compose function from a function that also takes the burst's times.
func perBurst(f func(v float64, begin, end int64, c clock) float64) composeFunc {
	return func(b *bursts, _ params, c clock) {
		for i, v := range b.value {
			b.value[i] = f(v, b.begin[i], b.until(i), c)
		}
	}
}

// selected returns v if it is selected, else 0.
func selected(v float64, ok bool) float64 {
	if ok {
		return v
	}
	return 0
}

// remainder returns the remainder of a division; a divisor of 0 counts as 1.
func remainder(v, d float64) float64 {
	if d == 0 {
		d = 1
	}
	return math.Mod(v, d)
}

// within reports whether v lies in one of the pairs of limits; the first parameter has the upper limits, which open
// excludes.
func (p params) within(v float64, open bool) bool {
	for i, hi := range p[0] {
		if i < len(p[1]) && v >= p[1][i] && (v < hi || v == hi && !open) {
			return true
		}
	}
	return false
}

// stacked sets each burst to show of the top of the stack.
func stacked(b *bursts, show func(top float64) float64) {
	var stack []float64
	for i, v := range b.value {
		if v != 0 {
			stack = append(stack, v)
		} else if len(stack) > 0 {
			stack = stack[:len(stack)-1]
		}
		top := 0.0
		if len(stack) > 0 {
			top = stack[len(stack)-1]
		}
		b.value[i] = show(top)
	}
}

func nestingLevel(b *bursts, _ params, _ clock) {
	level := 0.0
	for i, v := range b.value {
		if v != 0 {
			level++
		} else {
			level = max(0, level-1)
		}
		b.value[i] = level
	}
}

func lruDepth(b *bursts, p params, _ clock) {
	size := int(max(0, p.one(0)))
	var used []float64 // the last one first
	for i, v := range b.value {
		if v == 0 {
			continue
		}
		at := slices.Index(used, v)
		if at < 0 {
			b.value[i] = float64(size) + 1
			if len(used) == size {
				used = used[:max(0, size-1)]
			}
			if size > 0 {
				used = slices.Insert(used, 0, v)
			}
			continue
		}
		b.value[i] = float64(at) + 1
		copy(used[1:at+1], used[:at])
		used[0] = v
	}
}

func joinBursts(b *bursts, _ params, _ clock) {
	n := 1
	for i := 1; i < len(b.value); i++ {
		if b.value[i] == b.value[n-1] {
			continue
		}
		b.begin[n], b.value[n] = b.begin[i], b.value[i]
		if b.cpu != nil {
			b.cpu[n] = b.cpu[i]
		}
		n++
	}
	b.begin, b.value = b.begin[:n], b.value[:n]
	if b.cpu != nil {
		b.cpu = b.cpu[:n]
	}
}

// timer keeps values for a limited time, which starts with the first burst that is not 0. If the time ends within a
// burst, the rest of the burst is 0, and the next burst restarts the timer.
func timer(b *bursts, p params, _ clock) {
	out := bursts{end: b.end, object: b.object}
	limit := int64(p.one(0))
	put := func(i int, t int64, v float64) {
		out.add(t, v)
		if b.cpu != nil {
			out.cpu = append(out.cpu, b.cpu[i])
		}
	}
	gone := int64(0)
	for i, v := range b.value {
		if limit <= 0 {
			v = 0
		}
		put(i, b.begin[i], v)
		d := b.until(i) - b.begin[i]
		switch {
		case v == 0:
			gone = 0
		case gone+d < limit:
			gone += d
		case gone+d == limit:
			gone = 0
		default:
			put(i, b.begin[i]+limit-gone, 0)
			gone = 0
		}
	}
	*b = out
}
