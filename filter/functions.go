package filter

import "fmt"

// Func is a filter function, which compares a number with a list.
type Func uint8

// The filter functions. The zero value passes everything.
const (
	All Func = iota
	None
	Equal
	NotEqual
	Greater
	Less
	Range
	numFuncs
)

// Entry describes a filter function.
type Entry struct {
	Func Func
	Name string // as Paraver spells it in menus and .cfg files
	Doc  string
	// Arity is the number of values that it takes; -1 is any number.
	Arity int
	test  func(v float64, list []float64) bool
}

// Functions lists the filter functions in the order of Paraver's menus.
//
// A function other than All with an empty list rejects everything, even !=, as in Paraver. Event values are the
// exception: see EventPass.
var Functions = []Entry{
	{All, "All", "everything passes", 0,
		func(float64, []float64) bool { return true }},
	{NotEqual, "!=", "none of the list", -1, func(v float64, list []float64) bool {
		for _, x := range list {
			if v == x {
				return false
			}
		}
		return len(list) > 0
	}},
	{Equal, "=", "one of the list", -1, func(v float64, list []float64) bool {
		for _, x := range list {
			if v == x {
				return true
			}
		}
		return false
	}},
	{Greater, ">", "greater than all of the list", -1, func(v float64, list []float64) bool {
		for _, x := range list {
			if !(v > x) {
				return false
			}
		}
		return len(list) > 0
	}},
	{Less, "<", "less than all of the list", -1, func(v float64, list []float64) bool {
		for _, x := range list {
			if !(v < x) {
				return false
			}
		}
		return len(list) > 0
	}},
	{None, "None", "nothing passes", 0,
		func(float64, []float64) bool { return false }},
	{Range, "[x,y]", "from x to y, both included", 2, func(v float64, list []float64) bool {
		return len(list) >= 2 && v >= list[0] && v <= list[1]
	}},
}

var byFunc = func() (t [numFuncs]*Entry) {
	for i := range Functions {
		t[Functions[i].Func] = &Functions[i]
	}
	return t
}()

// String returns the function's name as Paraver spells it.
func (f Func) String() string {
	if f >= numFuncs {
		return fmt.Sprintf("Func(%d)", uint8(f))
	}
	return byFunc[f].Name
}

// Entry returns the function's description.
func (f Func) Entry() *Entry { return byFunc[f] }

// Lookup finds a function by its name as Paraver spells it.
func Lookup(name string) (Func, bool) {
	for i := range Functions {
		if Functions[i].Name == name {
			return Functions[i].Func, true
		}
	}
	return 0, false
}

// Test reports whether v passes the criterion. Labels are ignored.
func (c *Criterion) Test(v float64) bool { return byFunc[c.Func].test(v, c.Values) }
