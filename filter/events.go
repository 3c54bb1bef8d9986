package filter

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"pview/prv"
)

// EventPass is an EventFilter compiled for a trace. It is read-only and safe
// for concurrent use.
//
// Types are checked first, in a set that needs no map; only then values, scaled by the precision of the .pcf. As in
// Paraver, an empty list of values is no criterion, whatever the function: the type alone decides.
type EventPass struct {
	all     bool // everything passes
	none    bool // nothing passes
	types   typeSet
	value   Criterion
	byValue bool // value matters too
	or      bool
	scale   scales
}

// compileEvents resolves labels and prepares the set of types.
func compileEvents(f *EventFilter, labels *prv.Labels) EventPass {
	typ, val := resolveTypes(f.Type, labels), resolveValues(f, labels)
	p := EventPass{types: newTypeSet(&typ), value: val, byValue: len(val.Values) > 0, or: f.Or,
		scale: newScales(labels)}
	allValues, noValues := p.byValue && val.Func == All, p.byValue && val.Func == None
	switch {
	case p.or:
		p.all = p.types.all || allValues
		p.none = p.types.none && (!p.byValue || noValues)
	default:
		p.all = p.types.all && (!p.byValue || allValues)
		p.none = p.types.none || noValues
	}
	return p
}

// All reports whether every event passes.
func (p *EventPass) All() bool { return p.all }

// None reports whether no event passes.
func (p *EventPass) None() bool { return p.none }

// Has reports whether an event of the given type and (unscaled) value passes.
func (p *EventPass) Has(typ uint32, value int64) bool {
	switch {
	case p.all || p.none:
		return p.all
	case p.types.has(typ) == p.or:
		return p.or
	case !p.byValue:
		return !p.or
	}
	return p.value.Test(p.Value(typ, value))
}

// Value returns an event's value after the precision of its type.
func (p *EventPass) Value(typ uint32, value int64) float64 {
	if s := p.scale.of(typ); s != 1 {
		return float64(value) * s
	}
	return float64(value)
}

