package expr

// Computing an expression many times. The interpreter of the language boxes every number, which costs some 60 ns per
// operator. Expressions of only numbers, conditions and choices, as user functions are, become a tree of Go closures
// over the fields of the variables instead: some 2 ns per operator, without allocation. The interpreter computes all
// other expressions, as a whole.

import (
	"math"
	"reflect"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"
)

// Bind returns a function that computes the program with the current values of the variables: a pointer to a struct
// like the example given to Compile. It is for one goroutine. The error is an *Error.
func (p *Program) Bind(variables any) func() (float64, error) {
	b := binder{reflect.ValueOf(variables).Elem()}
	if f, ok := b.number(p.program.Node()); ok {
		return func() (float64, error) { return f(), nil }
	}
	m := &Machine{vm: vm.VM{}}
	return func() (float64, error) { return m.Number(p, variables) }
}

// Uses reports whether the expression names a variable.
func (p *Program) Uses(name string) bool { return p.names[name] }

// names is a set of identifiers, as a visitor.
type names map[string]bool

func (n names) Visit(node *ast.Node) {
	if id, ok := (*node).(*ast.IdentifierNode); ok {
		n[id.Value] = true
	}
}

// binder makes closures over the fields of a struct. Its methods return false for what they cannot handle.
type binder struct{ variables reflect.Value }

type (
	number    = func() float64
	condition = func() bool
)

// field returns the address of a variable.
func (b binder) field(name string) any {
	t := b.variables.Type()
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("expr") == name {
			return b.variables.Field(i).Addr().Interface()
		}
	}
	return nil
}

func (b binder) number(n ast.Node) (number, bool) {
	if f, ok := b.numeric(n); ok {
		return f, true
	}
	if v, ok := constant(n); ok {
		return func() float64 { return v }, true
	}
	c, ok := b.condition(n)
	return func() float64 {
		if c() {
			return 1
		}
		return 0
	}, ok
}

// numeric is number for nodes other than constants and conditions.
func (b binder) numeric(n ast.Node) (number, bool) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		at, ok := b.field(n.Value).(*float64)
		return func() float64 { return *at }, ok
	case *ast.UnaryNode:
		v, ok := b.number(n.Node)
		if n.Operator == "+" {
			return v, ok
		}
		// There is no integer -0.
		return func() float64 { return -v() }, ok && n.Operator == "-" && !whole(n.Node)
	case *ast.BinaryNode:
		return b.arithmetic(n)
	case *ast.ConditionalNode:
		return b.choice(n)
	case *ast.BuiltinNode:
		return b.call(n.Name, n.Arguments)
	case *ast.CallNode:
		if id, ok := n.Callee.(*ast.IdentifierNode); ok {
			return b.call(id.Value, n.Arguments)
		}
	}
	return nil, false
}

// choice is "condition ? number : number".
func (b binder) choice(n *ast.ConditionalNode) (number, bool) {
	c, ok1 := b.condition(n.Cond)
	v, ok2 := b.number(n.Exp1)
	w, ok3 := b.number(n.Exp2)
	return func() float64 {
		if c() {
			return v()
		}
		return w()
	}, ok1 && ok2 && ok3
}

// constant returns the value of a literal, or of literals that the compiler folded.
func constant(n ast.Node) (float64, bool) {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return float64(n.Value), exact(n.Value)
	case *ast.FloatNode:
		return n.Value, true
	case *ast.ConstantNode:
		switch v := n.Value.(type) {
		case int:
			return float64(v), exact(v)
		case float64:
			return v, true
		}
	}
	return 0, false
}

// exact reports whether a float64 holds a whole number exactly.
func exact(n int) bool { return n >= -1<<53 && n <= 1<<53 }

// whole reports whether a node's numbers are integers, whose arithmetic differs from float64's.
func whole(n ast.Node) bool { return n.Type().Kind() != reflect.Float64 }

func (b binder) arithmetic(n *ast.BinaryNode) (number, bool) {
	if n.Operator != "/" && n.Operator != "**" && n.Operator != "^" && whole(n.Left) && whole(n.Right) {
		return nil, false
	}
	v, ok1 := b.number(n.Left)
	w, ok2 := b.number(n.Right)
	if !ok1 || !ok2 {
		return nil, false
	}
	switch n.Operator {
	case "+":
		return func() float64 { return v() + w() }, true
	case "-":
		return func() float64 { return v() - w() }, true
	case "*":
		// The conversion keeps the product from being fused with a sum, which rounds
		// differently.
		return func() float64 { return float64(v() * w()) }, true
	case "/":
		return func() float64 { return v() / w() }, true
	case "**", "^":
		return func() float64 { return math.Pow(v(), w()) }, true
	}
	return nil, false
}

