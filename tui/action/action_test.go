package action

import "testing"

// The choices of an action are listed before its arguments, whose brackets stay whole.
func TestExpandArguments(t *testing.T) {
	run := Do(func() {})
	for _, c := range []struct{ args, want string }{
		{"", "[next]"}, {"[NAME]", "[next or NAME]"}, {"[SPEED] [all]", "[next or SPEED] [all]"},
		{"auto [N] or FROM TO [WIDTH or xN]", "[next or auto [N] or FROM TO [WIDTH or xN]]"},
	} {
		a := Expand([]Action{Action{Name: "planes", Args: c.args, Run: run}.With(Action{Name: "next", Run: run})})[0]
		if a.Args != c.want {
			t.Errorf("%q becomes %q, want %q", c.args, a.Args, c.want)
		}
	}
}
