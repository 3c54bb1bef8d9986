package remedy

// User-written changes: pview diagnose --repair. A finding names its change in the same words, so users can try, modify
// and combine it.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"pview/insight/cause"
	"pview/insight/eventgraph"
	"pview/insight/replay"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
)

// Spec is a change in words: ACTION:TARGET[:PARAMETER].
type Spec struct {
	Text      string
	Action    *Action
	Region    string
	Call      string
	Site      string // FILE:LINE
	Node      int    // from 1; 0: none
	Threads   []int32
	To        []int32 // receivers, after ">"
	Parameter string
}

// Action is a kind of change.
type Action struct {
	Name      string
	Targets   string // the valid targets
	Parameter string // its meaning, after the word if it can only be one word; "" if none
	Doc       string
	apply     func(r *trier, s *Spec) (*replay.Edit, error) // nil: for message-driven runs only
	// driven is the change of a message-driven run; nil: not applicable.
	driven func(r *DrivenRun, s *Spec) (*replay.DrivenEdit, error)
}

// Actions are the changes that users can write.
var Actions = []Action{
	{"faster", "region, threads", "percent of the time that goes", "code takes less time", (*trier).faster,
		(*DrivenRun).faster},
	{"balance", "region", "each: every execution for itself", "the work of a region is spread evenly over its threads",
		(*trier).balance, (*DrivenRun).balance},
	{"ipc-as-others", "region, threads", "", "code has the instructions per cycle of the other threads",
		(*trier).ipcAsOthers, nil},
	{"clock-as-others", "region, threads or node", "", "code has the clock of the other threads",
		(*trier).clockAsOthers, (*DrivenRun).asOthers},
	{"own-cores", "threads", "", "nothing else takes the core of the threads", (*trier).enumerated, nil},
	{"share", "region, threads", "", "code that few threads execute, or all alike, is divided among all",
		(*trier).share, nil},
	{"remove", "call, site", "", "a collective operation is removed", (*trier).remove, nil},
	{"nonblocking", "call, site", "",
		"a collective operation is started, and completed after the computation that follows",
		(*trier).nonblocking, nil},
	{"as-network", "call", "", "a collective operation takes as long as its network needs", (*trier).enumerated, nil},
	{"pack", "threads", "number of tasks that a master hands out at a time", "rows of small messages become one",
		(*trier).enumerated, nil},
	{"split", "threads", "number of parts", "messages are sent in parts, as they are ready", (*trier).split, nil},
	{"fewer-bytes", "call", "", "messages carry hardly any bytes", (*trier).enumerated, nil},
	{"overlap", "", "", "computation continues during an exchange", (*trier).enumerated, nil},
	{"send-early", "region, threads", "", "messages are sent before work that they do not need",
		(*trier).enumerated, nil},
	{"post-early", "region, threads", "", "receives are posted before work that does not need them",
		(*trier).enumerated, nil},
	{"eager", "", "", "sends never wait for their receiver", (*trier).eager, nil},
	{"map", "a file with the node of each task, or nothing", "", "tasks are placed on other nodes", (*trier).place,
		nil},
	{"workers", "threads", "", "a master hands tasks to all workers", (*trier).enumerated, nil},
	{"longest-first", "", "", "a master hands out the last task first", (*trier).enumerated, nil},
	{"usual", "region", "", "executions of an entry method that take far longer than usual take the usual time", nil,
		(*DrivenRun).enumerated},
	{"usual-runtime", "threads", "", "the runtime system never takes far longer than usual between executions", nil,
		(*DrivenRun).enumerated},
	{"no-start-up", "", "", "entry methods are executed as soon as the log begins", nil, (*DrivenRun).enumerated},
}

// trier simulates user-written changes.
type trier struct {
	*Run
	found []*Candidate // found by the enumeration; nil: not yet enumerated
}

