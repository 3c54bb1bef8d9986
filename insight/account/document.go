package account

// The account in words: a waterfall from all of the threads' time down to the parallel efficiency. The printed figures,
// including a line for the rest, add up to the whole.

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/insight/waits"
	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// Step is a line of the waterfall.
type Step struct {
	Name string
	NS   wide.Int
	// Tenths is its share of the whole in tenths of a percent, rounded so that the steps sum to the loss as shown.
	Tenths int64
	// From and To are the start and end of its bar, as shares of the whole.
	From, To float64
}

// Waterfall is the loss in steps.
type Waterfall struct {
	Whole, Useful, Preempted Step
	Steps                    []Step // the greatest first, the rest last
}

// theRest is the last step: losses too small for their own step.
const theRest = "the rest"

// Limits of a waterfall.
const (
	mostSteps = 9
	leastStep = 0.005 // of the whole
)

// Waterfall groups the loss into steps: waits by the region that caused them, with the thread if one caused most.
func (a *Account) Waterfall() Waterfall {
	w := Waterfall{Whole: a.step("", a.Whole()), Useful: a.step(a.useful, a.Useful()),
		Preempted: a.step("of it without a core", a.Of(Preempted))}
	var shown wide.Int
	for _, s := range a.Losses() {
		if len(w.Steps) == mostSteps || a.Share(s.NS) < leastStep {
			break
		}
		w.Steps = append(w.Steps, s)
		shown = shown.Plus(s.NS)
	}
	tenths := w.Whole.Tenths - w.Useful.Tenths
	for i := range w.Steps {
		tenths -= w.Steps[i].Tenths
	}
	if rest := a.Loss().Minus(shown); rest.Compare(wide.Int{}) > 0 {
		s := a.step(theRest, rest)
		s.Tenths = max(0, tenths)
		tenths -= s.Tenths
		w.Steps = append(w.Steps, s)
	}
	if len(w.Steps) > 0 {
		w.Steps[0].Tenths += tenths // the rounding error
	}
	at := 1.0
	for i := range w.Steps {
		s := &w.Steps[i]
		s.To = at
		at = max(0, at-a.Share(s.NS))
		s.From = at
	}
	return w
}

// Sentence names up to most steps of the loss with their shares, and the rest: they sum to the loss.
func (a *Account) Sentence(most int) string {
	var parts []string
	w := a.Waterfall()
	rest := w.Whole.Tenths - w.Useful.Tenths
	for i, s := range w.Steps {
		if i == most || s.Name == theRest {
			break
		}
		parts = append(parts, shortened(s.Name)+" "+percent(s.Tenths))
		rest -= s.Tenths
	}
	if rest > 0 {
		parts = append(parts, theRest+" "+percent(rest))
	}
	return strings.Join(parts, ", ")
}

// percent writes tenths of a percent.
func percent(tenths int64) string { return quantity.FormatPercent(float64(tenths) / 1000) }

func (a *Account) step(name string, ns wide.Int) Step {
	share := a.Share(ns)
	return Step{Name: name, NS: ns, Tenths: int64(math.Round(1000 * share)), To: share}
}

// group is the entries of one step.
type group struct {
	kind    Kind
	what    string
	ns      wide.Int
	threads int
	most    wide.Int // of one thread
	thread  string
}

// mainly is the share of a group that must be on one thread for the group to name it.
const mainly = 0.8

// groups returns the groups of the loss, the greatest first.
func (a *Account) groups() []group {
	type id struct {
		kind Kind
		what string
	}
	at := map[id]int{}
	var list []group
	for _, e := range a.Entries {
		if e.Kind == Computing || e.Kind == Preempted {
			continue
		}
		what, thread := split(e)
		i, ok := at[id{e.Kind, what}]
		if !ok {
			i = len(list)
			at[id{e.Kind, what}], list = i, append(list, group{kind: e.Kind, what: what})
		}
		g := &list[i]
		g.ns = g.ns.Plus(e.NS)
		if g.threads++; e.NS.Compare(g.most) > 0 {
			g.most, g.thread = e.NS, thread
		}
	}
	slices.SortStableFunc(list, func(x, y group) int { return y.ns.Compare(x.ns) })
	return list
}

