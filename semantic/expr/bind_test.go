package expr

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

type plain struct {
	A float64 `expr:"a"`
	B float64 `expr:"b"`
	Q bool    `expr:"q"`
	R bool    `expr:"r"`
}

// random returns an expression that gives a number, or a condition.
func random(r *rand.Rand, depth int, isNumber bool) string {
	number := func() string { return random(r, depth-1, true) }
	truth := func() string { return random(r, depth-1, false) }
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	if isNumber {
		switch n := r.IntN(9); {
		case depth <= 0 || n == 0:
			return pick("a", "b", "0", "1", "3", "2.5", "-1")
		case n <= 3:
			return fmt.Sprintf("(%s %s %s)", number(), pick("+", "-", "*", "/", "**"), number())
		case n == 4:
			return fmt.Sprintf("(%s ? %s : %s)", truth(), number(), number())
		case n == 5:
			return fmt.Sprintf("%s(%s)", pick("abs", "floor", "ceil", "round", "sqrt", "log", "sign", "exp"), number())
		case n == 6:
			return fmt.Sprintf("%s(%s, %s)", pick("min", "max"), number(), number())
		case n == 7:
			return fmt.Sprintf("(-%s)", number())
		}
		return fmt.Sprintf("(let x%d = %s; x%d + 1)", depth, number(), depth)
	}
	switch n := r.IntN(7); {
	case depth <= 0 || n == 0:
		return pick("q", "r", "true", "a > 0", "b == 1")
	case n <= 2:
		return fmt.Sprintf("(%s %s %s)", number(), pick("==", "!=", "<", "<=", ">", ">="), number())
	case n == 3:
		return fmt.Sprintf("(%s %s %s)", truth(), pick("&&", "||", "and", "or", "==", "!="), truth())
	case n == 4:
		return pick("!", "not ") + truth()
	case n == 5:
		return fmt.Sprintf("(%s %s %s)", number(), pick("in", "not in"), pick("[1, 2.5, 3]", "[-1, 0]", "1..3", "[3]"))
	}
	return fmt.Sprintf("(%s ? %s : %s)", truth(), truth(), truth())
}

// TestBindIsNumber: closures and interpreter agree on random expressions.
func TestBindIsNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []float64{0, 1, -1, 2.5, 3, 1e9, -0.5}
	fast := 0
	for range 5000 {
		text := random(r, 4, r.IntN(2) == 0)
		p, err := Compile(text, plain{}, 1)
		if err != nil {
			continue
		}
		var v plain
		bound := p.Bind(&v)
		if _, ok := (binder{reflect.ValueOf(&v).Elem()}).number(p.program.Node()); ok {
			fast++
		}
		var m Machine
		for range 5 {
			v = plain{values[r.IntN(len(values))], values[r.IntN(len(values))], r.IntN(2) == 0, r.IntN(2) == 0}
			want, wrong := m.Number(p, &v)
			got, err := bound()
			// 0 has no sign if the compiler computed it: signs of 0 may differ.
			same := got == want || math.IsNaN(got) && math.IsNaN(want) || math.IsInf(got, 0) && math.IsInf(want, 0)
			if (err == nil) != (wrong == nil) || !same {
				t.Fatalf("%s of %+v: %g, %v; the interpreter says %g, %v", text, v, got, err, want, wrong)
			}
		}
	}
	if fast < 1500 {
		t.Errorf("only %d expressions are closures", fast)
	}
}

// TestBindIsFast: the operations of user functions do not need the interpreter.
func TestBindIsFast(t *testing.T) {
	for _, text := range []string{
		"a == 1", "q ? a / b : 0", "a in [1, 3]", "a not in [1, 3]", "max(a, b, 0)", "sqrt(abs(a))",
		"!q || a >= 2 && b < 3", "1", "true", "-a ** 2",
	} {
		p, err := Compile(text, plain{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		v := plain{A: 1, B: 2}
		f := p.Bind(&v)
		if n := testing.AllocsPerRun(100, func() { f() }); n != 0 {
			t.Errorf("%s: %g allocations", text, n)
		}
	}
}

func TestUses(t *testing.T) {
	p, err := Compile("q ? sqrt(a) : 1", plain{}, 1)
	if err != nil || !p.Uses("a") || !p.Uses("q") || p.Uses("b") {
		t.Errorf("%v %v", p.names, err)
	}
}

func BenchmarkBind(b *testing.B) {
	p, err := Compile("event && value > 2 ? value * 2 : 0", variables{}, 1)
	if err != nil {
		b.Fatal(err)
	}
	v := variables{Value: 3, Event: true}
	f := p.Bind(&v)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f(); err != nil {
			b.Fatal(err)
		}
	}
}

// float64 holds whole numbers up to 2^53 exactly; beyond, the interpreter computes them.
func TestExact(t *testing.T) {
	for n, want := range map[int]bool{0: true, 1 << 53: true, -1 << 53: true, 1<<53 + 1: false, -1<<53 - 1: false} {
		if exact(n) != want {
			t.Errorf("%d is exact: %v", n, !want)
		}
	}
}
