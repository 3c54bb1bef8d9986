// Package explaincmd has the commands that explain a run: efficiency, diagnose, compare, critical, frameworks and
// workload.
package explaincmd

// The answer of pview diagnose: what is wrong, ranked by the time that it costs.

import (
	"fmt"
	"io"
	"math"
	"strings"

	"charm.land/lipgloss/v2"

	"pview/cli/command"
	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
)

// printout is a diagnosis, to be printed.
type printout struct {
	t   *prv.Trace
	r   *diagnose.Result
	top int
	// assumed are the assumptions that have been printed, with the number of the finding.
	assumed map[string]int
}

func (p *printout) print(out io.Writer, format string, styled func(io.Writer) io.Writer) error {
	switch format {
	case "json":
		return command.WriteJSON(out, p.object())
	case "table":
		bold := lipgloss.NewStyle().Bold(true)
		_, err := io.WriteString(styled(out), bold.Render(prv.Clean(p.t.Path))+"\n\n"+p.text(func(s string) string {
			return bold.Render(s)
		}))
		return err
	}
	return p.rows().Write(out, format)
}

// span writes a time.
func (p *printout) span(t float64) string {
	if t > 0 && t < 1e3 && t != math.Trunc(t) {
		return fmt.Sprintf("%.1f %s", t, p.t.Unit)
	}
	return quantity.FormatDuration(int64(math.Round(t)), p.t.Unit)
}

// text is the answer for a person.
func (p *printout) text(heading func(string) string) string {
	var b strings.Builder
	p.head(&b)
	list := p.r.Findings
	if len(list) == 0 {
		b.WriteString("\nNothing found: no finding is worth a change.\n")
	}
	shown := list
	if p.top > 0 && len(list) > p.top {
		shown = list[:p.top]
	}
	p.assumed = map[string]int{}
	for i := range shown {
		p.finding(&b, i+1, &shown[i], heading)
	}
	if n := len(list) - len(shown); n > 0 {
		fmt.Fprintf(&b, "\nand %s more (--top 0 shows all)\n", command.Count(int64(n)))
	}
	p.foot(&b, heading)
	return b.String()
}

// head says what was analysed.
func (p *printout) head(b *strings.Builder) {
	r := p.r
	length := float64(max(1, r.Length))
	fmt.Fprintf(b, "length %s  %s  utilisation %s  %s in %s  recoverable at most %s (%s)\n", p.span(float64(r.Length)),
		command.Plural(int64(r.Threads), "thread"), command.Percent(r.Utilisation, 1),
		command.Plural(int64(r.Phases), "phase"), command.Plural(int64(r.Groups), "group"), p.span(r.Recoverable),
		command.Percent(r.Recoverable, length))
	fmt.Fprintf(b, "code regions: %s  message: latency %s [%s], %.3g %s per byte [%s]\n", r.Level,
		p.span(r.Parameters.Latency.Value), r.Parameters.Latency.Source,
		r.Parameters.Byte.Value, p.t.Unit, r.Parameters.Byte.Source)
	for _, note := range r.Notes {
		b.WriteString(note + "\n")
	}
}

// finding writes one finding with its children.
func (p *printout) finding(b *strings.Builder, n int, f *report.Finding, heading func(string) string) {
	fmt.Fprintf(b, "\n%3d  %s\n", n, heading(p.cost(f)+prv.Clean(f.Title)))
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(b, "     %s: %s\n", what, prv.Clean(text))
		}
	}
	line("advice", f.Advice)
	line(string(f.Rule)+" "+f.Name, f.Formula)
	assumed := f.Assumed
	if before := p.assumed[assumed]; assumed != "" && before > 0 {
		assumed = fmt.Sprintf("as in %d", before)
	} else {
		p.assumed[assumed] = n
	}
	switch f.Checked {
	case report.Confirmed:
		line("simulated", fmt.Sprintf("%s shorter with the repair (estimate %s)", p.span(f.Verified),
			p.span(f.Severity)))
		line("assumed", assumed)
	case report.Bounded:
		line("simulated", fmt.Sprintf("between %s and %s shorter with the repair (estimate %s)", p.span(f.Least),
			p.span(f.Most), p.span(f.Severity)))
		line("assumed", assumed)
	case report.CannotTell:
		line("not verifiable", f.Unchecked)
	}
	if len(f.Evidence) > 0 {
		e := &f.Evidence[0]
		line("see", fmt.Sprintf("%s .. %s%s%s", command.Duration(e.From, p.t.Unit), command.Duration(e.To, p.t.Unit),
			p.on(e.Threads),
			p.more(f)))
	}
	for i := range f.Children {
		c := &f.Children[i]
		fmt.Fprintf(b, "     - %s %s%s\n", c.Rule, p.cost(c), prv.Clean(c.Title))
	}
}

