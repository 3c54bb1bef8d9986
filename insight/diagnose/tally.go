package diagnose

// Figures of a finding that add up over phases: its sentence covers all of them, while others describe the worst.

// tally counts what a rule found in phases.
type tally struct {
	n          int     // messages, operations
	sum, worst float64 // time beyond what they need
	name       string  // of the worst
	within     slowWithin
	held       map[int32]float64 // part of sum, by thread in a call
}

// tallyOf is a finding in a group of phases.
type tallyOf struct {
	aboutOf
	group int
}

func (t *tally) hold(thread int32, time float64) {
	if t.held == nil {
		t.held = map[int32]float64{}
	}
	t.held[thread] += time
}

// holder returns the thread with more than half of the time.
func (t *tally) holder() (thread int32, ok bool) {
	for th, time := range t.held {
		if time > t.sum/2 {
			return th, true
		}
	}
	return 0, false
}

func (t *tally) add(o *tally) {
	if o.worst > t.worst {
		t.worst, t.name = o.worst, o.name
	}
	t.n += o.n
	t.sum += o.sum
	for th, time := range o.held {
		t.hold(th, time)
	}
	t.within.sum(&o.within)
}
