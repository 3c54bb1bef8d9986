package dimemas

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pview/prv/extrae"
)

// letters makes records: e an event, E the end of a call, c a caller, l its line, r and s the logical receive and send
// of a message, p and q its physical send and receive.
func letters(text string) (list []item) {
	kinds := map[rune]item{
		'e': {kind: event, typ: 42000050, value: 1}, 'E': {kind: event, typ: extrae.MPIPointToPoint},
		'c': {kind: caller, typ: extrae.FirstCaller}, 'l': {kind: callerLine, typ: extrae.FirstCallerLine},
		'r': {kind: logicalRecv}, 's': {kind: logicalSend}, 'p': {kind: physicalSend}, 'q': {kind: physicalRecv},
	}
	for i, c := range text {
		it := kinds[c]
		it.order, it.comm = int64(i), int32(c)
		list = append(list, it)
	}
	return list
}

func spelled(list []item) string {
	var b strings.Builder
	for _, it := range list {
		b.WriteRune(rune(it.comm))
	}
	return b.String()
}

// Of a Sendrecv whose messages begin at one instant the receive comes first; but not in a long group that began with
// them. There, of 18 records, the median of the second (s), the tenth and the last (e) is the last event; the parts
// change places, r with it, p and s with the two events before; and insertion then finds p, s, r behind the events, of
// which only s moves, before p.
func TestOrderOfInstants(t *testing.T) {
	events := strings.Repeat("e", 15)
	for _, c := range []struct {
		what       string
		order      comparison
		from, want string
	}{
		{"few", outsideCall, "eersp", "eersp"},
		{"few, before", outsideCall, "rspee", "eersp"},
		{"many", outsideCall, events + "rsp", events + "rsp"},
		{"many, before", outsideCall, "rsp" + events, events + "spr"},
		{"end of a call", outsideCall, "eqE", "eqE"},
		{"inside", insideCall, "eclcleqsr", "rsqeeccll"},
	} {
		list := letters(c.from)
		if c.order.sort(list); spelled(list) != c.want {
			t.Errorf("%s: %s becomes %s, not %s", c.what, c.from, spelled(list), c.want)
		}
	}
}

// With a proper comparison the sort sorts, by quicksort and by heapsort.
func TestSort(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	byOrder := comparison(func(a, b *item) bool { return a.order < b.order })
	for n := range 200 {
		list := make([]item, n)
		for i := range list {
			list[i].order = int64(rnd.IntN(50))
		}
		heap := slices.Clone(list)
		byOrder.sort(list)
		byOrder.heap(heap)
		for _, l := range [][]item{list, heap} {
			if !slices.IsSortedFunc(l, func(a, b item) int { return int(a.order - b.order) }) {
				t.Fatalf("%d records are not in order", n)
			}
		}
	}
}
