package compare

// Runs with devices: the devices act as threads, their time comes from package account, and threads of the host are
// ignored.

import (
	"context"
	"strings"

	"pview/insight/account"
	"pview/insight/efficiency"
	"pview/insight/gpu"
	"pview/insight/phase"
	"pview/prv"
	"pview/prv/wide"
)

// analyseDevices accounts for the time of the devices of a run.
func analyseDevices(ctx context.Context, t *prv.Trace, a *gpu.Analysis) (*Run, error) {
	of, err := account.OfDevices(t, a)
	if err != nil {
		return nil, err
	}
	n := len(a.Devices)
	r := &Run{Path: t.Path, times: t.Unit, unit: t.Unit.Nanoseconds(), begin: a.Begin, Threads: n, devices: true,
		work: map[place]*work{}, delays: map[place]wide.Int{}}
	if err := r.divide(ctx, t, a); err != nil {
		return nil, err
	}
	r.Duration = of.Window()
	r.sums = newSums(len(r.phases), n)
	r.thread = of.ByThread
	for i := range a.Devices {
		d := &a.Devices[i]
		r.names = append(r.names, d.Title(t))
		for kind := range r.thread[i] {
			r.thread[i][kind] /= r.unit
		}
		r.waited[i] = d.Uses[gpu.Waiting]
		for k := range d.Pieces {
			if p := &d.Pieces[k]; p.Use == gpu.Waiting {
				late := a.Collective(d, p).LateDevice()
				r.caused[late] = r.caused[late].Add(p.End - p.Begin)
			}
		}
	}
	r.spend(t, a)
	for _, e := range of.Entries {
		r.addEntry(&e)
	}
	r.rate(efficiency.OfDevices(t, 0, a))
	return r, nil
}

// divide divides the time of the devices into the steps that the trace marks; without them it is one phase.
func (r *Run) divide(ctx context.Context, t *prv.Trace, a *gpu.Analysis) error {
	begin, end := a.Begin, a.Begin+a.Elapsed
	r.Notes = []string{"threads of the host are not compared"}
	tiling, err := phase.Find(ctx, t, phase.Options{})
	switch {
	case err != nil:
		return err
	case tiling.From != phase.Steps:
		r.phases = []phase.Phase{{Begin: begin, End: end}}
		r.groups = []phase.Group{{Occurrences: 1, Time: a.Elapsed}}
		r.Notes[0] = "one phase: the trace marks no steps; " + r.Notes[0]
		return nil
	}
	r.groups = tiling.Groups
	for _, p := range tiling.Phases {
		if p.Begin, p.End = max(p.Begin, begin), min(p.End, end); p.Begin < p.End {
			r.phases = append(r.phases, p)
		}
	}
	return nil
}

// spend divides the time of the devices among the phases.
func (r *Run) spend(t *prv.Trace, a *gpu.Analysis) {
	account.EachUse(t, a, func(_ int, kind account.Kind, _ string, begin, end int64) {
		phase.Divide(r.phases, begin, end, func(k int, time int64) {
			r.spent[k][kind] = r.spent[k][kind].Add(time)
		})
	})
}

// addEntry adds an entry of the account of devices.
func (r *Run) addEntry(e *account.Entry) {
	time := e.NS.Quotient(r.unit)
	_, what, _ := strings.Cut(e.Of, "=")
	fn, call, wait := noName, outside, notWaited
	d := detail{Category: Category(e.Kind)}
	switch e.Kind {
	case account.Computing:
		fn, d.what = what, what
	case account.Transfer, account.Memory:
		call, d.what = what, what
	case account.Wait:
		wait, d.what, d.wait = "in collectives", "in collectives", true
	case account.HostWait, account.Launch, account.Idle:
		wait = account.Kinds[e.Kind].Name
	}
	r.funcs[fn] = r.funcs[fn].Plus(time)
	r.calls[call] = r.calls[call].Plus(time)
	r.waits[wait] = r.waits[wait].Plus(time)
	r.causes[d] = r.causes[d].Plus(time)
}

// one returns "thread" or "device", whichever has the run's time.
func (r *Run) one() string {
	if r.devices {
		return "device"
	}
	return "thread"
}
