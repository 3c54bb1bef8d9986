package account

// The account of devices: each one from the first start to the last end of the work of all devices. The host's threads
// have their own account.

import (
	"context"
	"fmt"

	"pview/insight/eventgraph"
	"pview/insight/gpu"
	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/wide"
)

// Hosts makes the account of the threads that are not device streams. The only error is ctx's.
func Hosts(ctx context.Context, g *eventgraph.Graph) (*Account, error) {
	threads := []int32{}
	for i := range g.T.NumThreads() {
		if _, ok := device.StreamOf(g.T, i); !ok {
			threads = append(threads, int32(i))
		}
	}
	a, err := New(ctx, g, Options{Threads: threads})
	if err == nil {
		a.useful = Kinds[Computing].Name
		a.Title = "Where the time of the host's threads goes"
	}
	return a, err
}

// useKind maps what a device does to entries.
var useKind = [gpu.NumUses]Kind{gpu.Computing: Computing, gpu.Waiting: Wait, gpu.Transferring: Transfer,
	gpu.Copying: Memory, gpu.NotLaunched: HostWait, gpu.Launching: Launch, gpu.Between: Idle, gpu.Dependent: Idle}

// OfDevices makes the account of the devices of a run.
func OfDevices(t *prv.Trace, analysis *gpu.Analysis) (*Account, error) {
	unit := t.Unit.Nanoseconds()
	if !wide.Product(analysis.Begin+analysis.Elapsed, unit).Fits() {
		return nil, fmt.Errorf("%s: its times are later than 292 years, more than 63 bits of ns hold", t.Path)
	}
	a := &Account{From: analysis.Begin * unit, To: (analysis.Begin + analysis.Elapsed) * unit,
		Threads: len(analysis.Devices), Devices: true, Title: "Where the time of the devices goes",
		useful: efficiency, ByThread: make([]Sums, len(analysis.Devices))}
	sums := map[Entry]wide.Int{}
	EachUse(t, analysis, func(i int, kind Kind, of string, begin, end int64) {
		e := Entry{Kind: kind, Of: of}
		sums[e] = sums[e].Plus(wide.Product(end-begin, unit))
		a.ByThread[i][kind] += (end - begin) * unit
	})
	for e, ns := range sums {
		e.NS = ns
		a.Entries = append(a.Entries, e)
	}
	a.sort()
	a.losses = a.findLosses()
	return a, nil
}

// EachUse calls visit for each stretch of a device's time, in the trace's unit, with its use.
func EachUse(t *prv.Trace, analysis *gpu.Analysis, visit func(device int, kind Kind, of string, begin, end int64)) {
	for i := range analysis.Devices {
		d := &analysis.Devices[i]
		add := func(kind Kind, of string, begin, end int64) {
			if begin < end {
				visit(i, kind, of, begin, end)
			}
		}
		add(Outside, "reason=before the first operation", analysis.Begin, d.Begin)
		add(Outside, "reason=after the last operation", d.End, analysis.Begin+analysis.Elapsed)
		for k := range d.Pieces {
			p := &d.Pieces[k]
			kind := useKind[p.Use]
			switch p.Use {
			case gpu.Computing:
				add(kind, "region="+analysis.Name(t, d, p), p.Begin, p.End)
			case gpu.Transferring, gpu.Copying:
				add(kind, "call="+analysis.Name(t, d, p), p.Begin, p.End)
			case gpu.Waiting:
				analysis.Why(d, p, func(late *gpu.Device, q *gpu.Piece, begin, end int64) {
					add(kind, "cause="+analysis.Does(t, late, q)+"@"+late.Title(t), begin, end)
				})
			case gpu.NotLaunched, gpu.Launching:
				add(kind, "device="+d.Title(t), p.Begin, p.End)
			case gpu.Between:
				add(kind, "reason=between two kernels", p.Begin, p.End)
			default:
				add(kind, "reason=dependency or unknown launch", p.Begin, p.End)
			}
		}
	}
}
