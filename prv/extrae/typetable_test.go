package extrae

import (
	"math/rand/v2"
	"testing"
)

// The table answers like a map, for the types in it and for their neighbours.
func TestTypeTable(t *testing.T) {
	for _, size := range []int{0, 1, 3, 200} {
		rnd := rand.New(rand.NewPCG(1, uint64(size)))
		parts := map[uint32]uint8{}
		for len(parts) < size {
			parts[50_000_000+rnd.Uint32N(1000)] = uint8(rnd.UintN(4))
		}
		table := NewTypeTable(parts)
		for typ := range uint32(2000) {
			if got := table.Part(50_000_000 + typ); got != parts[50_000_000+typ] {
				t.Fatalf("%d types: type %d plays part %d, not %d", size, 50_000_000+typ, got, parts[50_000_000+typ])
			}
		}
		if got := table.Part(0); got != 0 {
			t.Errorf("type 0 plays part %d", got)
		}
	}
}