// split holds the group of an entry, and the thread that caused it.
func split(e Entry) (what, thread string) {
	_, what, _ = strings.Cut(e.Of, "=")
	switch e.Kind {
	case Wait:
		if i := strings.LastIndexByte(what, '@'); i >= 0 {
			return what[:i], what[i+1:]
		}
	case HostWait, Launch:
		return "", ""
	case Transfer, TransferMore, Call, IO, Unknown:
		what, _, _ = strings.Cut(what, "/region=")
	case Runtime:
		what, _, _ = strings.Cut(what, "/cause=")
	}
	return what, ""
}

// one returns "thread" or "device", whichever the account covers.
func (a *Account) one() string {
	if a.Devices {
		return "device"
	}
	return "thread"
}

// name names a group in a few words; one is the word for its threads or devices.
func (g *group) name(one string) string {
	switch g.kind {
	case Wait:
		if g.thread == "" {
			return "wait: " + g.what // known only from a state
		}
		if g.most.Float() >= mainly*g.ns.Float() {
			return "wait for " + g.what + " on " + g.thread
		}
		return "wait for " + g.what + " on " + quantity.CountOf(int64(g.threads), one)
	case Transfer, TransferMore, IO:
		return Kinds[g.kind].Name + " in " + g.what
	case NoWork:
		return "no work during " + g.what
	case Call:
		return "call " + g.what
	case HostWait:
		return "next work not launched by the host"
	case Launch:
		return "launch on its way"
	}
	return Kinds[g.kind].Name + ": " + g.what
}

// The name and the figures of a row have fixed widths; bars get the rest of 80 columns.
const (
	leastBar = 10
	mostBar  = 40
	besides  = 24 // figures, spaces and indentation
)

// Table returns the waterfall as a table. In a text bars are drawn with blocks.
func (a *Account) Table() *report.Table {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: a.Title}, {Title: "Share", Right: true},
		{Title: "Time", Right: true}, {Drawn: true}}}
	lines := a.lines()
	width := mostBar
	for i := range lines {
		width = min(width, 80-besides-len([]rune(lines[i].name)))
	}
	width = max(leastBar, width)
	for i := range lines {
		l := &lines[i]
		t.Add(l.name, l.share, l.time, bar(l.step.From, l.step.To, width))
	}
	return t
}

// line is a line of the account: from the whole through its losses to the parallel efficiency.
type line struct {
	step              *Step
	name, share, time string
	ink               figure.Ink
}

func (a *Account) lines() (lines []line) {
	w := a.Waterfall()
	add := func(share string, s *Step, ink figure.Ink) {
		lines = append(lines, line{s, shortened(s.Name), share, quantity.FormatTotal(s.NS, prv.Nanoseconds), ink})
	}
	w.Whole.Name = fmt.Sprintf("%s x %s", quantity.CountOf(int64(a.Threads), a.one()),
		quantity.FormatDuration(a.Window(), prv.Nanoseconds))
	add(percent(w.Whole.Tenths), &w.Whole, figure.Grey)
	for i := range w.Steps {
		ink := figure.Vermilion
		if w.Steps[i].Name == theRest {
			ink = figure.Grey
		}
		add(a.printed(&w.Steps[i], -1), &w.Steps[i], ink)
	}
	add(a.printed(&w.Useful, 1), &w.Useful, figure.Blue)
	if w.Preempted.NS.Compare(wide.Int{}) > 0 {
		add(a.printed(&w.Preempted, 1), &w.Preempted, figure.Sky)
	}
	return lines
}

// printed writes a share with a sign. A share below a tenth of a percent, which the sum in tenths leaves out, has more
// digits.
func (a *Account) printed(s *Step, sign int64) string {
	if s.Tenths == 0 {
		return quantity.FormatPercent(float64(sign) * a.Share(s.NS))
	}
	return percent(sign * s.Tenths)
}

