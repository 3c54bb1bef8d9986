package frameworks

// The pace of a pipeline with other numbers of replicas, for steering a running program.

import (
	"slices"

	"pview/insight/frameworks/role"
)

// PaceWith returns the time of an item, ns, if the stage with a given manager has a number of replicas, each slower
// times slower than measured; ok is false if the task is not a manager. A manager with one replica looks like a
// separate stage, and its replica like the next one.
func (r *Report) PaceWith(task int32, replicas int, slower float64) (pace float64, ok bool) {
	if r.Pipeline == nil || replicas < 1 {
		return 0, false
	}
	at := slices.IndexFunc(r.Roles.Stages, func(s role.StageRoles) bool { return s.Task == task })
	if at < 0 {
		return 0, false
	}
	p := r.Pipeline.Model
	p.Stages = slices.Clone(p.Stages)
	one := p.Stages[at].one()
	if len(p.Stages[at].Replicas) == 0 {
		if at+1 >= len(p.Stages) || len(p.Stages[at+1].Replicas) > 0 {
			return 0, false
		}
		one = p.Stages[at+1].Compute
		p.Stages[at].Bytes = p.Stages[at+1].Bytes
		p.Stages = slices.Delete(p.Stages, at+1, at+2)
	}
	p.Stages[at].Replicas = slices.Repeat([]float64{one * slower}, replicas)
	_, pace = p.Slowest(Overlap)
	return pace, true
}

// ItemWork returns the computation of an item in all stages, ns; 0 if there is no pipeline.
func (r *Report) ItemWork() (sum float64) {
	if r.Pipeline == nil {
		return 0
	}
	for i := range r.Pipeline.Model.Stages {
		sum += r.Pipeline.Model.Stages[i].one()
	}
	return sum
}
