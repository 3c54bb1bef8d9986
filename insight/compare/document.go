package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"pview/insight/efficiency"
	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// Selection chooses the parts of comparisons that a document shows.
type Selection struct {
	By  Kind // parts of this kind; NumKinds: of all kinds
	Top int  // rows of each table; 0: all
	// Noise: the runs were compared with others of A's configuration, so tables mark what is within the noise.
	Noise bool
	// Traces of the runs, for pictures; nil: a page has none.
	Traces map[*Run]*prv.Trace
}

// selected reports whether a kind is part of the document.
func (s *Selection) selected(k Kind) bool { return s.By == NumKinds || s.By == k }

// pointless reports whether a table of n rows can be left out: a single part only repeats the times of the runs.
func (s *Selection) pointless(n int, k Kind) bool {
	return n == 0 || n == 1 && s.By == NumKinds && k != ByPhase
}

// letterOf returns the letter of the i-th run after A.
func letterOf(i int) string { return string(rune('B' + i)) }

// Document returns one or more comparisons with the same run A as a document.
func Document(list []*Result, s Selection) *report.Document {
	d := &report.Document{Rows: func() *report.Table { return rows(list, &s) },
		Object: func() any { return objects(list, &s) }, PageHeading: filepath.Base(list[0].A.Path) + " and " +
			filepath.Base(list[0].B.Path), Foot: "the parts of each kind add up to the difference of the run times; " +
			"with different numbers of threads, of the core times"}
	d.PageTitle = d.PageHeading + " compared"
	runs := []report.Block{report.Sentence("A  " + list[0].A.about())}
	for i, c := range list {
		runs = append(runs, report.Sentence(letterOf(i)+"  "+c.B.about()))
	}
	d.Sections = append(d.Sections, report.Section{On: report.TextOnly, Blocks: runs},
		report.Section{On: report.PageOnly, Blocks: runBlocks(list)})
	for i, c := range list {
		blocks := []report.Block{c.lengths(letterOf(i)), c.sentence(letterOf(i))}
		if sure := c.sureness(); sure != "" {
			blocks = append(blocks, report.Sentence(inRun(sure, letterOf(i))))
		}
		for _, note := range append(notesOf("A", c.A), notesOf(letterOf(i), c.B)...) {
			blocks = append(blocks, report.Sentence(note))
		}
		d.Sections = append(d.Sections, report.Section{On: report.TextOnly, Blocks: blocks})
	}
	for k := range NumKinds {
		if s.selected(k) {
			for _, b := range s.kindBlocks(list, k) {
				d.Sections = append(d.Sections, report.Section{On: report.TextOnly, Blocks: []report.Block{b}})
			}
		}
	}
	for i, c := range list {
		d.Sections = append(d.Sections, report.Section{On: report.TextOnly, Blocks: s.computing(c, letterOf(i))},
			c.page(&s, letterOf(i)))
	}
	return d
}

// sentence returns the headline, with the run's letter.
func (c *Result) sentence(letter string) *report.Passage {
	return &report.Passage{Text: strings.Replace(c.Headline(), "B takes", letter+" takes", 1), Tone: report.Strong}
}

// lengths returns the durations, with the run's letter.
func (c *Result) lengths(letter string) *report.Passage {
	return &report.Passage{Text: inRun(c.Durations(), letter), Tone: report.Strong}
}

// inRun replaces B by a letter.
func inRun(text, letter string) string { return strings.Replace(text, ", B ", ", "+letter+" ", 1) }

// about describes a run in a line.
func (r *Run) about() string {
	f := r.factors
	text := fmt.Sprintf("%s  %s, %s, %s; ", r.Path, duration(r.Duration), quantity.CountOf(int64(r.Threads), r.one()),
		quantity.CountOf(int64(r.Phases()), "phase"))
	if r.Useful.Sign() == 0 {
		return text + "no useful time"
	}
	return text + fmt.Sprintf("%s %s: %s %s, %s %s", efficiency.Parallel.InSentence(),
		quantity.FormatPercent(f.Parallel), efficiency.Balance.Short,
		quantity.FormatPercent(f.Balance), efficiency.Communication.Short, quantity.FormatPercent(f.Communication))
}

