package studycmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/studies"
)

// kind is a kind of study: a command below study.
type kind struct {
	name string
	// args are the arguments, as named in the help. "..." at the end: one or more.
	args        string
	short, long string
	examples    []string
	shared      func(*studyFlags, *pflag.FlagSet) // adds the flags shared with other kinds; nil: none
	question    func(*studyFlags) question
}

// question adds the flags of a kind, and answers it.
type question interface {
	flags(f *pflag.FlagSet)
	answer(ctx context.Context, args []string) (*studies.Answer, error)
}

// checker is a question with its own rule for arguments.
type checker interface{ needs(args []string) error }

// command makes the command of a kind.
func (k *kind) command(a *command.App) *cobra.Command {
	s := &studyFlags{App: a}
	q := k.question(s)
	cmd := &cobra.Command{Use: k.name + " " + k.args, Short: k.short, Long: k.long,
		Example: strings.Join(k.examples, "\n"),
		Args:    func(cmd *cobra.Command, args []string) error { return k.check(q, cmd, args) },
		RunE:    func(cmd *cobra.Command, args []string) error { return s.carryOut(cmd.Context(), q, args) }}
	if strings.Contains(k.args, "TRACE") {
		cmd.ValidArgsFunction = command.CompletePrograms
	}
	f := cmd.Flags()
	f.SortFlags = false
	q.flags(f)
	if k.shared != nil {
		k.shared(s, f)
	}
	return cmd
}

// check checks the number of arguments.
func (k *kind) check(q question, cmd *cobra.Command, args []string) error {
	if c, ok := q.(checker); ok {
		return c.needs(args)
	}
	if names, some := strings.CutSuffix(k.args, "..."); !some {
		return command.Needs(names)(cmd, args)
	} else if len(args) == 0 {
		return fmt.Errorf("%s needs %s", k.name, strings.ReplaceAll(names, "|", " or "))
	}
	return nil
}

// carryOut answers a question and prints the answer.
func (s *studyFlags) carryOut(ctx context.Context, q question, args []string) error {
	if err := s.check(); err != nil {
		return err
	}
	a, err := q.answer(ctx, args)
	if err != nil {
		return err
	}
	if a.Plan == nil && len(s.done) > 0 {
		a.Plan, a.Runs = s.done[0].plan, s.done[0].table
	}
	if a.Basis, err = s.basis(ctx); err != nil {
		return err
	}
	if s.plot.html != "" {
		page := a.Page(s.settingTable(), s.machineTable())
		if err := s.WritePage(ctx, s.plot.html, page); err != nil {
			return err
		}
	}
	return s.PrintDocument(a.Document())
}

