package filter

import (
	"fmt"
	"slices"
	"testing"
)

func TestNamesOfFunctions(t *testing.T) {
	for _, e := range Functions {
		if f, ok := Lookup(e.Name); !ok || f != e.Func || f.String() != e.Name || f.Entry().Name != e.Name {
			t.Errorf("%s is %v, %v", e.Name, f, ok)
		}
	}
	if got, want := numFuncs.String(), fmt.Sprintf("Func(%d)", uint8(numFuncs)); got != want {
		t.Errorf("an unknown function is %q", got)
	}
	if _, ok := Lookup("nothing"); ok {
		t.Error("a function that does not exist")
	}
}

// Types are whole numbers of 32 bits; other numbers are no type.
func TestTypesOfNumbers(t *testing.T) {
	for v, want := range map[float64]bool{0: true, 50000001: true, 1<<32 - 1: true, 1 << 32: false, -1: false,
		1.5: false} {
		if typ, ok := typeOf(v); ok != want || ok && float64(typ) != v {
			t.Errorf("%g is type %d, %v", v, typ, ok)
		}
	}
}

// The functions in the order of Paraver's menus, with the number of values that they take.
func TestTableOfFunctions(t *testing.T) {
	want := []string{
		"All (0): everything passes",
		"!= (-1): none of the list",
		"= (-1): one of the list",
		"> (-1): greater than all of the list",
		"< (-1): less than all of the list",
		"None (0): nothing passes",
		"[x,y] (2): from x to y, both included",
	}
	var got []string
	for _, e := range Functions {
		got = append(got, fmt.Sprintf("%s (%d): %s", e.Func, e.Arity, e.Doc))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
