package timeline

import "pview/prv"

// LevelOrder is the order in which users step through the levels.
var LevelOrder = []prv.Level{prv.LevelThread, prv.LevelTask, prv.LevelPtask, prv.LevelWorkload, prv.LevelCPU,
	prv.LevelNode, prv.LevelSystem}

// RowsByObject returns the row of each object of the window's level, -1 if it is not in view; nil if rows and objects
// have the same numbers.
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

// Place returns the row of an object in the result of RowsByObject.
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