// kinds are the kinds of study.
var kinds = []kind{
	{
		name: "sweep", args: "TRACE...",
		short: "Simulate with each of several values of parameters",
		long: "sweep simulates each TRACE with every combination of the values of --vary, and prints for each its " +
			"time, the shares of the threads' time spent computing and occupying a CPU (also by latency, context " +
			"switches and busy waits), the speed (time on the baseline machine / time: below 1 it is slower; " +
			"slowdown in the thesis and in JSON), and, for several traces, the speedup (time of the first trace / " +
			"time of this one, with the same values). Values are a list (0,25us,1ms), a range with a step " +
			"(0..100us+10us) or a factor (1us..10ms*10); the parameter \"machine\" takes configurations and names " +
			"of machines.",
		examples: []string{
			"pview study sweep run.prv --vary latency=1us..10ms*10",
			"pview study sweep run.prv --machine cluster.cfg --vary bandwidth=64..16GB/s*2 --vary buses=0,1,8",
			"pview study sweep run_8.prv run_32.prv --vary machine=ideal,now,hpc,cluster.cfg",
			"pview study sweep run.prv --vary policy=FIFO,RR --set cpus=2 --set process-per-node=4",
		},
		shared:   (*studyFlags).simulationFlags,
		question: func(s *studyFlags) question { return &sweep{studyFlags: s} },
	},
	{
		name: "montecarlo", args: "[TRACE]",
		short: "Simulate with random inputs: how the outputs scatter, and which input they depend on",
		long: "montecarlo draws a value for each --random quantity, simulates, and repeats that: --runs times, or " +
			"until the averages have settled (--until). Each value is drawn once per run, unlike the distributions " +
			"that a parameter of the machine can have, which are drawn at each use within a run. It prints mean, " +
			"deviation, percentiles and the worst run of each output, and ranks the inputs by their influence: " +
			"correlations, and the coefficients of a linear regression. The runs follow from --seed alone, whatever " +
			"the number of cores or interruptions. With --until the study checks the averages after each run from " +
			"run 20 on, and ends when they have settled three times in a row: with constant inputs at run " +
			"22.\n\nInstead of simulating TRACE, --solver runs a command of the shell, in a separate directory for " +
			"each run, with copies of the --input files: @NAME@ in the command and in the --template files is " +
			"replaced by the value of the input, and --extract finds the outputs in what the command prints or " +
			"writes. Any name can be an input then.",
		examples: []string{
			"pview study montecarlo run.prv --machine cluster.cfg --random 'latency=uniform(1us,30us)' --random " +
				"'bandwidth=normal(250,25)'",
			"pview study montecarlo run.prv --machine now --random latency=+-20% --random 'buses=1,2,4*2' --until 1 " +
				"--runs 10000 --store runs/",
			"pview study montecarlo run.prv --random 'cpu-ratio=triangular(0.8,1,1.1)' --random " +
				"'model=dimemas,thesis' --output total --limit total=12s",
			"pview study montecarlo run.prv --machine cluster.cfg --random latency=+-20% --output pop:load-balance " +
				"--output 'useful=useful.cfg;THREAD 1.1.1;Running'",
			"pview study montecarlo --solver './model params.txt' --input model --template params.txt --random " +
				"'alpha=normal(1,0.1)' --extract 'energy=E = ([-0-9.e+]+)'",
		},
		shared:   (*studyFlags).simulationFlags,
		question: func(s *studyFlags) question { return &monteCarlo{randomFlags: randomFlags{studyFlags: s}} },
	},
	{
		name: "sensitivity", args: "TRACE",
		short: "Rank parameters by their effect: vary each a little, in all combinations",
		long: "sensitivity gives each parameter a low and a high value, 10 % below and above that of the machine, " +
			"and simulates all combinations (2^N of N parameters, at most 10). The time is then a mean, plus or " +
			"minus an effect of each parameter and of each interaction of parameters; the share is the part of the " +
			"variation that an effect explains. A parameter with a small share need not be known exactly. --vary " +
			"takes a parameter, a block of the program (TYPE:VALUE of its event, whose speed is varied), or a " +
			"parameter with both values (latency=1us,2us).\n\n" +
			"With --random it computes Sobol' indices instead: the share of each output's variance that an input " +
			"explains alone (first order), and together with others (total), with 95 % confidence intervals, over " +
			"the whole space of the inputs and whatever the shape of the dependence. That takes --runs times " +
			"(inputs + 2) simulations.",
		examples: []string{
			"pview study sensitivity run.prv --machine cluster.cfg --vary latency --vary bandwidth",
			"pview study sensitivity run.prv --machine now --vary bandwidth --vary buses=1,2 --vary 60000019:4 --by 20",
			"pview study sensitivity run.prv --random 'latency=uniform(1us,30us)' --random " +
				"'bandwidth=loguniform(50,5000)' --runs 256",
		},
		shared:   (*studyFlags).simulationFlags,
		question: func(s *studyFlags) question { return &sensitivity{randomFlags: randomFlags{studyFlags: s}} },
	},
	{
		name: "modules", args: "TRACE",
		short: "Rank the blocks of the program that are worth making faster",
		long: "modules simulates the run once for each block of the program (user functions, or the values of the " +
			"event types in --blocks), with the computation in that block --factor times faster, and ranks the " +
			"blocks by the time that the run saves. Nested blocks keep their speed. The yield is the ratio of the " +
			"time saved by the run to the average time saved by a thread: 1 if all threads gain equally, 0 if " +
			"no thread waited for the block, more when few threads compute it and the others wait.",
		examples: []string{
			"pview study modules run.prv",
			"pview study modules run.prv --machine cluster.cfg --factor 1.5 --top 10",
			"pview study modules run.prv --blocks 1000 --format tsv",
		},
		shared:   (*studyFlags).simulationFlags,
		question: func(s *studyFlags) question { return &modules{studyFlags: s} },
	},
	{
		name: "fit", args: "TRACE=TIME...",
		short: "Fit parameters of the machine to measured times of several traces",
		long: "fit finds the parameters of the machine with which the simulation takes the measured times. It draws " +
			"values of the --random parameters, simulates every TRACE with each, and keeps the draws whose predicted " +
			"time is within --tolerance of TIME. For each trace it prints how many were kept and the range of every " +
			"parameter among them, for all traces together the common region, the traces that contradict each other, " +
			"which trace narrows which parameter most, and the best fit. Models are compared side by side with " +
			"--variant. TIME without a unit is in seconds; without =TIME it is the duration of the trace.",
		examples: []string{
			"pview study fit pingpong_1M.prv=12.2ms pingpong_1K.prv=31us --random 'latency=uniform(5us,40us)' " +
				"--random 'bandwidth=uniform(40,160)'",
			"pview study fit a.prv b.prv c.prv --random 'latency=loguniform(1us,100us)' --random " +
				"'bandwidth=loguniform(50,5000)' --variant buses=0 --variant buses=8 --variant buses=1",
			"pview study fit bench.dim=3.1 --random 'latency=uniform(1us,50us)' --variant collective-model=LOG " +
				"--variant 'collective-model=LIN Barrier=LIN:MAX+0' --rounds 5",
		},
		shared:   (*studyFlags).simulationFlags,
		question: func(s *studyFlags) question { return &fit{randomFlags: randomFlags{studyFlags: s}} },
	},
	{
		name: "improve", args: "TRACE",
		short: "Search parameters that bring the outputs to targets",
		long: "improve searches by stochastic design improvement: it draws points in a box around the start, moves " +
			"the box to the one nearest to the targets, and so on, until the targets are reached, --patience boxes " +
			"in a row have brought no gain, or --boxes are drawn. A target is a value (total=10ms, within " +
			"--tolerance), a limit (total<=12s, utilisation>=0.8), or a direction (bandwidth=min, utilisation=max), " +
			"of an output or a parameter. Values and limits come first, a direction decides between points that " +
			"reach them. So it finds the cheapest machine with which a run is fast enough, or which block must " +
			"become how much faster.",
		examples: []string{
			"pview study improve run.prv --machine cluster.cfg --search 'latency=+-1us,0.5us..20us' --search " +
				"'bandwidth=250+-50,50..5000' --target 'total<=12s' --target bandwidth=min",
			"pview study improve run.prv --search '60000019:3=1+-0.1,1..4' --target total=10s",
		},
		shared:   (*studyFlags).simulationFlags,
		question: func(s *studyFlags) question { return &improve{randomFlags: randomFlags{studyFlags: s}} },
	},
	{
		name: "robust", args: "TRACE",
		short: "Compare designs by their results when their parameters scatter",
		long: "robust simulates each --candidate with its nominal values (the medians), and --runs times with random " +
			"values around them. It judges a candidate by the mean plus --k standard deviations of the first output, " +
			"not by its nominal value: a design that is a little slower but depends less on what cannot be " +
			"controlled is the better one. All candidates use the same random numbers.",
		examples: []string{
			"pview study robust run.prv --candidate 'A: bandwidth=100+-50%' --candidate 'B: bandwidth=95+-5%'",
			"pview study robust run.prv --machine cluster.cfg --candidate 'fat: bandwidth=5000+-20%; " +
				"latency=2us+-50%' --candidate 'thin: bandwidth=2500+-5%; latency=1us+-10%' --k 3",
		},
		shared:   (*studyFlags).simulationFlags,
		question: func(s *studyFlags) question { return &robust{randomFlags: randomFlags{studyFlags: s}} },
	},
	{
		name: "stability", args: "TRACE|ELAPSED/PREDICTED...",
		short: "Compare the spread of repeated measurements of a program with that of their predictions",
		long: "stability takes several traces of the same program, measured under different loads for example, " +
			"predicts each on the same machine, and compares the spread, (greatest - least) / least, of the measured " +
			"times with that of the predicted ones. Known times can be given as ELAPSED/PREDICTED.",
		examples: []string{
			"pview study stability run_1.prv run_2.prv run_3.prv --machine cluster.cfg",
			"pview study stability 10/9.0 31/9.36",
		},
		shared:   (*studyFlags).simulationFlags,
		question: func(s *studyFlags) question { return &stability{s} },
	},
	{
		name: "fit-network", args: "FILE",
		short: "Fit latency and bandwidth to the times of a ping-pong",
		long: "fit-network reads sizes and times of messages, a pair per line (\"65536 817us\"; sizes in bytes or " +
			"with K, M, G, times in seconds or with a unit; \"-\" is standard input), and fits time = latency + " +
			"size/bandwidth by least squares. Short and long messages often lie on different lines: fit over the " +
			"sizes that the application uses (--from, --to). For the round trips of a ping-pong over n repetitions " +
			"use --divide 2n.",
		examples: []string{
			"pview study fit-network pingpong.txt",
			"pview study fit-network sums.txt --divide 128 --to 1024",
		},
		shared: (*studyFlags).briefFlags,
		question: func(s *studyFlags) question {
			return &fitNetwork{studyFlags: s, to: sizeFlag{v: 1 << 60}}
		},
	},
	{
		name: "share", args: "NAME=ALONE/SHARED...",
		short: "Measure how well programs share processors, from their times alone and shared",
		long: "share computes the indices of multiprogrammed loads from the time of each program alone and while it " +
			"shares the processors with the others: slowdowns, fairness, and the gain over running one after the " +
			"other. Times are in seconds or have a unit. The three studies in chapter 8 of the thesis (S. Girona, " +
			"UPC 2003) define slowdown differently; here slowdown is the time shared / alone, and speed the time " +
			"alone / shared.",
		examples: []string{"pview study share FFT=9.16/34.57 IS=20.8/23.3 LU=13.9/105.9"},
		shared:   (*studyFlags).briefFlags,
		question: func(s *studyFlags) question { return &share{s} },
	},
	{
		name: "show", args: "DIR",
		short: "Summarise the runs in a store, even of a study that is in progress or was interrupted",
		long: "show reads the runs that have ended from the folder of --store, and prints mean, deviation, " +
			"percentiles and the worst run of each output, and the influence of the inputs. It writes nothing there: " +
			"the study may still be running, here or on Slurm. With --format csv or tsv it prints a line for each run.",
		examples: []string{
			"pview study show runs/",
			"pview study show runs/ --limit total=12s --plot runs.svg",
			"pview study show runs/ --format csv",
		},
		shared:   func(s *studyFlags, f *pflag.FlagSet) { s.plot.flags(f) },
		question: func(s *studyFlags) question { return &show{studyFlags: s} },
	},
	{
		name: "map", args: "TRACE",
		short: "Rank mappings of tasks to nodes",
		long: "map simulates the program with mappings of its tasks to the nodes of the machine, and ranks them by " +
			"the predicted time. Mappings come from a search: anneal (bytes times links on the communication " +
			"matrix, by simulated annealing; the predicted time decides between the results), balance (a task moves " +
			"from the busiest node to the idlest, repeatedly, judged by the predicted time), or all. The mappings by " +
			"rule (wrap, block, random) and that of the machine are always among them, and with anneal structured " +
			"ones (snake, column-major, Gray code, recursive bisection). The best is written for a launcher, or as a " +
			"predicted trace. Nodes count from 1, as sim --placement takes them. Files of launchers count ranks from " +
			"0 and name nodes; a .map counts both from 0, as Dimemas configurations do.",
		examples: []string{
			"pview study map run.prv --set network=direct-contention --set topology='torus 8 8' --set " +
				"link-bandwidth=10GB/s",
			"pview study map run.log --machine cluster.model --search all",
			"pview study map run.prv --machine torus.model --attempts 20 --write best.rankfile --hosts hosts.txt",
			"pview study map run.prv --machine torus.model --start best.rankfile --write best.prv",
		},
		shared:   (*studyFlags).simulationFlags,
		question: func(s *studyFlags) question { return &placements{studyFlags: s} },
	},
	{
		name: "accuracy", args: "FILE",
		short: "Print the errors of predicted against measured times",
		long: "accuracy reads runs, a line each: a name, the measured and the predicted time (seconds, or with a " +
			"unit; \"-\" is standard input), and prints the signed error of each, the mean of their absolute " +
			"values, and the worst.",
		examples: []string{"pview study accuracy runs.txt"},
		question: func(s *studyFlags) question { return &accuracy{s} },
	},
}
