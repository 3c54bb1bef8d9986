package findings

import "testing"

// Check 44: ring, tree and mesh of 6 processors place every processor exactly once; so do all arrangements of any
// number that fits.
func TestArrangements(t *testing.T) {
	for _, a := range arrangements {
		for _, n := range []int{1, 2, 5, 6, 7, 16, 64, 100} {
			list := a.place(n, 40, 20, [3]int{})
			if len(list) != n {
				t.Errorf("%s places %d of %d", a.name, len(list), n)
			}
			seen := map[spot]bool{}
			for _, s := range list {
				if seen[s] || s.x < 0 || s.y < 0 || s.x >= 40 || s.y >= 20 {
					t.Errorf("%s of %d: a second one, or none, at %v", a.name, n, s)
				}
				seen[s] = true
			}
		}
		if list := a.place(100, 9, 9, [3]int{}); list != nil {
			t.Errorf("%s has room for 100 on 81 cells", a.name)
		}
	}
	// A ring of 6 is two lines of three, clockwise: 1 2 3 above 6 5 4.
	for i, want := range []spot{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 1}} {
		if got := ring(6, 40, 20, [3]int{})[i]; got != want {
			t.Errorf("processor %d of the ring stands at %v, not %v", i+1, got, want)
		}
	}
	// 4 x 2 x 2: the second plane starts after a gap.
	if list := cube(16, 40, 20, [3]int{4, 2, 2}); list[7] != (spot{3, 1}) || list[8] != (spot{5, 0}) {
		t.Errorf("%v", list)
	}
}
