package semantic

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"pview/semantic/expr"
)

// User functions: the thesis has users link functions into Paraver; here they write an expression in a Call. Each
// family of functions except derived windows has one entry for it, UserFunction, and its own variables.
//
// An undefined number, such as the result of a division by 0, is 0, as in Paraver's own functions. An expression that
// cannot be computed, because it names a child that does not exist, ends the evaluation with an error.
//
// Nanoseconds per record on one core, as an expression and as the function of the table:
// In State 32 and 22, In Evt Val 34 and 17, Avg Next Evt Val 42 and 15; an expression of
// states and events 71 per record of either kind. An expression that needs the
// interpreter (see expr.Program.Bind) takes some 200. (BenchmarkUserFunction.)

// UserFunction is the name of the function that an expression defines.
const UserFunction = "User Function"

// UserCall returns a call of the user function of a family. The error, an
// *expr.Error, says where the expression is wrong and why.
func UserCall(f Family, expression string) (Call, error) {
	c := Call{Name: UserFunction, Expression: strings.TrimSpace(expression)}
	e, ok := Lookup(f, UserFunction)
	if !ok {
		return c, fmt.Errorf("a %s has no user function", f)
	}
	_, err := e.compile(c.Expression, Nanoseconds)
	return c, err
}

// IsUser reports whether the call is one of a user function.
func (c *Call) IsUser() bool { return c.Name == UserFunction }

// userEntry is the part of an Entry for user functions only.
type userEntry struct {
	// Expression is the default; "" if the function takes none.
	Expression string
	// Variables are the names in expressions.
	Variables []expr.Variable

	example any // a struct of the variables, for its fields
	bind    func(e *Entry, p *expr.Program)
}

// compile prepares an expression for a window with a unit of time; "" is the default expression.
func (e *Entry) compile(text string, u Unit) (*expr.Program, error) {
	if text == "" {
		text = e.Expression
	}
	return expr.Compile(text, e.example, Units[u].Nanoseconds)
}

// defined returns the entry with the function that an expression defines, see compile.
func (e *Entry) defined(expression string, u Unit) (*Entry, error) {
	switch {
	case e.bind == nil && expression != "":
		return nil, fmt.Errorf("%s takes no expression", e.Name)
	case e.bind == nil:
		return e, nil
	}
	p, err := e.compile(expression, u)
	if err != nil {
		return nil, fmt.Errorf("user function: %w", err)
	}
	own := *e
	e.bind(&own, p)
	return &own, nil
}

// failure is the panic value for an expression that cannot be computed; catch turns it back into an error.
type failure struct{ error }

func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = fmt.Errorf("user function: %w", r.error)
	default:
		panic(r)
	}
}

// computed returns the value of a bound expression.
func computed(f func() (float64, error)) float64 {
	v, err := f()
	switch {
	case err != nil:
		panic(failure{err})
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0
	}
	return v
}

// Compose functions.

// composeVariables holds the variables of an expression over a burst.
type composeVariables struct {
	Value    float64 `expr:"value" doc:"value of the burst"`
	Prev     float64 `expr:"prev" doc:"value of the previous burst; 0 for the first"`
	Next     float64 `expr:"next" doc:"value of the next burst; 0 for the last"`
	Result   float64 `expr:"result" doc:"result of the function for the previous burst; 0 for the first"`
	Begin    float64 `expr:"begin" doc:"begin of the burst"`
	End      float64 `expr:"end" doc:"end of the burst"`
	Duration float64 `expr:"duration" doc:"length of the burst"`
	Burst    float64 `expr:"burst" doc:"number of the burst in its row, from 1"`
	Row      float64 `expr:"row" doc:"number of the object, from 1"`
}

var userCompose = Entry{Name: UserFunction, Group: "User",
	Doc: "value of an expression over the burst's value and times",
	userEntry: userEntry{Expression: "value", example: composeVariables{},
		Variables: expr.Variables(composeVariables{}),
		bind: func(e *Entry, p *expr.Program) {
			e.History = p.Uses("prev") || p.Uses("next") || p.Uses("result") || p.Uses("burst")
			e.compose = func(b *bursts, _ params, c clock) { composeUser(p, b, c) }
		}}}

func composeUser(p *expr.Program, b *bursts, c clock) {
	x := composeVariables{Row: float64(b.object + 1)}
	f := p.Bind(&x)
	times := p.Uses("begin") || p.Uses("end") || p.Uses("duration")
	for i, v := range b.value {
		x.Value, x.Next, x.Burst = v, 0, float64(i+1)
		if i+1 < len(b.value) {
			x.Next = b.value[i+1]
		}
		if times {
			begin, end := b.begin[i], b.until(i)
			x.Begin, x.End, x.Duration = c.at(begin), c.at(end), c.at(end-begin)
		}
		x.Result = computed(f)
		x.Prev = v
		b.value[i] = x.Result
	}
}

// Functions of children.

// foldVariables holds the variables of an expression over the children of an object.
type foldVariables struct {
	Values  []float64 `expr:"values" doc:"values of the children, in order, the first is values[0]: sum(values), max(values), count(values, # > 0)"`
	N       float64   `expr:"n" doc:"number of children"`
	Changed float64   `expr:"changed" doc:"value of the child that changed last"`
}

// cpuVariables holds the variables of an expression over the threads on a CPU.
type cpuVariables struct {
	Values []float64 `expr:"values" doc:"values of the threads that are on the CPU, in order, the first is values[0]"`
	N      float64   `expr:"n" doc:"number of threads that are on the CPU; without one the value is 0"`
}

var userFold = Entry{Name: UserFunction, Group: "User", Doc: "value of an expression over the values of the children",
	userEntry: userEntry{Expression: "sum(values)", example: foldVariables{},
		Variables: expr.Variables(foldVariables{}),
		bind: func(e *Entry, p *expr.Program) {
			e.fold = foldAll(foldUser(p, func(x *foldVariables, c []float64, changed int) {
				x.Values, x.N, x.Changed = c, float64(len(c)), c[changed]
			}))
		}}}

var userCPU = Entry{Name: UserFunction, Group: "User",
	Doc: "value of an expression over the values of the threads on the CPU",
	userEntry: userEntry{Expression: "sum(values)", example: cpuVariables{}, Variables: expr.Variables(cpuVariables{}),
		bind: func(e *Entry, p *expr.Program) {
			e.fold = foldAll(foldUser(p, func(x *cpuVariables, c []float64, _ int) {
				x.Values, x.N = c,
					float64(len(c))
			}))
		}}}

// foldUser makes a function of children from an expression. Rows are computed concurrently: each takes its own set of
// variables.
func foldUser[V any](p *expr.Program, set func(x *V, children []float64, changed int)) foldFunc {
	type bound struct {
		x V
		f func() (float64, error)
	}
	pool := sync.Pool{New: func() any {
		b := &bound{}
		b.f = p.Bind(&b.x)
		return b
	}}
	return func(children []float64, changed int, _ params) float64 {
		b := pool.Get().(*bound)
		defer pool.Put(b)
		set(&b.x, children, changed)
		return computed(b.f)
	}
}
