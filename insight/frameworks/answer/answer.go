// Package answer turns a report of package frameworks into a document: structure, parameters, predictions and advice.
package answer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/insight/frameworks"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
)

// answer makes the document of a report.
type answer struct {
	*frameworks.Report
	*report.Document
}

// Headings of sections that panes show separately.
const (
	Parameters = "Parameters"
	Advice     = "Advice"
	Simulation = "Simulation"
	Mind       = "Mind"
)

// ValueColumn is the column with the values, as typed, in the table of parameters.
const ValueColumn = 2

// Document returns the report on a trace. choice says how to choose another application.
func Document(t *prv.Trace, r *frameworks.Report, choice string) *report.Document {
	p := &answer{r, &report.Document{Title: t.Path}}
	p.Rows = p.rows
	p.Object = func() any {
		return struct {
			*frameworks.Report
			Findings []report.Object `json:"findings"`
		}{r, report.FindingObjects(t, r.Findings())}
	}
	p.structure(choice)
	if r.Refusal != "" {
		p.Sections = append(p.Sections, report.Section{On: report.ViewerOnly, // a command fails with it
			Blocks: []report.Block{report.Sentence(r.Refusal)}})
		if len(r.Scores) > 0 { // none if the tasks are too few or send nothing
			p.Add(p.rows())
		}
		return p.Document
	}
	p.AddUnder(Parameters, p.parameters())
	switch {
	case r.Farm != nil:
		p.farm()
	case r.Pipeline != nil:
		p.pipeline()
	case r.Nested != nil:
		n := r.Nested
		p.AddUnder("Iteration", line("measured %s for %s, predicted %s (%s)", showTime(n.Measured),
			quantity.CountOf(int64(n.Items), "item"), showTime(n.Now.Time),
			quantity.FormatChange(n.Now.Time/n.Measured-1)))
		p.AddUnder("Processors", p.plans())
	}
	p.advice()
	p.verdict()
	if len(r.Warnings) > 0 {
		p.AddUnder(Mind, lines(r.Warnings)...)
	}
	return p.Document
}

// line returns a line of a section.
func line(format string, args ...any) *report.Passage {
	return &report.Passage{Text: fmt.Sprintf(format, args...), Indent: 2}
}

func lines[T any](texts []T) (blocks []report.Block) {
	for _, text := range texts {
		blocks = append(blocks, line("%v", text))
	}
	return blocks
}

// showTime shows a cell in ns.
func showTime(v any) string {
	return quantity.FormatDuration(int64(math.Round(v.(float64))), prv.Nanoseconds)
}

// times returns a column of times in ns.
func times(key, title string) report.Column {
	return report.Column{Key: key, Title: title, Show: showTime, Right: true}
}

// showFour shows a cell with 4 digits.
func showFour(v any) string { return strconv.FormatFloat(v.(float64), 'g', 4, 64) }

func showBytes(v any) string { return quantity.Bytes.Format(v.(float64)) }

// structure says what was recognised, and how.
func (p *answer) structure(choice string) {
	how := "recognised"
	switch {
	case p.Refusal != "":
		how = "no structure"
	case p.Told:
		how = "told"
	}
	which := fmt.Sprintf("ptask %d", p.Ptask)
	if p.Ptasks > 1 {
		which += fmt.Sprintf(" of %d", p.Ptasks)
		if !p.Told { // the roles name it
			which += choice
		}
	}
	p.Add(append([]report.Block{report.Sentence(fmt.Sprintf("%s (%s, %s)", p.Kind, how, which))}, lines(p.way())...)...)
	if p.Other != nil {
		p.Add(report.Sentence(fmt.Sprintf("ptask %d is recognised: %s", p.Other.Ptask+1, p.Other.Kind)))
	}
}