// cost is what a finding costs, before its title.
func (p *printout) cost(f *report.Finding) string {
	if f.Warning {
		return "warning: "
	}
	w := f.Weight()
	if w == report.NoSeverity {
		return ""
	}
	return fmt.Sprintf("%s  %s  ", command.Percent(w, float64(max(1, p.r.Length))), p.span(w))
}

func (p *printout) on(threads []int32) string {
	var names []string
	for _, th := range threads[:min(4, len(threads))] {
		names = append(names, command.ObjectID(p.t, prv.LevelThread, int(th)))
	}
	if len(names) == 0 {
		return ""
	}
	return " on " + strings.Join(names, ", ")
}

func (p *printout) more(f *report.Finding) string {
	if f.Total < 2 {
		return ""
	}
	return fmt.Sprintf(", the strongest of %s places", command.Count(int64(f.Total)))
}

// foot has the ledger and what was left out.
func (p *printout) foot(b *strings.Builder, heading func(string) string) {
	idle := &command.Table{Columns: []command.Column{{Title: "Idle because of"},
		{Title: "Time", Show: func(v any) string {
			return command.Duration(v.(int64), p.t.Unit)
		}},
		{Title: "Share of idle", Show: func(v any) string { return command.Percent(v.(float64), 1) }}, {}}}
	for c, v := range p.r.Ledger {
		if v > 0 {
			idle.Add(diagnose.Causes[c].Name, v, ratio(v, p.r.Idle), diagnose.Causes[c].Doc)
		}
	}
	if len(idle.Rows) > 0 {
		b.WriteString("\n" + idle.Text("  ", heading))
	}
	if len(p.r.Minor) > 0 {
		fmt.Fprintf(b, "\nminor: %s\n", strings.Join(p.minor(), ", "))
	}
	if text := p.r.NotApplicableText(); text != "" {
		fmt.Fprintf(b, "\nnot applicable: %s\n", text)
	}
}

// minor are the minor findings by rule: how many, and what the largest costs.
func (p *printout) minor() (list []string) {
	number, largest := map[report.RuleID]int64{}, map[report.RuleID]*report.Finding{}
	var order []report.RuleID
	for i := range p.r.Minor {
		m := &p.r.Minor[i]
		if number[m.Rule]++; number[m.Rule] == 1 {
			order = append(order, m.Rule)
		}
		if l := largest[m.Rule]; l == nil || m.Weight() > l.Weight() {
			largest[m.Rule] = m
		}
	}
	for _, rule := range order {
		text := string(rule) + " " + largest[rule].Name
		if n := number[rule]; n > 1 {
			text = fmt.Sprintf("%s findings of %s, each at most", command.Count(n), text)
		}
		cost := p.span(largest[rule].Weight())
		if largest[rule].Weight() == 0 {
			cost = "without gain"
		}
		list = append(list, text+" "+cost)
	}
	return list
}

// threads are the names of threads, for programs.
func (p *printout) threads(list []int32) []string {
	names := []string{}
	for _, th := range list {
		names = append(names, command.ObjectID(p.t, prv.LevelThread, int(th)))
	}
	return names
}