// parse reads a change of a run. The error says why it is invalid.
func parse(g *eventgraph.Graph, text string) (*Spec, error) {
	s := &Spec{Text: text}
	fail := func(format string, args ...any) (*Spec, error) {
		return nil, fmt.Errorf("repair %q: %s", text, fmt.Sprintf(format, args...))
	}
	action, rest, _ := strings.Cut(text, ":")
	i := slices.IndexFunc(Actions, func(a Action) bool { return a.Name == action })
	if i < 0 {
		return fail("no action %q; actions: %s", action, actionsOf(g))
	}
	if s.Action = &Actions[i]; !s.Action.does(g) {
		return fail("%s means nothing in this run; actions: %s", action, actionsOf(g))
	}
	if s.Action.Name == "map" {
		s.Parameter = rest
		return s, nil
	}
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			if part = strings.TrimPrefix(part, ":"); part != "" && s.Parameter == "" {
				s.Parameter = part
				continue
			}
			if part == "" {
				continue
			}
			return fail("%q is no target: write region=NAME, threads=LIST, call=NAME, site=FILE:LINE or node=N", part)
		}
		if i == len(parts)-1 {
			value = s.cutParameter(value)
		}
		var err error
		switch key {
		case "region":
			s.Region = value
		case "call":
			s.Call = value
		case "site":
			s.Site = value
		case "node":
			s.Node, err = strconv.Atoi(value)
		case "threads":
			from, to, both := strings.Cut(value, ">")
			if s.Threads, err = threadsOf(g, from); err == nil && both {
				s.To, err = threadsOf(g, to)
			}
		default:
			return fail("no target %q: write region, threads, call, site or node", key)
		}
		if err != nil {
			return fail("%v", err)
		}
	}
	return s, nil
}

// separator separates joint changes.
const separator = "; "

// changesIn returns the single changes in a user's list.
func changesIn(specs []string) (list []string) {
	for _, text := range specs {
		list = append(list, strings.Split(text, separator)...)
	}
	return list
}

// does reports whether the action applies to a run.
func (a *Action) does(g *eventgraph.Graph) bool {
	if g.Driven != nil {
		return a.driven != nil
	}
	return a.apply != nil
}

