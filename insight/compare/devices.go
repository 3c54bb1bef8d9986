package compare

// Runs with devices: threads are the devices, their time is that of package account, and threads of the host play no
// part.

import (
	"strings"

	"pview/insight/account"
	"pview/insight/efficiency"
	"pview/insight/gpu"
	"pview/insight/phase"
	"pview/prv"
)

// analyseDevices accounts for the time of the devices of a run.
func analyseDevices(t *prv.Trace, a *gpu.Analysis) (*Run, error) {
	of, err := account.OfDevices(t, a)
	if err != nil {
		return nil, err
	}
	end, n := a.Begin+a.Elapsed, len(a.Devices)
	r := &Run{Path: t.Path, times: t.Unit, unit: t.Unit.Nanoseconds(), begin: a.Begin, Threads: n, devices: true,
		phases: []phase.Phase{{Begin: a.Begin, End: end}}, groups: []phase.Group{{Occurrences: 1, Time: a.Elapsed}},
		work: map[place]*work{}, delays: map[place]int64{},
		Notes: []string{"one phase: the time of devices is not divided; threads of the host are not compared"}}
	r.Duration = of.Window()
	r.sums = sums{spent: make([]account.Sums, 1), thread: of.ByThread, waited: make([]int64, n), caused: make([]int64, n),
		calls: map[string]int64{}, called: map[string]int64{}, funcs: map[string]int64{}, waits: map[string]int64{},
		causes: map[detail]int64{}}
	for i := range a.Devices {
		d := &a.Devices[i]
		r.names = append(r.names, d.Title(t))
		for kind := range r.thread[i] {
			r.thread[i][kind] /= r.unit
			r.spent[0][kind] += r.thread[i][kind]
		}
		r.waited[i] = d.Uses[gpu.Waiting]
		for k := range d.Pieces {
			if p := &d.Pieces[k]; p.Use == gpu.Waiting {
				r.caused[a.Collective(d, p).LateDevice()] += p.End - p.Begin
			}
		}
	}
	for _, e := range of.Entries {
		r.addEntry(&e)
	}
	r.rate(efficiency.OfDevices(t, 0, a))
	return r, nil
}

// addEntry adds an entry of the account of devices.
func (r *Run) addEntry(e *account.Entry) {
	time := e.NS.Int64() / r.unit
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
	r.funcs[fn] += time
	r.calls[call] += time
	r.waits[wait] += time
	r.causes[d] += time
}

// one is the word for what the time of the run is of: threads or devices.
func (r *Run) one() string {
	if r.devices {
		return "device"
	}
	return "thread"
}
