package quantity

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// The user's units for values, like Paraver's "display in". They are set once for the whole program, since all texts
// follow them; output for programs (Exact, FormatExact, tsv, json) does not.

// Units names the units in which amounts are shown: when they change, texts are formatted again.
func Units() string { return TimeUnit() + " " + SizeUnits[sizeUnit.Load()] }

// TimeUnits are the units of times, SizeUnits those of sizes; the first of each is the default.
var (
	TimeUnits = []string{"auto", "ns", "us", "ms", "s"}
	SizeUnits = []string{"decimal", "binary"}
)

// timeUnit and sizeUnit are the indices of the units in use.
var timeUnit, sizeUnit atomic.Int32

// UseTimeUnit shows times in a unit of TimeUnits, whatever their magnitude; auto: in the most readable unit.
func UseTimeUnit(name string) error { return use(&timeUnit, TimeUnits, name) }

// UseSizeUnit shows sizes in powers of 1000 (decimal: kB, MB) or of 1024 (binary: KiB, MiB).
func UseSizeUnit(name string) error { return use(&sizeUnit, SizeUnits, name) }

// TimeUnit returns the unit of times in use.
func TimeUnit() string { return TimeUnits[timeUnit.Load()] }

func use(of *atomic.Int32, names []string, name string) error {
	i := slices.Index(names, name)
	if i < 0 {
		return fmt.Errorf("unknown unit %q: must be one of %s", name, strings.Join(names, ", "))
	}
	of.Store(int32(i))
	return nil
}

// chosenTime returns the user's unit of times, as decimals of a second; ok is false if it is auto.
func chosenTime() (digits int, ok bool) {
	name := TimeUnit()
	for digits, of := range unitNames {
		if of == name {
			return digits, true
		}
	}
	return 0, false
}

// shown returns the units in which values of a kind are written.
func (k *Kind) shown() []Unit {
	switch {
	case k == Bytes && sizeUnit.Load() > 0:
		return binarySizes
	case k == Time && timeUnit.Load() > 0:
		i := timeUnit.Load() - 1
		return k.Shown[i : i+1]
	}
	return k.Shown
}
