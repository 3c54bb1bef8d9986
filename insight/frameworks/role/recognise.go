// Package role finds which task plays which role: the master and the workers of a farm, the stages of a pipeline. It
// recognises the structure of a run in the graph of its messages, or takes it from a roles file.
package role

import (
	"context"
	"fmt"
	"slices"

	"pview/prv"
	"pview/prv/quantity"
)

// Kind is a parallel structure.
type Kind uint8

// The kinds.
const (
	Unknown Kind = iota
	MasterWorker
	PipelineOf
	NestedOf // master/worker whose workers are pipelines
)

// String returns the name in a roles file.
func (k Kind) String() string {
	return [...]string{"unknown", "master-worker", "pipeline", "master-worker of pipelines"}[k]
}

// StageRoles are the tasks of a stage: one, or a manager and its replicas.
type StageRoles struct {
	Task     int32   // the process, or the communication manager
	Replicas []int32 // empty: a single process
}

// Roles are the roles of the tasks. Tasks count from 0 over the trace.
type Roles struct {
	Kind    Kind
	Ptask   int
	Master  int32
	Workers []int32      // of a master; the first stages of the pipelines of NestedOf
	Stages  []StageRoles // of a pipeline
	Inner   [][]int32    // NestedOf: the tasks of each pipeline, first stage first
	Told    bool         // from a roles file
	Statements
}

// tasks returns the number of tasks with a role.
func (r *Roles) tasks() (n int) {
	switch r.Kind {
	case MasterWorker:
		return 1 + len(r.Workers)
	case PipelineOf:
		for _, s := range r.Stages {
			n += 1 + len(s.Replicas)
		}
	case NestedOf:
		n = 1
		for _, list := range r.Inner {
			n += len(list)
		}
	}
	return n
}

// Members returns the tasks with a role.
func (r *Roles) Members() map[int32]bool {
	m := map[int32]bool{}
	if r.Kind != PipelineOf {
		m[r.Master] = true
	}
	for _, w := range r.Workers {
		m[w] = true
	}
	for _, s := range r.Stages {
		m[s.Task] = true
		for _, x := range s.Replicas {
			m[x] = true
		}
	}
	for _, chain := range r.Inner {
		for _, x := range chain {
			m[x] = true
		}
	}
	return m
}

// Describe names the roles, tasks as in Paraver.
func (r *Roles) Describe(t *prv.Trace) (lines []string) {
	first := t.Ptasks[r.Ptask].FirstTask
	switch r.Kind {
	case MasterWorker:
		lines = append(lines, fmt.Sprintf("master %d", r.Master-first+1), "workers "+Ranges(r.Workers, first))
	case PipelineOf:
		for i, s := range r.Stages {
			if len(s.Replicas) == 0 {
				lines = append(lines, fmt.Sprintf("stage %d: task %d", i+1, s.Task-first+1))
			} else {
				lines = append(lines, fmt.Sprintf("stage %d: manager %d, replicas %s", i+1, s.Task-first+1,
					Ranges(s.Replicas, first)))
			}
		}
	case NestedOf:
		lines = append(lines, fmt.Sprintf("master %d", r.Master-first+1))
		for i, chain := range r.Inner {
			lines = append(lines, fmt.Sprintf("pipeline %d: tasks %s", i+1, Ranges(chain, first)))
		}
	}
	return lines
}

// Score says how well a structure fits.
type Score struct {
	Kind     Kind
	Value    float64 // 0..1; accepted if >= Accepted
	Accepted bool
	Why      string
	roles    Roles
}

// Recognition is the result of looking for a structure.
type Recognition struct {
	Roles  *Roles // nil if none was accepted
	Scores []Score
	// Refusal says why there is no structure, and what a roles file could add.
	Refusal string
	// Collectives is the share of collective operations in the time of communication calls.
	Collectives float64
	Edges       []Edge
	graph       *graph
}

