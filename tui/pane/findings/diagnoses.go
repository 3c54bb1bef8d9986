package findings

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pview/insight/diagnose"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Which traces are diagnosed, and when: first the findings, then, in the background, the simulation of their repairs.
// Until it ends, costs and order are provisional.

// diagnoses are the diagnoses of the open traces.
type diagnoses struct {
	sc    *pane.Scene
	known map[*timeline.Trace]outcome
	job   pane.Job
	asked request // of the job
	// verified is called with a result that was verified, and the verified one.
	verified func(old, now *diagnose.Result)
}

// outcome holds the diagnosis of a trace, or why there is none.
type outcome struct {
	result   *diagnose.Result
	err      error
	revision int    // of the trace at that time
	verified bool   // or verification is not needed
	unit     string // of times in the sentences
}

// request describes a job.
type request struct {
	of       *timeline.Trace
	revision int
	unit     string
	verifies bool // simulate the repairs of a known diagnosis
}

// of returns the diagnosis of the current revision of a trace: threads and messages of earlier ones may differ.
func (d *diagnoses) of(t *timeline.Trace) outcome {
	if o := d.known[t]; o.revision == t.Revision {
		return o
	}
	return outcome{}
}

// cancel stops the diagnosis. Unverified findings stay as they are.
func (d *diagnoses) cancel() bool {
	if !d.job.Stop() {
		return false
	}
	q := &d.asked
	o := outcome{err: context.Canceled, revision: q.revision}
	if q.verifies {
		o = d.known[q.of]
		o.verified, o.unit = true, q.unit
	}
	d.known[q.of] = o
	return true
}

// forget forgets a trace.
func (d *diagnoses) forget(t *timeline.Trace) {
	if d.asked.of == t {
		d.job.Stop()
		d.asked = request{}
	}
	delete(d.known, t)
}

// take stores a job's results.
func (d *diagnoses) take(q *request, r *diagnose.Result, err error) {
	if before := d.known[q.of].result; q.verifies && before != nil && r != nil {
		d.verified(before, r)
	}
	d.known[q.of] = outcome{result: r, err: err, revision: q.revision, unit: q.unit,
		verified: q.verifies || err != nil}
}

// again lets a failed or stopped diagnosis be repeated.
func (d *diagnoses) again(t *timeline.Trace) bool {
	stopped := d.known[t].err != nil
	if stopped {
		delete(d.known, t)
	}
	return stopped
}

// mostRecords is the number of events and messages up to which a trace is diagnosed for the first screen, unasked. The
// diagnosis and the simulation of the repairs take about 70 bytes of memory for each, beside the trace.
const mostRecords = 5_000_000

// mostVerified is the number of events and messages up to which the repairs are simulated unasked: for more, the first
// screen shows the loss, not the gain of a repair.
const mostVerified = 2_000_000

// verifiesUnasked reports whether the repairs of a trace are simulated without being asked.
func verifiesUnasked(t *timeline.Trace) bool { return recordsOf(t) <= mostVerified }

func recordsOf(t *timeline.Trace) (n int) {
	n = t.Data.Comms.Len()
	for i := range t.Data.Threads {
		n += t.Data.Threads[i].Events.Len()
	}
	return n
}

// wanted reports whether a trace should be diagnosed: for the pane, or for the first screen, which already shows what
// is known immediately.
func (d *diagnoses) wanted(t *timeline.Trace, open bool) bool {
	if open {
		return true
	}
	if !d.sc.Headline || t.Derived || t.Summary == nil || t.Summarised != t.Revision || t.Summary.Streams > 0 {
		return false
	}
	return recordsOf(t) <= mostRecords
}

// sync starts the diagnosis of the trace in focus if it is missing.
func (d *diagnoses) sync(open bool) tea.Cmd {
	t := d.sc.View.Trace
	o, ok := d.known[t]
	known := ok && o.revision == t.Revision
	unit := quantity.TimeUnit()
	worded := o.result == nil || o.unit == unit
	if t.Until != 0 || known && o.verified && worded || !d.wanted(t, open) ||
		known && !open && !verifiesUnasked(t) {
		return nil
	}
	q := request{of: t, revision: t.Revision, unit: unit, verifies: known}
	if d.job.What() != "" && d.asked == q {
		return nil
	}
	return d.start(&q)
}

// start diagnoses a trace, or only simulates the repairs of its findings if these are missing: the verification extends
// the existing diagnosis, which regions and stages may be using. Sentences in other units need a new diagnosis.
func (d *diagnoses) start(q *request) tea.Cmd {
	what, data, o, opt := "diagnosing", q.of.Data, d.known[q.of], diagnose.Options{}
	if q.verifies {
		what = "simulating repairs"
		opt.Verify = diagnose.Verified
	}
	d.asked = *q
	return d.job.Start(what, func(ctx context.Context, _ func(done, total int64)) pane.Result {
		var r *diagnose.Result
		var err error
		if q.verifies && o.unit == q.unit && o.result != nil {
			r, err = o.result.Verify(ctx, data, opt.Verify)
		} else {
			r, err = diagnose.Analyze(ctx, data, opt)
		}
		return func() tea.Cmd {
			d.take(q, r, err)
			return nil
		}
	})
}
