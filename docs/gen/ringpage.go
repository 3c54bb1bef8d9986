package main

// docs/scheduling.md: the scheduling policies, and results of the thesis' experiments with them.

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pview/prv/quantity"
	"pview/sim"
	"pview/sim/ring"
)

// schedulingPage returns docs/scheduling.md without the results of the experiments, which experimentSection returns.
func schedulingPage() string {
	var b strings.Builder
	b.WriteString(generated + `# Scheduling

Which thread of a node gets a CPU, and for how long, is the machine's policy: ` + "`pview sim --policy NAME`" + `, the
form of the viewer's simulator, or a scheduler file of Dimemas (` + "`--scheduler FILE`" + `). How long a thread keeps
its CPU depends on the rules (` + "`--rule`, `pview list rules`" + `): in the model ` + "`dimemas`" + ` it is requeued
on its node after each record, a context switch is charged at each dispatch, and a busy wait lasts as long as a context
switch, all as in Dimemas 5.5.0; in the model ` + "`thesis`" + ` it keeps the CPU until it blocks, ends, is preempted or
exhausts its quantum, a context switch is charged only when the CPU changes threads, and the duration of a busy wait is
a parameter. A preempted thread resumes before others of its priority, with a new quantum.

| policy | meaning | parameters |
| --- | --- | --- |
`)
	for _, p := range sim.Policies() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, p.Doc, strings.Join(p.Params, ", "))
	}
	b.WriteString(
		"\nSmaller priorities are better, but greater levels of UNIX_SVR4, as in its table. The column line names " +
			"the line of a scheduler file: for policies of Dimemas, its lines come first, in its order; all others " +
			"are optional.\n\n| parameter | default | line " +
			"| meaning |\n| --- | --- | --- | --- |\n")
	for i := range sim.SchedulerParams() {
		p := &sim.SchedulerParams()[i]
		fmt.Fprintf(&b, "| `--%s` | %s | `%s:` | %s |\n", p.Name, paramDefault(p), p.Line, p.Doc)
	}
	b.WriteString(`
A program sets the criticality of a thread by events of type ` + strconv.Itoa(sim.PriorityType) + ` (as in traces of
Dimemas): value 0 is the best priority; otherwise greater values are better. The thesis' CP_RR_DEP and CP_FIFO_DEP,
where priority grows with the criticality of a section, are a choice of values.

Several traces are applications that share the machine:
` + "`pview sim a.prv b.prv --nodes 4 --placement '[1,1,2,2][1..4]'`" + `. With ` + "`--repeat N`" + ` each restarts
when it ends, until all have run N times (the closed workloads of the thesis, 8.1 to 8.3). The result is the mean time
of a run, its time alone in the same place, and the gain over running one after the other.

## The experiments of the thesis

S. Girona, *Performance Prediction and Evaluation Tools* (UPC 2003), 8.1.1.1, compares policies with rings: task i of N
receives a message from its predecessor, computes for a, sends to its successor, computes for b = a (d N - 1), and
repeats; d is the share of a CPU that a task uses when it has one of its own, where a turn of the token takes a N. The
network takes no time; the quantum is 1 ms; N is 8. The computation between the receive and the
send is critical. ` + "`pview ring`" + ` runs all experiments (by the rules of the model ` + "`thesis`" + `): each ring
does at least ` + strconv.Itoa(ring.Turns) + ` turns, and the last two thirds of that time are measured. For two rings
the tables show the turns per second of both together and, in brackets, the ratio of their slowdowns (1: fair; never:
one ring starves); for one ring the time of a turn in ms and, in brackets, its ratio to that of the ring alone. Where
turns differ from one another (SVR4, DECAY, BOOST) the figures are accurate to 1 or 2 %.

| policy | meaning |
| --- | --- |
`)
	for _, p := range ring.Policies {
		fmt.Fprintf(&b, "| %s | %s |\n", p.Name, p.Doc)
	}
	b.WriteString(`
Results derived by hand, with M = a N, which the tables confirm:

- Fair policies give each of two equal rings turns of M max(1, d1 + d2).
- Under PP a turn of the preferred ring takes M, of the other M max(1, d / (1 - d of the preferred)).
- CP_RR keeps two rings of one length in step: their tokens meet on each CPU, where a hop takes 2 q floor(a/q) + a mod q
  for quanta q: 8.2 ms of 4.2, a turn 65.6 ms.
- FCFS and CP_FIFO let rings of different lengths both turn at the pace of the longer.
- Neighbours on one CPU: FCFS takes (N/2) (2a + b); critical threads first takes M max(1, 2d), and so does every policy
  of the thesis when neighbours are on different CPUs.
`)
	return b.String()
}

// schedulingNotes end the page: contradictions in the thesis, and how they are resolved here.
const schedulingNotes = `
## Where the thesis contradicts itself

- PF: the text lets a thread of low priority run until it blocks. With one thread of each ring on a CPU that is FCFS,
  and could not be as unfair as the thesis shows PF. Here nothing is preempted, but at the end of a quantum the best
  runnable thread gets the CPU.
- The zone where PF is unfair is printed as d <= 50%. It is d >= 50%: below, the CPUs suffice for both rings.
- CP_FIFO in E1 above 50% is said to be fair. It depends on which of two tokens comes first when both arrive at once: a
  ring that falls behind once stays behind, as if the other had priority.
- E3 is said to go from 1/20 to 10 times 4200 us, and as 200 to 44200: ten times is 42000 (and 1/20 is 210).
- Where a is a whole number of quanta (1000, 20000, 42000 us) RR and CP_RR depend on the order of simultaneous events.
  Here quanta end first, but a quantum that ends together with a computation ends after the consequences of the latter;
  CPUs are assigned after all other events of an instant.
- At d = 1/N all computation is critical, so RR does what CP_RR does, and keeps equal rings in step; the law of fair
  policies holds above that.
- BOOST1 and BOOST2 are printed as the same function, and of BOOST3 the line of the sender names the wrong case. Here
  BOOST1 acts one receive later, since the thesis blames it for acting on the past; of BOOST3 a sender becomes better
  when its message comes after the receiver.
- The first threads of both rings start at the same time, with the best priority: so the rings start in step.
`

// experimentSection returns the section of one experiment.
func experimentSection(ctx context.Context, e ring.Experiment) (string, error) {
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
		return quantity.Time.Format(p.Default)
	case sim.ParamSwitch:
		return "no"
	case sim.ParamList:
		return "all the same"
	case sim.ParamLevels:
		return "those of Solaris"
	case sim.ParamPercent:
		return quantity.FormatValue(p.Default, "%")
	}
	return fmt.Sprintf("%g", p.Default)
}