// way lists the roles of the tasks; for a pipeline, the path of an item in one line.
func (p *answer) way() []string {
	if p.Pipeline == nil {
		return p.Structure
	}
	var words []string
	for _, s := range p.Pipeline.Stages {
		word := s.Tasks
		if s.Replicas > 0 {
			word = fmt.Sprintf("%s (x%d)", s.Tasks, s.Replicas)
		}
		if s.Slowest {
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	return append([]string{"tasks " + strings.Join(words, " -> ") + ", [] is the bottleneck"}, p.Structure...)
}

// advice has the recommendations and their gains.
func (p *answer) advice() {
	var blocks []report.Block
	if !p.holds() {
		blocks = append(blocks, line("none from the model: it does not hold (%s)", quantity.FormatChange(p.Fit.Off)))
	}
	for _, a := range p.Advice {
		blocks = append(blocks, line("%s", a.What))
		if a.Processors != 0 { // a change
			gain := "gain " + showTime(a.Gain)
			if a.Gain < 0 {
				gain = "loss " + showTime(-a.Gain)
			}
			blocks = append(blocks, &report.Passage{Indent: 6, Text: fmt.Sprintf("%s (%s), %s; safe %s", gain,
				report.ShowShare(math.Abs(a.Share)), change(a.Processors), a.When)})
		}
		blocks = append(blocks,
			&report.Passage{Indent: 6, Text: fmt.Sprintf("rests on: %s; confidence: %s", a.Rests, a.Confidence)})
	}
	p.AddUnder(Advice, blocks...)
}

func workers(n int) string { return quantity.CountOf(int64(n), "worker") }

// change returns a number of processors with its sign: "+3 processors", "-1 processor".
func change(processors int) string {
	if processors < 0 {
		return "-" + change(-processors)[1:]
	}
	return "+" + quantity.CountOf(int64(processors), "processor")
}

// rows returns the table for programs: the curve, the stages, the plans or the scores.
func (p *answer) rows() *report.Table {
	switch {
	case p.Farm != nil:
		return p.curve()
	case p.Pipeline != nil:
		return p.stages()
	case p.Nested != nil:
		return p.plans()
	}
	t := &report.Table{Indent: 2, Columns: []report.Column{{Key: "kind", Title: "Structure"},
		{Key: "score", Title: "Score", Show: showFour}, {Key: "why", Title: "Why"}}}
	for _, s := range p.Scores {
		t.Add(s.Kind, s.Score, s.Why)
	}
	return t
}

// curve has a line for each number of workers.
func (p *answer) curve() *report.Table {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Key: "workers", Title: "Workers"},
		times("time_ns", "Time"), {Key: "speedup", Title: "Speedup", Show: showFour},
		{Key: "efficiency", Title: "Efficiency", Show: report.ShowShare, Right: true},
		times("index_ns", "Index"), {Key: "fed", Title: "Master"},
		{Key: "hard_to_balance", Title: "Hard to balance", Show: showFour}, {Key: "mark", Title: ""}}}
	f := p.Farm
	for _, c := range f.Curve {
		fed := "feeds them"
		if !c.Fed {
			fed = "too slow"
		}
		if !p.holds() {
			fed = "unknown"
		}
		var marks []string
		now := fmt.Sprintf("now: measured %s (curve %s)", showTime(f.Measured),
			quantity.FormatChange(f.Predicted/f.Measured-1))
		for _, m := range []struct {
			n    int
			name string
		}{{f.Workers, now}, {f.Worth, "recommended"}, {f.Fastest, "fastest"}} {
			if m.n == c.Workers {
				marks = append(marks, m.name)
			}
		}
		t.Add(int64(c.Workers), c.Time, c.Speedup, c.Efficiency, c.Index, fed, c.Hardness, strings.Join(marks, ", "))
	}
	return t
}

// stages has a line for each stage of a pipeline.
func (p *answer) stages() *report.Table {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Key: "stage", Title: "Stage"},
		{Key: "tasks", Title: "Tasks"}, times("compute_ns", "Compute"), times("spread_ns", "+-"),
		{Key: "bytes", Title: "Bytes", Show: showBytes, Right: true},
		times("production_ns", "Tr"), times("dependent_ns", "rTr"), times("dependent_full_ns", "rTr full"),
		times("observed_ns", "Observed"),
		{Key: "error", Title: "Error", Show: report.ShowShare, Right: true}, {Key: "replicas", Title: "Replicas"},
		{Key: "proposed", Title: "Proposed"}, times("proposed_overlap_ns", "Then"),
		times("proposed_additive_ns", "at most"), {Key: "mark", Title: ""}}}
	for _, s := range p.Pipeline.Stages {
		mark := ""
		if s.Slowest {
			mark = "bottleneck"
		}
		row := []any{int64(s.Stage), s.Tasks, s.Compute, s.Spread, s.Bytes, s.Own, s.Async, s.Full, s.Observed, s.Error,
			int64(s.Replicas), nil, nil, nil, mark}
		if p.Fit.Holds {
			row[11], row[12], row[13] = int64(s.Proposed), s.Overlapped, s.Additive
		}
		t.Add(row...)
	}
	return t
}

