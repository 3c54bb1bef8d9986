package cli

// docs/scheduling.md: the scheduling policies, and what comes of the thesis' experiments with them.

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pview/sim"
	"pview/sim/ring"
)

// SchedulingPage is docs/scheduling.md, without the results of the experiments; ExperimentSection has those of one.
func SchedulingPage() string {
	var b strings.Builder
	b.WriteString(generated + `# Scheduling

Which thread of a node gets a CPU, and for how long, is the machine's policy: ` + "`pview sim --policy NAME`" + `, the form of the viewer's simulator,
or a scheduler file of Dimemas (` + "`--scheduler FILE`" + `). What a thread that has a CPU may do with it is a matter of rules
(` + "`--rule`, `pview list rules`" + `): by those of the model ` + "`dimemas`" + ` it goes through the queue of its node after each record, a context switch is
charged at each dispatch, and a busy wait lasts as long as a context switch, all as in Dimemas 5.5.0; by those of the model ` + "`thesis`" + ` it keeps the CPU
until it blocks, ends, is preempted or has used its quantum up, a switch is charged when a CPU takes another thread than the one before, and a
busy wait lasts as long as its parameter says. A preempted thread goes on before others of its priority, with a new quantum.

| policy | what it does | parameters |
| --- | --- | --- |
`)
	for _, p := range sim.Policies() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, p.Doc, strings.Join(p.Params, ", "))
	}
	b.WriteString("\nOf priorities the smaller is the better; of the levels of UNIX_SVR4 the greater, as in its table. The line is that of a scheduler file, where policies of Dimemas " +
		"have the lines of Dimemas first, in its order, and any others are optional.\n\n| parameter | default | line | what it is |\n| --- | --- | --- | --- |\n")
	for i := range sim.SchedulerParams() {
		p := &sim.SchedulerParams()[i]
		fmt.Fprintf(&b, "| `--%s` | %s | `%s:` | %s |\n", p.Name, paramDefault(p), p.Line, p.Doc)
	}
	b.WriteString(`
A program tells how critical a thread is by events of type ` + strconv.Itoa(sim.PriorityType) + ` (as in traces of Dimemas): value 0 is the best priority, of others
the greater value is the better. A priority that grows with how critical a section is (the thesis' CP_RR_DEP, CP_FIFO_DEP) is a matter of the values.

Several traces are applications that share the machine: ` + "`pview sim a.prv b.prv --nodes 4 --placement '[1,1,2,2][1..4]'`" + `. With ` + "`--repeat N`" + ` each begins again
when it ends, until all have run N times (the closed workloads of the thesis, 8.1 to 8.3), and what is told is how long a run takes, how long it takes
alone in the same place, and what is gained over running one after the other.

## The experiments of the thesis

S. Girona, *Performance Prediction and Evaluation Tools* (UPC 2003), 8.1.1.1, compares policies with rings: task i of N receives a message from its
predecessor, computes for a, sends to its successor, computes for b = a (d N - 1), and begins again; d is the share of a CPU that a task uses when it
has one for itself, and a turn of the token takes a N then. The network takes no time; the quantum is 1 ms; N is 8. What stands between the receive and the
send is critical. All experiments are made by ` + "`pview ring`" + ` (by the rules of the model ` + "`thesis`" + `): each ring does at least ` + strconv.Itoa(ring.Turns) + ` turns, and the last two
thirds of that time are measured. Of two rings the tables show the turns per second of both together and, in brackets, the ratio of their slowdowns (1: fair;
never: one ring gets nowhere); of one ring the time of a turn in ms and, in brackets, how many times longer that is than alone. Where turns differ
from one another (SVR4, DECAY, BOOST) the figures are good to 1 or 2 %.

| policy | what it is |
| --- | --- |
`)
	for _, p := range ring.Policies {
		fmt.Fprintf(&b, "| %s | %s |\n", p.Name, p.Doc)
	}
	b.WriteString(`
What comes of it by hand, with M = a N, and what the tables agree with:

- Fair policies give each of two equal rings turns of M max(1, d1 + d2).
- PP lets the preferred ring turn in M, and the other in M max(1, d / (1 - d of the preferred)).
- CP_RR keeps two rings of one length in step: their tokens meet on each CPU, where a hop takes 2 q floor(a/q) + a mod q for quanta q: 8.2 ms of 4.2, a turn 65.6 ms.
- FCFS and CP_FIFO let rings of different lengths both turn at the pace of the longer.
- Neighbours on one CPU: FCFS takes (N/2) (2a + b); what is critical first takes M max(1, 2d), and so does every policy of the thesis when neighbours are on different CPUs.
`)
	return b.String()
}