// Select appends to dst the rows of e that pass, in order, and returns it.
func (p *EventPass) Select(dst []int32, e *prv.Events) []int32 {
	switch {
	case p.none:
		return dst
	case p.all:
		for i := range e.Type {
			dst = append(dst, int32(i))
		}
		return dst
	case !p.byValue:
		return p.types.selectRows(dst, e.Type)
	}
	for i, typ := range e.Type {
		if p.Has(typ, e.Value.At(i)) {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// Values writes the scaled values of the given rows of e to dst, which must be
// as long as rows.
func (p *EventPass) Values(dst []float64, e *prv.Events, rows []int32) {
	if p.scale.none() {
		for k, i := range rows {
			dst[k] = float64(e.Value.At(int(i)))
		}
		return
	}
	for k, i := range rows {
		dst[k] = p.Value(e.Type[i], e.Value.At(int(i)))
	}
}

// typeSet is a criterion on event types in a fast form: an interval, a bit set over the interval if the listed types
// are close together, or a hash table if they are far apart.
type typeSet struct {
	all, none bool
	lo, span  uint32   // the interval is lo .. lo+span
	bits      []uint64 // one bit longer than the interval; the last is never set
	table     []uint32 // power-of-two size; empty marks a free slot
	multiple  uint32   // hash: the top bits of the product
	shift     uint8
	direct    bool // every type of the list sits in the slot of its hash
	empty     uint32
	negate    bool // types in the set fail, others pass
}

// maxBitSpan bounds the memory of a set's bits: 8 KB.
const maxBitSpan = 1 << 16

func newTypeSet(c *Criterion) typeSet {
	switch c.Func {
	case All:
		return typeSet{all: true}
	case None:
		return typeSet{none: true}
	case Greater, Less, Range:
		return typeInterval(c)
	}
	if len(c.Values) == 0 {
		return typeSet{none: true}
	}
	var list []uint32
	for _, v := range c.Values {
		if v >= 0 && v <= math.MaxUint32 && v == math.Trunc(v) {
			list = append(list, uint32(v))
		}
	}
	if len(list) == 0 {
		return typeSet{all: c.Func == NotEqual, none: c.Func == Equal}
	}
	s := listSet(list)
	s.negate = c.Func == NotEqual
	return s
}

// typeInterval returns the interval of the types that pass a comparison; each comparison passes one interval.
func typeInterval(c *Criterion) typeSet {
	if len(c.Values) == 0 || c.Func == Range && len(c.Values) < 2 {
		return typeSet{none: true}
	}
	lo, hi := 0.0, float64(math.MaxUint32)
	switch c.Func {
	case Greater:
		for _, v := range c.Values {
			lo = max(lo, math.Floor(v)+1)
		}
	case Less:
		for _, v := range c.Values {
			hi = min(hi, math.Ceil(v)-1)
		}
	case Range:
		lo, hi = max(lo, math.Ceil(c.Values[0])), min(hi, math.Floor(c.Values[1]))
	}
	if !(lo <= hi) {
		return typeSet{none: true}
	}
	return typeSet{lo: uint32(lo), span: uint32(hi) - uint32(lo)}
}

func listSet(list []uint32) typeSet {
	s := typeSet{lo: slices.Min(list), span: slices.Max(list) - slices.Min(list)}
	switch {
	case s.span == 0:
	case s.span < maxBitSpan:
		s.bits = make([]uint64, s.span/64+2)
		for _, t := range list {
			s.bits[(t-s.lo)/64] |= 1 << ((t - s.lo) % 64)
		}
	default:
		s.fillTable(list)
	}
	return s
}

// fillTable builds the table, if possible with a hash under which no two types collide, so that one probe answers.
func (s *typeSet) fillTable(list []uint32) {
	width := uint8(bits.Len(uint(4*len(list) - 1)))
	s.empty = 1
	for slices.Contains(list, s.empty) {
		s.empty++
	}
	r := rand.New(rand.NewPCG(1, 2))
	for try := 0; ; try++ {
		if try%16 == 15 && width < 12 {
			width++
		}
		s.multiple, s.shift = r.Uint32()|1, 32-width
		s.direct = s.tryTable(list, width)
		if s.direct || try == 256 {
			return
		}
	}
}

// tryTable fills a table of 2^width slots and reports whether each type sits in the slot of its hash.
func (s *typeSet) tryTable(list []uint32, width uint8) bool {
	s.table = make([]uint32, 1<<width)
	for i := range s.table {
		s.table[i] = s.empty
	}
	direct := true
	for _, t := range list {
		i := s.slot(t)
		for s.table[i] != s.empty && s.table[i] != t {
			direct = false
			i = (i + 1) & uint32(len(s.table)-1)
		}
		s.table[i] = t
	}
	return direct
}

func (s *typeSet) slot(t uint32) uint32 { return t * s.multiple >> s.shift }

// in reports whether t is in the set, before negation.
func (s *typeSet) in(t uint32) bool {
	switch {
	case s.bits != nil:
		d := min(t-s.lo, s.span+1)
		return s.bits[d/64]>>(d%64)&1 != 0
	case s.table == nil:
		return t-s.lo <= s.span
	case t == s.empty:
		return false
	}
	for i := s.slot(t); ; i = (i + 1) & uint32(len(s.table)-1) {
		switch s.table[i] {
		case t:
			return true
		case s.empty:
			return false
		}
	}
}

func (s *typeSet) has(t uint32) bool {
	return s.all || !s.none && s.in(t) != s.negate
}

// selectRows appends the rows whose type is in the set.
//
// Processors mispredict branches on types, so the loops store every row and advance only if it passes: no branch
// depends on the type.
func (s *typeSet) selectRows(dst []int32, types []uint32) []int32 {
	const chunk = 1024
	var hits [chunk]int32
	for base := 0; base < len(types); base += chunk {
		n := s.hits(&hits, types[base:min(base+chunk, len(types))], int32(base))
		dst = append(dst, hits[:n]...)
	}
	return dst
}

// hits stores the rows, counted from base, whose type is in the set and returns
// how many there are.
func (s *typeSet) hits(hits *[1024]int32, types []uint32, base int32) (n int) {
	not := uint64(0)
	if s.negate {
		not = 1
	}
	switch {
	case s.all || s.none || s.table != nil && !s.direct:
		for i, t := range types {
			if s.has(t) {
				hits[n&1023] = base + int32(i)
				n++
			}
		}
	case s.bits != nil:
		for i, t := range types {
			hits[n&1023] = base + int32(i)
			d := min(t-s.lo, s.span+1)
			n += int(s.bits[d/64]>>(d%64)&1 ^ not)
		}
	case s.table != nil:
		for i, t := range types {
			hits[n&1023] = base + int32(i)
			// The free slots hold a type that is not in the set.
			n += int(one(s.table[s.slot(t)] == t && t != s.empty) ^ not)
		}
	default:
		for i, t := range types {
			hits[n&1023] = base + int32(i)
			n += int(one(t-s.lo <= s.span) ^ not)
		}
	}
	return n
}

// one returns 1 for true, 0 for false.
func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// scales holds the factors of the types that have a precision in the .pcf: few or none, so a sorted list will do.
type scales struct {
	types  []uint32
	factor []float64
}

func newScales(labels *prv.Labels) scales {
	var s scales
	if labels == nil {
		return s
	}
	for i := range labels.Types {
		if t := &labels.Types[i]; t.Precision != 0 {
			s.types = append(s.types, t.Type)
			s.factor = append(s.factor, t.Factor())
		}
	}
	return s
}

func (s *scales) none() bool { return len(s.types) == 0 }

func (s *scales) of(typ uint32) float64 {
	for i, t := range s.types {
		if t == typ {
			return s.factor[i]
		}
	}
	return 1
}
