package diagnose

// Figures of a finding that add up over phases: its sentence is about all of them, where others tell of the worst.

// tally counts what a rule has found in phases.
type tally struct {
	n          int     // messages, operations
	sum, worst float64 // time beyond what they need
	name       string  // of the worst
	within     slowWithin
}

// tallyOf is a finding in a group of phases.
type tallyOf struct {
	aboutOf
	group int
}

func (t *tally) add(o *tally) {
	if o.worst > t.worst {
		t.worst, t.name = o.worst, o.name
	}
	t.n += o.n
	t.sum += o.sum
	t.within.near += o.within.near
	t.within.far += o.within.far
	t.within.nears += o.within.nears
	t.within.fars += o.within.fars
}
