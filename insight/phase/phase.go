// Package phase divides a run into phases, the parts of the program that every process goes through together, and
// finds those that repeat: iterations.
//
// A phase ends where the processes meet: at a collective operation of all processes, when nothing else is in progress.
// The time of the operation belongs to the phase that it closes:
//
//	process 1  ███████▒▒▒▒|█████▒▒▒|        █ computing   ▒ in the collective operation
//	process 2  ███████████▒|███▒▒▒▒▒|       the boundaries are the last exits
//	process 3  █████▒▒▒▒▒▒|████████▒|
//
// If the program marks its iterations by events, these can be the boundaries instead; if a trace has the steps of a
// framework, they are. Phases with the same signature (their calls, and how often) form a group.
package phase

import (
	"context"
	"fmt"
	"sort"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/parallel"
)

// Phase is a part of a run, in the trace's unit. The phases of a run follow one another without gap or overlap, from
// 0 to the trace's duration.
type Phase struct {
	Begin, End int64
	Group      int    // in Tiling.Groups
	Name       string // "step 3"; "" for other phases
}

// Divide calls do for each of some consecutive phases, by index, with the part of a stretch in it.
func Divide(phases []Phase, begin, end int64, do func(k int, time int64)) {
	k := sort.Search(len(phases), func(k int) bool { return phases[k].End > begin })
	for ; k < len(phases) && phases[k].Begin < end; k++ {
		do(k, min(end, phases[k].End)-max(begin, phases[k].Begin))
	}
}

// Duration returns the length of the phase.
func (p Phase) Duration() int64 { return p.End - p.Begin }

// Group is the phases with one signature.
type Group struct {
	Signature
	Occurrences int
	Time        int64 // sum of the durations
	Worst       int   // the longest, in Tiling.Phases
}

// Source is the origin of the boundaries.
type Source uint8

// Sources.
const (
	Whole       Source = iota // one phase: no boundaries
	Collectives               // collective operations of all processes
	Events                    // events named by the user
	Steps                     // steps marked in the trace, typically one with devices
)

// Tiling is a run in phases.
type Tiling struct {
	Phases []Phase
	Groups []Group // in the order of their first phases
	From   Source
	// Rows are, for each thread of the application, the events by which calls, functions and iterations begin and end,
	// as rows of the trace's columns: other passes over these need not search again.
	Rows [][]uint32
	// Why says why there is only one phase, or that the given events are missing; "" otherwise.
	Why string
}

// Options of Find.
type Options struct {
	// Ptask is the application, from 1; 0: the only one. With 0, a trace of several applications is one phase.
	Ptask int
	// Marker is an event type whose values other than 0 begin an iteration on each process; 0: collective operations.
	Marker uint32
}

// Find divides a run into phases. It fails if ctx ends or the application is unknown.
func Find(ctx context.Context, t *prv.Trace, opt Options) (l *Tiling, err error) {
	defer parallel.OnEnd(ctx, &err)
	if opt.Ptask < 0 || opt.Ptask > len(t.Ptasks) {
		return nil, fmt.Errorf("no application %d: the trace has %d", opt.Ptask, len(t.Ptasks))
	}
	f := &finder{ctx: ctx, t: t}
	f.choose(opt.Ptask)
	var marked *device.Steps
	if opt.Marker == 0 && !f.several {
		marked = device.StepsOf(t)
	}
	if err := f.read(opt.Marker, marked != nil); err != nil {
		return nil, err
	}
	out := &Tiling{Rows: f.rows}
	cuts, err := f.boundaries(opt, marked, out)
	if err != nil {
		return nil, err
	}
	cuts = out.tile(cuts, t.Duration)
	return out, f.sign(out, cuts)
}

// boundaries finds the cuts between phases, and their source.
func (f *finder) boundaries(opt Options, marked *device.Steps, out *Tiling) ([]cut, error) {
	if marked != nil {
		if list := f.steps(marked); len(list) > 0 {
			out.From = Steps
			return list, nil
		}
	}
	if opt.Marker != 0 {
		list := f.iterations()
		if out.From = Events; len(list) == 0 {
			out.Why = fmt.Sprintf("no events of type %d on every process", opt.Marker)
		}
		return list, nil
	}
	if f.several {
		out.Why = "several applications"
		return nil, nil
	}
	list, err := f.cuts()
	if out.From = Collectives; len(list) == 0 {
		out.Why = "no collective operation separates the work before it from the work after it"
	}
	return list, err
}

// tile makes the phases between cuts, whose exits increase, and returns the cuts used: it skips those that make empty
// phases.
func (l *Tiling) tile(cuts []cut, end int64) (used []cut) {
	begin, name := int64(0), ""
	if l.From == Steps {
		name = beforeSteps
	}
	for _, c := range cuts {
		if c.exit > begin && c.exit < end {
			l.Phases = append(l.Phases, Phase{Begin: begin, End: c.exit, Name: name})
			begin = c.exit
			used = append(used, c)
		}
		if c.exit <= begin {
			name = c.name
		}
	}
	l.Phases = append(l.Phases, Phase{Begin: begin, End: end, Name: name})
	if len(used) == 0 && l.From != Steps {
		l.From = Whole
	}
	return used
}