// Recognise looks for a structure in a part of a trace.
func Recognise(ctx context.Context, t *prv.Trace, w Window) (*Recognition, error) {
	if w.Ptask < 0 || w.Ptask >= len(t.Ptasks) {
		return nil, fmt.Errorf("there is no ptask %d: the trace has %d", w.Ptask+1, len(t.Ptasks))
	}
	g, err := newGraph(ctx, t, w)
	if err != nil {
		return nil, err
	}
	r := &Recognition{graph: g, Edges: g.edges, Collectives: collectiveShare(t, w)}
	switch n := g.last - g.first; {
	case n == 1:
		r.Refusal = fmt.Sprintf("ptask %d has 1 task; a master with workers or a pipeline has 3 and more", w.Ptask+1)
		return r, nil
	case n < 3:
		r.Refusal = fmt.Sprintf("ptask %d has %d tasks; a master with workers or a pipeline has 3 and more", w.Ptask+1,
			n)
		return r, nil
	case g.messages == 0:
		r.Refusal = fmt.Sprintf("ptask %d has no messages between its tasks, and the models rest on messages",
			w.Ptask+1)
		switch {
		case r.Collectives == 1:
			r.Refusal += ": it communicates by collective operations only (SPMD)"
		case r.Collectives > 0:
			r.Refusal += ": it has point-to-point calls, but the trace does not match sends and receives"
		}
		return r, nil
	}
	r.Scores = []Score{g.star(), g.path(), g.nested()}
	for i := range r.Scores {
		r.Scores[i].roles.Kind, r.Scores[i].roles.Ptask = r.Scores[i].Kind, w.Ptask
	}
	r.decide()
	return r, nil
}

// Possible reports cheaply whether a part of a trace may have a structure, by a sample of its messages.
func Possible(t *prv.Trace, w Window) bool {
	const blocks, rows = 32, 512 // consecutive rows, since messages may repeat with any period
	g := emptyGraph(t, w)
	if n := t.Comms.Len(); n <= blocks*rows {
		g.read(t, w.rows(t, 0, n))
	} else {
		for i := range blocks {
			from := i * (n - rows) / (blocks - 1)
			g.read(t, w.rows(t, from, from+rows))
		}
	}
	if g.last-g.first < 3 || g.messages == 0 {
		return false
	}
	if g.star().Accepted || g.nested().Accepted {
		return true
	}
	c := g.chain()
	source, why := c.source()
	return why == "" && c.follow(source) == "" && len(c.stages) > 2
}

// decide chooses among the accepted structures.
func (r *Recognition) decide() {
	var accepted []*Score
	for i := range r.Scores {
		if r.Scores[i].Accepted {
			accepted = append(accepted, &r.Scores[i])
		}
	}
	switch {
	case r.Collectives > 0.5:
		are := ": an SPMD program, to which the models do not apply. If it is a master with workers all the same"
		if len(accepted) > 0 {
			are = fmt.Sprintf(", which the models leave out, though its messages are those of a %s. If it is one",
				accepted[0].Kind)
		}
		r.Refusal = fmt.Sprintf("%s of the communication time is spent in collective operations%s, "+
			"tell the roles in a roles file (kind, master, workers)", quantity.FormatPercent(r.Collectives), are)
	case len(accepted) == 0:
		best := &r.Scores[0]
		for i := range r.Scores {
			if r.Scores[i].Value > best.Value {
				best = &r.Scores[i]
			}
		}
		r.Refusal = "no structure was recognised"
		if best.Value > 0 {
			r.Refusal += fmt.Sprintf("; the nearest is %s (score %.2f): %s", best.Kind, best.Value, best.Why)
		}
		r.Refusal += ". A roles file can tell it (kind, master and workers, or stages)"
	case len(accepted) == 2 && accepted[0].Kind == MasterWorker && accepted[1].Kind == PipelineOf:
		// A chain of three with acknowledgements is a star around its middle as well. Data that flows one way only is a
		// pipeline.
		r.Roles = &accepted[1].roles
		if r.graph.bothWays(&accepted[0].roles) {
			r.Roles = &accepted[0].roles
		}
	default:
		r.Roles = &accepted[0].roles
	}
}

// bothWays reports whether every worker gets data from the master and returns data.
func (g *graph) bothWays(r *Roles) bool {
	for _, w := range r.Workers {
		for _, e := range []*Edge{g.between(r.Master, w), g.between(w, r.Master)} {
			if e == nil || g.isNotice(e) {
				return false
			}
		}
	}
	return true
}

