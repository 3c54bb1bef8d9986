package ring

import (
	"fmt"
	"strconv"

	"pview/sim"
)

// Policy is a way to share CPUs among rings, named as in chapter 8 of the thesis.
type Policy struct {
	Name, Doc string
	Favoured  int // preferred ring, from 1; 0: none

	policy     string
	preemptive bool
}

// Policies are the policies of the experiments: the thesis's, then others.
var Policies = []Policy{
	{"FCFS", "first come, first served", 0, "FIFO", false},
	{"RR", "round robin", 0, "RR", false},
	{"PF_1", "round robin with fixed priorities, the first ring preferred; a quantum is not interrupted", 1,
		"FIXED_PRIORITY_RR", false},
	{"PF_2", "the same, the second ring preferred", 2, "FIXED_PRIORITY_RR", false},
	{"PP_1", "round robin with fixed priorities, the first ring preferred, at once", 1, "FIXED_PRIORITY_RR", true},
	{"PP_2", "the same, the second ring preferred", 2, "FIXED_PRIORITY_RR", true},
	{"CP_FIFO", "critical threads first, immediately, until they block", 0, "CP_FIFO", true},
	{"CP_RR", "critical threads first, immediately, taking turns among equals", 0, "CP_RR", true},
	{"SVR4", "levels by use of the CPU, the table of Solaris, preemptive", 0, "UNIX_SVR4", true},
	{"DECAY", "priorities by use of the CPU, as in 4BSD, preemptive", 0, "DECAY", true},
	{"BOOST1", "priorities by what messages tell, one receive later, preemptive", 0, "BOOST1", true},
	{"BOOST2", "priorities of receivers by their messages, preemptive", 0, "BOOST2", true},
	{"BOOST3", "priorities of receivers and senders by their messages, preemptive", 0, "BOOST3", true},
}

// PolicyByName finds a policy of the experiments.
func PolicyByName(name string) (*Policy, bool) {
	for i := range Policies {
		if Policies[i].Name == name {
			return &Policies[i], true
		}
	}
	return nil, false
}

// Quantum is the quantum of the experiments, ns.
const Quantum = 1e6

// Scheduler returns the policy with its parameters.
func (p *Policy) Scheduler(quantum float64) sim.Scheduler {
	s := sim.DefaultScheduler()
	s.Policy, s.Quantum, s.Preemptive = p.policy, quantum, p.preemptive
	if p.Favoured > 0 {
		s.Priorities = []float64{1, 1}
		s.Priorities[p.Favoured-1] = 0
	}
	return s
}

// Turns is the number of turns of each ring in an experiment.
const Turns = 300

// Experiment is a row of Experiments.
type Experiment struct {
	Name, Doc string
	Loads     []Load
}

// Load is the set of rings of one simulation.
type Load struct {
	X     string // the varied quantity
	Rings []Ring
}

// Placements of eight tasks: one CPU each; on four CPUs, neighbours together; on four CPUs, round-robin.
var (
	apart       = []int{0, 1, 2, 3, 4, 5, 6, 7}
	folded      = []int{0, 0, 1, 1, 2, 2, 3, 3}
	interleaved = []int{0, 1, 2, 3, 0, 1, 2, 3}
)

// Experiments are those of the thesis, 8.1.1.1.
var Experiments = []Experiment{
	{"E1", "two rings (4200 us, X), each on CPUs 1 to 8",
		byDemand([]float64{12.5, 25, 50, 60, 75, 100}, func(r Ring) []Ring { return []Ring{r, r} }, apart)},
	{"E2", "rings (4200 us, 60%) and (4200 us, X), each on CPUs 1 to 8", byDemand([]float64{20, 40, 60, 80, 100},
		func(r Ring) []Ring { return []Ring{{4200e3, 0.6, apart}, r} }, apart)},
	{"E3", "rings (4200 us, 60%) and (X, 60%), each on CPUs 1 to 8", byLength([]float64{200, 1000, 4200, 20000, 42000},
		func(r Ring) []Ring { return []Ring{{4200e3, 0.6, apart}, r} }, apart)},
	{"F1", "one ring (4200 us, X) on CPUs [1,1,2,2,3,3,4,4]",
		byDemand([]float64{20, 30, 50, 60, 80, 100}, alone, folded)},
	{"F2", "one ring (X, 60%) on CPUs [1,1,2,2,3,3,4,4]",
		byLength([]float64{200, 1000, 4200, 20000, 42000}, alone, folded)},
	{"F3", "one ring (4200 us, X) on CPUs [1,2,3,4,1,2,3,4]",
		byDemand([]float64{20, 30, 50, 60, 80, 100}, alone, interleaved)},
	{"F4", "one ring (X, 60%) on CPUs [1,2,3,4,1,2,3,4]",
		byLength([]float64{200, 1000, 4200, 20000, 42000}, alone, interleaved)},
}

func alone(r Ring) []Ring { return []Ring{r} }

func byDemand(percents []float64, rings func(Ring) []Ring, nodes []int) (list []Load) {
	for _, p := range percents {
		list = append(list, Load{strconv.FormatFloat(p, 'f', -1, 64) + "%", rings(Ring{4200e3, p / 100, nodes})})
	}
	return list
}

func byLength(us []float64, rings func(Ring) []Ring, nodes []int) (list []Load) {
	for _, a := range us {
		list = append(list, Load{fmt.Sprintf("%g us", a), rings(Ring{a * 1e3, 0.6, nodes})})
	}
	return list
}

// ExperimentByName finds an experiment.
func ExperimentByName(name string) (*Experiment, bool) {
	for i := range Experiments {
		if Experiments[i].Name == name {
			return &Experiments[i], true
		}
	}
	return nil, false
}

// Applies reports whether a policy makes sense for this number of rings: preferring a ring needs at least two.
func (p *Policy) Applies(rings int) bool { return p.Favoured == 0 || rings > 1 && p.Favoured <= rings }