// runBlocks returns the runs as a table, their notes, and their efficiencies as curves.
func runBlocks(list []*Result) []report.Block {
	t := &report.Table{Columns: []report.Column{{}, {Title: "run"}, {Title: "time", Right: true}, {Title: "threads"},
		{Title: "phases"}, {Title: efficiency.Parallel.InSentence(), Show: report.ShowShare},
		{Title: efficiency.Balance.Short, Show: report.ShowShare},
		{Title: efficiency.Communication.Short, Show: report.ShowShare}}}
	blocks := []report.Block{t}
	add := func(letter string, r *Run) {
		row := []any{letter, filepath.Base(r.Path), duration(r.Duration), int64(r.Threads), int64(r.Phases()), nil, nil,
			nil}
		if f := r.factors; r.Useful.Sign() != 0 {
			row[5], row[6], row[7] = f.Parallel, f.Balance, f.Communication
		}
		t.Add(row...)
		for _, note := range notesOf(letter, r) {
			blocks = append(blocks, &report.Passage{Text: note, Tone: report.Note})
		}
	}
	add("A", list[0].A)
	for i, c := range list {
		add(letterOf(i), c.B)
	}
	if f := curves(list); f != nil {
		blocks = append(blocks, &report.Plot{Figure: f, Alt: "efficiency of the runs by their threads"})
	}
	return blocks
}

// curves returns the factors by number of threads, and the speed-up over A relative to the ideal one; nil if all runs
// have the same number.
func curves(list []*Result) *figure.Figure {
	runs := []*Run{list[0].A}
	for _, c := range list {
		runs = append(runs, c.B)
	}
	slices.SortStableFunc(runs, func(a, b *Run) int { return cmp.Compare(a.Threads, b.Threads) })
	if runs[0].Threads == runs[len(runs)-1].Threads {
		return nil
	}
	f := &figure.Figure{Title: "Efficiency by threads", X: figure.Axis{Name: "threads", Zero: true, Whole: true},
		Y: figure.Axis{Name: "%", Min: 0, Max: 105}}
	curve := func(name string, of func(r *Run) float64) {
		l := figure.Layer{Name: name, Shape: figure.Line, Ink: figure.InkOf(len(f.Layers))}
		for _, r := range runs {
			l.X, l.Y = append(l.X, float64(r.Threads)), append(l.Y, 100*of(r))
		}
		f.Layers = append(f.Layers, l)
		f.Y.Max = math.Max(f.Y.Max, 1.05*slices.Max(l.Y))
	}
	curve(efficiency.Parallel.InSentence(), func(r *Run) float64 { return r.factors.Parallel })
	curve(efficiency.Balance.Short, func(r *Run) float64 { return r.factors.Balance })
	curve(efficiency.Communication.Short, func(r *Run) float64 { return r.factors.Communication })
	a := list[0].A
	curve("core time of A by that of the run", func(r *Run) float64 {
		return report.RatioOf(wide.Product(a.Duration, int64(a.Threads)), wide.Product(r.Duration, int64(r.Threads)))
	})
	return f
}

// page returns a run compared with A: the sentence, both runs on one time axis, and the parts of every kind.
func (c *Result) page(s *Selection, letter string) report.Section {
	out := report.Section{Heading: letter + " against A", On: report.PageOnly,
		Blocks: []report.Block{c.lengths(letter), c.sentence(letter)}}
	if sure := c.sureness(); sure != "" {
		out.Blocks = append(out.Blocks, report.Sentence(inRun(sure, letter)))
	}
	if c.Alike && s.Traces != nil {
		out.Blocks = append(out.Blocks, c.aligned(s, letter))
	}
	for k := range NumKinds {
		if !s.selected(k) || len(c.Of(k)) == 0 {
			continue
		}
		t := c.topTable(k, letter, s.Top)
		t.Title, t.Doc, t.Columns[0].Title = t.Columns[0].Title, k.Doc(), ""
		out.Blocks = append(out.Blocks, t)
	}
	out.Blocks = append(out.Blocks, s.computing(c, letter)...)
	return out
}