// plans returns the divisions of the processors among the pipelines of a master.
func (p *answer) plans() *report.Table {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Key: "plan", Title: "Plan"},
		{Key: "workers", Title: "Workers"}, {Key: "processors_each", Title: "Each on"}, times("time_ns", "Time"),
		times("index_ns", "Index")}}
	n := p.Nested
	for _, x := range []struct {
		name string
		plan frameworks.Plan
	}{{"now", n.Now}, {"next step", n.Next}, {"least index", n.Worth}, {"fastest", n.Fastest}} {
		if !p.Fit.Holds && x.plan != n.Now {
			continue
		}
		t.Add(x.name, int64(x.plan.Workers), int64(x.plan.Inner), x.plan.Time, x.plan.Index)
	}
	return t
}

// parameters has a line for each input of the models.
func (p *answer) parameters() *report.Table {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Parameter"}, {Title: "Symbol"},
		{Title: "Value", Right: true}, {Title: "+-",
			Right: true}, {Title: "Origin"}, {Title: "Samples"}, {Title: "Note"}}}
	for _, v := range p.Parameters {
		show := func(x float64) string {
			switch v.Unit {
			case "ns":
				return showTime(x)
			case "bytes":
				return quantity.Bytes.Format(x)
			case "async", "sync":
				return v.Unit
			}
			return strings.TrimSpace(showFour(x) + " " + v.Unit)
		}
		spread := ""
		if v.Spread > 0 {
			spread = show(v.Spread)
		}
		t.Add(v.Name, v.Symbol, show(v.Value.Value), spread, string(v.Origin), int64(v.Samples), v.Note)
	}
	return t
}

// holds reports whether the model reproduces the measured time.
func (p *answer) holds() bool { return p.Fit == nil || p.Fit.Holds }

// unless qualifies a claim that rests on the model.
func (p *answer) unless() string {
	if p.holds() {
		return ""
	}
	return "by the model, which does not hold, "
}

// farm has the sections on a master and its workers.
func (p *answer) farm() {
	f := p.Farm
	limit := "any number of workers"
	if f.Limit != nil {
		limit = workers(int(*f.Limit))
	}
	blocks := []report.Block{line("measured %s (median of %d), predicted %s (%s); %s", showTime(f.Measured),
		f.Iterations, showTime(f.Predicted), quantity.FormatChange(f.Predicted/f.Measured-1), f.Regime),
		line("balance %.2f, idle %.2f; %sthe master can feed %s; a chunk needs at least %s", f.Balance, f.Idle,
			p.unless(), limit, quantity.CountOf(int64(max(1, f.LeastChunk)), "task"))}
	if f.Unanswered > 0 {
		blocks = append(blocks, line("%s to workers without an answer, not counted",
			quantity.CountOf(int64(f.Unanswered), "message")))
	}
	p.AddUnder("Iteration", blocks...)
	t := p.curve()
	t.Rows = slices.DeleteFunc(t.Rows, func(row []any) bool {
		n := int(row[0].(int64))
		return row[7] == "" && !round(n)
	})
	p.AddUnder("Workers", t)
	if len(f.Bands) > 0 {
		p.AddUnder("Time, and best number of workers, when an input is wrong", p.bands())
	}
	p.AddUnder("Distribution of the traced tasks", p.policies(),
		line("the run's own %s, dispatched by the model: %s", quantity.CountOf(int64(f.Chunks), "chunk"),
			showTime(f.Played)))
	if s := f.Steering; s != nil {
		p.AddUnder("The run played again", line(
			"by the model, its own chunks %s, tuned by DAF from earlier iterations %s, with perfect knowledge %s",
			showTime(s.Without), showTime(s.Tuned), showTime(s.Perfect)))
	}
}

