package timeline

import "pview/prv"

// LevelOrder is the order in which users go through the levels.
var LevelOrder = []prv.Level{prv.LevelThread, prv.LevelTask, prv.LevelPtask, prv.LevelWorkload, prv.LevelCPU,
	prv.LevelNode, prv.LevelSystem}

// ObjectOf returns the object (0-based) of a level that a record belongs to, from
// its thread and its CPU (1-based, 0 unknown); -1 when there is none.
func ObjectOf(t *prv.Trace, l prv.Level, thread, cpu int32) int {
	switch l {
	case prv.LevelThread:
		return int(thread)
	case prv.LevelTask:
		return int(t.ThreadTask[thread])
	case prv.LevelPtask:
		return int(t.Tasks[t.ThreadTask[thread]].Ptask)
	case prv.LevelCPU:
		return int(cpu) - 1
	case prv.LevelNode:
		if cpu > 0 {
			return int(t.CPUNode(cpu))
		}
		return int(t.ThreadNode(thread))
	}
	return 0
}

// ThreadsOf returns the threads that may have records on an object of a level. On
// a CPU or a node only those of their records count that objectOf says are its.
func ThreadsOf(t *prv.Trace, l prv.Level, object int) []int32 {
	var list []int32
	add := func(first, n int32) {
		for i := range n {
			list = append(list, first+i)
		}
	}
	switch l {
	case prv.LevelThread:
		add(int32(object), 1)
	case prv.LevelTask:
		add(t.Tasks[object].FirstThread, t.Tasks[object].Threads)
	case prv.LevelPtask:
		p := t.Ptasks[object]
		for i := range p.Tasks {
			task := t.Tasks[p.FirstTask+i]
			add(task.FirstThread, task.Threads)
		}
	case prv.LevelNode, prv.LevelCPU:
		node := int32(object)
		if l == prv.LevelCPU {
			node = t.CPUNode(int32(object) + 1)
		}
		for i := range t.Tasks {
			if t.Tasks[i].Node == node {
				add(t.Tasks[i].FirstThread, t.Tasks[i].Threads)
			}
		}
	default:
		add(0, int32(t.NumThreads()))
	}
	return list
}

// RowsByObject returns the row of each object of the window's level, -1 where it
// is not in view; nil where rows and objects are the same.
func (w *View) RowsByObject() []int32 {
	if w.Objects == nil {
		return nil
	}
	rows := make([]int32, w.Trace.Data.Count(w.Sem.Level))
	for i := range rows {
		rows[i] = -1
	}
	for row, o := range w.Objects {
		rows[o] = int32(row)
	}
	return rows
}

// Place returns the row of an object in what rowsByObject returned.
func Place(rows []int32, object int) int32 {
	switch {
	case object < 0:
		return -1
	case rows == nil:
		return int32(object)
	case object >= len(rows):
		return -1
	}
	return rows[object]
}