// aligned shows A, the differences, and the other run on A's time.
func (c *Result) aligned(s *Selection, letter string) *report.Picture {
	a := s.Traces[c.A]
	from, to := c.A.Span()
	unit := a.Unit.Nanoseconds()
	from, to = from/unit, max(to/unit, from/unit+1)
	return &report.Picture{Alt: "both runs on A's time, and the differences between them", Panels: []report.Panel{
		{Name: "A  " + filepath.Base(c.A.Path), Trace: a, From: from, To: to},
		{Name: letter + " - A, of each phase",
			Make:  func(context.Context) (*prv.Trace, error) { return c.Differences() },
			Event: DifferenceType, Values: DifferenceValues(),
			From: from, To: to},
		{Name: letter + "  " + filepath.Base(c.B.Path) + ", each phase stretched to its partner in A",
			Make: func(ctx context.Context) (*prv.Trace, error) { return c.Aligned(ctx, s.Traces[c.B]) },
			From: from, To: to}}}
}

// Table has the parts of a kind, with the letter of the run compared with A: times, the difference, its share of A's
// time, a mark of those within the noise, and the difference as a bar.
func (c *Result) Table(k Kind, letter string) *report.Table {
	t := &report.Table{Columns: []report.Column{{Title: title(k)}, {Title: "A", Show: showTime},
		{Title: letter, Show: showTime}, {Title: letter + " - A", Show: showDifference},
		{Title: "of A's time", Show: func(v any) string { return quantity.FormatChange(v.(float64)) }}, {},
		{Bar: true}}}
	parts, largest := c.Of(k), wide.Of(1)
	for i := range parts {
		largest = larger(largest, parts[i].Difference().Abs())
	}
	a, b := c.Times()
	row := func(p *Part) []any {
		mark := ""
		if p.Noisy() {
			mark = "within noise"
		}
		d := p.Difference()
		return []any{nameIn(p, letter), p.A, p.B, d, ofTime(d, a), mark, report.RatioOf(d, largest)}
	}
	for i := range parts {
		t.Rows = append(t.Rows, row(&parts[i]))
	}
	t.Foot = [][]any{{"all", a, b, b.Minus(a), ofTime(b.Minus(a), a), "", nil}}
	return t
}

// ofTime returns a difference as a share of A's time; NaN if A takes none.
func ofTime(d, a wide.Int) float64 {
	if a.Sign() == 0 {
		return math.NaN()
	}
	return report.RatioOf(d, a)
}

func showTime(v any) string { return quantity.FormatTotal(v.(wide.Int), prv.Nanoseconds) }

func showDifference(v any) string { return quantity.FormatDifference(v.(wide.Int), prv.Nanoseconds) }

// title returns the title of a kind of parts.
func title(k Kind) string { return strings.ToUpper(k.String()[:1]) + k.String()[1:] }

// nameIn returns the name of a part with the letter of the run compared with A.
func nameIn(p *Part, letter string) string {
	if rest, ok := strings.CutPrefix(p.Name, "only in B: "); ok {
		return "only in " + letter + ": " + rest
	}
	return p.Name
}

// kindBlocks returns the parts of a kind: one table for all runs if one is enough.
func (s *Selection) kindBlocks(list []*Result, k Kind) (blocks []report.Block) {
	if s.oneTable(list, k) {
		if t := manyTable(list, k, s.Top); !s.pointless(len(t.Rows), k) {
			blocks = append(blocks, t)
		}
		return blocks
	}
	for i, c := range list {
		parts := c.Of(k)
		switch {
		case s.pointless(len(parts), k):
		case s.By == NumKinds && parts[0].Difference().Sign() == 0: // the largest comes first
			blocks = append(blocks, report.Sentence(title(k)+": no difference"))
		default:
			blocks = append(blocks, c.topTable(k, letterOf(i), s.Top))
		}
	}
	return blocks
}

// topTable has the first parts of a kind, and the sum of the others.
func (c *Result) topTable(k Kind, letter string, top int) *report.Table {
	t, parts := c.Table(k, letter), c.Of(k)
	if t.Top = top; top > 0 && len(parts) > top {
		a, _ := c.Times()
		rest := Part{Name: more(len(parts) - top)}
		for i := range parts[top:] {
			rest.A, rest.B = rest.A.Plus(parts[top+i].A), rest.B.Plus(parts[top+i].B)
		}
		d := rest.Difference()
		t.Rest = []any{rest.Name, rest.A, rest.B, d, ofTime(d, a), "", nil}
	}
	return t
}

func more(n int) string { return quantity.FormatCount(int64(n)) + " more" }

// computing has what causes the difference in computing time, of runs with counters.
func (s *Selection) computing(c *Result, letter string) (blocks []report.Block) {
	if c.Computing != nil && s.By == NumKinds {
		blocks = append(blocks, c.Computing.table(letter))
	}
	return blocks
}

