package report_test

import (
	"testing"

	"pview/insight/report"
	"pview/prv"
)

// Threads that are a group have its name, others none. The run has tasks of 3, 3 and 2 threads, or two applications.
func TestThreadGroup(t *testing.T) {
	resources := func(apps ...[]int) *prv.Resources {
		r := &prv.Resources{}
		r.AddNode(8)
		for _, tasks := range apps {
			r.AddPtask()
			for _, threads := range tasks {
				r.AddTask(threads, 0)
			}
		}
		return r
	}
	one, two, single := resources([]int{3, 3, 2}), resources([]int{2, 2}, []int{2, 2}), resources([]int{4})
	for _, c := range []struct {
		r       *prv.Resources
		threads []int32
		want    string // "": no group
	}{
		{one, []int32{0, 1, 2, 3, 4, 5, 6, 7}, "all threads"},
		{one, []int32{1, 2, 4, 5, 7}, "all worker threads"},
		{one, []int32{1, 4, 7}, "thread 2 of each task"},
		{one, []int32{0, 3, 6}, "thread 1 of each task"},
		{one, []int32{0, 1, 3, 4, 6, 7}, "threads 1 to 2 of each task"},
		{one, []int32{2, 5}, "thread 3 of each task"}, // that has one
		{one, []int32{1, 4}, ""},
		{one, []int32{1}, ""},
		{two, []int32{1, 3}, "thread 2 of each task of application 1"},
		{two, []int32{4, 5, 6, 7}, "all threads of application 2"},
		{two, []int32{1, 3, 5, 7}, ""},
		{single, []int32{1, 2, 3}, "all worker threads"},
		{single, []int32{1, 2}, ""},
	} {
		if got, ok := report.ThreadGroup(c.r, c.threads); got != c.want || ok != (c.want != "") {
			t.Errorf("%v: %q, want %q", c.threads, got, c.want)
		}
	}
}
