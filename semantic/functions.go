package semantic

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv"
)

// Family is a set of functions, one of which a field of a window names.
type Family uint8

// The families.
const (
	ThreadFunctions  Family = iota // records of a thread -> value
	CPUFunctions                   // values of the threads on a CPU -> value
	FoldFunctions                  // values of the children -> value of a task, ptask, workload, node, system
	ComposeFunctions               // value -> value
	DerivedFunctions               // values of two windows -> value
	numFamilies
)

// Families lists all families.
var Families = []Family{ThreadFunctions, CPUFunctions, FoldFunctions, ComposeFunctions, DerivedFunctions}

// String returns the family's name in words.
func (f Family) String() string {
	return [...]string{"thread function", "cpu function", "task, ptask, workload, node or system function",
		"compose function", "derived operation"}[f]
}

// Entry describes a function that a window can call.
type Entry struct {
	Name    string   // as Paraver spells it
	Aliases []string // other spellings: the thesis', older Paravers'
	Group   string   // submenu: "State", "Event", ...; "" if the family has none
	Doc     string   // one line on the value
	Params  []Param
	Meaning Meaning // of the values; PassedOn if it is that of the arguments
	YesNo   bool    // the values are 1 and 0
	Asks    Meaning // meaning of the parameters of a YesNo function, which returns 1 for them; PlainNumbers if none
	// History marks functions whose value depends on all records before, not on the last one alone.
	History bool
	// Own marks functions that Paraver does not have.
	Own bool
	// Values are the named values, if Meaning is Named.
	Values []NamedValue
	userEntry

	thread  threadFunc
	find    Finder // replaces thread: see AddThreadFunction
	cpu     cpuFunc
	fold    fold
	compose composeFunc
	joins   bool // of a compose function: it merges bursts
	derive  deriveFunc
	within  withinFunc                 // replaces derive: an operation on each burst of the control
	point   func(a, b float64) float64 // replaces derive: an operation on two values
}

// Param describes a parameter.
type Param struct {
	Name    string
	Default []float64
	// List: it takes any number of values; otherwise one.
	List bool
}

// Functions returns the functions of a family in the order of Paraver's menus.
// The slice must not be changed.
func Functions(f Family) []Entry {
	switch f {
	case ThreadFunctions:
		return threadTable
	case CPUFunctions:
		return cpuTable
	case FoldFunctions:
		return foldTable
	case ComposeFunctions:
		return composeTable
	case DerivedFunctions:
		return derivedTable
	}
	return nil
}

// FamilyOf returns the family that Window.Functions[l] chooses from.
func FamilyOf(l prv.Level) Family {
	switch l {
	case prv.LevelThread:
		return ThreadFunctions
	case prv.LevelCPU:
		return CPUFunctions
	}
	return FoldFunctions
}

// Lookup finds a function by its name, or one of its aliases; case is ignored. The empty name is As Is among the
// compose functions.
func Lookup(f Family, name string) (*Entry, bool) {
	table := Functions(f)
	if name == "" && f == ComposeFunctions {
		name = "As Is"
	}
	for i := range table {
		if table[i].Name == name {
			return &table[i], true
		}
	}
	for i := range table {
		if strings.EqualFold(table[i].Name, name) || slices.ContainsFunc(table[i].Aliases, func(a string) bool {
			return strings.EqualFold(a, name)
		}) {
			return &table[i], true
		}
	}
	return nil, false
}

// params holds a call's parameters with the defaults filled in.
type params [][]float64

// one returns the value of a parameter that takes a single one.
func (p params) one(i int) float64 {
	if len(p[i]) == 0 {
		return 0
	}
	return p[i][0]
}

// lists reports whether a value is among those of a parameter.
func (p params) lists(i int, v float64) bool { return slices.Contains(p[i], v) }

// resolve finds a call's function and completes its parameters.
func resolve(f Family, c Call, u Unit) (*Entry, params, error) {
	e, ok := Lookup(f, c.Name)
	if !ok {
		return nil, nil, fmt.Errorf("unknown %s %q", f, c.Name)
	}
	if len(c.Params) > len(e.Params) {
		return nil, nil, fmt.Errorf("%s takes %s, not %d", e.Name, count(len(e.Params)), len(c.Params))
	}
	p := make(params, len(e.Params))
	for i := range p {
		p[i] = e.Params[i].Default
		if i < len(c.Params) && c.Params[i] != nil {
			p[i] = c.Params[i]
		}
		if !e.Params[i].List && len(p[i]) == 0 { // of several, the first counts, as in Paraver
			return nil, nil, fmt.Errorf("%s: parameter %q has no value", e.Name, e.Params[i].Name)
		}
	}
	e, err := e.defined(c.Expression, u)
	return e, p, err
}

// count puts in words how many parameters a function takes.
func count(n int) string {
	switch n {
	case 0:
		return "no parameters"
	case 1:
		return "one parameter"
	}
	return fmt.Sprintf("%d parameters", n)
}