// actionsOf returns the names of the actions that apply to a run.
func actionsOf(g *eventgraph.Graph) string {
	var names []string
	for i := range Actions {
		if a := &Actions[i]; a.does(g) {
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, ", ")
}

// cutParameter cuts off the parameter after the last target, "stencil:20%"; names of regions may contain colons.
func (s *Spec) cutParameter(value string) string {
	i := strings.LastIndex(value, ":")
	word, _, fixed := strings.Cut(s.Action.Parameter, ":")
	if i < 0 || s.Action.Parameter == "" || fixed && value[i+1:] != word {
		return value
	}
	s.Parameter = value[i+1:]
	return value[:i]
}

// threadsOf reads a list of threads: 1.4.1,1.6.1-1.8.1.
func threadsOf(g *eventgraph.Graph, text string) (list []int32, err error) {
	one := func(name string) (int32, error) {
		for th := range int32(g.T.NumThreads()) {
			if g.ThreadName(th) == name {
				return th, nil
			}
		}
		return 0, fmt.Errorf("no thread %q", name)
	}
	for _, part := range strings.Split(text, ",") {
		first, last, ok := strings.Cut(part, "-")
		from, err := one(first)
		if err != nil {
			return nil, err
		}
		to := from
		if ok {
			if to, err = one(last); err != nil {
				return nil, err
			}
		}
		for th := from; th <= to; th++ {
			list = append(list, th)
		}
	}
	return list, nil
}

// Trial is the result of some changes together. Times are in the trace's unit.
type Trial struct {
	Specs     []string
	Base, End int64 // of the replay, without and with the changes
	Measured  int64 // end of the run
	Edit      *replay.Edit
	Note      string // on the replay; "": none
	run       *Run
}

// Trace returns the run with the changes. The error is ctx's, or says that it cannot be written.
func (t *Trial) Trace(ctx context.Context) (*prv.Trace, error) {
	switch {
	case t.run == nil:
		return nil, errors.New("a message-driven run is replayed as tasks and messages, which are no trace")
	case t.Edit == nil:
		return nil, errors.New("how a master hands out tasks is simulated without a trace")
	}
	return t.run.Trace(ctx, t.Edit)
}

// Gain returns the time by which the run is shorter.
func (t *Trial) Gain() int64 { return t.Base - t.End }

// Deviation returns the relative error of the unchanged replay's run time.
func (t *Trial) Deviation() float64 {
	return deviation(t.Base, t.Measured, t.Measured)
}

// Try implements Replayed.
func (r *Run) Try(specs []string) (*Trial, error) { return (&trier{Run: r}).try(specs) }

func (r *trier) try(specs []string) (*Trial, error) {
	trial := &Trial{Specs: specs, Base: r.Base(), Measured: r.End, Edit: r.NewEdit(), run: r.Run}
	alone := int64(-1)
	changes := changesIn(specs)
	for _, text := range changes {
		s, err := parse(r.Graph, text)
		if err != nil {
			return nil, err
		}
		matches := r.matching(s)
		if len(matches) > 0 && matches[0].Edit == nil {
			alone = matches[0].Gain
			continue
		}
		if len(matches) > 0 {
			for _, m := range matches {
				trial.Edit = trial.Edit.Join(m.Edit)
			}
			continue
		}
		edit, err := s.Action.apply(r, s)
		if err != nil {
			return nil, fmt.Errorf("repair %q: %w", text, err)
		}
		trial.Edit = trial.Edit.Join(edit)
	}
	trial.End = r.Run.Run.Run(trial.Edit)
	if alone >= 0 {
		if len(changes) > 1 {
			return nil, fmt.Errorf("how a master hands out tasks is simulated alone, without other repairs")
		}
		trial.End, trial.Edit = trial.Base-alone, nil
	}
	return trial, r.Ctx.Err()
}

// matching returns the candidates found by the enumeration with the same words.
func (r *trier) matching(s *Spec) (list []*Candidate) {
	for _, c := range r.candidates() {
		if c.Spec == s.Text {
			list = append(list, c)
		}
	}
	return list
}

// candidates returns the enumerated candidates.
func (r *trier) candidates() []*Candidate {
	if r.found == nil {
		r.found = []*Candidate{}
		for i := range entries {
			r.found = append(r.found, entries[i].Find(r.Run)...)
		}
	}
	return r.found
}

// enumerated returns an action that only the enumeration provides.
func (r *trier) enumerated(s *Spec) (*replay.Edit, error) {
	if s.Parameter != "" { // different from the best that the enumeration found
		return nil, nothingTo(s)
	}
	e := r.NewEdit()
	some := false
	for _, c := range r.candidates() {
		action, _, _ := strings.Cut(c.Spec, ":")
		if action == s.Action.Name && c.Edit != nil &&
			(s.Region == "" || c.Region >= 0 && r.RegionName(c.Region) == s.Region) &&
			(s.Call == "" || strings.Contains(c.Spec, "call="+s.Call)) &&
			(s.Threads == nil || len(c.Threads) == 0 || slices.Contains(s.Threads, c.Threads[0])) {
			e, some = e.Join(c.Edit), true
		}
	}
	if !some {
		return nil, nothingTo(s)
	}
	return e, nil
}

// nothingTo returns the error of an action without enumerated candidates.
func nothingTo(s *Spec) error { return fmt.Errorf("nothing in this run to %s", s.Action.Name) }

// meant calls do for the stretches to which a change applies.
func (r *trier) meant(s *Spec, do func(x *cause.Stretch)) error {
	threads := s.Threads
	if s.Node > 0 {
		for th := range int32(r.threads) {
			if r.Graph.T.ThreadNode(th) == int32(s.Node-1) {
				threads = append(threads, th)
			}
		}
	}
	any := false
	for th, own := range r.ByThread {
		if threads != nil && !slices.Contains(threads, int32(th)) {
			continue
		}
		for i := range own {
			if s.Region == "" || r.RegionName(own[i].Region) == s.Region {
				do(&own[i])
				any = true
			}
		}
	}
	if !any {
		return noCode(s)
	}
	return nil
}

// noCode returns the error of a change that applies to nothing.
func noCode(s *Spec) error {
	return fmt.Errorf("no such code: %s", strings.TrimPrefix(s.Text, s.Action.Name+":"))
}

// percentOf reads a percentage as a share.
func percentOf(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || v < 0 || v > 100 {
		return 0, fmt.Errorf("%q must be a percentage from 0 to 100", text)
	}
	return v / 100, nil
}

// faster shortens code by a share of its time.
func (r *trier) faster(s *Spec) (*replay.Edit, error) {
	share, err := percentOf(s.Parameter)
	if err != nil {
		return nil, err
	}
	e := r.NewEdit()
	return e, r.meant(s, func(x *cause.Stretch) { e.Add(x.Node, -int64(share*float64(x.Length()))) })
}

// balance gives each thread of a region the mean time of all: in total, or for each execution if executions can be
// aligned.
func (r *trier) balance(s *Spec) (*replay.Edit, error) {
	e := r.NewEdit()
	any := false
	for i := range r.Places {
		k := &r.Places[i]
		if s.Region != "" && r.RegionName(k.Region) != s.Region || len(k.Threads) < 2 {
			continue
		}
		any = true
		if k.Count == 0 || s.Parameter != "each" {
			mean := float64(k.Total) / float64(len(k.Threads))
			for th, t := range totals(k) {
				for _, x := range k.Of[th] {
					e.Add(x.Node, int64((mean/t-1)*float64(x.Length())))
				}
			}
			continue
		}
		for n := range k.Count {
			sum := 0.0
			for _, th := range k.Threads {
				sum += float64(k.Of[th][n].Length())
			}
			for _, th := range k.Threads {
				x := k.Of[th][n]
				e.Add(x.Node, int64(sum/float64(len(k.Threads)))-x.Length())
			}
		}
	}
	if !any {
		return nil, fmt.Errorf("no region %q on several threads", s.Region)
	}
	return e, nil
}

// code is a region of an application, since other applications may be other programs.
type code struct{ region, ptask int32 }

func (r *trier) codeOf(x *cause.Stretch) code { return code{x.Region, r.Graph.T.ThreadPtask(x.Thread)} }

// asOthers scales code by its rate relative to that of the other threads in the same regions.
func (r *trier) asOthers(s *Spec, rate func(x *cause.Sums) float64) (*replay.Edit, error) {
	if !r.Counters {
		return nil, fmt.Errorf("the trace has no counters of instructions and cycles")
	}
	add := func(sums map[code]*cause.Sums, x *cause.Stretch) {
		k := r.codeOf(x)
		if sums[k] == nil {
			sums[k] = &cause.Sums{}
		}
		sums[k].Add(x)
	}
	mine := map[code]*cause.Sums{}
	threads := map[int32]bool{}
	err := r.meant(s, func(x *cause.Stretch) {
		add(mine, x)
		threads[x.Thread] = true
	})
	if err != nil {
		return nil, err
	}
	theirs := map[code]*cause.Sums{}
	for th, own := range r.ByThread {
		for i := range own {
			if x := &own[i]; !threads[int32(th)] && mine[r.codeOf(x)] != nil {
				add(theirs, x)
			}
		}
	}
	e := r.NewEdit()
	return e, r.meant(s, func(x *cause.Stretch) {
		if o := theirs[r.codeOf(x)]; o != nil && rate(o) > 0 {
			e.Add(x.Node, int64((rate(mine[r.codeOf(x)])/rate(o)-1)*float64(x.Length())))
		}
	})
}

func (r *trier) ipcAsOthers(s *Spec) (*replay.Edit, error) {
	return r.asOthers(s, func(x *cause.Sums) float64 { return x.IPC() })
}

func (r *trier) clockAsOthers(s *Spec) (*replay.Edit, error) {
	return r.asOthers(s, func(x *cause.Sums) float64 { return x.Cycles / max(1, x.Time) })
}

// share divides code among all threads of its application.
func (r *trier) share(s *Spec) (*replay.Edit, error) {
	found := map[int32]bool{}
	if err := r.meant(s, func(x *cause.Stretch) { found[x.Thread] = true }); err != nil {
		return nil, err
	}
	threads := slices.Collect(maps.Keys(found))
	one, part, rest := map[int32]float64{}, map[int32]float64{}, map[int32][]int32{} // by application
	for _, team := range r.teams {
		of := r.Graph.T.ThreadPtask(team[0])
		one[of], rest[of] = 1/float64(len(team)), others(team, threads)
		part[of] = one[of]
		if n := len(rest[of]); n > 0 {
			part[of] = one[of] * float64(len(team)-n)
		}
	}
	e := r.NewEdit()
	return e, r.meant(s, func(x *cause.Stretch) {
		of := r.Graph.T.ThreadPtask(x.Thread)
		e.Add(x.Node, -int64((1-part[of])*float64(x.Length())))
		r.takeOver(e, x, rest[of], one[of])
	})
}

// calls calls do for the operations to which a change applies.
func (r *trier) calls(s *Spec, do func(i int32)) error {
	any := false
	for i := range r.Graph.Waits.Instances {
		x := &r.Graph.Waits.Instances[i]
		if !x.Collective() || s.Call != "" && r.callName(x) != s.Call || s.Site != "" && !r.isAt(x, s.Site) {
			continue
		}
		do(int32(i))
		any = true
	}
	if !any {
		return fmt.Errorf("no such operation: %s", strings.TrimPrefix(s.Text, s.Action.Name+":"))
	}
	return nil
}

// isAt reports whether the first member of an operation called it at a line of the source.
func (r *trier) isAt(x *waits.Instance, site string) bool {
	m := r.Graph.Waits.Members(x)[0]
	e := &r.Graph.T.Threads[m.Thread].Events
	k, _ := slices.BinarySearch(e.Time, m.Enter)
	for ; k < e.Len() && e.Time[k] == m.Enter; k++ {
		if typ := e.Type[k]; typ > extrae.FirstCallerLine && typ < extrae.FirstCallerLine+100 {
			name := r.Graph.T.Labels.ValueName(typ, e.Value.At(k))
			if strings.HasPrefix(name, site+" ") || name == site {
				return true
			}
		}
	}
	return false
}

// remove removes operations.
func (r *trier) remove(s *Spec) (*replay.Edit, error) {
	e, leaves := r.NewEdit(), r.operations().leaves
	return e, r.calls(s, func(i int32) {
		for _, k := range leaves[i] {
			e.SetLag(k, replay.Gone)
		}
	})
}

// nonblocking moves the completion of operations after the computation that follows.
func (r *trier) nonblocking(s *Spec) (*replay.Edit, error) {
	e, leaves := r.NewEdit(), r.operations().leaves
	return e, r.calls(s, func(i int32) {
		for _, k := range leaves[i] {
			exit := r.Target(k)
			e.SetLag(k, replay.Gone)
			if next := r.nextNode(r.Thread[exit], exit); next >= 0 {
				e.Link(r.Source[k], next, r.Lag[k])
			}
		}
	})
}

// split sends messages in a number of parts.
func (r *trier) split(s *Spec) (*replay.Edit, error) {
	parts, err := strconv.Atoi(s.Parameter)
	if err != nil || parts < 2 || parts > 1024 {
		return nil, fmt.Errorf("%q must be a number of parts from 2 to 1024", s.Parameter)
	}
	c := (&piper{r.Run}).inParts(parts)
	if c == nil {
		return nil, fmt.Errorf("no message between computation that makes data and computation that uses them")
	}
	return c.Edit, nil
}

// eager makes no send wait for its receiver.
func (r *trier) eager(*Spec) (*replay.Edit, error) {
	return r.Changed([]replay.Change{{Kind: replay.Eagerly}}), nil
}

// place puts the tasks on the nodes given in a file: a number from 1 for each task, in order.
func (r *trier) place(s *Spec) (*replay.Edit, error) {
	if s.Parameter == "" {
		return r.enumerated(s)
	}
	f, err := os.Open(s.Parameter)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var place []int32
	in := bufio.NewScanner(f)
	for line := 1; in.Scan(); line++ {
		for _, word := range strings.FieldsFunc(in.Text(), func(c rune) bool {
			return c == ' ' || c == ',' ||
				c == '\t'
		}) {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 || n > len(r.Graph.T.Nodes) {
				return nil, fmt.Errorf("%s:%d: %q must be a node from 1 to %d", s.Parameter, line, word,
					len(r.Graph.T.Nodes))
			}
			place = append(place, int32(n-1))
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(place) != len(r.Graph.T.Tasks) {
		return nil, fmt.Errorf("%s has nodes for %d tasks, the run has %d", s.Parameter, len(place),
			len(r.Graph.T.Tasks))
	}
	edit, _ := r.moved(place)
	return edit, nil
}
