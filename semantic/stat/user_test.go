package stat

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/expr"
)

// sumsOf computes a user function of the states window.
func sumsOf(t *testing.T, tr *prv.Trace, q Query, text string) []float64 {
	t.Helper()
	f, err := UserFunction(text, semantic.Nanoseconds)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	sums, err := UserSums(context.Background(), tr, q, f, Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return sums
}

// TestUserFunctions: check A32, and each variable.
func TestUserFunctions(t *testing.T) {
	tr := read(t, traceA)
	whole := Query{Window: thread("State As Is")}
	part := Query{Window: thread("State As Is"), Range: Range{Begin: 20, End: 60}}
	for _, c := range []struct {
		text string
		q    Query
		want string
	}{
		{"1", Query{Window: at(prv.LevelWorkload, thread("State As Is"))}, "[32]"}, // A32
		{"1", whole, "[16 16]"},
		{"1", Query{Window: at(prv.LevelCPU, thread("State As Is"))}, "[16 16]"},
		{"1", Query{Window: at(prv.LevelNode, thread("State As Is")), Rows: []int{1}}, "[16]"},
		{"state", whole, "[6 10]"},
		{"opens", whole, "[3 5]"},
		{"event", whole, "[6 2]"},
		{"comm", whole, "[4 4]"},
		{"send", whole, "[2 2]"},
		{"recv && logical", whole, "[1 1]"},
		{"recv && physical", part, "[1 0]"},
		{"logical ? time : 0", whole, "[90 115]"},
		{"physical ? time : 0", whole, "[112 130]"},
		{"opens ? end - begin : 0", whole, "[90 100]"},
		{"opens && value == 1 ? end - begin : 0", whole, "[70 85]"},
		{"state ? end - begin : 0", whole, "[0 0]"},
		{"send && logical ? end - begin : 0", whole, "[10 -15]"},
		{"send && physical ? end - begin : 0", whole, "[18 0]"},
		{"recv && physical ? size : 0", whole, "[1000 3000]"},
		{"recv && physical ? tag : 0", whole, "[5 6]"},
		{"send && physical ? partner * 10 + thread : 0", whole, "[21 12]"},
		{"event && type == 40 ? value : 0", whole, "[6 0]"},
		{"event ? value : 0", whole, "[6 16]"},
		{"event && begin == time && end == time", whole, "[6 2]"},
		{"kind == 'logical send' ? 1 : 0", whole, "[1 1]"},
		{"state ? cpu * 1000 + node * 100 + task * 10 + ptask : 0", whole, fmt.Sprint([]float64{6 * 1111, 10 * 2221})},
		{"!comm ? size + tag + partner : 0", whole, "[0 0]"},
		{"!event ? type : 0", whole, "[0 0]"},
		{"event", Query{Window: events(thread("State As Is"), 500)}, "[0 2]"}, // the filter decides
		{"event", part, "[2 1]"},
		// the thesis' own functions, written by the user
		{"send && logical ? size : 0", whole, "[3000 1000]"},
	} {
		if got := fmt.Sprint(sumsOf(t, tr, c.q, c.text)); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestUserErrors: errors of a function give the position.
func TestUserErrors(t *testing.T) {
	_, err := UserFunction("size / durration", semantic.Nanoseconds)
	if err == nil || !strings.HasPrefix(err.Error(), `column 8: unknown name "durration"; known: `) {
		t.Errorf("%v", err)
	}
	f, err := UserFunction("int(kind) + 1", semantic.Nanoseconds)
	if err != nil {
		t.Fatal(err)
	}
	_, err = UserSums(context.Background(), read(t, traceA), Query{Window: thread("State As Is")}, f, Options{})
	var e *expr.Error
	if !errors.As(err, &e) || e.Column != 1 {
		t.Errorf("%v", err)
	}
	if variables := expr.Variables(Record{}); len(variables) != 22 || variables[0].Doc == "" {
		t.Errorf("%d variables: %v", len(variables), variables)
	}
}
