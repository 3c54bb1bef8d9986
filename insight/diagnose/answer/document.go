// Package answer says what a diagnosis found: as a document, in the headline, and about one gap of a thread.
package answer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pview/insight/account"
	"pview/insight/diagnose"
	"pview/insight/remedy"
	"pview/insight/report"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// pictured is the maximum number of pictured findings on a page.
const pictured = 8

// writer makes the document of a diagnosis.
type writer struct {
	t *prv.Trace
	r *diagnose.Result
}

// Document returns the diagnosis of a trace as a document: its text has the first top findings; 0: all.
func Document(r *diagnose.Result, t *prv.Trace, top int) *report.Document {
	w := &writer{t, r}
	d := &report.Document{Title: t.Path, PageHeading: filepath.Base(t.Path),
		Foot: "the costs are estimates by the formulas " +
			"given; those confirmed by simulation are green", Rows: w.rows, Object: func() any { return w.object() }}
	d.PageTitle = d.PageHeading + ": what is wrong, and what it costs"
	w.addText(d, top)
	w.addPage(d)
	return d
}

// addText adds what was analysed, the findings, and below them the lost time by entry.
func (w *writer) addText(d *report.Document, top int) {
	r := w.r
	add := func(blocks ...report.Block) {
		d.Sections = append(d.Sections, report.Section{On: report.TextOnly, Blocks: blocks})
	}
	add(r.Account.Table())
	head := w.about()
	for _, note := range r.Notes {
		head = append(head, report.Sentence(note))
	}
	add(head...)
	for _, b := range w.lead() {
		add(b)
	}
	shown := len(r.Findings)
	if top > 0 {
		shown = min(top, shown)
	}
	assumed := map[string]int{} // the number of the finding that says so
	for i := range r.Findings[:shown] {
		f, own := r.Findings[i], &r.Findings[i]
		if before := assumed[f.Assumed]; f.Assumed != "" && before > 0 {
			f.Assumed = fmt.Sprintf("as in %d", before)
		} else {
			assumed[f.Assumed] = i + 1
		}
		e := w.entry(&f)
		e.Number, e.Finding = i+1, own
		add(&e)
	}
	if n := len(r.Findings) - shown; n > 0 {
		add(report.Sentence(fmt.Sprintf("and %s more (--top 0 shows all)", quantity.FormatCount(int64(n)))))
	}
	if lost := r.Account.LossTable(); len(lost.Rows) > 0 {
		add(lost)
	}
	if r.Hosts != nil {
		add(r.Hosts.Table())
	}
	if len(r.Minor) > 0 {
		add(w.minorSentence())
		minor := report.Section{On: report.ViewerOnly}
		for i := range r.Minor {
			e := w.entry(&r.Minor[i])
			e.Minor = true
			minor.Blocks = append(minor.Blocks, &e)
		}
		d.Sections = append(d.Sections, minor)
	}
	if none := w.notApplicable(); none != nil {
		add(none...)
	}
}

// lead introduces the findings: it says what their repairs gain together, or why there are none.
func (w *writer) lead() (blocks []report.Block) {
	r := w.r
	switch {
	case len(r.Findings) == 0 && r.Dismissed > 0:
		blocks = append(blocks, report.Sentence("All findings are dismissed."))
	case len(r.Findings) == 0:
		blocks = append(blocks, report.Sentence(w.nothing()))
	}
	if r.Together.All > 0 && r.Together.Repairs == 2 {
		blocks = append(blocks, report.Sentence(fmt.Sprintf("%sboth repairs together: %s (%s); gains do not add up",
			w.apart(), w.span(r.Together.All), w.share(r.Together.All))))
	} else if r.Together.All > 0 {
		blocks = append(blocks, report.Sentence(fmt.Sprintf(
			"%sthe first two repairs together: %s (%s), all of them: %s (%s); gains do not add up", w.apart(),
			w.span(r.Together.Two), w.share(r.Together.Two), w.span(r.Together.All), w.share(r.Together.All))))
	}
	return blocks
}

// minorSentence sums up the minor findings.
func (w *writer) minorSentence() report.Block {
	list, estimated := w.minor()
	what := "minor: "
	if estimated {
		what = "minor, by estimate: "
	}
	return report.Sentence(what + strings.Join(list, ", "))
}

