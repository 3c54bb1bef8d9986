package tracecmd

// Steering: recording, plus a loop that follows the program's records and changes its variables.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/insight/steer"
	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/record"
)

// steering is the loop of a run of pview steer.
type steering struct {
	*recorder
	opt    steer.Options
	loop   *steer.Loop
	tuning *record.Tuning // nil: no variable yet
	// advised is set after a recommendation for a program without variables.
	advised bool
	kept    bool  // recommends only, since ranks run on other nodes
	ranks   int64 // at the last look
	away    int64 // ranks on other nodes
}

// tunable reports whether the program has registered a variable.
func (s *steering) tunable() bool { return s.tuning != nil && len(s.tuning.Tunables()) > 0 }

// Steer runs an MPI program, and tunes it while it runs. view shows a trace that is being written.
func Steer(a *command.App, view func(cmd *cobra.Command, path string) error) *cobra.Command {
	r := &recorder{App: a, view: view}
	s := &steering{recorder: r}
	r.steering = s
	cmd := &cobra.Command{
		Use:   "steer COMMAND [ARGUMENT...]",
		Short: "Run an MPI program, and tune it while it runs",
		Long: "steer runs COMMAND as pview record does, measures the last iterations of the program while it runs, " +
			"and recommends values of the variables that it has registered by pview_tunable_int or " +
			"pview_tunable_double of pview.h (see pview record --library). With --apply it sets them, in pview_sync, " +
			"which begins an iteration. Each decision is printed with its reason, its prediction and its " +
			"effect; a change that made iterations longer is undone. A change must be recommended twice in a row, " +
			"each time from enough iterations to know their median to 5 %. The trace has each decision as an event. " +
			"The name of a variable says which model it belongs to: " + modelNames(),
		Example: "pview steer mpirun -np 13 ./farm\n" +
			"pview steer --apply mpirun -np 13 ./farm\n" +
			"pview steer --apply --watch mpirun -np 13 ./farm\n" +
			"pview steer --apply --every 20 --max-change 2 -o tuned.prv mpirun -np 13 ./farm",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case s.opt.Every < 1:
				return command.Usagef("--every must be at least 1")
			case s.opt.MaxChange != 0 && s.opt.MaxChange <= 1:
				return command.Usagef("--max-change must be a factor greater than 1")
			}
			return r.run(cmd, args)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.SortFlags = false
	f.BoolVar(&s.opt.Apply, "apply", false, "apply the recommendations")
	f.IntVar(&s.opt.Every, "every", steer.DefaultEvery, "minimum `NUMBER` of iterations between two changes")
	f.Float64Var(&s.opt.MaxChange, "max-change", 0,
		"multiply or divide a variable by at most `FACTOR` at once, such as 2 (default: no limit)")
	r.outputFlags(f)
	r.watchFlag(f)
	return cmd
}

// modelNames lists the variables of the models.
func modelNames() (text string) {
	for i, m := range steer.Models() {
		if i > 0 {
			text += "; "
		}
		text += m.Name + ", " + m.Doc
	}
	return text + "."
}

// lookEvery is the interval between reads of the records.
const lookEvery = 100 * time.Millisecond

// begin steers the program until stop is called.
func (s *steering) begin() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.follow(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

// follow reads the records until the program has ended.
func (s *steering) follow(ctx context.Context) {
	s.loop = steer.New(s.opt)
	f := record.Follow(s.settings.Folder)
	f.Ahead = true
	defer f.Close()
	defer func() {
		if s.tuning != nil {
			s.tuning.Close()
		}
	}()
	for ticks := time.NewTicker(lookEvery); ; {
		select {
		case <-ctx.Done():
			ticks.Stop()
			s.conclude()
			return
		case <-ticks.C:
		}
		g, err := f.Read(ctx, nil)
		if err == nil && g.Trace != nil {
			err = s.look(ctx, &g)
		}
		if err != nil && !errors.Is(err, prv.ErrWaiting) && ctx.Err() == nil {
			s.Say("no longer steered: %v", err)
			<-ctx.Done()
			return
		}
	}
}

// look runs the loop on the current records, and prints news.
func (s *steering) look(ctx context.Context, g *prv.Growth) (err error) {
	if s.tuning == nil {
		if s.tuning, err = record.OpenTuning(s.settings.Folder); err != nil {
			return err
		}
	}
	if here, err := os.Hostname(); err == nil && len(g.Trace.Ptasks) > 0 {
		if n := int64(g.Trace.Ptasks[0].Tasks); n != s.ranks {
			s.ranks, s.away = n, elsewhere(g.Trace, here)
		}
		s.keepToNode(here)
	}
	if !s.tunable() {
		news, err := s.loop.Advise(ctx, g.Trace)
		for _, text := range news {
			s.advised = true
			s.Say("%s", text)
		}
		return err
	}
	news, err := s.loop.Look(ctx, g.Trace, g.Restarted, s.tuning)
	for _, d := range news {
		if result := d.Result(); result != "" {
			s.Say("iteration %d: %s %s: %s", s.loop.Iterations(), d.Variable, d.To, result)
		} else {
			s.Say("%s", d)
		}
	}
	if len(news) == 0 || err != nil {
		return err
	}
	var texts []string
	for _, d := range s.loop.Decisions {
		text := d.String()
		if result := d.Result(); result != "" {
			text += "; " + result
		}
		texts = append(texts, text)
	}
	return record.WriteDecisions(s.settings.Folder, texts)
}

// keepToNode makes the loop only recommend if ranks of the program run on other nodes: variables are in a mapped file,
// and other nodes see changes to it late or never, so ranks would disagree.
func (s *steering) keepToNode(here string) {
	if s.kept || s.away == 0 || !s.opt.Apply || !s.tunable() {
		return
	}
	s.kept = true
	s.loop.Recommend()
	s.Say("changes are only recommended: variables change only on this node (%s), and the program has %s elsewhere",
		here, quantity.CountOf(s.away, "rank"))
}

// elsewhere returns the number of ranks of the steered program, the first, that are not on a node.
func elsewhere(t *prv.Trace, node string) (n int64) {
	for _, task := range t.Tasks[t.Ptasks[0].FirstTask:][:t.Ptasks[0].Tasks] {
		if name, _ := t.Names.Lookup(prv.LevelNode, int(task.Node)); name != node {
			n++
		}
	}
	return n
}

// conclude says what was left unchanged, and why.
func (s *steering) conclude() {
	doubt := s.loop.Doubt
	local := s.ranks - s.away
	if n := int64(runtime.NumCPU()); doubt != "" && local > n {
		doubt += fmt.Sprintf("; %d ranks share %s, and the models know no waits for a processor", local,
			quantity.CountOf(n, "processor"))
	}
	switch tunable := s.tunable(); {
	case !tunable && !s.advised:
		text := "nothing to steer: the program has registered no variable, or has not called pview_sync (see pview.h)"
		if doubt != "" {
			text += "; nothing is recommended: " + doubt
		}
		s.Say("%s", text)
	case tunable && len(s.loop.Decisions) == 0 && doubt != "":
		s.Say("%d iterations, and nothing to recommend: %s", s.loop.Iterations(), doubt)
	case tunable && len(s.loop.Decisions) == 0:
		s.Say("%d iterations, and nothing to change", s.loop.Iterations())
	}
}
