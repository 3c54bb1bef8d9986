package model

// The objects of a level: the object of a record, the threads of an object, and the objects' names.

import (
	"fmt"
	"strconv"
	"strings"
)

// ObjectOf returns the object (0-based) of a level that a record of a thread on a CPU belongs to (global, 1-based; 0:
// unknown). It is -1 at LevelCPU for an unknown CPU.
func (r *Resources) ObjectOf(l Level, thread, cpu int32) int {
	switch l {
	case LevelThread:
		return int(thread)
	case LevelTask:
		return int(r.ThreadTask[thread])
	case LevelPtask:
		return int(r.Tasks[r.ThreadTask[thread]].Ptask)
	case LevelCPU:
		return int(cpu) - 1
	case LevelNode:
		if cpu > 0 {
			return int(r.CPUNode(cpu))
		}
		return int(r.ThreadNode(thread))
	}
	return 0
}

// ThreadsOf returns the threads that may have records on an object of a level. For a CPU or node, only those records
// count for which ObjectOf returns that object.
func (r *Resources) ThreadsOf(l Level, object int) (list []int32) {
	tasks := func(first, n int32) {
		for i := range n {
			t := &r.Tasks[first+i]
			for th := range t.Threads {
				list = append(list, t.FirstThread+th)
			}
		}
	}
	switch l {
	case LevelThread:
		return []int32{int32(object)}
	case LevelTask:
		tasks(int32(object), 1)
	case LevelPtask:
		tasks(r.Ptasks[object].FirstTask, r.Ptasks[object].Tasks)
	case LevelNode, LevelCPU:
		node := int32(object)
		if l == LevelCPU {
			node = r.CPUNode(int32(object) + 1)
		}
		for i := range r.Tasks {
			if r.Tasks[i].Node == node {
				tasks(int32(i), 1)
			}
		}
	default:
		tasks(0, int32(len(r.Tasks)))
	}
	return list
}

// levelsByID are the levels by the parts of an ID: 1.3.1 is a thread, 1.3 a task, 1 a ptask.
var levelsByID = [...]Level{1: LevelPtask, 2: LevelTask, 3: LevelThread}

// LevelOfID returns the level of an ID such as "1.3.1", "1.3" or "1".
func LevelOfID(text string) (Level, bool) {
	parts := strings.Split(text, ".")
	if len(parts) >= len(levelsByID) {
		return 0, false
	}
	for _, p := range parts {
		if _, err := strconv.ParseUint(p, 10, 31); err != nil {
			return 0, false
		}
	}
	return levelsByID[len(parts)], true
}

// FindObject returns the object (0-based) of a level with the given name, from the .row or Paraver's default; the first
// word may be left out: "THREAD 1.3.1", "1.3.1". Case is ignored.
func (t *Trace) FindObject(l Level, text string) (int, error) {
	n := t.Count(l)
	if n == 1 && (l == LevelWorkload || l == LevelSystem) && text == "" {
		return 0, nil
	}
	for i := range n {
		name := t.DefaultName(l, i)
		_, id, _ := strings.Cut(name, " ")
		if text == id || strings.EqualFold(text, name) || strings.EqualFold(text, t.Name(l, i)) {
			return i, nil
		}
	}
	if n == 0 {
		return 0, fmt.Errorf("the trace has no %s", l)
	}
	return 0, fmt.Errorf("the trace has no %s %q: they are %s to %s", l, text, t.DefaultName(l, 0),
		t.DefaultName(l, n-1))
}
