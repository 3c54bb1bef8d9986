// Package steer tunes a running program, MATE's loop: it measures the last iterations, evaluates the models of package
// frameworks on them, and changes the variables that the program has registered (pview_tunable_int and others of
// pview.h). Each change is a decision with a prediction; after enough iterations, the measured time is compared with
// the prediction, and a change that made the program slower is reverted.
//
// An iteration begins with each pview_sync. Only what persists counts: a change must be proposed twice in a row, with
// new iterations in between, based on enough iterations for an error of their median below 5 %.
package steer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/frameworks"
	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/record"
)

// Tuner changes the variables of a program: see record.Tuning.
type Tuner interface {
	Tunables() []record.Tunable
	Set(i int, value float64, decision int) (iteration uint32)
	Pending(i int) bool
}

// Options are the user's settings.
type Options struct {
	Apply     bool    // else changes are only recommended
	MaxChange float64 // largest factor by which a decision multiplies or divides a variable; 0: no limit
	Every     int     // least number of iterations between two changes; 0: DefaultEvery
}

const (
	// DefaultEvery is the least number of iterations between two changes.
	DefaultEvery = 5
	// sure is the maximum error of a median, half of its 95 % interval, to count as known.
	sure = 0.05
	// leastGain is the share of an iteration that a change must save.
	leastGain = 0.05
	// worse is the relative increase of an iteration that is tolerated after a change.
	worse = 0.02
	// Minimum and maximum number of iterations for a median.
	fewest, most = 5, 25
	// rest is the number of iterations before a reverted change is tried again.
	rest = 30
)

// Decision is a change of a variable, or the recommendation of one.
type Decision struct {
	Number    int // from 1
	Variable  string
	From, To  string  // its values
	Iteration int     // the last one measured, from 1
	Why       string  // the reason
	Before    Typical // of an iteration, ns
	Predicted float64 // ns; 0: none
	Applied   bool
	After     Typical
	Growth    float64 // ratio of an iteration's computation after the change to before; 1: unknown
	Outcome   Outcome
}

// Outcome is the result of a change.
type Outcome uint8

// The outcomes.
const (
	Open Outcome = iota // not measured yet
	Kept
	Worse // and reverted
)

// change is a decision and its state.
type change struct {
	*Decision
	tunable  int
	from, to float64
	work     float64 // computation of the iterations before, ns; 0: unknown
	since    int     // the first iteration with it; -1: not yet carried out
	back     bool    // it reverts another change
}

// Loop steers a program. It must not be used concurrently.
type Loop struct {
	Decisions []*Decision
	Doubt     string // why the models recommend nothing at the last look; "": they hold
	opt       Options
	begins    []int64 // of the iterations, ns, including the current one
	events    int     // of the thread read so far
	seen      int     // iterations
	last      int     // the first iteration after the last change
	open      *change // to be carried out, or to be measured
	wanted    wanted
	rested    map[string]int // reverted changes: not again before this iteration
	roles     *role.Roles
	advised   int64 // length of the run at Advise's last look, ns
	advice    []string
	given     map[string]bool
}

// wanted is the last proposal, until it persists.
type wanted struct {
	key string
	at  int // iteration
}

// New returns a loop.
func New(opt Options) *Loop {
	if opt.Every == 0 {
		opt.Every = DefaultEvery
	}
	return &Loop{opt: opt, rested: map[string]int{}, given: map[string]bool{}}
}

// Recommend makes the loop only recommend from now on.
func (l *Loop) Recommend() { l.opt.Apply = false }

// Iterations returns the number of iterations completed so far.
func (l *Loop) Iterations() int { return l.seen }

// Look evaluates a program's run so far, and returns the decisions that are new or have a new outcome. The trace only
// grows; restarted is set if it is a different trace.
func (l *Loop) Look(ctx context.Context, t *prv.Trace, restarted bool, tuner Tuner) ([]*Decision, error) {
	list := tuner.Tunables()
	if len(list) == 0 {
		return nil, nil
	}
	if restarted {
		l.begins, l.events, l.roles = nil, 0, nil
	}
	l.read(t, list[0].Ranks)
	n := len(l.begins) - 1
	if n <= l.seen {
		return nil, nil
	}
	l.seen = n
	if c := l.open; c != nil {
		if c.since < 0 {
			l.carryOut(tuner)
			return nil, nil
		}
		return l.judge(ctx, t, tuner, list)
	}
	if n-l.last < l.opt.Every {
		return nil, nil
	}
	return l.consider(ctx, t, tuner, list)
}

// read finds the iterations since the last look, on the first rank that has registered a variable.
func (l *Loop) read(t *prv.Trace, ranks []int) {
	if len(ranks) == 0 || len(t.Ptasks) == 0 || ranks[0] >= int(t.Ptasks[0].Tasks) {
		return
	}
	e := &t.Threads[t.Tasks[t.Ptasks[0].FirstTask+int32(ranks[0])].FirstThread].Events
	for ; l.events < e.Len(); l.events++ {
		if e.Type[l.events] == record.TypeSync {
			l.begins = append(l.begins, e.Time[l.events])
		}
	}
}