// notApplicable lists the data that the trace lacks, with the rules that need it; nil if none.
func (w *writer) notApplicable() []report.Block {
	if len(w.r.NotApplicable) == 0 {
		return nil
	}
	var needs, parts []string
	by := map[string][]string{}
	for _, id := range w.r.NotApplicable {
		n := diagnose.Needs(id)
		if by[n] == nil {
			needs = append(needs, n)
		}
		by[n] = append(by[n], string(id))
	}
	for _, n := range needs {
		parts = append(parts, strings.Join(by[n], " ")+" (no "+n+")")
	}
	return []report.Block{report.Sentence("not applicable: " + strings.Join(parts, ", "))}
}

// Account returns the account of the run as a document; for a run with devices, also the account of the host's threads
// and package gpu's document on the devices.
func Account(r *diagnose.Result, t *prv.Trace) *report.Document {
	d := report.TableDocument(r.Account.Table())
	if r.Hosts != nil {
		d.Add(r.Hosts.Table())
		d.Sections = append(d.Sections, r.Devices().Document(t).Sections...)
	}
	return d
}

// about says what was analysed; of a run with devices, the hosts' table says it.
func (w *writer) about() []report.Block {
	r := w.r
	if r.Hosts != nil {
		return nil
	}
	return []report.Block{report.Sentence(fmt.Sprintf(
		"length %s  %s  %s in %s  recoverable at most %s (%s) with the same computation",
		w.span(float64(r.Length)), quantity.CountOf(int64(r.Threads), "thread"),
		quantity.CountOf(int64(r.Phases), "phase"),
		quantity.CountOf(int64(r.Groups), "group"), w.span(r.Recoverable), w.share(r.Recoverable))),
		report.Sentence(fmt.Sprintf("code regions: %s  message: %s", r.Level, w.message()))}
}

// message says what a message costs.
func (w *writer) message() string {
	p := &w.r.Parameters
	if p.Together() {
		return fmt.Sprintf("%s for %s [%s], latency and bytes together",
			w.span(p.Latency.Value), quantity.Bytes.Format(float64(p.One)), p.Latency.Source)
	}
	return fmt.Sprintf("latency %s [%s], %.3g %s per byte [%s]", w.span(p.Latency.Value), p.Latency.Source,
		p.Byte.Value, w.t.Unit, p.Byte.Source)
}

// nothing returns the sentence in place of findings. A run without findings may still lose time that no rule explains.
func (w *writer) nothing() string {
	switch {
	case w.r.Good():
		return "Nothing found: no finding is worth a change."
	case execution.IsSummary(w.t):
		return execution.Untold
	}
	return "Nothing found: no rule and no change that was tried explains what the run loses; the account says where " +
		"the time goes."
}

// addPage adds the findings with pictures of their evidence, lost time and wait states.
func (w *writer) addPage(d *report.Document) {
	r := w.r
	of := "thread"
	if r.Hosts != nil {
		of = "device"
	}
	head := []report.Block{&report.Passage{Tone: report.About, Text: fmt.Sprintf("%s on %s, %s",
		w.span(float64(r.Length)), quantity.CountOf(int64(r.Threads), of), w.summary())}}
	head = append(head, w.about()...)
	for _, note := range r.Notes {
		head = append(head, &report.Passage{Text: note, Tone: report.Note})
	}
	list := w.lead()
	for i := range r.Findings {
		e := w.entry(&r.Findings[i])
		if i < pictured && len(e.Evidence) > 0 {
			e.Picture = w.picture(&e.Evidence[0])
		}
		list = append(list, &e)
	}
	hosts := []report.Block{}
	if r.Hosts != nil {
		hosts = append(hosts, r.Hosts.Table())
	}
	for _, s := range []report.Section{{Blocks: head}, {Heading: r.Account.Title,
		Blocks: []report.Block{r.Account.Plot()}}, {Fold: "as a table",
		Blocks: []report.Block{r.Account.Table()}}, {Heading: "Findings", Blocks: list},
		w.minorSection(),
		{Heading: "Lost time by entry", Blocks: []report.Block{r.Account.LossTable()}}, {Blocks: hosts},
		{Heading: "Wait states", Blocks: []report.Block{w.waitTable()}}, {Blocks: w.notApplicable()}} {
		s.On = report.PageOnly
		d.Sections = append(d.Sections, s)
	}
}

// minorSection has a page's minor findings: their sum, and each one in a table to unfold.
func (w *writer) minorSection() (s report.Section) {
	if len(w.r.Minor) == 0 {
		return s
	}
	table := &report.Table{Headless: true, Columns: []report.Column{{Right: true}, {}}}
	for i := range w.r.Minor {
		e := w.entry(&w.r.Minor[i])
		table.Add(e.Share, e.Title)
	}
	return report.Section{Fold: quantity.CountOf(int64(len(w.r.Minor)), "minor finding"),
		Blocks: []report.Block{w.minorSentence(), table}}
}

