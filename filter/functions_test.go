package filter

import (
	"fmt"
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

// Types are whole numbers of 32 bits; others stand for no type.
func TestTypesOfNumbers(t *testing.T) {
	for v, want := range map[float64]bool{0: true, 50000001: true, 1<<32 - 1: true, 1 << 32: false, -1: false,
		1.5: false} {
		if typ, ok := typeOf(v); ok != want || ok && float64(typ) != v {
			t.Errorf("%g is type %d, %v", v, typ, ok)
		}
	}
}