// table shows what causes the difference in computing time.
func (s *Split) table(letter string) *report.Table {
	number := func(v any) string { return fmt.Sprintf("%.4g", v) }
	t := &report.Table{Columns: []report.Column{{Title: "Computing"}, {Title: "A", Show: number},
		{Title: letter, Show: number}, {Title: "time",
			Show: func(v any) string { return signed(v.(float64)) }}}}
	t.Add("instructions", s.A[0], s.B[0], s.Instructions)
	t.Add("IPC", s.A[1], s.B[1], s.IPC)
	t.Add("frequency (GHz)", s.A[2], s.B[2], s.Frequency)
	return t
}

// manyParts is a row: the parts of one name in all comparisons.
type manyParts struct {
	name string
	a    wide.Int
	b    []wide.Int
}

// most returns the largest difference of a row.
func (r *manyParts) most() (d wide.Int) {
	for _, b := range r.b {
		d = larger(d, b.Minus(r.a).Abs())
	}
	return d
}

// cells returns the row for a table: times, then differences.
func (r *manyParts) cells() []any {
	cells := []any{r.name, r.a}
	for _, b := range r.b {
		cells = append(cells, b)
	}
	for _, b := range r.b {
		cells = append(cells, b.Minus(r.a))
	}
	return cells
}

// oneTable reports whether one table can show the parts of a kind: all comparisons must have the same times of A, and
// names with the same meaning. Groups of threads differ between comparisons.
func (s *Selection) oneTable(list []*Result, k Kind) bool {
	return len(list) > 1 && k != ByRanks && !s.Noise && !slices.ContainsFunc(list, func(c *Result) bool {
		return c.Scaled != list[0].Scaled || c.Alike != list[0].Alike || len(c.Of(k)) == 0
	})
}

// gather returns the rows of a table of several runs, the largest difference first. A part that only A has is a row
// like any that shrinks.
func gather(list []*Result, k Kind) []manyParts {
	at := map[string]int{}
	var rows []manyParts
	for n, c := range list {
		of := map[int]wide.Int{} // A's time by row
		for _, p := range c.Of(k) {
			name := strings.TrimPrefix(nameIn(&p, letterOf(n)), "only in A: ")
			i, ok := at[name]
			if !ok {
				i = len(rows)
				at[name] = i
				rows = append(rows, manyParts{name: name, b: make([]wide.Int, len(list))})
			}
			of[i] = of[i].Plus(p.A)
			rows[i].b[n] = rows[i].b[n].Plus(p.B)
		}
		for i, v := range of {
			rows[i].a = v
		}
	}
	slices.SortStableFunc(rows, func(x, y manyParts) int { return y.most().Compare(x.most()) })
	return rows
}

// manyTable returns the parts of a kind, a column for each run.
func manyTable(list []*Result, k Kind, top int) *report.Table {
	t := &report.Table{Columns: []report.Column{{Title: title(k)}, {Title: "A", Show: showTime}}, Top: top}
	for i := range list {
		t.Columns = append(t.Columns, report.Column{Title: letterOf(i), Show: showTime})
	}
	for i := range list {
		t.Columns = append(t.Columns, report.Column{Title: letterOf(i) + " - A", Show: showDifference})
	}
	rows := gather(list, k)
	rest := manyParts{b: make([]wide.Int, len(list))}
	for i := range rows {
		r := &rows[i]
		t.Add(r.cells()...)
		if i >= top {
			rest.a = rest.a.Plus(r.a)
			for n, b := range r.b {
				rest.b[n] = rest.b[n].Plus(b)
			}
		}
	}
	rest.name = more(len(rows) - top)
	t.Rest = rest.cells()
	all := manyParts{name: "all", b: make([]wide.Int, len(list))}
	for i, c := range list {
		all.a, all.b[i] = c.Times()
	}
	t.Foot = [][]any{all.cells()}
	return t
}

// partsOf returns the selected parts of a comparison.
func (s *Selection) partsOf(c *Result) []Part {
	if s.By == NumKinds {
		return c.Parts
	}
	return c.Of(s.By)
}

