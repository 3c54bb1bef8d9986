package studycmd

// pview study map: which task should run on which node.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/render/document"
	"pview/sim"
	"pview/sim/mapping"
	"pview/sim/study"
)

// mapping ranks mappings of tasks to nodes.
func mapTasks(a *command.App) *cobra.Command {
	q := &mappingQuestion{studyFlags: studyFlags{App: a}}
	cmd := &cobra.Command{
		Use:   "map TRACE",
		Short: "Rank mappings of tasks to nodes",
		Long: "map simulates the program with mappings of its tasks to the nodes of the machine, and ranks them by the predicted time. Mappings come from a search: anneal (bytes times links on the " +
			"communication matrix, by simulated annealing; the predicted time decides between the results), balance (a task moves from the busiest node to the idlest, again and again, judged by the predicted time), or all. " +
			"The mappings by rule (wrap, block, random) and that of the machine are always among them. The best is written for a launcher, or as a predicted trace.",
		Example: "pview study map run.prv --set network=direct-contention --set topology='torus 8 8' --set link-bandwidth=10GB/s\n" +
			"pview study map run.log --machine cluster.model --search all\n" +
			"pview study map run.prv --machine torus.model --attempts 20 --write best.rankfile --hosts hosts.txt\n" +
			"pview study map run.prv --machine torus.model --start best.rankfile --write best.prv",
		Args:              command.Needs("TRACE"),
		ValidArgsFunction: command.CompletePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&q.search, "search", "anneal", "search: anneal, balance, all, none")
	f.StringVar(&q.start, "start", "random",
		"first mapping of a search: wrap, block, random, or a FILE as --write writes it")
	f.IntVar(&q.attempts, "attempts", 4, "searches, from different random starts and with different random numbers")
	f.Uint64Var(&q.seed, "seed", 1, "seed of random numbers")
	f.StringVar(&q.rule, "rule-of-moves", "fit", "task that balance moves: lowest, fit, random")
	f.IntVar(&q.steps, "steps", 100, "most steps of balance")
	f.BoolVar(&q.spread, "spread", false, "all: at most ceil(tasks / nodes) tasks on a node")
	f.IntVar(&q.top, "top", 20, "the `N` best; 0: all")
	f.StringArrayVar(&q.write, "write", nil,
		"write the mapping of --row, by the name of FILE: .rankfile (Open MPI), .hostfile (Slurm), .order (Cray MPICH), .map; or its predicted trace: .prv, .prv.gz")
	f.IntVar(&q.row, "row", 1, "row that --write writes")
	f.StringVar(&q.hosts, "hosts", "", "`FILE` with the names of the nodes, a line each; default node0, node1, ...")
	q.flags(f)
	return cmd
}

// mappingQuestion is the command's flags.
type mappingQuestion struct {
	studyFlags
	search, start, rule, hosts string
	attempts, steps, top, row  int
	seed                       uint64
	spread                     bool
	write                      []string
}

// candidate is a mapping and what is known of it.
type candidate struct {
	mapping.Candidate
	weight  mapping.Weight
	busy    []float64 // by node
	outcome study.Outcome
}

func (q *mappingQuestion) run(ctx context.Context, path string) error {
	if q.attempts < 1 || q.steps < 0 || q.row < 1 || q.top < 0 {
		return command.Usagef("--attempts and --row must be >= 1, --steps and --top >= 0")
	}
	hosts, err := readHosts(q.hosts)
	if err != nil {
		return err
	}
	_, sub, err := q.subject(ctx, path)
	if err != nil {
		return err
	}
	if err := sub.Machine.Check(); err != nil {
		return err
	}
	b, err := mapping.NewProblem(sub.Program, sub.Machine, sub.Rules)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	list, err := q.candidates(ctx, b, &sub, hosts)
	if err != nil {
		return err
	}
	if err := q.judge(ctx, b, &sub, list); err != nil {
		return err
	}
	for _, c := range list {
		if c.outcome.Err != nil {
			q.Say("mapping %s: %v", c, c.outcome.Err)
		}
	}
	list = slices.DeleteFunc(list, func(c candidate) bool { return c.outcome.Err != nil })
	if len(list) == 0 {
		return errors.New("none of the simulations succeeded")
	}
	slices.SortStableFunc(list, func(x, y candidate) int {
		if x.outcome.Total != y.outcome.Total {
			return int(min(max(x.outcome.Total-y.outcome.Total, -1), 1))
		}
		return strings.Compare(x.String(), y.String())
	})
	if err := q.save(ctx, &sub, list, hosts); err != nil {
		return err
	}
	return q.answer(b, list)
}

