package sim

// The blocks of a program that can be made faster or slower, such as user functions: from an event of a type with a
// value to the next event of that type with value 0.

import (
	"cmp"
	"slices"
)

// Block is a part of a program and the computation in it.
type Block struct {
	Type  uint32
	Value int64
	// Computation is the time over all threads, ns, in which the block is the innermost of its type.
	Computation float64
	Times       int64 // number of entries
}

// openType is an event type in a thread: its open values, innermost last.
type openType struct {
	typ           uint32
	open          []int64
	enters, exits int64
}

// maxNested bounds the nesting of blocks of a type; a type that nests deeper does not mark blocks.
const maxNested = 256

// Blocks lists the blocks of a program that contain computation, largest first. Event types that are never closed, such
// as counters, have none.
func Blocks(p *Program) []Block {
	type key struct {
		typ   uint32
		value int64
	}
	found := map[key]*Block{}
	enters, exits := map[uint32]int64{}, map[uint32]int64{}
	for i := range p.Threads {
		th := &p.Threads[i]
		var types []openType
		at := func(typ uint32) *openType {
			for j := range types {
				if types[j].typ == typ {
					return &types[j]
				}
			}
			types = append(types, openType{typ: typ})
			return &types[len(types)-1]
		}
		block := func(k key) *Block {
			b := found[k]
			if b == nil {
				b = &Block{Type: k.typ, Value: k.value}
				found[k] = b
			}
			return b
		}
		for pc, kind := range th.Kinds() {
			switch kind {
			case Event:
				typ, value := th.Event(pc)
				o := at(typ)
				switch {
				case value == 0:
					o.exits++
					if n := len(o.open); n > 0 {
						o.open = o.open[:n-1]
					}
				case value > 0 && len(o.open) < maxNested:
					o.enters++
					o.open = append(o.open, value)
					block(key{o.typ, value}).Times++
				}
			case Compute:
				ns := th.Burst(pc)
				if ns == 0 {
					continue
				}
				for j := range types {
					if n := len(types[j].open); n > 0 {
						block(key{types[j].typ, types[j].open[n-1]}).Computation += ns
					}
				}
			}
		}
		for _, o := range types {
			enters[o.typ] += o.enters
			exits[o.typ] += o.exits
		}
	}
	var list []Block
	for _, b := range found {
		if b.Computation > 0 && exits[b.Type] >= (enters[b.Type]+1)/2 {
			list = append(list, *b)
		}
	}
	slices.SortFunc(list, func(a, b Block) int {
		return cmp.Or(cmp.Compare(b.Computation, a.Computation), cmp.Compare(a.Type, b.Type),
			cmp.Compare(a.Value, b.Value))
	})
	return list
}

// ModuleRatio returns the speedup of a block on the machine; 1 unless set.
func (m *Machine) ModuleRatio(typ uint32, value int64) float64 { return m.Block(typ, value).Ratio }