// star scores a master with workers.
func (g *graph) star() Score {
	s := Score{Kind: MasterWorker}
	ends := make([]int64, g.last-g.first)
	for _, e := range g.edges {
		ends[e.From-g.first] += e.Messages
		ends[e.To-g.first] += e.Messages
	}
	c := int32(0)
	for i, n := range ends {
		if n > ends[c] {
			c = int32(i)
		}
	}
	share := float64(ends[c]) / float64(g.messages)
	c += g.first
	out, in, both := 0, 0, 0
	for w := g.first; w < g.last; w++ {
		gives, takes := g.between(c, w), g.between(w, c)
		if gives != nil {
			out++
		}
		if takes != nil {
			in++
		}
		if gives != nil && takes != nil {
			both++
		}
		if gives != nil || takes != nil {
			s.roles.Workers = append(s.roles.Workers, w)
		}
	}
	s.roles.Master = c
	s.Value = share * float64(both) / float64(max(1, len(s.roles.Workers)))
	s.Accepted = share >= 0.95 && out >= 2 && in >= 2 && both == len(s.roles.Workers)
	s.Why =
		fmt.Sprintf(
			"task %d is an end of %s of the messages (95 %% are needed), and %d of its %s "+
				"send to it and receive from it", c-g.first+1, quantity.FormatPercent(share), both,
			quantity.CountOf(int64(len(s.roles.Workers)), "partner"))
	return s
}

// leastStages is the least number of tasks in the stages of a pipeline.
const leastStages = 3

// path scores a chain of stages, some of which may be replicated.
func (g *graph) path() Score {
	c := g.chain()
	s := Score{Kind: PipelineOf}
	source, why := c.source()
	if why == "" {
		why = c.follow(source)
	}
	if why != "" {
		s.Value, s.Why = 0.5*c.share(), why
		return s
	}
	s.roles.Stages = c.stages
	if len(c.stages) < 2 {
		s.Why = "the data goes from one task to others and no further"
		return s
	}
	s.Value = c.share()
	s.Accepted = s.Value >= 0.95 && s.roles.withStages() >= leastStages && !c.uneven
	s.Why = fmt.Sprintf("a chain of %d stages carries %s of the data messages (95 %% are needed)", len(c.stages),
		quantity.FormatPercent(s.Value))
	if s.roles.withStages() < leastStages {
		s.Why += fmt.Sprintf(", and a pipeline has at least %d", leastStages)
	}
	if c.uneven {
		s.Value *= 0.5
		s.Why = "the stages of the chain do not pass the same number of messages on (5 % are allowed)"
	}
	return s
}

// chain is a chain of stages along the edges that carry data, being followed.
type chain struct {
	*graph
	next, before map[int32][]int32  // tasks that a task sends data to and gets data from
	count        map[[2]int32]int64 // messages of an edge
	all, forward int64              // messages in total and on the chain
	stages       []StageRoles
	uneven       bool // a stage passes on more or fewer messages than it gets
}

func (g *graph) chain() *chain {
	c := &chain{graph: g, next: map[int32][]int32{}, before: map[int32][]int32{}, count: map[[2]int32]int64{}}
	for _, e := range g.data() {
		c.next[e.From] = append(c.next[e.From], e.To)
		c.before[e.To] = append(c.before[e.To], e.From)
		c.count[[2]int32{e.From, e.To}] = e.Messages
		c.all += e.Messages
	}
	return c
}

// share returns the part of the messages that the chain carries.
func (c *chain) share() float64 { return float64(c.forward) / float64(max(1, c.all)) }

// source returns the task that sends data without receiving any, or why there is none.
func (c *chain) source() (source int32, why string) {
	n := 0
	for task := c.first; task < c.last; task++ {
		if len(c.before[task]) == 0 && len(c.next[task]) > 0 {
			source = task
			n++
		}
	}
	if n != 1 {
		return 0, fmt.Sprintf("%d tasks send data without receiving any; a pipeline has one such task, its first stage",
			n)
	}
	return source, ""
}

