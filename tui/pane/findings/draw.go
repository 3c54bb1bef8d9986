package findings

import (
	"fmt"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
)

// Drawing the pane: the page, and the line about the selected row.

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	body := c.Sub(1, 1, c.W-2, c.H-1)
	v := p.sc.View
	if v == nil {
		return
	}
	o := p.outcome()
	say := func(text string, st raster.Style) {
		p.sc.DrawText(body.Sub(1, 0, body.W-1, body.H), prv.Clean(text), st)
	}
	switch {
	case v.Trace.Until != 0:
		say("The trace is still being read and is diagnosed once complete.", th.Dim)
	case p.view() == p.path.View:
		c.Text(x+2, 0, th.Cut(v.Trace.Name, c.W-x-3), dim)
		switch k, ok := p.path.at(v.Trace); {
		case k.err != nil:
			say(k.err.Error()+"; "+p.sc.KeysOf("findings again")+" repeats", th.Warn)
		case !ok:
			say("following the critical path back from the end of the run…", th.Dim)
		default:
			p.drawPage(c, body)
		}
	case o.err != nil:
		say(o.err.Error()+"; "+p.sc.KeysOf("findings again")+" repeats", th.Warn)
	case o.result == nil:
		say("diagnosing…", th.Dim)
	default:
		c.Text(x+2, 0, th.Cut(v.Trace.Name, c.W-x-3), dim)
		p.drawPage(c, body)
	}
}

// drawPage draws the page, and below it a line about the selection.
func (p *Pane) drawPage(pane, c raster.Canvas) {
	th, v := p.sc.Theme, p.view()
	if v == nil {
		p.stages.draw(pane, c)
		return
	}
	if about, mark := p.about(), p.provisional(); about+mark != "" && c.H > 2 {
		x := c.Text(1, c.H-1, th.ASCII(mark), th.Warn)
		c.Text(x, c.H-1, th.ASCII(th.Cut(prv.Clean(about), c.W-x-1)), th.Dim)
		c = c.Sub(0, 0, c.W, c.H-1)
	}
	k := &p.classes
	p.waterfall = v == p.account && p.drawWaterfall(c)
	switch {
	case p.waterfall:
	case v == k.View && k.job.What() != "":
		c.Text(1, 0, th.ASCII("comparing the regions of code…"), th.Dim)
	case v == k.View && k.err != nil:
		p.sc.DrawText(c.Sub(1, 0, c.W-1, c.H), k.err.Error(), th.Warn)
	default:
		v.Draw(pane, c)
	}
}

// drawWaterfall draws the account as a figure with steps of equal height; it reports whether one fits.
func (p *Pane) drawWaterfall(c raster.Canvas) bool {
	const usual, titles = 70, 1
	if p.result().Hosts != nil { // tables of the devices follow
		return false
	}
	plot := p.result().Account.Plot()
	rows := len(plot.Y.Names)
	lines := (c.H - titles) / max(rows, 1)
	if c.W < usual || lines < 1 {
		return false
	}
	h := titles + rows
	if axis := 2; lines*rows+titles+axis <= c.H {
		h = lines*rows + titles + axis
	}
	p.sc.DrawFigure(plot.Figure, c.Sub(0, 0, c.W, h))
	return true
}

// provisional marks costs and an order of findings that may still change; "" if they are final.
func (p *Pane) provisional() string {
	if p.view() != p.findings || !p.findings.Provisional {
		return ""
	}
	return "provisional: simulating repairs…  "
}

// about names the rule that made the selected entry, and the shown piece of its evidence.
func (p *Pane) about() string {
	v, text := p.view(), ""
	e := v.Entry()
	switch {
	case v == p.classes.View && len(p.classes.list) > 0:
		text = p.classes.sorted()
	case e != nil:
		text = report.UpperFirst(e.About)
	}
	places := v.Evidence()
	n := len(places)
	if n == 0 {
		return text
	}
	if text != "" {
		text += ". "
	}
	if at := p.tour.At(); at >= 0 && at < n {
		text += fmt.Sprintf("Evidence %d of %d", at+1, n)
		if why := places[at].Why; why != "" {
			text += ": " + why
		}
		return text
	}
	total := n
	if e != nil && e.Finding != nil {
		total = max(e.Finding.Total, n)
	}
	return text + "Evidence: " + quantity.CountOf(int64(total), "place") + "; Enter shows it"
}