// apart names the finding whose repair was not tried together with the others; "" if none.
func (w *writer) apart() string {
	for i := range w.r.Findings {
		if f := &w.r.Findings[i]; f.Rule == diagnose.SlowStageID && f.Verified > 0 {
			return "besides " + string(f.Rule) + ", "
		}
	}
	return ""
}

// summary says in half a sentence how efficient the run is and how much can be gained.
func (w *writer) summary() string {
	return fmt.Sprintf("%s efficient; at most %s (%s) can be gained with the same computation",
		quantity.FormatPercent(w.r.Account.Efficiency()), w.span(w.r.Recoverable), w.share(w.r.Recoverable))
}

// share writes a time as a share of the run.
func (w *writer) share(t float64) string {
	return quantity.FormatPercent(t / float64(max(1, w.r.Length)))
}

func (w *writer) span(t float64) string { return quantity.FormatSpan(t, w.t.Unit) }

// entry returns a finding in words.
func (w *writer) entry(f *report.Finding) report.Entry {
	t := w.t
	e := report.Entry{Rule: f.Rule, Title: f.Title, Warning: f.Warning, Evidence: f.Evidence, Finding: f,
		Confirmed: f.Checked == report.Confirmed,
		About:     fmt.Sprintf("rule %s (%s), confidence %s", f.Rule, f.Name, f.Confidence)}
	if cost := f.Weight(); cost != report.NoSeverity {
		e.Share, e.Cost = w.share(cost), w.span(cost)
	}
	add := func(key, text string) {
		if text != "" {
			e.Details = append(e.Details, report.Detail{Key: key, Text: text})
		}
	}
	add("advice", f.Advice)
	add("repair", f.Repair)
	add(string(f.Rule)+" "+f.Name, f.Formula)
	switch f.Checked {
	case report.Confirmed:
		add("simulated", fmt.Sprintf("%s shorter with the repair (estimate %s)%s", w.span(f.Verified),
			w.span(f.Severity), notConfirmed(f)+w.off(f)))
		add("assumed", f.Assumed)
	case report.CannotTell:
		add("not verifiable", f.Unchecked)
	}
	if len(f.Evidence) > 0 {
		place := &f.Evidence[0]
		text := quantity.FormatRange(place.From, place.To, t.Unit)
		if names := report.ThreadIDs(t, place.Threads[:min(4, len(place.Threads))]); len(names) > 0 {
			text += " on " + strings.Join(names, ", ")
		}
		if f.Total >= 2 {
			text += fmt.Sprintf(", the strongest of %s places", quantity.FormatCount(int64(f.Total)))
		}
		add("see", text)
	}
	for i := range f.Children {
		e.Children = append(e.Children, w.entry(&f.Children[i]))
	}
	return e
}

// off says how far off the replay behind a gain is, if that is worth mentioning.
func (w *writer) off(f *report.Finding) string {
	if diagnose.RuleByID(f.Rule).Simulate != nil || w.r.Deviation <= remedy.Reproduces {
		return ""
	}
	return fmt.Sprintf(" (the replay is %s off)", quantity.FormatPercent(w.r.Deviation))
}

// notConfirmed says that a simulation gave far less than the estimate.
func notConfirmed(f *report.Finding) string {
	if f.Refuted() {
		return ": not confirmed"
	}
	return ""
}

// picture shows the states of the threads of a piece of evidence, and of their partners in its messages, plus a tenth
// of its time on each side.
func (w *writer) picture(e *report.Evidence) *report.Picture {
	threads := slices.Clone(e.Threads)
	for _, m := range e.Messages {
		threads = append(threads, w.t.Comms.Send[m], w.t.Comms.Recv[m])
	}
	slices.Sort(threads)
	wide := max((e.To-e.From)/10, 1)
	return &report.Picture{Alt: "the place in the timeline that shows it", Panels: []report.Panel{{Trace: w.t,
		Threads: slices.Compact(threads), From: max(0, e.From-wide), To: min(e.To+wide, w.t.Duration), Messages: true}}}
}

