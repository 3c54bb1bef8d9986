package cli

// The answer of pview diagnose: what is wrong, ranked by the time that it costs.

import (
	"fmt"
	"io"
	"math"
	"strings"

	"charm.land/lipgloss/v2"

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
		return writeJSON(out, p.object())
	case "table":
		bold := lipgloss.NewStyle().Bold(true)
		_, err := io.WriteString(styled(out), bold.Render(prv.Clean(p.t.Path))+"\n\n"+p.text(func(s string) string {
			return bold.Render(s)
		}))
		return err
	}
	return p.rows().write(out, format)
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
		fmt.Fprintf(&b, "\nand %s more (--top 0 shows all)\n", count(int64(n)))
	}
	p.foot(&b, heading)
	return b.String()
}

// head says what was analysed.
func (p *printout) head(b *strings.Builder) {
	r := p.r
	length := float64(max(1, r.Length))
	fmt.Fprintf(b, "length %s  %s  utilisation %s  %s in %s  recoverable at most %s (%s)\n", p.span(float64(r.Length)),
		plural(int64(r.Threads), "thread"), percent(r.Utilisation, 1),
		plural(int64(r.Phases), "phase"), plural(int64(r.Groups), "group"), p.span(r.Recoverable),
		percent(r.Recoverable, length))
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
		line("see", fmt.Sprintf("%s .. %s%s%s", duration(e.From, p.t.Unit), duration(e.To, p.t.Unit), p.on(e.Threads),
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
	return fmt.Sprintf("%s  %s  ", percent(w, float64(max(1, p.r.Length))), p.span(w))
}

func (p *printout) on(threads []int32) string {
	var names []string
	for _, th := range threads[:min(4, len(threads))] {
		names = append(names, objectID(p.t, prv.LevelThread, int(th)))
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
	return fmt.Sprintf(", the strongest of %s places", count(int64(f.Total)))
}

// foot has the ledger and what was left out.
func (p *printout) foot(b *strings.Builder, heading func(string) string) {
	idle := &table{columns: []column{{title: "Idle because of"}, {title: "Time", show: func(v any) string {
		return duration(v.(int64), p.t.Unit)
	}},
		{title: "Share of idle", show: func(v any) string { return percent(v.(float64), 1) }}, {}}}
	for c, v := range p.r.Ledger {
		if v > 0 {
			idle.add(diagnose.Causes[c].Name, v, ratio(v, p.r.Idle), diagnose.Causes[c].Doc)
		}
	}
	if len(idle.rows) > 0 {
		b.WriteString("\n" + idle.text("  ", heading))
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
			text = fmt.Sprintf("%s findings of %s, each at most", count(n), text)
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
		names = append(names, objectID(p.t, prv.LevelThread, int(th)))
	}
	return names
}

// object is the answer for programs.
func (p *printout) object() object {
	ns := float64(p.t.Unit.Nanoseconds())
	idle := object{}
	for c, v := range p.r.Ledger {
		idle = append(idle, field{diagnose.Causes[c].Key, float64(v) * ns})
	}
	missing := []object{}
	for _, id := range p.r.NotApplicable {
		missing = append(missing, object{{"rule", id}, {"needs", diagnose.Needs(id)}})
	}
	return object{{"path", p.t.Path}, {"length_ns", float64(p.r.Length) * ns}, {"threads", p.r.Threads},
		{"utilisation", p.r.Utilisation}, {"recoverable_ns", p.r.Recoverable * ns},
		{"phases", p.r.Phases}, {"phase_groups", p.r.Groups}, {"regions", p.r.Level.String()},
		{"findings", p.objects(p.r.Findings)}, {"minor", p.objects(p.r.Minor)},
		{"idle_ns", idle}, {"not_applicable", missing}, {"notes", append([]string{}, p.r.Notes...)}}
}

// objects are findings for programs.
func (p *printout) objects(list []report.Finding) []object {
	ns := float64(p.t.Unit.Nanoseconds())
	all := []object{}
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
		evidence := []object{}
		for _, e := range f.Evidence {
			evidence = append(evidence, object{{"from_ns", float64(e.From) * ns}, {"to_ns", float64(e.To) * ns},
				{"threads", p.threads(e.Threads)}, {"messages", append([]int32{}, e.Messages...)}, {"why", e.Why}})
		}
		all = append(all, object{{"rule", f.Rule}, {"name", f.Name}, {"phase_group", f.Phase}, {"severity_ns",
			severity}, {"severity_percent", share}, {"verified_ns", verified}, {"least_ns", least}, {"most_ns", most},
			{"not_verifiable", f.Unchecked}, {"assumed", f.Assumed}, {"confidence", f.Confidence.String()},
			{"title", f.Title}, {"advice", f.Advice}, {"formula", f.Formula}, {"threads", p.threads(f.Threads)},
			{"evidence", evidence}, {"evidence_total", f.Total}, {"children", p.objects(f.Children)}})
	}
	return all
}

// rows has a line per finding, children after their parent.
func (p *printout) rows() *table {
	ns := float64(p.t.Unit.Nanoseconds())
	out := &table{columns: []column{{key: "rank"}, {key: "rule"}, {key: "name"}, {key: "severity_ns"},
		{key: "severity_percent"}, {key: "verified_ns"}, {key: "confidence"}, {key: "title"}, {key: "advice"},
		{key: "threads"}, {key: "from_ns"}, {key: "to_ns"}}}
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
			out.rows = append(out.rows, row)
			add(rank, f.Children)
		}
	}
	for i := range p.r.Findings {
		add(i+1, p.r.Findings[i:i+1])
	}
	return out
}

// conclusions are findings without a place in a trace, for programs; unit is the length of their times in nanoseconds.
func conclusions(list []report.Finding, unit int64) []object {
	all := []object{}
	for i := range list {
		f := &list[i]
		all = append(all, object{{"rule", f.Rule}, {"name", f.Name}, {"severity_ns", f.Severity * float64(unit)},
			{"severity_percent", 100 * f.Share}, {"confidence", f.Confidence.String()},
			{"title", f.Title}, {"advice", f.Advice}, {"formula", f.Formula}})
	}
	return all
}

// concluded writes findings as lines for a person.
func concluded(list []report.Finding) string {
	var b strings.Builder
	for i := range list {
		fmt.Fprintf(&b, "%s  %s\n", percent(list[i].Share, 1), prv.Clean(list[i].Title))
	}
	return b.String()
}
