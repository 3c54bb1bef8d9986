package waits

// The thread functions of windows that show waits: for timelines, histograms and cfgs in the viewer and in pview stat.

import (
	"context"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/ready"
)

// function is a thread function on the waits of a trace.
type function struct {
	semantic.Entry
	column func(c *columns) []semantic.Steps
}

// menu is the menu with these functions.
const menu = "Waiting"

// StateFunction and DelayFunction are the names of the two functions with ready views.
const (
	StateFunction = "Wait State"
	CauseFunction = "Wait Caused By"
	DelayFunction = "Delay Caused"
)

var functions = []function{
	{semantic.Entry{Name: StateFunction, Meaning: semantic.Named, Values: namedClasses(),
		Doc: "class of wait in a call, as Scalasca has them, or of the rest of the call; 0 outside of calls"},
		func(c *columns) []semantic.Steps { return c.states }},
	{semantic.Entry{Name: CauseFunction, Meaning: semantic.Threads,
		Doc: "number of the thread that is waited for; 0 where none is, or it is unknown"},
		func(c *columns) []semantic.Steps { return c.causes }},
	{semantic.Entry{Name: "Wait Indirect Share",
		Doc: "part of a wait that comes from the waiting of the thread waited for, 0 to 1"},
		func(c *columns) []semantic.Steps { return c.indirect }},
	{semantic.Entry{Name: DelayFunction,
		Doc: "number of threads that are held up by what the thread does: the waiting that it causes, at once and " +
			"further down, per unit of its time"},
		func(c *columns) []semantic.Steps { return c.delays }},
	{semantic.Entry{Name: "Delay Caused Short-Term",
		Doc: "waiting that the thread causes at once, per unit of its time"},
		func(c *columns) []semantic.Steps { return c.short }},
	{semantic.Entry{Name: "Delay Caused Long-Term",
		Doc: "waiting that the thread causes further down, per unit of its time"},
		func(c *columns) []semantic.Steps { return c.long }},
}

func init() {
	for i := range functions {
		f := functions[i]
		f.Group = menu
		semantic.AddThreadFunction(f.Entry, func(ctx context.Context, t *prv.Trace) ([]semantic.Steps, error) {
			c, err := known.Of(ctx, t, newColumns)
			if err != nil {
				return nil, err
			}
			return f.column(c), nil
		})
	}
	ready.AddThreadView(StateFunction, "why each thread waits: late sender, late receiver, ...",
		"wait states", "why waiting", "blocked")
	ready.AddThreadView(CauseFunction, "thread that each thread waits for", "who is waited for", "blame")
	ready.AddThreadView(DelayFunction, "how many threads each one holds up, directly or not", "root cause",
		"who makes others wait", "blame")
}

// namedClasses returns the classes as values.
func namedClasses() []semantic.NamedValue {
	list := []semantic.NamedValue{{Value: 0, Name: "outside of calls"}}
	for i := range Classes {
		c := &Classes[i]
		list = append(list, semantic.NamedValue{Value: float64(c.Class), Name: c.Name, Color: c.Color})
	}
	return list
}

// columns are the values of all functions, by thread.
type columns struct {
	states, causes, indirect, delays, short, long []semantic.Steps
}

var known semantic.Kept[columns]

// newColumns makes the columns of a trace. They do not keep the trace in memory.
func newColumns(ctx context.Context, t *prv.Trace) (*columns, error) {
	r, err := Analyze(ctx, t, Options{})
	if err != nil {
		return nil, err
	}
	c := &columns{states: r.States()}
	for i := range t.Threads {
		th := int32(i)
		c.causes = append(c.causes, r.waitSteps(th, func(w *Wait) float64 { return float64(w.Cause + 1) }))
		c.indirect = append(c.indirect, r.waitSteps(th, func(w *Wait) float64 {
			return float64(w.Indirect()) / float64(w.Length())
		}))
	}
	c.short, c.long = r.delaySteps()
	for i := range c.short {
		c.delays = append(c.delays, sum(c.short[i], c.long[i]))
	}
	return c, ctx.Err()
}

// sum adds two values over time.
func sum(a, b semantic.Steps) semantic.Steps {
	out := semantic.Steps{}
	for i, k := 0, 0; ; {
		at := max(a.Begin[i], b.Begin[k])
		out.Begin, out.Value = append(out.Begin, at), append(out.Value, a.Value[i]+b.Value[k])
		switch {
		case i+1 < len(a.Begin) && (k+1 == len(b.Begin) || a.Begin[i+1] < b.Begin[k+1]):
			i++
		case k+1 < len(b.Begin) && (i+1 == len(a.Begin) || b.Begin[k+1] < a.Begin[i+1]):
			k++
		case i+1 < len(a.Begin):
			i, k = i+1, k+1
		default:
			return out
		}
	}
}
