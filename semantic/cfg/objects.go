// The objects that a window shows.
//
//	window_object appl { 2, { All, None } }
//	window_object task { 0, 2, { All, All } }            of ptask 0
//	window_object thread { 0, 1, 3, { 1, 0, 1 } }        of ptask 0, task 1
//
// Objects of the window's own level are 1 or 0; Paraver cannot read a file with a word there. Those of other levels are
// None or any other word: All, Some. Paraver ignores a line with more objects than the trace has.

package cfg

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"pview/prv"
)

// objectLine is a selection as written in the file.
type objectLine struct {
	line  int64
	sel   Selection
	words []string
}

var objectForm = regexp.MustCompile(`^(\w+)\s*\{\s*((?:\d+\s*,\s*)+)\{([^{}]*)\}\s*\}$`)

// parents returns how many numbers precede the number of objects.
func parents(l prv.Level) int {
	switch l {
	case prv.LevelTask, prv.LevelCPU:
		return 1
	case prv.LevelThread:
		return 2
	}
	return 0
}

func readObjects(r *reader, _ *Window, text string) error {
	m := objectForm.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q is not a level and its objects", text)
	}
	l, ok := level(m[1])
	if !ok {
		return fmt.Errorf("unknown level %q", m[1])
	}
	o := objectLine{line: r.number, sel: Selection{Level: l}}
	counts := strings.Split(m[2], ",")
	counts = counts[:len(counts)-1]
	for _, word := range counts {
		n, err := integer(word)
		if err != nil {
			return errors.New(err.Error())
		}
		o.sel.Parent = append(o.sel.Parent, n)
	}
	if len(o.sel.Parent) != parents(l)+1 {
		return fmt.Errorf("%q: the level %s has %d numbers before its list", text, m[1], parents(l)+1)
	}
	n := o.sel.Parent[parents(l)]
	o.sel.Parent = o.sel.Parent[:parents(l)]
	for _, word := range strings.Split(m[3], ",") {
		if word = strings.TrimSpace(word); word != "" {
			o.words = append(o.words, word)
		}
	}
	if n != len(o.words) {
		return fmt.Errorf("%d objects announced but %d follow", n, len(o.words))
	}
	r.pending.rows = append(r.pending.rows, o)
	return nil
}

// objects sets a window's selection, now that its level is known.
func (d *draft) objects(r *reader, w *Window) error {
	for _, o := range d.rows {
		own := o.sel.Level == w.Level
		for _, word := range o.words {
			on := word != "None"
			if own {
				n, err := integer(word)
				if err != nil {
					return r.fail(o.line,
						fmt.Errorf("window_object: %q is neither 1 nor 0, as objects of the window's own level are",
							word))
				}
				on = n != 0
			}
			o.sel.On = append(o.sel.On, on)
		}
		w.View.Objects = append(w.View.Objects, o.sel)
	}
	return nil
}

func writeObjects(_ *writer, w *Window) (list []string) {
	own := shownAt(&w.Window)
	for _, s := range w.View.Objects {
		no, yes := "None", "All"
		if s.Level == own {
			no, yes = "0", "1"
		}
		var numbers, words []string
		for _, n := range append(s.Parent[:len(s.Parent):len(s.Parent)], len(s.On)) {
			numbers = append(numbers, fmt.Sprint(n))
		}
		for _, on := range s.On {
			if on {
				words = append(words, yes)
			} else {
				words = append(words, no)
			}
		}
		list = append(list, fmt.Sprintf("%s { %s, { %s } }", levelName(s.Level), strings.Join(numbers, ", "),
			strings.Join(words, ", ")))
	}
	return list
}