// call returns a call of a function of numbers: one of ours or of the language's.
func (b binder) call(name string, arguments []ast.Node) (number, bool) {
	args := make([]number, len(arguments))
	for i, a := range arguments {
		var ok bool
		if a.Type().Kind() == reflect.Bool {
			return nil, false
		}
		if args[i], ok = b.number(a); !ok {
			return nil, false
		}
	}
	if len(args) == 1 {
		for i := range Functions {
			if f := Functions[i].f; Functions[i].Name == name {
				return func() float64 { return f(args[0]()) }, true
			}
		}
		f, ok := rounding[name]
		return func() float64 { return f(args[0]()) }, ok
	}
	if len(args) == 0 || name != "min" && name != "max" {
		return nil, false
	}
	isMax := name == "max"
	return func() float64 {
		best := args[0]()
		for _, a := range args[1:] {
			if v := a(); isMax && best < v || !isMax && v < best {
				best = v
			}
		}
		return best
	}, true
}

// rounding are functions of the language.
var rounding = map[string]func(float64) float64{
	"floor": math.Floor, "ceil": math.Ceil, "round": math.Round,
	"abs": func(v float64) float64 {
		if v < 0 {
			return -v
		}
		return v
	},
}

func (b binder) condition(n ast.Node) (condition, bool) {
	switch n := n.(type) {
	case *ast.BoolNode:
		return func() bool { return n.Value }, true
	case *ast.ConstantNode:
		v, ok := n.Value.(bool)
		return func() bool { return v }, ok
	case *ast.IdentifierNode:
		at, ok := b.field(n.Value).(*bool)
		return func() bool { return *at }, ok
	case *ast.UnaryNode:
		c, ok := b.condition(n.Node)
		return func() bool { return !c() }, ok && (n.Operator == "!" || n.Operator == "not")
	case *ast.BinaryNode:
		return b.relation(n)
	case *ast.ConditionalNode:
		c, ok1 := b.condition(n.Cond)
		d, ok2 := b.condition(n.Exp1)
		e, ok3 := b.condition(n.Exp2)
		return func() bool {
			if c() {
				return d()
			}
			return e()
		}, ok1 && ok2 && ok3
	}
	return nil, false
}

func (b binder) relation(n *ast.BinaryNode) (condition, bool) {
	if n.Operator == "in" {
		return b.in(n)
	}
	if n.Left.Type().Kind() == reflect.Bool || n.Right.Type().Kind() == reflect.Bool {
		return b.logic(n)
	}
	v, ok1 := b.number(n.Left)
	w, ok2 := b.number(n.Right)
	if !ok1 || !ok2 {
		return nil, false
	}
	switch c, literal := constant(n.Right); {
	case n.Operator == "==" && literal:
		return func() bool { return v() == c }, true
	case n.Operator == "==":
		return func() bool { return v() == w() }, true
	case n.Operator == "!=":
		return func() bool { return v() != w() }, true
	case n.Operator == "<":
		return func() bool { return v() < w() }, true
	case n.Operator == "<=":
		return func() bool { return v() <= w() }, true
	case n.Operator == ">" && literal:
		return func() bool { return v() > c }, true
	case n.Operator == ">":
		return func() bool { return v() > w() }, true
	case n.Operator == ">=":
		return func() bool { return v() >= w() }, true
	}
	return nil, false
}

func (b binder) logic(n *ast.BinaryNode) (condition, bool) {
	c, ok1 := b.condition(n.Left)
	d, ok2 := b.condition(n.Right)
	if !ok1 || !ok2 {
		return nil, false
	}
	switch n.Operator {
	case "&&", "and":
		return func() bool { return c() && d() }, true
	case "||", "or":
		return func() bool { return c() || d() }, true
	case "==":
		return func() bool { return c() == d() }, true
	case "!=":
		return func() bool { return c() != d() }, true
	}
	return nil, false
}

// in returns whether a number is one of a list of literals.
func (b binder) in(n *ast.BinaryNode) (condition, bool) {
	v, ok := b.number(n.Left)
	if !ok || n.Left.Type().Kind() != reflect.Float64 {
		return nil, false
	}
	var list []float64
	switch r := n.Right.(type) {
	case *ast.ArrayNode:
		for _, e := range r.Nodes {
			c, ok := constant(e)
			if !ok {
				return nil, false
			}
			list = append(list, c)
		}
	case *ast.ConstantNode:
		s := reflect.ValueOf(r.Value)
		if s.Kind() != reflect.Slice {
			return nil, false
		}
		for i := range s.Len() {
			switch e := s.Index(i).Interface().(type) {
			case int:
				list = append(list, float64(e))
			case float64:
				list = append(list, e)
			default:
				return nil, false
			}
		}
	default:
		return nil, false
	}
	return func() bool {
		x := v()
		for _, e := range list {
			if e == x {
				return true
			}
		}
		return false
	}, true
}
