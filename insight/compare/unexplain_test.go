package compare

import (
	"maps"
	"testing"

	"pview/prv/wide"
)

// Waiting without a cause is taken from the longest classes, of equal ones from the first by name, so that the same
// runs give the same comparison. 90 of Late Sender 50, Barrier 50 and Early Receiver 20: Barrier's 50 and 40 of Late
// Sender become unknown. The time of a function is none that is waited.
func TestUnexplain(t *testing.T) {
	waits := func(class string) detail { return detail{Category: waiting, what: class, wait: true} }
	solve := detail{Category: Category(0), what: "solve"}
	for range 20 { // the order of maps varies
		s := sums{causes: map[detail]wide.Int{waits("Late Sender"): wide.Of(50), waits("Barrier"): wide.Of(50),
			waits("Early Receiver"): wide.Of(20), solve: wide.Of(1000)}}
		s.unexplain(90)
		maps.DeleteFunc(s.causes, func(_ detail, v wide.Int) bool { return v.Sign() == 0 })
		want := map[detail]wide.Int{waits("Late Sender"): wide.Of(10), waits("Early Receiver"): wide.Of(20),
			solve: wide.Of(1000), {Category: unknown}: wide.Of(90)}
		if !maps.Equal(s.causes, want) {
			t.Fatalf("%v, want %v", s.causes, want)
		}
	}
}
