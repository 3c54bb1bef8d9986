package gpu

import (
	"cmp"
	"slices"

	"pview/prv"
	"pview/prv/extrae/device"
)

// Kernels is the work of each device in kernels, by their short names.
type Kernels struct {
	devices []Device
	names   []string
	work    [][]Work // by device and name
}

// Work is time in kernels, in the unit of the trace.
type Work struct {
	Time, Executions float64
}

// Surplus compares the kernels of one name on the devices of a task with those on the devices of all other tasks. Times
// and executions are means per device.
type Surplus struct {
	Name       string
	Own, Other Work
}

// More returns how much longer the kernels take on a device of the task.
func (s *Surplus) More() float64 { return s.Own.Time - s.Other.Time }

// Kernels sums the kernels of all devices.
func (a *Analysis) Kernels(t *prv.Trace) *Kernels {
	k := &Kernels{devices: a.Devices, work: make([][]Work, len(a.Devices))}
	short, at := shortNames(t), map[string]int{}
	for i := range a.Devices {
		for j := range a.Devices[i].work {
			o := &a.Devices[i].work[j]
			if o.state != device.Computing || o.name == 0 {
				continue
			}
			n, ok := at[short(o)]
			if !ok {
				n = len(k.names)
				at[short(o)], k.names = n, append(k.names, short(o))
			}
			if more := n + 1 - len(k.work[i]); more > 0 {
				k.work[i] = append(k.work[i], make([]Work, more)...)
			}
			k.work[i][n].Time += float64(o.end - o.begin)
			k.work[i][n].Executions++
		}
	}
	return k
}

// Surpluses compares the kernels of a task by name, the largest excess over other tasks first; nil if no other task has
// a device.
func (k *Kernels) Surpluses(task int32) []Surplus {
	own, list := 0, make([]Surplus, len(k.names))
	for n := range list {
		list[n].Name = k.names[n]
	}
	for i, work := range k.work {
		if k.devices[i].Task == task {
			own++
		}
		for n, w := range work {
			to := &list[n].Other
			if k.devices[i].Task == task {
				to = &list[n].Own
			}
			to.Time, to.Executions = to.Time+w.Time, to.Executions+w.Executions
		}
	}
	others := len(k.devices) - own
	if own == 0 || others == 0 {
		return nil
	}
	for n := range list {
		list[n].Own.share(own)
		list[n].Other.share(others)
	}
	slices.SortFunc(list, func(a, b Surplus) int {
		return cmp.Or(cmp.Compare(b.More(), a.More()), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// share turns a sum into a mean per device.
func (w *Work) share(devices int) {
	w.Time, w.Executions = w.Time/float64(devices), w.Executions/float64(devices)
}