// object is the answer for programs.
func (p *printout) object() command.Object {
	ns := float64(p.t.Unit.Nanoseconds())
	idle := command.Object{}
	for c, v := range p.r.Ledger {
		idle = append(idle, command.Field{Key: diagnose.Causes[c].Key, Value: float64(v) * ns})
	}
	missing := []command.Object{}
	for _, id := range p.r.NotApplicable {
		missing = append(missing, command.Object{{Key: "rule", Value: id}, {Key: "needs", Value: diagnose.Needs(id)}})
	}
	return command.Object{{Key: "path", Value: p.t.Path}, {Key: "length_ns", Value: float64(p.r.Length) * ns},
		{Key: "threads", Value: p.r.Threads},
		{Key: "utilisation", Value: p.r.Utilisation}, {Key: "recoverable_ns", Value: p.r.Recoverable * ns},
		{Key: "phases", Value: p.r.Phases}, {Key: "phase_groups", Value: p.r.Groups},
		{Key: "regions", Value: p.r.Level.String()},
		{Key: "findings", Value: p.objects(p.r.Findings)}, {Key: "minor", Value: p.objects(p.r.Minor)},
		{Key: "idle_ns", Value: idle}, {Key: "not_applicable", Value: missing},
		{Key: "notes", Value: append([]string{}, p.r.Notes...)}}
}

// objects are findings for programs.
func (p *printout) objects(list []report.Finding) []command.Object {
	ns := float64(p.t.Unit.Nanoseconds())
	all := []command.Object{}
	for i := range list {
		f := &list[i]
		var severity, share, verified, least, most any
		if f.Severity != report.NoSeverity {
			severity, share = f.Severity*ns, 100*f.Share
		}
		if f.Checked == report.Confirmed {
			verified = f.Verified * ns
		}
		if f.Checked == report.Bounded {
			least, most = f.Least*ns, f.Most*ns
		}
		evidence := []command.Object{}
		for _, e := range f.Evidence {
			evidence = append(evidence, command.Object{{Key: "from_ns", Value: float64(e.From) * ns},
				{Key: "to_ns", Value: float64(e.To) * ns},
				{Key: "threads", Value: p.threads(e.Threads)},
				{Key: "messages", Value: append([]int32{}, e.Messages...)}, {Key: "why", Value: e.Why}})
		}
		all = append(all, command.Object{{Key: "rule", Value: f.Rule}, {Key: "name", Value: f.Name},
			{Key: "phase_group", Value: f.Phase}, {Key: "severity_ns",
				Value: severity}, {Key: "severity_percent", Value: share}, {Key: "verified_ns", Value: verified},
			{Key: "least_ns", Value: least}, {Key: "most_ns", Value: most},
			{Key: "not_verifiable", Value: f.Unchecked}, {Key: "assumed", Value: f.Assumed},
			{Key: "confidence", Value: f.Confidence.String()},
			{Key: "title", Value: f.Title}, {Key: "advice", Value: f.Advice}, {Key: "formula", Value: f.Formula},
			{Key: "threads", Value: p.threads(f.Threads)},
			{Key: "evidence", Value: evidence}, {Key: "evidence_total", Value: f.Total},
			{Key: "children", Value: p.objects(f.Children)}})
	}
	return all
}

// rows has a line per finding, children after their parent.
func (p *printout) rows() *command.Table {
	ns := float64(p.t.Unit.Nanoseconds())
	out := &command.Table{Columns: []command.Column{{Key: "rank"}, {Key: "rule"}, {Key: "name"}, {Key: "severity_ns"},
		{Key: "severity_percent"}, {Key: "verified_ns"}, {Key: "confidence"}, {Key: "title"}, {Key: "advice"},
		{Key: "threads"}, {Key: "from_ns"}, {Key: "to_ns"}}}
	var add func(rank int, list []report.Finding)
	add = func(rank int, list []report.Finding) {
		for i := range list {
			f := &list[i]
			row := []any{int64(rank), string(f.Rule), f.Name, nil, nil, nil, f.Confidence.String(), f.Title, f.Advice,
				strings.Join(p.threads(f.Threads), " "), nil, nil}
			if f.Severity != report.NoSeverity {
				row[3], row[4] = f.Severity*ns, 100*f.Share
			}
			if f.Checked == report.Confirmed {
				row[5] = f.Verified * ns
			}
			if len(f.Evidence) > 0 {
				row[10], row[11] = float64(f.Evidence[0].From)*ns, float64(f.Evidence[0].To)*ns
			}
			out.Rows = append(out.Rows, row)
			add(rank, f.Children)
		}
	}
	for i := range p.r.Findings {
		add(i+1, p.r.Findings[i:i+1])
	}
	return out
}
