package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"pview/sim"
	"pview/sim/engine"
	"pview/sim/parameter"
)

// Case is one simulation: a program with its own machine and rules.
type Case struct {
	Name     string // of the program
	Program  *sim.Program
	Machine  *sim.Machine
	Rules    sim.Rules
	NoOpenMP bool // simulates OpenMP programs without synchronising their threads
	// Room fits the machine to the program: it represents a class of machines. Given tells which size parameters were
	// set.
	Room  bool
	Given parameter.Given
	// Measured is the run that the program was made from; nil: none.
	Measured *Measured
}

// Measured is a run that took place.
type Measured struct {
	Total   int64        // ns
	Machine *sim.Machine // model of the machine it ran on; nil: unknown
}

// row returns the measured run as a row of a plan: NaN for unknown values.
func (m *Measured) row(base *Case, inputs []Input, outputs []Output) *Row {
	if m == nil {
		return nil
	}
	r := &Row{Index: -1, Status: Done}
	for i := range inputs {
		v := math.NaN()
		if get := inputs[i].get; get != nil && m.Machine != nil {
			c := *base
			c.Machine = m.Machine
			if x, ok := get(&c); ok {
				v = x
			}
		}
		r.Inputs = append(r.Inputs, v)
	}
	for i := range outputs {
		v := math.NaN()
		if outputs[i].Name == totalOutput {
			v = float64(m.Total)
		}
		r.Outputs = append(r.Outputs, v)
	}
	return r
}

// Clone returns a case with its own machine.
func (c *Case) Clone() *Case {
	d := *c
	d.Machine = c.Machine.Clone()
	return &d
}

// Fit fits a machine that represents a class to the program.
func (c *Case) Fit() {
	if c.Room {
		parameter.FitClass(c.Machine, c.Program, c.Given)
	}
}

// Run simulates the case; opt has the other options, such as trace and progress.
func (c *Case) Run(ctx context.Context, opt sim.Options) (*sim.Result, error) {
	opt.Rules, opt.DisableOpenMP = c.Rules, c.NoOpenMP
	return engine.Run(ctx, c.Program, c.Machine, opt)
}

// Input is an input of the runs of a study: a column, and the effect of its values on a case.
type Input struct {
	Column
	Apply func(c *Case, v float64)
	// First: it overrides what other inputs set, so it is applied before them.
	First bool
	get   func(c *Case) (float64, bool) // Quantity.Get; nil: the value is not known from a case
}

// Input returns the variable as an input.
func (v *Variable) Input() Input {
	return Input{Column: v.Column, Apply: v.Apply, First: v.Quantity.First, get: v.Quantity.Get}
}

// programs returns the input that selects one of several cases to start from.
func programs(cases []Case) Input {
	in := Input{Column: Column{Name: "trace"}, First: true}
	for i := range cases {
		in.Levels = append(in.Levels, cases[i].Name)
	}
	in.Apply = func(c *Case, v float64) { *c = *cases[int(v)].Clone() }
	return in
}

// build makes the case of a run from a base.
func build(base *Case, inputs []Input, values []float64) *Case {
	c := base.Clone()
	for _, first := range []bool{true, false} {
		for i := range inputs {
			if inputs[i].First == first {
				inputs[i].Apply(c, values[i])
			}
		}
	}
	c.Fit()
	return c
}

func pointers(cases []Case) (list []*Case) {
	for i := range cases {
		list = append(list, &cases[i])
	}
	return list
}

func columns(inputs []Input) (list []Column) {
	for i := range inputs {
		list = append(list, inputs[i].Column)
	}
	return list
}

// Output is a figure of a predicted run.
type Output struct {
	Column
	Doc string
	// Definition distinguishes outputs of the same name: the formula, including the contents of its files.
	Definition string
	// Trace: it needs the predicted trace.
	Trace bool
	Of    func(ctx context.Context, c *Case, r *sim.Result) (float64, error)
}

// figure makes an output from a figure that every simulation has.
func figure(name, unit, doc string, of func(c *Case, r *sim.Result) float64) Output {
	return Output{Column: Column{Name: name, Unit: unit}, Doc: doc,
		Of: func(_ context.Context, c *Case, r *sim.Result) (float64, error) { return of(c, r), nil }}
}

// totalOutput is the output that measured runs also have.
const totalOutput = "total"

// Outputs are the figures of every simulation.
var Outputs = []Output{
	figure(totalOutput, "ns", "predicted run time", func(_ *Case, r *sim.Result) float64 { return float64(r.Total) }),
	figure("utilisation", "share", "share of the threads' time that they compute",
		func(c *Case, r *sim.Result) float64 { return figuresOf(c.Program, r).Computing }),
	figure("occupied", "share",
		"share of the threads' time that they occupy a CPU, also by latency, context switches and busy waits",
		func(c *Case, r *sim.Result) float64 { return figuresOf(c.Program, r).Occupied }),
	figure("blocked", "ns",
		"time that threads wait for messages, receivers, and for others at collective operations; sum over the threads",
		blocked),
	figure("link-wait", "ns", "time that messages wait for links; sum", func(_ *Case, r *sim.Result) float64 {
		return sumTasks(r, func(s *sim.TaskStats) float64 { return s.WaitLinks })
	}),
	figure("bus-wait", "ns", "time that messages wait for buses; sum", func(_ *Case, r *sim.Result) float64 {
		return sumTasks(r, func(s *sim.TaskStats) float64 { return s.WaitBuses })
	}),
	figure("bus-queue", "", "messages that wait for a bus, averaged over the run",
		func(_ *Case, r *sim.Result) float64 {
			if r.Total == 0 {
				return 0
			}
			return sumTasks(r, func(s *sim.TaskStats) float64 { return s.WaitBuses }) / float64(r.Total) // Little's law
		}),
	figure("bus-queue-most", "", "messages that wait for a bus, at most at a time",
		func(_ *Case, r *sim.Result) float64 { return float64(r.BusQueue) }),
	figure("messages", "", "messages sent", func(_ *Case, r *sim.Result) float64 { return float64(r.Messages) }),
	figure("bytes", "B", "bytes sent", func(_ *Case, r *sim.Result) float64 { return float64(r.Bytes) }),
}

// SpeedupOver returns the output that compares the total with a case's total, simulated once: 2 is twice as fast.
func SpeedupOver(base *Case) Output {
	nominal := sync.OnceValues(func() (int64, error) {
		r, err := base.Run(context.Background(), sim.Options{})
		if err != nil {
			return 0, fmt.Errorf("the unchanged machine: %w", err)
		}
		return r.Total, nil
	})
	return Output{Column: Column{Name: "speedup"}, Doc: "time on the unchanged machine / time: 2 is twice as fast",
		Of: func(_ context.Context, _ *Case, r *sim.Result) (float64, error) {
			total, err := nominal()
			return Speedup(total, r.Total), err
		}}
}

// OutputByName finds one of Outputs; nil if none.
func OutputByName(name string) *Output {
	i := slices.IndexFunc(Outputs, func(o Output) bool { return o.Name == name })
	if i < 0 {
		return nil
	}
	return &Outputs[i]
}

func sumTasks(r *sim.Result, of func(*sim.TaskStats) float64) (sum float64) {
	for i := range r.Tasks {
		sum += of(&r.Tasks[i])
	}
	return sum
}

func blocked(_ *Case, r *sim.Result) float64 {
	return sumTasks(r, func(s *sim.TaskStats) float64 {
		return float64(s.States[sim.StateWaiting]+s.States[sim.StateSending]) + s.BlockedColl
	})
}