// candidates are the different mappings to be judged.
func (q *mappingQuestion) candidates(ctx context.Context, b *mapping.Problem, sub *study.Case,
	hosts mapping.Hosts) (list []candidate, err error) {
	at, err := sub.Machine.Placement(sub.Program)
	if err != nil {
		return nil, err
	}
	l := b.ByRule(at, q.seed)
	switch q.search {
	case "none":
		if _, rule := mapping.Named(q.start, b.Tasks, b.Nodes, q.seed); !rule {
			m, err := readMapping(q.start, b, hosts)
			if err != nil {
				return nil, err
			}
			l.Add(m, "start")
		}
	case "all":
		all, err := b.All(q.spread)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			l.Add(m, "all")
		}
	case "anneal", "balance":
		for i := range q.attempts {
			if err := q.attempt(ctx, b, sub, hosts, q.seed+uint64(i), l); err != nil {
				return nil, err
			}
		}
	default:
		return nil, command.Usagef("--search must be anneal, balance, all or none, not %q", q.search)
	}
	for _, c := range l.Candidates {
		list = append(list, candidate{Candidate: c})
	}
	return list, ctx.Err()
}

// attempt is one search.
func (q *mappingQuestion) attempt(ctx context.Context, b *mapping.Problem, sub *study.Case, hosts mapping.Hosts,
	seed uint64, l *mapping.List) error {
	start, ok := mapping.Named(q.start, b.Tasks, b.Nodes, seed)
	if !ok {
		var err error
		if start, err = readMapping(q.start, b, hosts); err != nil {
			return err
		}
		l.Add(start, "start")
	}
	if q.search == "anneal" {
		b.AddAnnealed(ctx, l, start, seed)
		return nil
	}
	at := slices.IndexFunc(mapping.Rules, func(r mapping.Rule) bool { return r.Name == q.rule })
	if at < 0 {
		return command.Usagef("--rule-of-moves must be lowest, fit or random, not %q", q.rule)
	}
	steps, err := b.Balance(ctx, start, &mapping.Rules[at], seed, q.steps, func(m mapping.Mapping) (int64, error) {
		c := *sub
		c.Machine = m.On(sub.Machine, sub.Program)
		r, err := c.Run(ctx, sim.Options{})
		if err != nil {
			return 0, err
		}
		return r.Total, nil
	})
	for i, s := range steps {
		l.Add(s.Mapping, fmt.Sprintf("balance %d.%d", seed, i))
	}
	return err
}

func readHosts(path string) (mapping.Hosts, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(text)), nil
}

func readMapping(path string, b *mapping.Problem, hosts mapping.Hosts) (mapping.Mapping, error) {
	if _, ok := mapping.LauncherOf(path); !ok {
		return nil,
			command.Usagef("--start must be wrap, block, random, or a file with one of the extensions of --write, not %q", path)
	}
	m, err := mapping.Open(path, b.Tasks, hosts)
	if err == nil && slices.Max(m) >= b.Nodes {
		err = fmt.Errorf("%s: the machine has no node %d", path, slices.Max(m))
	}
	return m, err
}

// judge simulates the candidates.
func (q *mappingQuestion) judge(ctx context.Context, b *mapping.Problem, sub *study.Case, list []candidate) error {
	cases := make([]study.Case, len(list))
	for i := range list {
		cases[i] = *sub
		cases[i].Name, cases[i].Room = list[i].String(), false
		cases[i].Machine = list[i].On(sub.Machine, sub.Program)
		list[i].weight, list[i].busy = b.Weigh(list[i].Mapping), b.Busy(list[i].Mapping)
	}
	outcomes, err := study.Run(ctx, cases, q.options("map", "simulating "+sub.Name))
	for i := range outcomes {
		list[i].outcome = outcomes[i]
	}
	return err
}

