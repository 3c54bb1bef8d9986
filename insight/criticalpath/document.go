package criticalpath

import (
	"fmt"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
)

// Document returns the breakdown of a path as a document, in the unit of its trace. Its tables of blocks and threads
// show the first top rows; 0: all.
func (s *Summary) Document(unit prv.Unit, top int) *report.Document {
	d := &report.Document{Rows: func() *report.Table { return s.rows(unit.Nanoseconds()) },
		Object: func() any { return s.Object(unit) }}
	if s.Total == 0 {
		d.Add(report.Sentence("No critical path: the run takes no time"))
		return d
	}
	from := "measured"
	if s.Simulated {
		from = "predicted"
	}
	d.Add(report.Sentence(fmt.Sprintf("Critical path of %s, %s: %s, %s of thread",
		quantity.FormatDuration(s.Total, unit),
		from, quantity.CountOf(int64(s.Segments), "segment"), quantity.CountOf(int64(s.Jumps), "change"))))
	if n := int64(s.Guessed); n > 0 {
		d.Add(&report.Passage{Tone: report.Note, Indent: 2, Text: fmt.Sprintf("What %s waited for is not recorded: "+
			"the path goes to the operation that ended last", quantity.CountOf(n, "stream operation"))})
	}
	time := report.Column{Title: "Time", Show: func(v any) string { return quantity.FormatDuration(v.(int64), unit) }}
	share := report.Column{Title: "Share", Show: report.ShowShare}
	kinds := &report.Table{Indent: 2, Columns: []report.Column{{Title: "On the path"}, time, share, {}}}
	for k, v := range s.Kinds {
		if v > 0 {
			kinds.AddSeen(s.longest[k].evidence(), Kinds[k].Name, v, report.Ratio(v, s.Total), Kinds[k].Doc)
		}
	}
	d.Add(kinds)
	if list := report.Conclusions(s.findings()); len(list) > 0 {
		for _, b := range list {
			b.(*report.Passage).Indent = 2
		}
		d.AddUnder("  At most to gain", list...)
	}
	for _, part := range []struct {
		title string
		list  []Share
	}{{"Block of the program", s.Blocks}, {"Thread", s.Threads}} {
		t := &report.Table{Indent: 2, Top: top, Columns: []report.Column{{Title: part.title}, time, share,
			{Title: "Computing", Show: report.ShowShare}, {Title: "Stretches"}}}
		for i := range part.list {
			sh := &part.list[i]
			t.AddSeen(sh.longest.evidence(), sh.Name, sh.Time, report.Ratio(sh.Time, s.Total),
				report.Ratio(sh.Kinds[Computation], s.Total), int64(sh.Visits))
		}
		d.Add(t)
	}
	return d
}

// Breakdowns returns the three breakdowns of the path's time.
func (s *Summary) Breakdowns() []Breakdown {
	var kinds []Share
	for k, v := range s.Kinds {
		if v > 0 {
			kinds = append(kinds, Share{Name: Kinds[k].Key, Time: v})
		}
	}
	return []Breakdown{{"kind", kinds}, {"thread", s.Threads}, {"block", s.Blocks}}
}

// Breakdown divides the time of the path.
type Breakdown struct {
	Name string // kind, thread or block
	List []Share
}

// rows has a line for each part of the path's time, in ns.
func (s *Summary) rows(ns int64) *report.Table {
	t := &report.Table{Columns: []report.Column{{Key: "part"}, {Key: "name"}, {Key: "time_ns"}, {Key: "share"}}}
	for _, k := range Kinds {
		t.Columns = append(t.Columns, report.Column{Key: k.Key + "_ns"})
	}
	for _, part := range s.Breakdowns() {
		for _, sh := range part.List {
			row := []any{part.Name, sh.Name, sh.Time * ns, report.Ratio(sh.Time, s.Total)}
			for _, v := range sh.Kinds {
				if part.Name == "kind" {
					row = append(row, nil)
				} else {
					row = append(row, v*ns)
				}
			}
			t.Add(row...)
		}
	}
	return t
}

// Object returns the breakdown for programs.
func (s *Summary) Object(unit prv.Unit) report.Object {
	ns := unit.Nanoseconds()
	times := func(kinds *[NumKinds]int64) report.Object {
		o := report.Object{}
		for k, v := range kinds {
			if v > 0 {
				o = o.With(Kinds[k].Key, v*ns)
			}
		}
		return o
	}
	shares := func(list []Share) []report.Object {
		all := []report.Object{}
		for i := range list {
			all = append(all, report.NewObject("name", list[i].Name, "time_ns", list[i].Time*ns, "stretches",
				list[i].Visits, "kinds", times(&list[i].Kinds)))
		}
		return all
	}
	return report.NewObject("total_ns", s.Total*ns, "simulated", s.Simulated, "jumps", s.Jumps,
		"unrecorded_dependencies", s.Guessed,
		"kinds", times(&s.Kinds), "threads", shares(s.Threads), "blocks", shares(s.Blocks),
		"findings", report.ConclusionObjects(s.findings(), ns))
}

// SegmentTable returns the path itself. A segment without a thread is on the network.
func (p *Path) SegmentTable(t *prv.Trace) *report.Table {
	ns := t.Unit.Nanoseconds()
	out := &report.Table{Columns: []report.Column{{Key: "begin_ns", Title: "From (ns)"},
		{Key: "end_ns", Title: "To (ns)"},
		{Key: "time_ns", Title: "Time", Show: func(v any) string { return quantity.Time.Format(float64(v.(int64))) }},
		{Key: "thread", Title: "Thread"}, {Key: "kind", Title: "Kind"}}}
	for i := range p.Segments {
		g := &p.Segments[i]
		var thread any
		if !g.Kind.OnNetwork() {
			thread = report.ObjectID(t, prv.LevelThread, int(g.Thread))
		}
		out.Add(g.Begin*ns, g.End*ns, (g.End-g.Begin)*ns, thread, Kinds[g.Kind].Key)
	}
	return out
}