// consider looks for a change.
func (l *Loop) consider(ctx context.Context, t *prv.Trace, tuner Tuner, list []record.Tunable) ([]*Decision, error) {
	typical, ok := l.typical(l.last)
	if !ok {
		l.Doubt = "too few of them to know how long they take"
		return nil, nil
	}
	v := l.view(ctx, t, typical, list)
	best, err := v.best(func(p *Proposal) bool { return l.rested[p.key(list)] <= l.seen })
	l.Doubt = v.doubt
	if best == nil || err != nil {
		l.wanted = wanted{}
		return nil, err
	}
	key := best.key(list)
	if l.wanted.key != key {
		l.wanted = wanted{key, l.seen}
		return nil, nil
	}
	l.wanted = wanted{}
	from := list[best.tunable].Value
	to := limit(from, best.To, l.opt.MaxChange, &list[best.tunable])
	if to != best.To {
		best.Predicted = v.predict(best, to)
	}
	if to == from {
		return nil, nil
	}
	c := l.decide(best, list, from, to, typical)
	c.work = v.work()
	if !l.opt.Apply {
		l.rested[key] = l.seen + rest
		return []*Decision{c.Decision}, nil
	}
	l.open = c
	l.carryOut(tuner)
	return []*Decision{c.Decision}, nil
}

// decide records a decision.
func (l *Loop) decide(p *Proposal, list []record.Tunable, from, to float64, before Typical) *change {
	t := &list[p.tunable]
	d := &Decision{Number: len(l.Decisions) + 1, Variable: t.Name, From: t.Text(from), To: t.Text(to),
		Iteration: l.seen, Why: p.Why, Before: before, Predicted: p.Predicted, Applied: l.opt.Apply, Growth: 1}
	l.Decisions = append(l.Decisions, d)
	return &change{Decision: d, tunable: p.tunable, from: from, to: to, since: -1}
}

// limit keeps a value within the variable's range and the user's largest factor.
func limit(from, to, factor float64, t *record.Tunable) float64 {
	if factor > 1 {
		if from > 0 {
			to = min(max(to, from/factor), from*factor)
		}
		if t.Whole && to < from {
			to = min(math.Ceil(to), from-1)
		} else if t.Whole && to > from {
			to = max(math.Floor(to), from+1)
		}
	}
	return min(max(to, t.Low), t.High)
}

// carryOut changes the variable of the open decision; if the ranks are too fast, it retries at the next look.
func (l *Loop) carryOut(tuner Tuner) {
	c := l.open
	n := tuner.Set(c.tunable, c.to, c.Number)
	if n == 0 {
		return
	}
	c.since = int(n) - 1
	l.last = c.since
	if c.back {
		l.open = nil
	}
}

// judge compares the effect of the open decision with its prediction.
func (l *Loop) judge(ctx context.Context, t *prv.Trace, tuner Tuner, list []record.Tunable) ([]*Decision, error) {
	c := l.open
	after, ok := l.typical(c.since + 1) // the first one may have begun with the old value
	if !ok || tuner.Pending(c.tunable) || l.seen-l.last < l.opt.Every {
		return nil, nil
	}
	before := c.Before
	if c.work > 0 { // tasks and items may have become longer meanwhile
		if now := l.view(ctx, t, after, list).work(); now > 0 {
			c.Growth = now / c.work
			before.Value *= c.Growth
		}
	}
	c.After, c.Outcome, l.open = after, Kept, nil
	if after.Value <= before.Value*(1+max(worse, before.Error, after.Error)) {
		return []*Decision{c.Decision}, nil
	}
	c.Outcome = Worse
	p := &Proposal{tunable: c.tunable, To: c.from, Predicted: before.Value,
		Why: fmt.Sprintf("taken back: iterations took %s with %s", short(after.Value), c.To)}
	l.rested[(&Proposal{tunable: c.tunable, To: c.to, From: c.from}).key(list)] = l.seen + rest
	back := l.decide(p, list, c.to, c.from, after)
	back.back = true
	l.open = back
	l.carryOut(tuner)
	return []*Decision{c.Decision, back.Decision}, nil
}

// Advise returns the models' recommendations for a program that has registered no variable: those made twice for the
// second half of the run, the second time when the run was a quarter longer. Regions "task" mark the tasks of a master.
func (l *Loop) Advise(ctx context.Context, t *prv.Trace) (news []string, err error) {
	if t.Duration < l.advised+l.advised/4 || len(t.Ptasks) == 0 {
		return nil, nil
	}
	l.advised = t.Duration
	r, err := frameworks.Analyse(ctx, t, frameworks.Options{Free: -1, TaskEvent: taskEvent(t),
		Window: role.Window{From: t.Duration / 2, To: t.Duration}})
	if err != nil {
		l.Doubt = err.Error()
		return nil, ctx.Err()
	}
	l.Doubt = r.Refusal
	if r.Fit != nil && !r.Fit.Holds {
		l.Doubt = r.Fit.String()
	}
	before := l.advice
	l.advice = nil
	for i := range r.Advice {
		a := &r.Advice[i]
		if a.Share < leastGain {
			continue
		}
		step, _, _ := strings.Cut(a.What, " (") // without figures, which vary
		l.advice = append(l.advice, step)
		if slices.Contains(before, step) && !l.given[step] {
			l.given[step] = true
			news = append(news, fmt.Sprintf("recommended: %s: %s less of an iteration or item (%s); it rests on: %s",
				a.What, short(a.Gain), quantity.FormatPercent(a.Share), a.Rests))
		}
	}
	return news, nil
}
