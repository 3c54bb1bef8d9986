package findings

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report"
	"pview/prv/demo"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/tui/dialog"
	"pview/tui/pane"
)

// Until the repairs are simulated, the pane marks what may change, and the first screen only shows the summary. Then
// the selected finding stays selected, and nothing changes any more.
func TestProvisional(t *testing.T) {
	tr, err := demo.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	trace := timeline.NewTrace(1, tr)
	trace.Summary = &report.Headline{Lines: []report.Line{{Sentence: "from the summary"}}}
	view := &timeline.View{ID: 2, Trace: trace}
	sc := &pane.Scene{View: view, Views: []*timeline.View{view}, Traces: []*timeline.Trace{trace},
		Width: 100, Height: 40, Theme: style.NewTheme(raster.TrueColor, raster.UTF8, true, 0), Dialogs: &dialog.Host{}}
	sc.Resources = timeline.Resources{Context: t.Context(), Gen: new(int)}
	sc.Shell = pane.Shell{DrawTabs: func(raster.Canvas) int { return 0 }, KeysOf: func(string) string { return "" }}
	p := New(sc)
	sc.Open = p
	next := func() tea.Msg { // the end of the job that Sync starts; nil: no job
		if cmd := p.Sync(); cmd != nil {
			return cmd()
		}
		return nil
	}
	take := func(msg tea.Msg) { // as the shell does
		if result, ok := msg.(pane.Result); !ok || result() != nil {
			t.Fatalf("the end of a job is %T", msg)
		}
	}
	screen := func() string {
		c := raster.NewCanvas(100, 30)
		p.Draw(c)
		return c.Plain()
	}
	first := next()
	if !strings.Contains(screen(), "diagnosing") {
		t.Errorf("no word of the diagnosis:\n%s", screen())
	}
	take(first)
	second := next()
	if text := screen(); !strings.Contains(text, "provisional: simulating repairs") || !p.findings.Provisional {
		t.Errorf("not marked as provisional:\n%s", text)
	}
	if got := p.Sentences(trace)[0].Sentence; got != "from the summary" {
		t.Errorf("the first screen says %q", got)
	}
	sc.Headline = true // the headline waits for the order of the findings
	if got, why := p.Sentences(trace), p.Settling(trace); got != nil || why != "simulating repairs" {
		t.Errorf("while %q the first screen says %v", why, got)
	}
	p.Moves()[1]("") // down: the second finding
	selected := subjectOf(p.findings.Entry().Finding)
	take(second)
	if msg := next(); msg != nil {
		t.Errorf("another job after the verification: %T", msg)
	}
	text := screen()
	if strings.Contains(text, "provisional") || p.findings.Provisional {
		t.Errorf("marked as provisional:\n%s", text)
	}
	if got := subjectOf(p.findings.Entry().Finding); got != selected {
		t.Errorf("%v is selected, not %v", got, selected)
	}
	if got := p.Sentences(trace)[0].Sentence; got == "from the summary" || p.Settling(trace) != "" {
		t.Error("the first screen does not speak of the findings")
	}
	if next(); screen() != text {
		t.Error("the settled screen changes")
	}
}
