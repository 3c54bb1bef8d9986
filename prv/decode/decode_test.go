package decode

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	var list []int
	for _, test := range []struct {
		f    func() error
		want string
	}{
		{func() error { _ = list[len(list)]; return nil }, "f: the file is damaged"},
		{func() (err error) { // a library that recovers
			defer func() { err = fmt.Errorf("arrow: %v", recover()) }()
			_ = list[len(list)]
			return nil
		}, "f: the file is damaged"},
		{func() error { return errors.New("no such column") }, "f: no such column"},
		{func() error { return nil }, ""},
	} {
		got := ""
		if err := Guard("f", test.f); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// 50,000 nested tables took 20 s and 3 GB; keys with as many parts took longer.
func TestDeepTOML(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a=1\nx=" + strings.Repeat("{a=", 50000) + "1" + strings.Repeat("}", 50000),
			"f:2: nested more than 100 levels deep"},
		{"x=" + strings.Repeat("[\n", 50000), "f:101: nested more than 100 levels deep"},
		{strings.Repeat("a.", 50000) + "a=1", "f:1: nested more than 100 levels deep"},
		{"[" + strings.Repeat("a . ", 50000) + "a]", "f:1: nested more than 100 levels deep"},
		{"# " + strings.Repeat(".", 500) + strings.Repeat("[", 500) + "\na=1", ""},
		{`a="` + strings.Repeat(`[\"`, 500) + `"` + "\nb='" + strings.Repeat(`[\`, 500) + "'", ""},
		{"a=\"\"\"\"\"" + strings.Repeat("[\n\\\"", 500) + "\"\"\"\nb='''\n" + strings.Repeat("'[\n", 500) + "'''", ""},
		{`a=["""a"\"""", ` + strings.Repeat("{a=", 500), "f:1: nested more than 100 levels deep"},
		{`a='\'` + "\n" + `b=""` + "\n" + `c=` + strings.Repeat("[", 500), "f:3: nested more than 100 levels deep"},
		{"a=1\nb=", "f:2: unexpected EOF; expected value"},
		{"a=[" + strings.Repeat("1.5,", 1000) + "]\nb={c={d=1}}", ""},
	} {
		got, values := "", map[string]any{}
		if _, err := TOML("f", test.text, &values); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%.20q: got %q, want %q", test.text, got, test.want)
		}
	}
}