// policies has a line for each way to distribute the tasks.
func (p *answer) policies() *report.Table {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Policy"}, {Title: "Factor", Show: showFour},
		times("", "Time"), {Title: "Messages"},
		{Title: "Over Tc/n", Show: report.ShowShare, Right: true}}}
	for _, x := range p.Farm.Policies {
		var factor any
		if x.Factor > 0 {
			factor = x.Factor
		}
		t.Add(x.Policy, factor, x.Time, int64(x.Messages), x.Over)
	}
	return t
}

// bands has a line for each input: the effect of 10 % less or more.
func (p *answer) bands() *report.Table {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Input"},
		{Title: "10 % less", Show: report.ShowShare, Right: true},
		{Title: "10 % more", Show: report.ShowShare, Right: true}, {Title: "Best workers"}}}
	for _, x := range p.Farm.Bands {
		least, most := min(x.Workers[0], x.Workers[1]), max(x.Workers[0], x.Workers[1])
		best := strconv.Itoa(least)
		if least != most {
			best += fmt.Sprintf("-%d", most)
		}
		t.Add(x.Input, x.Low, x.High, best)
	}
	return t
}

// round reports whether a number of workers is shown among many.
func round(n int) bool {
	step := 1
	for n > 8*step {
		step *= 2
	}
	return n%step == 0
}

// pipeline has the sections on a pipeline.
func (p *answer) pipeline() {
	x := p.Pipeline
	p.AddUnder("Stages", p.stages())
	p.Add(line("an item takes %s (observed), predicted %s (%s); filling and draining are %s of %s",
		showTime(x.Observed), showTime(x.Predicted), quantity.FormatChange(x.Predicted/x.Observed-1),
		report.ShowShare(x.Filling), quantity.CountOf(int64(x.Items), "item")))
	if i := slices.IndexFunc(x.Stages, func(s frameworks.StageRow) bool { return s.Slowest }); x.FullBuffers && i > 0 {
		p.Add(line("buffers are full: the stages before stage %d are held up by it (rTr full)", i+1))
	}
	if !p.Fit.Holds {
		return
	}
	steps := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Free processors"}, {Title: "Used"},
		{Title: "Replicas of each stage"}, times("", "An item")}}
	for _, s := range x.Steps {
		steps.Add(int64(s.Free), int64(s.Used), strings.Trim(fmt.Sprint(s.Replicas), "[]"), s.Pace)
	}
	p.AddUnder("Staircase", steps)
}

// verdict says whether the simulation confirms the recommendation.
func (p *answer) verdict() {
	v := p.Verdict
	if v == nil {
		return
	}
	blocks := []report.Block{line("%s: %s", v.Verdict, v.Why)}
	say := func(format string, args ...any) { blocks = append(blocks, line(format, args...)) }
	switch {
	case v.StartUp > 0:
		say("%s: the simulation has the mean", v.Note)
		if v.Instead > 0 {
			say("with it the model recommends %s: --m0 %s", workers(v.Instead),
				strings.ReplaceAll(showTime(v.StartUp), " ", ""))
		}
	case v.Replayed > 0:
		part := "an iteration"
		if p.Pipeline != nil {
			part = "an item"
		}
		say("replayed with these parameters, %s of the run takes %s (%s)", part, showTime(v.Replayed),
			quantity.FormatChange(v.Off))
	}
	if v.Prefers > 0 {
		say("the simulation prefers %s, though the master cannot feed them by the model", workers(v.Prefers))
	}
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Workers"}, {Title: "Each on"},
		{Title: "Replicas"},
		times("", "Predicted"), times("", "Simulated"),
		{Title: "Off", Show: report.ShowShare, Right: true}}}
	for _, x := range v.Points {
		var workers, each, replicas any
		if x.Inner > 0 {
			each = int64(x.Inner)
		}
		if x.Workers > 0 {
			workers = int64(x.Workers)
		} else {
			replicas = strings.Trim(fmt.Sprint(x.Replicas), "[]")
		}
		t.Add(workers, each, replicas, x.Predicted, x.Simulated, x.Off)
	}
	p.AddUnder(Simulation, append(blocks, t)...)
}