// rows has a line for each part of each comparison.
func rows(list []*Result, s *Selection) *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "run"}, {Key: "kind"}, {Key: "name"}, {Key: "a_ns"},
		{Key: "b_ns"}, {Key: "difference_ns"}, {Key: "share"}, {Key: "noise_ns"}}}
	for _, c := range list {
		for _, p := range s.partsOf(c) {
			t.Add(c.B.Path, p.Kind.String(), p.Name, p.A, p.B, p.Difference(), c.share(&p), p.Noise)
		}
	}
	return t
}

// objects returns the first comparison, which includes the others.
func objects(list []*Result, s *Selection) report.Object {
	o := list[0].object(s)
	if len(list) > 1 {
		var others []report.Object
		for _, c := range list[1:] {
			others = append(others, c.object(s))
		}
		o = o.With("others", others)
	}
	return o
}

func (c *Result) object(s *Selection) report.Object {
	parts, phases := []report.Object{}, []report.Object{}
	for _, p := range s.partsOf(c) {
		parts = append(parts, report.NewObject("kind", p.Kind.String(), "name", p.Name, "a_ns", p.A, "b_ns", p.B,
			"difference_ns", p.Difference(), "share", c.share(&p), "noise_ns", p.Noise))
	}
	for _, p := range c.Pairs {
		phases = append(phases, report.NewObject("a", c.A.phaseObject(p.A), "b", c.B.phaseObject(p.B)))
	}
	a, b := c.Times()
	o := report.NewObject("a", c.A.Path, "b", c.B.Path, "a_threads", c.A.Threads, "b_threads", c.B.Threads,
		"core_time", c.Scaled, "a_ns", a, "b_ns", b, "ideal_ns", c.ideal(), "difference_ns", c.Difference(),
		"headline", c.Headline(), "parts", parts, "phases", phases)
	if x := c.Computing; x != nil {
		o = o.With("computing", report.NewObject("a_ns", x.TimeA, "b_ns", x.TimeB, "instructions_ns", x.Instructions,
			"ipc_ns", x.IPC, "frequency_ns", x.Frequency, "a_ipc", x.A[1], "b_ipc", x.B[1], "a_ghz", x.A[2],
			"b_ghz", x.B[2]))
	}
	o = o.With("durations", c.Durations(), "causes", c.causeObjects())
	if text, ns := c.more(); text != "" {
		o = o.With("iterations", report.NewObject("text", text, "difference_ns", ns))
	}
	if x := c.sample(func(r *Run) float64 { return float64(r.Duration) }); x.Repeated() {
		a, b := x.Means()
		p, _ := x.Chance()
		beyond, how := x.Beyond()
		o = o.With("repeats", report.NewObject("a_runs", len(x.A), "b_runs", len(x.B), "a_mean_ns", a, "b_mean_ns", b,
			"spread_ns", x.Spread(), "p", p, "beyond_noise", beyond, "needed_runs", x.needed(), "text", how))
	}
	return o.With("notes", append(notesOf("A", c.A), notesOf("B", c.B)...))
}

// causeObjects returns the causes, the largest first; the figures of a card are means over its threads.
func (c *Result) causeObjects() []report.Object {
	list := []report.Object{}
	for _, x := range c.causes {
		threads := []string{}
		for _, i := range x.who {
			threads = append(threads, c.A.names[i])
		}
		what := x.what
		if what == waitingFor {
			what = "caused"
		}
		o := report.NewObject("category", x.String(), "what", what, "region", x.region, "threads", threads,
			"difference_ns", x.difference)
		if card := x.card; card != nil {
			p := &card.Parts
			o = o.With("card", report.NewObject("a_ns", card.A.Time, "b_ns", card.B.Time, "executions_ns", p.Executions,
				"instructions_ns", p.Instructions, "ipc_ns", p.IPC, "clock_ns", p.Clock, "preempted_ns", card.Preempted,
				"other_ns", p.Other, "a_ipc", card.A.IPC(), "b_ipc", card.B.IPC(), "once", card.once,
				"text", card.Say()))
		}
		list = append(list, o)
	}
	return list
}

// phaseObject returns the place of a phase; nil if it has no partner.
func (r *Run) phaseObject(i int) any {
	if i < 0 {
		return nil
	}
	from, to, does := r.Phase(i)
	return report.NewObject("number", i+1, "from_ns", from, "to_ns", to, "does", does)
}

// notesOf returns the notes on a run, after its letter.
func notesOf(letter string, r *Run) []string {
	list := []string{}
	for _, n := range r.Notes {
		list = append(list, letter+": "+n)
	}
	return list
}
