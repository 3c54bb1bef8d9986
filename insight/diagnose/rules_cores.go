package diagnose

// R38: threads that share processor cores. The tracer's clock runs while a thread is off its core; the counter of its
// core time does not.

import (
	"fmt"

	"pview/insight/report"
	"pview/prv/extrae"
	"pview/prv/quantity"
)

func (a *analysis) taskClock() uint32 { return extrae.TaskClock(a.T.Labels) }

func hasTaskClock(a *analysis) bool { return a.taskClock() != 0 }

// fewCores is the share of computing time on a core below which other findings may be due to missing cores.
const fewCores = 0.8

const missingCoresID report.RuleID = "R38"

var missingCoresRule = Rule{
	ID:        missingCoresID,
	Name:      "cores",
	Doc:       "Do threads share processor cores?",
	Formula:   "computing time - time on a core, / P",
	Threshold: "1 % of the run",
	Advice:    "give each thread its own core: fewer processes per node, or bind them",
	Brief:     Brief{"shared cores", ""},
	Needs:     need{"counter TASK-CLOCK", hasTaskClock},
	Keeps:     true,
	Apart:     true,
	Run:       missingCores,
}

// missingCores is R38: computation without a core.
func missingCores(v *runView) []result {
	typ, unit := v.taskClock(), float64(v.T.Unit.Nanoseconds())
	res := found(missingCoresID, "", 0, "", "")
	times := make([]float64, v.T.NumThreads())
	lost, computed := 0.0, 0.0
	for th := range times {
		e := &v.T.Threads[th].Events
		before := int64(0)
		for k := range e.Len() {
			v.Look()
			if e.Type[k] != typ {
				continue
			}
			from, to := before, e.Time[k]
			before = to
			on := float64(e.Value.At(k)) / unit
			if whole := float64(to - from); whole > 0 && v.computes(int32(th), from, to) {
				computed += whole
				if missing := whole - on; missing > 0 {
					lost += missing
					times[th] += missing
					res.takes(int32(th), from, to, on/whole)
					res.show(from, to, missing/v.threads(), "not on a core", []int32{int32(th)})
				}
			}
		}
	}
	// so far it counts all computation as needed
	v.out.Recoverable = min(v.length(), v.out.Recoverable+lost/v.threads())
	res.Severity = v.limit(lost / v.threads())
	if !v.significant(res.Severity) {
		return nil
	}
	_, _, at, _ := spread(times)
	res.Threads = []int32{int32(at)}
	res.Title =
		fmt.Sprintf(
			"threads share cores: they run for %s of their computing time and wait %s in all for a core",
			quantity.FormatPercent((computed-lost)/computed), v.Span(lost))
	if on := (computed - lost) / computed; on < fewCores {
		v.out.Notes = append(v.out.Notes,
			fmt.Sprintf(
				"threads share cores: they run for %s of their computing time. Slow messages, long "+
					"calls and uneven work may be the result", quantity.FormatPercent(on)))
	}
	res.Formula = fmt.Sprintf("%s / %d", v.Span(lost), v.T.NumThreads())
	return []result{res}
}

// computes reports whether a thread only computes in a stretch, apart from the tracer's own time.
func (a *analysis) computes(thread int32, from, to int64) bool {
	const tracer = 0.99
	return a.UserIn(thread, from, to) >= tracer*float64(to-from)
}

// slowCalls reports whether messages cost much more than they do in a node's memory, and not because of the network.
func (a *analysis) slowCalls() bool {
	const usual = 20_000 // ns, ten times the cost of one
	calls := a.Params.Send.Value + a.Params.Receive.Value
	return calls*float64(a.T.Unit.Nanoseconds()) > usual && calls > a.Params.Latency.Value
}

// slowWithin tells whether messages within a node are as slow as those between nodes: then threads without a core are
// the reason, not the network.
type slowWithin struct{ near, far, nears, fars float64 }

func (s *slowWithin) add(a *analysis, m int32, extra float64) {
	if c := &a.T.Comms; a.T.ThreadNode(c.Send[m]) == a.T.ThreadNode(c.Recv[m]) {
		s.near += extra
		s.nears++
	} else {
		s.far += extra
		s.fars++
	}
}

// addCall adds the messages that one call waited for. If some came from other nodes, those within the node prove
// nothing: the call ended with the last.
func (s *slowWithin) addCall(call slowWithin) {
	if call.fars > 0 {
		call.near, call.nears = 0, 0
	}
	s.sum(&call)
}

func (s *slowWithin) sum(o *slowWithin) {
	s.near += o.near
	s.far += o.far
	s.nears += o.nears
	s.fars += o.fars
}

// remark is added to a finding on slow messages.
func (s *slowWithin) remark() string {
	switch {
	case s.nears > 0 && s.fars == 0:
		return "; all are within a node, so it is not the network: threads share cores, or the library moves " +
			"messages only in calls"
	case s.nears > 0 && s.near/s.nears >= 0.9*s.far/s.fars:
		return "; those within a node are as slow, so it is not the network: threads share cores, or the library " +
			"moves messages only in calls"
	case s.nears > 0 && s.near/s.nears >= s.far/s.fars/2:
		return "; those within a node are slow, too, so it is not the network alone: threads share cores, or the " +
			"library moves messages only in calls"
	}
	return ""
}
