package report

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv"
)

// ObjectID returns the numbers of an object: "1.2.1" for a thread, "2.4" for a CPU of node 2, "" for the workload and
// the system.
func ObjectID(t *prv.Trace, l prv.Level, i int) string {
	_, id, _ := strings.Cut(t.DefaultName(l, i), " ")
	return id
}

// ThreadIDs returns the numbers of threads, as ObjectID does.
func ThreadIDs(t *prv.Trace, threads []int32) []string {
	ids := make([]string, len(threads))
	for i, th := range threads {
		ids[i] = ObjectID(t, prv.LevelThread, int(th))
	}
	return ids
}

// ThreadGroup names threads, in ascending order, without listing them: all of an application, all but the first of each
// task, and those with the same numbers in each task. ok is false for others.
func ThreadGroup(r *prv.Resources, threads []int32) (name string, ok bool) {
	if len(threads) < 2 {
		return "", false
	}
	app := r.Ptasks[r.Tasks[r.ThreadTask[threads[0]]].Ptask]
	tasks := r.Tasks[app.FirstTask : app.FirstTask+app.Tasks]
	_, _, least := r.ThreadID(threads[0])
	most, widest := least, int32(0)
	for _, th := range threads {
		_, _, number := r.ThreadID(th)
		least, most = min(least, number), max(most, number)
	}
	var all []int32
	for _, t := range tasks {
		widest = max(widest, t.Threads)
		for number := least; number <= min(most, t.Threads); number++ {
			all = append(all, t.FirstThread+number-1)
		}
	}
	if !slices.Equal(all, threads) {
		return "", false
	}
	switch {
	case least == 1 && most == widest:
		name = "all threads"
	case least == 2 && most == widest && widest > 2:
		name = "all worker threads"
	case len(tasks) == 1:
		return "", false
	case least == most:
		name = fmt.Sprintf("thread %d of each task", least)
	default:
		name = fmt.Sprintf("threads %d to %d of each task", least, most)
	}
	if len(r.Ptasks) > 1 {
		p, _, _ := r.ThreadID(threads[0])
		name += fmt.Sprintf(" of application %d", p)
	}
	return name, true
}

// UpperFirst returns a text with its first letter in upper case.
func UpperFirst(s string) string {
	n := min(1, len(s))
	return strings.ToUpper(s[:n]) + s[n:]
}
