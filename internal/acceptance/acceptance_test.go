package acceptance

import "testing"

// Checks 1 and 2 of the table below: numbers are read from comments and names.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		text string
		yes  []int
		no   []int
	}{
		{"// Check 12: a wait.\nfunc TestWait", []int{12}, []int{1, 2, 120}},
		{"// Checks 3 to 5, 8 and 10.\n", []int{3, 4, 5, 8, 10}, []int{6, 7, 9}},
		{"func TestCheck03To06(t *testing.T) {", []int{3, 4, 5, 6}, []int{2, 7}},
		{"func TestCheck21And23(t *testing.T) {", []int{21, 23}, []int{22}},
		{"func TestAll() {\n\t// 17\n\tcheck(t)\n\t// 5 of them\n}", []int{17, 5}, []int{1, 7}},
		{"func TestAll() {\n\tn := 17\n}", nil, []int{17}},
	} {
		for _, n := range c.yes {
			if !names(c.text, n) {
				t.Errorf("%q does not name %d", c.text, n)
			}
		}
		for _, n := range c.no {
			if names(c.text, n) {
				t.Errorf("%q names %d", c.text, n)
			}
		}
	}
}

// The tests of this package are found, also by a path through the root of the module.
func TestVerify(t *testing.T) {
	Verify(t, "../..", 2, Table{1: "TestNames", 2: "internal/acceptance TestNames, TestVerify"})
	// Check 2 is the second line of the table and has this test too. Check 1 is the first.
}
