package filter

import (
	"math"

	"pview/prv"
)

// EventPass is an EventFilter compiled for a trace. It is read-only and safe
// for concurrent use.
//
// Types are asked first, through a set that answers without a map; only then
// values, after the precision of the .pcf is applied to them. With And, an
// empty list of values means that no value is filtered, whatever the function
// (as in Paraver, unlike types).
type EventPass struct {
	all      bool // nothing is rejected
	types    typeSet
	value    Criterion
	anyValue bool
	or       bool
	scale    scales
}

// compileEvents resolves labels and prepares the set of types.
func compileEvents(f *EventFilter, labels *prv.Labels) EventPass {
	typ, val := resolveTypes(f.Type, labels), resolveValues(f, labels)
	p := EventPass{
		types:    newTypeSet(&typ),
		value:    val,
		anyValue: val.Func == All || val.Func != None && len(val.Values) == 0,
		or:       f.Or,
		scale:    newScales(labels),
	}
	if p.or {
		p.all = p.types.all || p.anyValue
	} else {
		p.all = p.types.all && p.anyValue
	}
	return p
}

// All reports whether every event passes.
func (p *EventPass) All() bool { return p.all }

// None reports whether no event can pass, whatever its type.
func (p *EventPass) None() bool {
	return p.types.none && (!p.or || p.value.Func == None) || !p.or && p.value.Func == None
}

// Has reports whether an event of the given type and (unscaled) value passes.
func (p *EventPass) Has(typ uint32, value int64) bool {
	if p.all {
		return true
	}
	if p.or {
		return p.types.has(typ) || p.anyValue || p.value.Test(p.Value(typ, value))
	}
	return p.types.has(typ) && (p.anyValue || p.value.Test(p.Value(typ, value)))
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
	case p.None():
		return dst
	case p.all:
		for i := range e.Type {
			dst = append(dst, int32(i))
		}
		return dst
	case !p.or && p.anyValue:
		return p.types.selectRows(dst, e.Type)
	}
	for i, typ := range e.Type {
		if p.Has(typ, e.Value[i]) {
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
			dst[k] = float64(e.Value[i])
		}
		return
	}
	for k, i := range rows {
		dst[k] = p.Value(e.Type[i], e.Value[i])
	}
}

// typeSet is a criterion on event types in a form that answers at once: an
// interval, or a bit set over the interval where few types are listed close
// together, or an open-addressed table where they are far apart.
type typeSet struct {
	all, none bool
	lo, hi    uint32 // inclusive
	bits      []uint64
	table     []uint32 // power-of-two size; empty slots hold lo's complement: a value outside [lo,hi]
	shift     uint8
	empty     uint32
	negate    bool // the set is what does not pass
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

// typeInterval returns the interval of types that pass a comparison, all of
// which are intervals.
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
	return typeSet{lo: uint32(lo), hi: uint32(hi)}
}

func listSet(list []uint32) typeSet {
	s := typeSet{lo: list[0], hi: list[0]}
	for _, t := range list {
		s.lo, s.hi = min(s.lo, t), max(s.hi, t)
	}
	if s.lo == s.hi {
		return s
	}
	if s.hi-s.lo < maxBitSpan {
		s.bits = make([]uint64, (s.hi-s.lo)/64+1)
		for _, t := range list {
			s.bits[(t-s.lo)/64] |= 1 << ((t - s.lo) % 64)
		}
		return s
	}
	s.shift = 32
	for size := 1; size < 4*len(list); size *= 2 {
		s.shift--
	}
	s.table = make([]uint32, 1<<(32-s.shift))
	// has asks the interval first, so any number outside of it marks a free slot;
	// the interval cannot be everything, or one end of it is in use anyway.
	s.empty = s.lo - 1
	if s.lo == 0 {
		s.empty = s.hi + 1
	}
	if s.empty >= s.lo && s.empty <= s.hi { // lo is 0 and hi the last type
		s.empty = freeType(list)
	}
	for i := range s.table {
		s.table[i] = s.empty
	}
	for _, t := range list {
		i := s.slot(t)
		for s.table[i] != s.empty && s.table[i] != t {
			i = (i + 1) & uint32(len(s.table)-1)
		}
		s.table[i] = t
	}
	return s
}

// freeType returns a type that is not in the list.
func freeType(list []uint32) uint32 {
	for t := uint32(1); ; t++ {
		free := true
		for _, x := range list {
			free = free && x != t
		}
		if free {
			return t
		}
	}
}

func (s *typeSet) slot(t uint32) uint32 { return t * 0x9E3779B1 >> s.shift }

// in reports whether t is in the set, before negation.
func (s *typeSet) in(t uint32) bool {
	if t < s.lo || t > s.hi {
		return false
	}
	if s.bits != nil {
		return s.bits[(t-s.lo)/64]>>((t-s.lo)%64)&1 != 0
	}
	if s.table == nil {
		return true
	}
	if t == s.empty {
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

func (s *typeSet) selectRows(dst []int32, types []uint32) []int32 {
	if s.lo == s.hi && !s.negate && !s.all && !s.none {
		for i, t := range types {
			if t == s.lo {
				dst = append(dst, int32(i))
			}
		}
		return dst
	}
	for i, t := range types {
		if s.has(t) {
			dst = append(dst, int32(i))
		}
	}
	return dst
}

// scales holds the factors of the types that have a precision in the .pcf:
// few or none, so that a sorted list suffices.
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
			s.factor = append(s.factor, math.Pow(10, -float64(t.Precision)))
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
