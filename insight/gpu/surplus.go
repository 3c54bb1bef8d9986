package gpu

import (
	"cmp"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
)

// Surplus compares the kernels of one name on the devices of a task with those on the devices of all other tasks. Times
// and executions are means per device.
type Surplus struct {
	Name       string
	Own, Other Work
}

// Work is time in kernels, in the unit of the trace.
type Work struct {
	Time, Executions float64
}

// More returns how much longer the kernels take on a device of the task.
func (s *Surplus) More() float64 { return s.Own.Time - s.Other.Time }

// Surpluses compares the kernels of a task by name, those that take most longer than on other tasks first; nil if no
// other task has a device.
func (a *Analysis) Surpluses(t *prv.Trace, task int32) []Surplus {
	own := 0
	for i := range a.Devices {
		if a.Devices[i].Task == task {
			own++
		}
	}
	if own == 0 || own == len(a.Devices) {
		return nil
	}
	type kernel struct {
		typ  uint32
		name int64
	}
	rows, at := map[kernel]int{}, map[string]int{}
	var list []Surplus
	for i := range a.Devices {
		d := &a.Devices[i]
		share := 1 / float64(len(a.Devices)-own)
		if d.Task == task {
			share = 1 / float64(own)
		}
		for j := range d.work {
			o := &d.work[j]
			if o.state != device.Computing || o.name == 0 {
				continue
			}
			k := kernel{o.typ, o.name}
			row, ok := rows[k]
			if !ok {
				name := extrae.ShortName(t.Labels.ValueName(o.typ, o.name))
				if row, ok = at[name]; !ok {
					row = len(list)
					at[name], list = row, append(list, Surplus{Name: name})
				}
				rows[k] = row
			}
			w := &list[row].Other
			if d.Task == task {
				w = &list[row].Own
			}
			w.Time += share * float64(o.end-o.begin)
			w.Executions += share
		}
	}
	slices.SortFunc(list, func(a, b Surplus) int {
		return cmp.Or(cmp.Compare(b.More(), a.More()), cmp.Compare(a.Name, b.Name))
	})
	return list
}
