package compare

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/compare"
	"pview/prv"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Both runs on A's time axis: below a window of A, one with the difference in each phase, and one with B, stretched
// phase by phase. They show separate traces, made in the background, and close when the choice of runs changes.

// aligned are the windows of an alignment.
type aligned struct {
	difference, b *timeline.Trace
}

// align shows the windows, or closes them.
func (p *Pane) align(string) tea.Cmd {
	if p.closeAligned() {
		p.sc.Show(p, true)
		return nil
	}
	a, b := p.pair()
	switch {
	case p.Busy():
		p.alignNext = p.result == nil // once the runs are compared
		return nil
	case p.result == nil || !p.isOf(a, b):
		return p.sc.Refuse(errors.New("the runs are not compared yet"))
	case !p.result.Alike:
		return p.sc.Refuse(errors.New("the programs differ: fewer than half of the phases have a partner"))
	case p.sc.ViewOf(a) == nil:
		return p.sc.Refuse(errors.New("no window shows A"))
	}
	r, data := p.result, b.Data
	return p.job.Start("aligning", func(ctx context.Context, _ func(done, total int64)) pane.Result {
		d, err := r.Differences()
		var t *prv.Trace
		if err == nil {
			t, err = r.Aligned(ctx, data)
		}
		return func() tea.Cmd {
			if err != nil {
				p.sc.Alarm(err.Error())
			} else {
				p.showAligned(d, t)
			}
			return nil
		}
	})
}

// showAligned puts the windows of the differences and of B below that of A.
func (p *Pane) showAligned(d, stretched *prv.Trace) {
	a, b := p.pair()
	lead := p.sc.ViewOf(a)
	if lead == nil || b == nil {
		return
	}
	own := func(data *prv.Trace, name string) *timeline.Trace {
		t := timeline.NewTrace(p.sc.NewID(), data)
		t.Name, t.Derived = name, true
		return t
	}
	p.aligned = &aligned{own(d, "difference"), own(stretched, b.Name+" on A's time")}
	over := func(v *timeline.View) *timeline.View {
		v.Group, v.Begin, v.End, v.Cursor = lead.Group, lead.Begin, lead.End, lead.Cursor
		return v
	}
	difference := over(p.sc.NewView(p.aligned.difference))
	timeline.LastValue("B - A", []uint32{compare.DifferenceType})(&difference.Sem)
	difference.Palette = timeline.PaletteOf(compare.DifferenceValues())
	second := over(p.sc.NewView(p.aligned.b))
	if of := p.sc.ViewOf(b); of != nil {
		second.Sem, second.Drawing = of.Sem.Clone(), of.Drawing
	}
	p.sc.Do(pane.FocusView{View: lead})
	p.sc.Do(pane.AddView{View: difference})
	p.sc.Do(pane.AddView{View: second})
	p.sc.Do(pane.FocusView{View: lead})
	p.sc.Show(p, true)
	p.sc.Say("B below A on the same time, each phase stretched to its partner; between them blue is less time in B, " +
		"orange more; " + p.sc.KeysOf("compare align") + " closes them")
}

// closeAligned closes the windows; it reports whether there were any.
func (p *Pane) closeAligned() bool {
	if p.aligned == nil {
		return false
	}
	gone := p.aligned
	p.aligned = nil
	for _, v := range slices.Clone(p.sc.Views) {
		if v.Trace == gone.difference || v.Trace == gone.b {
			p.sc.Do(pane.CloseView{View: v})
		}
	}
	return true
}