// save writes what --write asks for.
func (q *mappingQuestion) save(ctx context.Context, sub *study.Case, list []candidate, hosts mapping.Hosts) error {
	if len(q.write) > 0 && q.row > len(list) {
		return command.Usagef("--row %d: there are %d mappings", q.row, len(list))
	}
	for _, path := range q.write {
		m := list[q.row-1].Mapping
		if strings.HasSuffix(path, ".prv") || strings.HasSuffix(path, ".prv.gz") {
			c := *sub
			c.Machine = m.On(sub.Machine, sub.Program)
			r, err := c.Run(ctx, sim.Options{Trace: true})
			if err == nil {
				err = prv.Save(ctx, path, r.Trace)
			}
			if err != nil {
				return err
			}
			continue
		}
		l, ok := mapping.LauncherOf(path)
		if !ok {
			return command.Usagef("--write %s: its name must end in .rankfile, .hostfile, .order, .map, .prv or .prv.gz", path)
		}
		if err := prv.SaveFile(path, func(w io.Writer) error { return l.Write(w, m, hosts) }); err != nil {
			return err
		}
	}
	return nil
}

// answer prints the ranking.
func (q *mappingQuestion) answer(b *mapping.Problem, list []candidate) error {
	t := &command.Table{Columns: []command.Column{{Key: "rank", Title: "Rank"}, {Key: "from", Title: "From"},
		{Key: "total_ns", Title: "Predicted", Show: command.AsDuration},
		{Key: "speedup", Title: "Speedup", Show: command.Decimals(2)}, {Key: "utilisation", Title: "Utilisation",
			Show: command.AsPercent}, {Key: "highest", Title: "Highest", Show: command.AsPercent},
		{Key: "lowest", Title: "Lowest", Show: command.AsPercent}, {Key: "hops", Title: "Hops"},
		{Key: "byte_hops", Title: "Bytes x hops"}, {Key: "max_link_bytes", Title: "Busiest link (B)"},
		{Key: "mapping", Title: "Nodes of the tasks"}}}
	cpu := 0.0
	for _, ns := range b.CPU {
		cpu += ns
	}
	for i, c := range list {
		if q.top > 0 && i == q.top {
			break
		}
		total := float64(c.outcome.Total)
		used, high, low := 0, 0.0, -1.0
		mean := 0.0
		for n, ns := range c.busy {
			if !slices.Contains(c.Mapping, n) {
				continue
			}
			u := sim.Share(ns, total)
			mean, used, high = mean+u, used+1, max(high, u)
			if low < 0 || u < low {
				low = u
			}
		}
		t.Add(i+1, c.From, c.outcome.Total, sim.Share(cpu, total), sim.Share(mean, float64(used)), high, max(low, 0),
			c.weight.Hops, c.weight.ByteHops, c.weight.MaxLink, c.String())
	}
	best, first := list[0], list[slices.IndexFunc(list, func(c candidate) bool { return c.From == "machine" })]
	gain :=
		fmt.Sprintf(
			"%d mappings. The best takes %s, that of the machine %s (%.2f times as long); %d hops against %d.\n\n",
			len(list),
			command.AsDuration(best.outcome.Total), command.AsDuration(first.outcome.Total),
			sim.Share(float64(first.outcome.Total), float64(best.outcome.Total)), best.weight.Hops, first.weight.Hops)
	short := *t
	short.Columns = t.Columns[:len(t.Columns)-1]
	short.Rows = nil
	for _, row := range t.Rows {
		short.Rows = append(short.Rows, row[:len(row)-1])
	}
	answer := command.Passage{Text: gain + "Nodes of the tasks of the best: " + best.String() + "\n\n", Table: &short}
	if err := q.writePage(q.done[0].plan, q.done[0].table, []command.Passage{answer}); err != nil {
		return err
	}
	if q.Format.Value != "table" {
		return document.WriteTable(q.Out, t, q.Format.Value)
	}
	return q.PrintAnswer(answer)
}
