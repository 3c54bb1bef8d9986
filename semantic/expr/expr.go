// Package expr is the language of user functions: the thesis has users link functions into Paraver; here they write an
// expression over named numbers.
//
//	event && type == 50000001 && value > 0 ? 1 : 0
//	sqrt(size) / (precv - lsend)
//
// An expression is compiled once for a struct of variables and computed with many values; it cannot change anything,
// and it always ends. The language is that of github.com/expr-lang/expr.
package expr

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// Program is a compiled expression that gives a number. It is read-only and safe
// for concurrent use: see Machine.
type Program struct {
	text    string
	program *vm.Program
	names   names
}

// Error says where an expression is wrong, and why.
type Error struct {
	Text         string
	Line, Column int // from 1
	Why          string
}

func (e *Error) Error() string {
	if e.Line > 1 {
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Why)
	}
	return fmt.Sprintf("column %d: %s", e.Column, e.Why)
}

// Place returns the expression and the character in it, from 0, at which it is wrong.
func (e *Error) Place() (text string, from int) {
	for i, line := range strings.Split(e.Text, "\n") {
		if i == e.Line-1 {
			break
		}
		from += utf8.RuneCountInString(line) + 1
	}
	return e.Text, from + e.Column - 1
}

// maxNodes bounds the size of an expression, and budget what one computation may
// allocate (in values).
const (
	maxNodes = 10_000
	budget   = 10_000
)

// Compile prepares an expression over the fields of a struct with a tag `expr:"name"`, under that name. The result must
// be a number, or a condition, which counts as 1 or 0. Its numbers may have units, as in "duration > 1ms": a size
// counts bytes, a time the given number of nanoseconds. The error is an *Error.
func Compile(text string, variables any, nanoseconds int64) (*Program, error) {
	plain, err := withoutUnits(text, float64(nanoseconds))
	if err != nil {
		return nil, err
	}
	options := []expr.Option{expr.Env(variables), expr.MaxNodes(maxNodes), expr.DisableBuiltin("now"),
		expr.Optimize(true), expr.Patch(asFloats{}), expr.Patch(asNumbers{})}
	for _, f := range Functions {
		options = append(options, f.option())
	}
	p, err := expr.Compile(plain.text, options...)
	if err != nil {
		return nil, explain(plain.original(wrong(text, err)), variables)
	}
	if t := p.Node().Type(); t != nil && !isNumber(t.Kind()) {
		return nil, &Error{text, 1, 1, fmt.Sprintf("the expression gives a %s, not a number", t)}
	}
	node, used := p.Node(), names{}
	ast.Walk(&node, used)
	return &Program{text, p, used}, nil
}

// asFloats turns whole numbers among the arguments of min and max into floats, so that the result is a float, whichever
// is chosen.
type asFloats struct{}

func (asFloats) Visit(node *ast.Node) {
	call, ok := (*node).(*ast.BuiltinNode)
	if !ok || call.Name != "min" && call.Name != "max" {
		return
	}
	for i, a := range call.Arguments {
		if n, ok := a.(*ast.IntegerNode); ok {
			ast.Patch(&call.Arguments[i], &ast.FloatNode{Value: float64(n.Value)})
		} else if u, ok := a.(*ast.UnaryNode); ok && u.Operator == "-" {
			if n, ok := u.Node.(*ast.IntegerNode); ok {
				ast.Patch(&call.Arguments[i], &ast.FloatNode{Value: -float64(n.Value)})
			}
		}
	}
}

// asNumbers lets conditions count as 1 or 0 in arithmetic, as they do on their own.
type asNumbers struct{}

func (asNumbers) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.BinaryNode)
	if !ok || !slices.Contains([]string{"+", "-", "*", "/", "**", "^"}, n.Operator) {
		return
	}
	for _, operand := range []*ast.Node{&n.Left, &n.Right} {
		if t := (*operand).Type(); t != nil && t.Kind() == reflect.Bool {
			ast.Patch(operand, &ast.ConditionalNode{Cond: *operand, Exp1: &ast.FloatNode{Value: 1},
				Exp2: &ast.FloatNode{Value: 0}})
		}
	}
}

// String returns the expression.
func (p *Program) String() string { return p.text }

func isNumber(k reflect.Kind) bool {
	return k == reflect.Bool || k == reflect.Interface || k >= reflect.Int && k <= reflect.Float64
}

// wrong turns an error of the compiler or of a computation into an Error.
func wrong(text string, err error) *Error {
	e := &Error{text, 1, 1, err.Error()}
	var at *file.Error
	if errors.As(err, &at) {
		e.Why = at.Message
		if at.Line > 0 {
			e.Line, e.Column = at.Line, at.Column+1
		}
	}
	e.Why, _, _ = strings.Cut(e.Why, "\n")
	e.Why = strings.TrimSpace(e.Why)
	return e
}

// Machine computes programs. It is for one goroutine. Program.Bind is faster if the variables stay at one address.
type Machine struct{ vm vm.VM }

// Number computes a program with variables like the example given to Compile; a pointer to the struct is cheapest. The
// error is an *Error.
func (m *Machine) Number(p *Program, variables any) (float64, error) {
	m.vm.MemoryBudget = budget
	v, err := m.vm.Run(p.program, variables)
	if err != nil {
		return 0, wrong(p.text, err)
	}
	switch v := v.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	}
	if r := reflect.ValueOf(v); r.IsValid() && r.CanConvert(reflect.TypeFor[float64]()) {
		return r.Convert(reflect.TypeFor[float64]()).Float(), nil
	}
	return 0, &Error{p.text, 1, 1, fmt.Sprintf("the expression gave %v, which is not a number", v)}
}

// Function is a function that expressions may call in addition to the language's own (abs, ceil, floor, round, min,
// max, ...).
type Function struct {
	Name string
	Doc  string
	f    func(float64) float64
}

// Functions lists them.
var Functions = []Function{
	{"sqrt", "square root", math.Sqrt},
	{"log", "natural logarithm", math.Log},
	{"log2", "logarithm to the base 2", math.Log2},
	{"log10", "logarithm to the base 10", math.Log10},
	{"exp", "e to the power of the argument", math.Exp},
	{"sin", "sine of radians", math.Sin},
	{"cos", "cosine of radians", math.Cos},
	{"atan", "arc tangent in radians", math.Atan},
	{"sign", "1, 0 or -1", func(v float64) float64 {
		switch {
		case v > 0:
			return 1
		case v < 0:
			return -1
		}
		return 0
	}},
}

func (f Function) option() expr.Option {
	call := func(args ...any) (any, error) {
		switch v := args[0].(type) {
		case float64:
			return f.f(v), nil
		case int:
			return f.f(float64(v)), nil
		}
		return nil, fmt.Errorf("%s of %T", f.Name, args[0])
	}
	return expr.Function(f.Name, call, new(func(int) float64), new(func(float64) float64))
}

// Variable describes a variable of an expression.
type Variable struct{ Name, Doc string }

// Variables lists the variables that a struct offers to expressions, from the tags `expr:"name"` and `doc:"..."` of its
// fields.
func Variables(variables any) (list []Variable) {
	t := reflect.TypeOf(variables)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		if name, ok := t.Field(i).Tag.Lookup("expr"); ok {
			list = append(list, Variable{name, t.Field(i).Tag.Get("doc")})
		}
	}
	return list
}