// SchedulingNotes end the page: where the thesis contradicts itself, and what was made of that.
const SchedulingNotes = `
## Where the thesis contradicts itself

- PF: the text lets a thread of low priority run until it blocks. With one thread of each ring on a CPU that is FCFS, and could not be as unfair as the
  thesis shows PF. Here nothing is preempted, but at the end of a quantum the best of the ready threads gets the CPU.
- The zone where PF is unfair is printed as d <= 50%. It is d >= 50%: below, the CPUs are enough for both rings.
- CP_FIFO in E1 above 50% is said to be fair. It depends on which of two tokens comes first when both come at once: the ring that is behind once stays
  behind, as if the other had priority.
- E3 is said to go from 1/20 to 10 times 4200 us, and as 200 to 44200: ten times is 42000 (and 1/20 is 210).
- Where a is a whole number of quanta (1000, 20000, 42000 us) what RR and CP_RR do depends on what happens first of what happens at once. Here quanta
  end first, a quantum that ends with a computation after what the end of the computation has triggered; a CPU is given when all else of an instant is done.
- At d = 1/N there is nothing but what is critical, so RR does what CP_RR does, and keeps equal rings in step; the law of fair policies is for more than that.
- BOOST1 and BOOST2 are printed as the same function, and of BOOST3 the line of the sender names the wrong case. Here BOOST1 acts one receive later, since the thesis
  blames it for acting on the past; of BOOST3 a sender becomes better when its message comes after the receiver.
- The first threads of both rings begin at once, with the best priority: that starts them in step.
`

// ExperimentSection is what the page says of one experiment.
func ExperimentSection(ctx context.Context, e ring.Experiment) (string, error) {
	var policies []*ring.Policy
	for i := range ring.Policies {
		if p := &ring.Policies[i]; p.Applies(len(e.Loads[0].Rings)) {
			policies = append(policies, p)
		}
	}
	rows, err := ring.Study(ctx, []ring.Experiment{e}, policies, ring.Quantum, ring.Turns, nil)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s: %s\n\n| policy |", e.Name, e.Doc)
	for _, l := range e.Loads {
		fmt.Fprintf(&b, " %s |", l.X)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --: |", len(e.Loads)) + "\n")
	for i, p := range policies {
		fmt.Fprintf(&b, "| %s |", p.Name)
		for l := range e.Loads {
			fmt.Fprintf(&b, " %s |", outcomeText(rows[l*len(policies)+i].Outcome))
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

func outcomeText(o *ring.Outcome) string {
	if len(o.Turn) == 1 {
		return fmt.Sprintf("%.2f (%.2f)", o.Turn[0]/1e6, o.Slowdown[0])
	}
	if r := o.Ratio(); !math.IsInf(r, 1) {
		return fmt.Sprintf("%.2f (%.2f)", o.Throughput(), r)
	}
	return fmt.Sprintf("%.2f (never)", o.Throughput())
}

func paramDefault(p *sim.SchedulerParam) string {
	switch p.Unit {
	case sim.ParamTime:
		return nanoseconds(p.Default)
	case sim.ParamSwitch:
		return "no"
	case sim.ParamList:
		return "all the same"
	case sim.ParamLevels:
		return "those of Solaris"
	case sim.ParamPercent:
		return fmt.Sprintf("%g %%", p.Default)
	}
	return fmt.Sprintf("%g", p.Default)
}
