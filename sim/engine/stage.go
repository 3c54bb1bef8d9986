package engine

import "pview/sim"

// stageTimes are the total times of both stages of an operation, and the latency in them.
type stageTimes struct{ total, latency float64 }

func (a stageTimes) plus(b stageTimes) stageTimes {
	return stageTimes{a.total + b.total, a.latency + b.latency}
}

// stageNetwork is a network as seen by a stage of a collective operation.
type stageNetwork struct {
	participants, buses int
	latency, nsPerByte  float64
	model               sim.CollectiveModel // of stages without a model of their own
	linearAll           bool                // the linear model counts every participant
}

func (n *stageNetwork) steps(model sim.CollectiveModel) float64 {
	if model == sim.ModelDefault {
		model = n.model
	}
	if model == sim.ModelLinear && n.linearAll {
		return float64(n.participants)
	}
	return sim.CollectiveModels[model].Steps(n.participants, n.buses)
}

// time returns the duration of an operation on a network.
func (n *stageNetwork) time(c *sim.CollectiveCost, sent, received int32) (t stageTimes) {
	for i, s := range [...]sim.Stage{c.FanIn, c.FanOut} {
		steps := n.steps(s.Model)
		size := sim.CollectiveSizes[s.Size].Size(sent, received, i == 1)
		t.total += (n.latency + float64(size)*n.nsPerByte) * steps
		t.latency += n.latency * steps
	}
	return t
}

// untold is the cost of an operation without one in the machine.
var untold = sim.CollectiveCost{FanIn: sim.Stage{Model: sim.ModelDefault}, FanOut: sim.Stage{Model: sim.ModelDefault}}

// onePhase is the first model of the thesis (3.5.2): the network's model, once, with the largest size.
var onePhase = sim.CollectiveCost{FanIn: sim.Stage{Model: sim.ModelDefault, Size: sim.SizeMax}}

// chargedCosts returns the costs, with missing ones filled in by a rule.
func chargedCosts(c sim.CollectiveCosts, charge uint8) sim.CollectiveCosts {
	byCall := sim.CostsByCall()
	for i := range c {
		switch {
		case c[i] != untold:
		case charge == sim.ChargeOnePhase:
			c[i] = onePhase
		case charge == sim.ChargeByCall:
			c[i] = byCall[i]
		}
	}
	return c
}
