package phase

// Steps of a run with devices as its phases. The host marks a step; its devices lag by their queues. So on a process a
// step begins with the first operation launched in it, or without devices with its mark, and for the run when it has
// begun on every process:
//
//	host     | step 3 | step 4 | step 5 |
//	device 0    | step 3 | step 4 | step 5 |
//	device 1     | step 3 | step 4  | step 5 |
//	phases       | step 3 | step 4  | step 5 | after the steps

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"

	"pview/prv"
	"pview/prv/extrae/device"
)

// stepSpan is a step of a process, on its devices if it launches anything in it.
type stepSpan struct {
	device.Step       // as marked by the host
	begin, end  int64 // on the devices
}

// Names of the phases around the steps.
const (
	beforeSteps = "before the steps"
	afterSteps  = "after the steps"
)

// IsBeside reports whether the name of a phase means the time before or after the steps.
func IsBeside(name string) bool { return name == beforeSteps || name == afterSteps }

// steps returns the cuts between steps, each at the start of a step, and the last one at the end of the last step; nil
// if not all processes that mark steps mark the same ones.
func (f *finder) steps(marked *device.Steps) (list []cut) {
	byTask := make([][]stepSpan, len(f.tasks))
	for i, task := range f.tasks {
		byTask[i] = f.stepsOf(marked, task)
	}
	f.project(byTask)
	common := map[int64][]int{} // by number: the processes' rows
	tasks := 0
	for i := range byTask {
		if len(byTask[i]) == 0 {
			continue
		}
		tasks++
		for k := range byTask[i] {
			common[byTask[i][k].Number] = append(common[byTask[i][k].Number], i)
		}
	}
	end, last := int64(0), int64(-1)
	for _, n := range slices.Sorted(maps.Keys(common)) {
		if len(common[n]) != tasks {
			continue
		}
		c := cut{number: int32(n), own: make([]int64, len(f.tasks))}
		until := int64(0)
		for i := range byTask {
			for k := range byTask[i] {
				if s := &byTask[i][k]; s.Number == n {
					c.own[i], c.exit, until = s.begin, max(c.exit, s.begin), max(until, s.end)
				}
			}
		}
		for i := range c.own {
			if len(byTask[i]) == 0 {
				c.own[i] = c.exit
			}
		}
		c.name = fmt.Sprintf("step %d", n)
		list = append(list, c)
		if c.exit > last {
			last, end = c.exit, until
		}
	}
	slices.SortStableFunc(list, func(a, b cut) int { return cmp.Compare(a.exit, b.exit) })
	if len(list) > 0 {
		c := cut{exit: end, name: afterSteps, own: make([]int64, len(f.tasks))}
		for i := range c.own {
			c.own[i] = end
		}
		list = append(list, c)
	}
	return list
}

// stepsOf returns the steps of a process: from its first thread that marks any, without repeated numbers.
func (f *finder) stepsOf(marked *device.Steps, task int32) (list []stepSpan) {
	own := f.t.Tasks[task]
	for th := own.FirstThread; th < own.FirstThread+own.Threads; th++ {
		if _, stream := device.StreamOf(f.t, int(th)); stream {
			continue
		}
		seen := map[int64]bool{}
		for _, s := range marked.Of(&f.t.Threads[th].Events) {
			if !seen[s.Number] && s.Number < 1<<31 {
				seen[s.Number] = true
				list = append(list, stepSpan{s, -1, s.End})
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// project moves the steps to the devices: from the first operation launched in one to the last end.
func (f *finder) project(byTask [][]stepSpan) {
	c := &f.t.Comms
	for i := range c.Len() {
		if tag := c.Tag[i]; tag != device.LaunchTag && tag != device.LaunchCopyTag || !device.IsLink(f.t, int32(i)) ||
			!f.has(c.Send[i]) {
			continue
		}
		steps := byTask[f.t.ThreadTask[c.Send[i]]-f.tasks[0]]
		at := c.Times[prv.LogicalSend][i]
		k := sort.Search(len(steps), func(k int) bool { return steps[k].Begin > at }) - 1
		if k < 0 || at >= steps[k].End {
			continue
		}
		s, begin := &steps[k], c.Times[prv.PhysicalRecv][i]
		if s.begin < 0 || begin < s.begin {
			s.begin = begin
		}
		s.end = max(s.end, endOf(&f.t.Threads[c.Recv[i]].States, begin))
	}
	for _, steps := range byTask {
		for k := range steps {
			if steps[k].begin < 0 {
				steps[k].begin = steps[k].Begin
			}
		}
	}
}

// endOf returns the end of the state that begins at a time; the time itself if none does.
func endOf(s *prv.States, at int64) int64 {
	if k, found := slices.BinarySearch(s.Begin, at); found && s.HasEnd(k) {
		return max(at, s.End[k])
	}
	return at
}