// Plot returns the waterfall as a figure, with the rows and figures of the table.
func (a *Account) Plot() *report.Plot {
	var steps []figure.Step
	for _, l := range a.lines() {
		steps = append(steps, figure.Step{Name: l.name, Text: l.share + "  " + l.time, From: 100 * l.step.From,
			To: 100 * l.step.To, Ink: l.ink})
	}
	return &report.Plot{Alt: "the time of all threads, from the whole down to the useful time",
		Figure: figure.Waterfall(a.Title, figure.Axis{Name: "%", Max: 100}, steps)}
}

// ofDevices has the texts of entries that differ between devices and threads.
var ofDevices = map[Kind]string{
	Wait:     "communication until the last member of the collective began, that no kernel hides",
	Transfer: "the rest of the communication that no kernel hides",
	Outside:  "before the first and after the last operation of a device",
}

// LossTable has the lost time by entry, with shares of the loss.
func (a *Account) LossTable() *report.Table {
	t := &report.Table{Indent: 2, Columns: []report.Column{{Title: "Lost in"}, {Title: "Time",
		Show: report.ShowDuration}, {Title: "Share of the loss", Show: report.ShowShare}, {}}}
	for kind := Wait; kind < NumKinds; kind++ {
		if ns := a.Of(kind); ns.Compare(wide.Int{}) > 0 {
			doc := Kinds[kind].Doc
			if of, ok := ofDevices[kind]; ok && a.Devices {
				doc = of
			}
			t.Add(Kinds[kind].Name, ns, ns.Float()/a.Loss().Float(), doc)
		}
	}
	return t
}

// Losses returns the lost times by entry and what they are divided by, the greatest first. Callers must not change
// them.
func (a *Account) Losses() []Step {
	if a.losses != nil { // the viewer asks for them with every frame
		return a.losses
	}
	return a.findLosses()
}

func (a *Account) findLosses() (list []Step) {
	for _, g := range a.groups() {
		list = append(list, a.step(g.name(a.one()), g.ns))
	}
	return list
}

// mostRunes is the maximum length of a name in a table.
const mostRunes = 48

// shortened returns a name that fits a table: it names the file once for code between two lines, drops the functions of
// code between two calls, and cuts the middle of longer names.
func shortened(name string) string {
	name = strings.Replace(name, waits.Untraced, "other code", 1)
	if m := betweenLines.FindStringSubmatch(name); len([]rune(name)) > mostRunes && m != nil && m[1] == m[2] {
		name = strings.Replace(name, " to "+m[2]+":", " to ", 1)
	}
	if len([]rune(name)) > mostRunes {
		name = betweenCalls.ReplaceAllString(name, "$1 to $2")
	}
	r := []rune(name)
	if len(r) <= mostRunes {
		return name
	}
	end := len(r) - mostRunes/3
	for unicode.IsDigit(r[end-1]) && unicode.IsDigit(r[end]) && end < len(r)-1 {
		end++ // do not cut a number
	}
	return string(r[:mostRunes*2/3-3]) + "..." + string(r[end:])
}

var (
	betweenLines = regexp.MustCompile(`([^ ]+):\d+ to ([^ ]+):\d+`)
	betweenCalls = regexp.MustCompile(`(MPI_\w+)(?: in [^ ]+)? to (MPI_\w+)(?: in [^ ]+)?`)
)

// bar returns a bar of blocks, between two shares of a width.
func bar(from, to float64, width int) string {
	at, end := int(math.Round(float64(width)*from)), int(math.Round(float64(width)*to))
	if at == end {
		return strings.Repeat(" ", min(at, width-1)) + "▏"
	}
	return strings.Repeat(" ", at) + strings.Repeat("█", end-at)
}

// Objects returns the entries for programs.
func (a *Account) Objects() []report.Object {
	list := make([]report.Object, 0, len(a.Entries))
	for _, e := range a.Entries {
		list = append(list, report.NewObject("entry", e.Kind.String(), "of", e.Of, "ns", e.NS, "share", a.Share(e.NS)))
	}
	return list
}
