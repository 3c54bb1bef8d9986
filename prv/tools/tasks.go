package tools

import (
	"fmt"
	"strconv"
	"strings"

	"pview/prv"
)

// Tasks is a set of tasks in Paraver's notation: "1-4,8". A number counts within a ptask and selects that task of every
// ptask, as in Paraver; "2.3" is task 3 of ptask 2. The zero value is all tasks.
type Tasks struct {
	text   string
	ranges []taskRange
}

type taskRange struct {
	ptask       int64 // 1-based, 0 for all
	first, last int64 // 1-based
}

// ParseTasks reads a set of tasks; an empty text is all tasks.
func ParseTasks(text string) (t Tasks, err error) {
	t.text = text
	for _, word := range strings.Split(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		var r taskRange
		rest := word
		if p, inner, ok := strings.Cut(word, "."); ok {
			if r.ptask, err = strconv.ParseInt(p, 10, 32); err != nil || r.ptask < 1 {
				return Tasks{}, badTasks(word)
			}
			rest = inner
		}
		first, last, isRange := strings.Cut(rest, "-")
		if !isRange {
			last = first
		}
		if r.first, err = strconv.ParseInt(strings.TrimSpace(first), 10, 32); err == nil {
			r.last, err = strconv.ParseInt(strings.TrimSpace(last), 10, 32)
		}
		if err != nil || r.first < 1 || r.last < r.first {
			return Tasks{}, badTasks(word)
		}
		t.ranges = append(t.ranges, r)
	}
	return t, nil
}

func badTasks(word string) error {
	return fmt.Errorf("%q is not a task: they are counted from 1, as in 1-4,8 or, in one ptask, 2.3", word)
}

// String returns the set as it was written.
func (t Tasks) String() string { return t.text }

// Threads returns the threads of the tasks; nil for all.
func (t Tasks) Threads(r *prv.Resources) (list []int32, err error) {
	in, err := t.threads(r)
	for i, ok := range in {
		if ok {
			list = append(list, int32(i))
		}
	}
	return list, err
}

// threads reports which threads belong to the tasks; nil: all.
func (t Tasks) threads(r *prv.Resources) ([]bool, error) {
	if len(t.ranges) == 0 {
		return nil, nil
	}
	in := make([]bool, r.NumThreads())
	found := false
	for i := range in {
		p, task, _ := r.ThreadID(int32(i))
		for _, w := range t.ranges {
			if (w.ptask == 0 || w.ptask == int64(p)) && w.first <= int64(task) && int64(task) <= w.last {
				in[i], found = true, true
			}
		}
	}
	if !found {
		return nil, optionf("the trace has none of the tasks %s", t.text)
	}
	return in, nil
}