// waitTable has the waiting by class.
func (w *writer) waitTable() *report.Table {
	t := &report.Table{Columns: []report.Column{{Title: "Class"},
		{Title: "Time", Show: func(v any) string { return quantity.FormatTotal(v.(wide.Int), w.t.Unit) }},
		{Title: "Share of waiting", Show: report.ShowShare}, {}}}
	all := w.r.Waits.Waiting()
	for i := range waits.Classes {
		c := &waits.Classes[i]
		if total := w.r.Waits.Totals[c.Class]; c.Waiting && total.Count > 0 {
			t.Add(c.Name, total.Time, report.RatioOf(total.Time, all), c.Doc)
		}
	}
	return t
}

// minor returns the minor findings by rule: how many, and what the largest costs.
func (w *writer) minor() (list []string, estimated bool) {
	number, largest := map[report.RuleID]int64{}, map[report.RuleID]*report.Finding{}
	var order []report.RuleID
	for i := range w.r.Minor {
		m := &w.r.Minor[i]
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
			text = fmt.Sprintf("%s findings of %s", quantity.FormatCount(n), text)
			if largest[rule].Weight() > 0 {
				text += ", each at most"
			}
		}
		cost := " " + w.span(largest[rule].Weight())
		switch {
		case largest[rule].Weight() == report.NoSeverity:
			cost = ""
		case largest[rule].Weight() == 0:
			cost = " without gain"
		case largest[rule].Checked == report.Confirmed:
			cost += " by simulation"
		default:
			estimated = true
			if why := largest[rule].Unchecked; why != "" {
				cost += " (" + why + ")"
			}
		}
		list = append(list, text+cost)
	}
	return list, estimated
}

// object returns the diagnosis for programs.
func (w *writer) object() report.Object {
	r, ns := w.r, float64(w.t.Unit.Nanoseconds())
	idle, missing := report.Object{}, []report.Object{}
	for kind := account.Wait; kind < account.NumKinds; kind++ {
		if ns := r.Account.Of(kind); kind < account.Memory || r.Account.Devices {
			idle = idle.With(kind.String(), ns)
		}
	}
	for _, id := range r.NotApplicable {
		missing = append(missing, report.NewObject("rule", id, "needs", diagnose.Needs(id)))
	}
	o := report.NewObject("path", w.t.Path, "length_ns", float64(r.Length)*ns, "threads", r.Threads,
		"window_ns", r.Account.Window(), "account", r.Account.Objects(),
		"utilisation", r.Utilisation, "recoverable_ns", r.Recoverable*ns, "phases", r.Phases,
		"phase_groups", r.Groups, "regions", r.Level.String(), "findings", report.FindingObjects(w.t, r.Findings),
		"minor", report.FindingObjects(w.t, r.Minor), "idle_ns", idle, "not_applicable", missing,
		"notes", append([]string{}, r.Notes...),
		"together", report.NewObject("two_ns", r.Together.Two*ns, "all_ns", r.Together.All*ns),
		"replay", report.NewObject("deviation_percent", 100*r.Deviation))
	if r.Hosts != nil {
		o = o.With("devices", r.Account.Threads, "host_threads", r.Hosts.Threads, "host_window_ns", r.Hosts.Window(),
			"host_account", r.Hosts.Objects())
	}
	return o
}

// rows has a line for each finding, children after their parent.
func (w *writer) rows() *report.Table {
	ns := float64(w.t.Unit.Nanoseconds())
	t := &report.Table{Columns: []report.Column{{Key: "rank"}, {Key: "rule"}, {Key: "name"}, {Key: "severity_ns"},
		{Key: "severity_percent"}, {Key: "verified_ns"}, {Key: "confidence"}, {Key: "title"}, {Key: "advice"},
		{Key: "threads"}, {Key: "from_ns"}, {Key: "to_ns"}}}
	var add func(rank int, list []report.Finding)
	add = func(rank int, list []report.Finding) {
		for i := range list {
			f := &list[i]
			row := []any{int64(rank), string(f.Rule), f.Name, nil, nil, nil, f.Confidence.String(), f.Title, f.Advice,
				strings.Join(report.ThreadIDs(w.t, f.Threads), " "), nil, nil}
			if f.Severity != report.NoSeverity {
				row[3], row[4] = f.Severity*ns, 100*f.Share
			}
			if f.Checked == report.Confirmed {
				row[5] = f.Verified * ns
			}
			if len(f.Evidence) > 0 {
				row[10], row[11] = float64(f.Evidence[0].From)*ns, float64(f.Evidence[0].To)*ns
			}
			t.AddSeen(f.Evidence, row...)
			add(rank, f.Children)
		}
	}
	for i := range w.r.Findings {
		add(i+1, w.r.Findings[i:i+1])
	}
	return t
}
