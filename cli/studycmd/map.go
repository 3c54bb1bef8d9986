package studycmd

// pview study map: the best node for each task.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/studies"
	"pview/prv"
	"pview/sim"
	"pview/sim/mapping"
	"pview/sim/study"
)

// placements ranks mappings of tasks to nodes.
type placements struct {
	*studyFlags
	search, start, rule, hosts string
	attempts, steps, top, row  int
	seed                       uint64
	spread                     bool
	write                      []string
}

func (q *placements) flags(f *pflag.FlagSet) {
	f.StringVar(&q.search, "search", "anneal", "search: anneal, balance, all, none")
	f.StringVar(&q.start, "start", "random",
		"first mapping of a search: wrap, block, random, or a FILE as --write writes it")
	f.IntVar(&q.attempts, "attempts", 4, "searches, from different random starts and with different random numbers")
	f.Uint64Var(&q.seed, "seed", 1, "seed of random numbers")
	f.StringVar(&q.rule, "rule-of-moves", "fit", "task that balance moves: lowest, fit, random")
	f.IntVar(&q.steps, "steps", 100, "most steps of balance")
	f.BoolVar(&q.spread, "spread", false,
		"all: at most ceil(tasks / nodes) tasks on a node; always so if there are more than 50000 mappings")
	f.IntVar(&q.top, "top", 20, "the `N` best; 0: all")
	f.StringArrayVar(&q.write, "write", nil, "write the mapping of --row, by the name of FILE: .rankfile (Open "+
		"MPI), .hostfile (Slurm), .order (Cray MPICH), .map (nodes from 0); or its predicted trace: .prv, .prv.gz")
	f.IntVar(&q.row, "row", 1, "row that --write writes")
	f.StringVar(&q.hosts, "hosts", "", "`FILE` with the names of the nodes, a line each; default node1, node2, ...")
}

func (q *placements) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	path := args[0]
	if q.attempts < 1 || q.steps < 0 || q.row < 1 || q.top < 0 {
		return nil, command.Usagef("--attempts and --row must be >= 1, --steps and --top >= 0")
	}
	if err := command.CheckOutputs(q.write...); err != nil {
		return nil, err
	}
	hosts, err := readHosts(q.hosts)
	if err != nil {
		return nil, err
	}
	_, sub, err := q.subject(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := sub.Machine.Check(); err != nil {
		return nil, err
	}
	b, err := mapping.NewProblem(sub.Program, sub.Machine, sub.Rules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	list, err := q.candidates(ctx, b, &sub, hosts)
	if err != nil {
		return nil, err
	}
	if err := q.judge(ctx, b, &sub, list); err != nil {
		return nil, err
	}
	for i := range list {
		if c := &list[i]; c.Outcome.Err != nil {
			q.Say("mapping %s: %v", b.Placement(c.Mapping), c.Outcome.Err)
		}
	}
	list = slices.DeleteFunc(list, func(c studies.Candidate) bool { return c.Outcome.Err != nil })
	if len(list) == 0 {
		return nil, errors.New("none of the simulations succeeded")
	}
	slices.SortStableFunc(list, func(x, y studies.Candidate) int {
		return cmp.Or(cmp.Compare(x.Outcome.Total, y.Outcome.Total), strings.Compare(x.String(), y.String()))
	})
	if err := q.save(ctx, &sub, list, hosts); err != nil {
		return nil, err
	}
	return studies.Mappings(b, list, q.top), nil
}

// candidates returns the distinct mappings to judge.
func (q *placements) candidates(ctx context.Context, b *mapping.Problem, sub *study.Case,
	hosts mapping.Hosts) (list []studies.Candidate, err error) {
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
		all, evenly, err := b.All(q.spread)
		if err != nil {
			return nil, err
		}
		if evenly && !q.spread {
			q.Say("too many mappings: only those that spread the tasks evenly over the nodes (--spread)")
		}
		for _, m := range all {
			l.Add(m, "all")
		}
	case "anneal", "balance":
		if q.search == "anneal" {
			b.AddSearched(ctx, l, q.seed)
		}
		for i := range q.attempts {
			if err := q.attempt(ctx, b, sub, hosts, q.seed+uint64(i), l); err != nil {
				return nil, err
			}
		}
	default:
		return nil, command.Usagef("--search must be anneal, balance, all or none, not %q", q.search)
	}
	for _, c := range l.Candidates {
		list = append(list, studies.Candidate{Candidate: c})
	}
	return list, ctx.Err()
}

// attempt returns one search.
func (q *placements) attempt(ctx context.Context, b *mapping.Problem, sub *study.Case, hosts mapping.Hosts,
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
		return nil, command.Usagef("--start must be wrap, block, random, or a file with one of the extensions of "+
			"--write, not %q", path)
	}
	return mapping.Open(path, b.Tasks, b.Nodes, hosts)
}

// judge simulates the candidates.
func (q *placements) judge(ctx context.Context, b *mapping.Problem, sub *study.Case, list []studies.Candidate) error {
	cases := make([]study.Case, len(list))
	for i := range list {
		cases[i] = *sub
		cases[i].Name, cases[i].Room = b.Placement(list[i].Mapping), false
		cases[i].Machine = list[i].On(sub.Machine, sub.Program)
		list[i].Weight = b.Weigh(list[i].Mapping)
	}
	outcomes, err := study.Run(ctx, cases, q.options("map", "simulating "+sub.Name))
	for i := range outcomes {
		list[i].Outcome = outcomes[i]
	}
	return err
}

// save writes the files requested by --write.
func (q *placements) save(ctx context.Context, sub *study.Case, list []studies.Candidate, hosts mapping.Hosts) error {
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
			return command.Usagef("--write %s: its name must end in .rankfile, .hostfile, .order, .map, .prv "+
				"or .prv.gz", path)
		}
		if n := len(sub.Program.Ptasks); n > 1 && l.Ext != ".map" {
			return fmt.Errorf("--write %s: a launcher starts one application, the trace has %d", path, n)
		}
		if err := prv.SaveFile(path, func(w io.Writer) error { return l.Write(w, m, hosts) }); err != nil {
			return err
		}
	}
	return nil
}