// follow goes along the chain to its end, or says why there is no chain.
func (c *chain) follow(at int32) (why string) {
	seen := map[int32]bool{}
	items := int64(-1) // passed on by the previous stage
	for {
		if seen[at] {
			c.forward = 0 // no part of a circle is a pipeline
			return fmt.Sprintf("messages go around in a circle through task %d", at-c.first+1)
		}
		seen[at] = true
		stage := StageRoles{Task: at}
		to := c.next[at]
		sent := int64(0)
		for _, x := range to {
			sent += c.count[[2]int32{at, x}]
		}
		if items >= 0 && sent > 0 && float64(max(sent, items)-min(sent, items)) > 0.05*float64(items) {
			c.uneven = true
		}
		if sent > 0 {
			items = sent
		}
		c.forward += sent
		if len(to) >= 2 {
			after, ok := c.replicas(at, to, c.next, c.before)
			if !ok {
				return fmt.Sprintf(
					"task %d sends data to %d tasks that are not its replicas (they do not acknowledge to it, or "+
						"do not send to one common successor)", at-c.first+1, len(to))
			}
			stage.Replicas = to
			for _, x := range to {
				seen[x] = true
				for _, y := range c.next[x] {
					c.forward += c.count[[2]int32{x, y}]
				}
			}
			to = after
		}
		c.stages = append(c.stages, stage)
		if len(to) == 0 {
			return ""
		}
		if n := len(c.before[to[0]]); n > max(1, len(stage.Replicas)) {
			return fmt.Sprintf("task %d receives data from %d tasks that are no replicas of one stage", to[0]-c.first+1,
				n)
		}
		at = to[0]
	}
}

func (r *Roles) withStages() int {
	r.Kind = PipelineOf
	return r.tasks()
}

// replicas reports whether tasks are replicas of a stage fed by a manager: each acknowledges to it, and all send to one
// successor, or to none.
func (g *graph) replicas(manager int32, tasks []int32, next, before map[int32][]int32) (after []int32, ok bool) {
	for i, x := range tasks {
		back := g.between(x, manager)
		if back == nil || !g.isNotice(back) || len(before[x]) != 1 || len(next[x]) > 1 {
			return nil, false
		}
		if i == 0 {
			after = next[x]
		} else if !slices.Equal(after, next[x]) {
			return nil, false
		}
	}
	return after, true
}

// nestedCandidates is the number of tasks tried as the master of pipelines.
const nestedCandidates = 8

// nested scores a master whose workers are pipelines: without the master, the tasks fall apart into chains.
func (g *graph) nested() Score {
	s := Score{Kind: NestedOf, Why: "without any one task the others do not fall apart into chains"}
	type ends struct {
		task int32
		n    int64
	}
	list := make([]ends, g.last-g.first)
	for i := range list {
		list[i].task = g.first + int32(i)
	}
	for _, e := range g.edges {
		list[e.From-g.first].n += e.Messages
		list[e.To-g.first].n += e.Messages
	}
	slices.SortStableFunc(list, func(a, b ends) int { return int(min(1, max(-1, b.n-a.n))) })
	for _, c := range list[:min(len(list), nestedCandidates)] {
		if inner, ok := g.chains(c.task); ok {
			s.Value, s.Accepted = 1, true
			s.roles.Master, s.roles.Inner = c.task, inner
			for _, chain := range inner {
				s.roles.Workers = append(s.roles.Workers, chain[0])
			}
			s.Why = fmt.Sprintf("without task %d the others are %d chains", c.task-g.first+1, len(inner))
			break
		}
	}
	return s
}

// chains returns the components of the graph without a master, if all are chains of two or more tasks that begin and
// end at the master.
func (g *graph) chains(master int32) (list [][]int32, ok bool) {
	next, before := map[int32][]int32{}, map[int32][]int32{}
	for _, e := range g.data() {
		if e.From != master && e.To != master {
			next[e.From] = append(next[e.From], e.To)
			before[e.To] = append(before[e.To], e.From)
		}
	}
	placed := 0
	for task := g.first; task < g.last; task++ {
		if task == master || len(before[task]) > 0 {
			continue
		}
		chain := []int32{task}
		for at := task; len(next[at]) > 0; {
			if len(next[at]) > 1 || len(before[next[at][0]]) > 1 {
				return nil, false
			}
			at = next[at][0]
			chain = append(chain, at)
		}
		if len(chain) < 2 || g.between(master, chain[0]) == nil || g.between(chain[len(chain)-1], master) == nil {
			return nil, false
		}
		placed += len(chain)
		list = append(list, chain)
	}
	return list, len(list) >= 2 && placed == int(g.last-g.first)-1
}

// Only keeps the structure that the user asked for.
func (r *Recognition) Only(k Kind) {
	r.Roles = nil
	for i := range r.Scores {
		if s := &r.Scores[i]; s.Kind == k {
			if s.Accepted {
				r.Roles, r.Refusal = &s.roles, ""
			} else {
				r.Refusal = fmt.Sprintf("no %s was recognised (score %.2f): %s", k, s.Value, s.Why)
			}
		}
	}
}
