package network

import (
	"fmt"
	"strconv"
	"strings"

	"pview/insight/traffic"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/render/raster"
	"pview/render/style"
	"pview/tui/list"
)

// How the pane is drawn: a summary line, and the page.

const (
	pageLinks = iota
	pageMatrix
	pageDistances
)

var pages = []struct {
	name string
	draw func(p *Pane, k list.Look, c raster.Canvas, a *answer)
}{
	{"Links", (*Pane).drawLinks},
	{"Matrix", (*Pane).drawMatrix},
	{"Distances", (*Pane).drawDistances},
}

// measures are the properties of a pair that the matrix can show.
const numMeasures = 3

var measures = [numMeasures]struct {
	name string
	sums bool // the values of several pairs add up
	of   func(a *answer, p *traffic.Pair) float64
	text func(v float64) string
}{
	{"bytes", true, func(_ *answer, p *traffic.Pair) float64 { return p.Bytes }, quantity.Bytes.Format},
	{"messages", true, func(_ *answer, p *traffic.Pair) float64 { return float64(p.Messages) }, formatCount},
	{"links between them", false, func(a *answer, p *traffic.Pair) float64 {
		return float64(max(a.net.Far(p.From, p.To), 0))
	}, formatCount},
}

func formatCount(v float64) string { return raster.FormatCount(int64(v)) }

// Draw paints the pane.
func (p *Pane) Draw(c raster.Canvas) {
	th := p.sc.Theme
	x, dim := p.sc.Head(c.Sub(0, 0, c.W, 1))
	p.drawn = drawn{}
	k, ok := p.now()
	a := p.shown
	if !ok || a == nil || a.trace != k.trace {
		c.Text(2, 2, th.ASCII("adding up the messages…"), th.Dim)
		return
	}
	text := raster.FormatRange(a.from, a.to, a.trace.Data.Unit)
	if p.Busy() {
		text = th.ASCII("adding up…")
	}
	if text = th.Cut(text, max(c.W-x-3, 0)); text != "" {
		c.Text(c.W-raster.TextWidth(text)-1, 0, text, dim)
	}
	body := c.Sub(1, 1, c.W-2, c.H-1)
	if a.err != nil {
		p.sc.DrawText(body, a.err.Error(), th.Warn)
		return
	}
	lines := style.Wrap(th.ASCII(p.summary(a)), body.W)
	if n := max(body.H/3, 1); len(lines) > n {
		lines = append(lines[:n-1], th.Cut(strings.Join(lines[n-1:], " "), body.W))
	}
	for y, line := range lines {
		body.Text(0, y, line, th.Text)
	}
	look, y := p.sc.ListLook(c), len(lines)
	if p.pages.At == pageLinks && len(a.netmap.Loads) > 0 {
		x := a.netmap.DrawScale(body.Sub(0, y, body.W, 1), p.sc.Look, th, 0)
		body.Text(x+1, y, quantity.Bytes.Format(a.netmap.Most())+" over a link", th.Dim)
		y++
	}
	pages[p.pages.At].draw(p, look, body.Sub(0, y, body.W, body.H-y), a)
}

// summary describes the load of the network, and the network, cut from the end to fit.
func (p *Pane) summary(a *answer) string {
	name := a.net.String()
	if a.machine == nil || !a.machine.IsDirect() {
		name = "nodes (no topology: the page Network of What-if sets one)"
	}
	messages, bytes := int64(0), 0.0
	for _, d := range a.far {
		messages += d.Messages
		bytes += d.Bytes
	}
	if messages == 0 {
		return "no messages · " + name
	}
	perMessage, _ := traffic.Mean(a.far)
	text := fmt.Sprintf("%s, %s, %.2f links each", raster.CountOf(int(messages), "message"),
		quantity.Bytes.Format(bytes), perMessage)
	if loads := a.netmap.Loads; len(loads) > 0 {
		text += fmt.Sprintf(" · busiest %s: %s", linkName(a, &loads[0]), quantity.Bytes.Format(loads[0].Bytes))
	}
	return text + " · " + name
}

// linkName is "task 3 -> task 4".
func linkName(a *answer, l *traffic.Load) string {
	return a.netmap.Name(l.From) + " -> " + a.netmap.Name(l.To)
}

// beside is the minimum width for the links beside their map, listWidth the width of their list.
const (
	beside    = 76
	listWidth = 36
)

// drawLinks draws the map, and the busiest links.
func (p *Pane) drawLinks(k list.Look, c raster.Canvas, a *answer) {
	if len(a.netmap.Loads) == 0 {
		c.Text(0, 1, k.Theme.Cut(idleText(a), c.W), k.Theme.Dim)
	}
	chart, rows := c.Sub(0, 0, c.W-listWidth-2, c.H), c.Sub(c.W-listWidth, 0, listWidth, c.H)
	if c.W < beside {
		n := min(len(a.netmap.Loads), max(c.H/3, 1))
		chart, rows = c.Sub(0, 0, c.W, c.H-n), c.Sub(0, c.H-n, c.W, n)
	}
	a.netmap.Draw(chart, p.sc.Look, k.Theme)
	p.links.Draw(k, rows, func(c raster.Canvas, i int, st, dim raster.Style) {
		p.drawLink(c, a, &a.netmap.Loads[i], st, dim)
	})
}

// idleText explains why no link has a load.
func idleText(a *answer) string {
	messages := int64(0)
	for _, d := range a.far {
		messages += d.Messages
	}
	switch messages {
	case 0:
		return "no messages in this time"
	case 1:
		return "the message in this time takes no link: its tasks are on one node"
	}
	return fmt.Sprintf("none of the %s messages in this time takes a link: each is between tasks of one node",
		raster.FormatCount(messages))
}

func (p *Pane) drawLink(c raster.Canvas, a *answer, l *traffic.Load, st, dim raster.Style) {
	text := quantity.Bytes.Format(l.Bytes) + " "
	end := c.W - raster.TextWidth(text)
	c.Text(0, 0, p.sc.Theme.Cut(linkName(a, l), end-8), st)
	c.Text(end, 0, text, st)
	if count := raster.FormatCount(l.Messages); c.W > 30 {
		c.Text(end-1-raster.TextWidth(count), 0, count, dim)
	}
}

// cellWidth is the width of a cell of the matrix.
const cellWidth = 2

// sentWidth is the width of the totals beside the matrix.
const sentWidth = 11

// drawMatrix draws who sends to whom: senders from top to bottom, with the total of each, receivers from left to right.
// If they do not fit, a cell covers several tasks.
func (p *Pane) drawMatrix(k list.Look, c raster.Canvas, a *answer) {
	th, n := p.sc.Theme, a.traffic.Tasks
	label := len(strconv.Itoa(n)) + 1
	rows, cols := c.H-4, (c.W-label-sentWidth)/cellWidth
	if rows < 1 || cols < 1 {
		return
	}
	step := 1
	for (n+step-1)/step > min(rows, cols) && (n+step-1)/step > 8 {
		step++
	}
	cells := (n + step - 1) / step
	p.from, p.to = clamp(p.from, n), clamp(p.to, n)
	d := &p.drawn
	d.step, d.top, d.left = step, max(0, min(p.from/step-rows+1, cells-rows)), max(0, min(p.to/step-cols+1, cells-cols))
	d.cells = c.Sub(label, 2, min(cols, cells)*cellWidth, min(rows, cells)).Within(k.Pane)
	value, sent := map[[2]int]float64{}, map[int]float64{}
	most := 0.0
	m := &measures[p.measure]
	for i := range a.traffic.Pairs {
		pair := &a.traffic.Pairs[i]
		key := [2]int{int(pair.From) / step, int(pair.To) / step}
		if m.sums {
			value[key] += m.of(a, pair)
			sent[key[0]] += m.of(a, pair)
		} else {
			value[key] = max(value[key], m.of(a, pair))
		}
		most = max(most, value[key])
	}
	paint := raster.Painter{Look: p.sc.Look, Palette: raster.ValuePalette(), Mode: raster.NotNullGradient,
		Scale: raster.Scale{Max: most}}
	p.drawMatrixScale(c.Sub(0, 0, c.W, 1), &paint)
	totals := make([]string, min(rows, cells-d.top))
	if m.sums {
		for y := range totals {
			totals[y] = m.text(sent[d.top+y])
		}
		document.Align(totals)
		c.TextIn(label+min(cols, cells)*cellWidth, 1, sentWidth, "sent", th.Dim, true)
	}
	for x := 0; x < min(cols, cells-d.left); x++ {
		if task := (d.left+x)*step + 1; x%5 == 0 && label+x*cellWidth+label < c.W {
			c.Text(label+x*cellWidth, 1, strconv.Itoa(task), th.Dim)
		}
	}
	for y := range totals {
		c.TextIn(0, y+2, label-1, strconv.Itoa((d.top+y)*step+1), th.Dim, true)
		c.TextIn(label+min(cols, cells)*cellWidth, y+2, sentWidth, totals[y], th.Dim, true)
		for x := 0; x < min(cols, cells-d.left); x++ {
			cell := paint.Cell(value[[2]int{d.top + y, d.left + x}])
			chosen := d.top+y == p.from/step && d.left+x == p.to/step
			for i := range cellWidth {
				if chosen {
					cell.Rune = rune("[]"[i])
					if cell.FG = th.Accent.FG; cell.BG.IsSet() {
						cell.FG = cell.BG.Contrast()
					}
				}
				c.Set(label+x*cellWidth+i, y+2, cell)
			}
		}
	}
	y := min(rows, cells) + 2
	c.Text(0, y, th.Cut(th.ASCII(p.pairText(a, step)), c.W), th.Text)
	c.Text(0, y+1, th.Cut(th.ASCII(p.totalText(a, step)), c.W), th.Dim)
}

// drawMatrixScale names the axes of the matrix and explains its colours.
func (p *Pane) drawMatrixScale(c raster.Canvas, paint *raster.Painter) {
	const steps = 8
	th, m := p.sc.Theme, &measures[p.measure]
	x := c.Text(0, 0, th.ASCII("senders ↓  receivers →  "), th.Dim)
	x = c.Text(x, 0, m.name+" 0 ", th.Dim)
	for i := range steps {
		c.Set(x+i, 0, paint.Cell(paint.Scale.Max*float64(i+1)/steps))
	}
	c.Text(x+steps+1, 0, m.text(paint.Scale.Max), th.Dim)
}

// taskNames names the tasks of a row or column of the matrix.
func taskNames(a *answer, task, step int) string {
	if step == 1 {
		return fmt.Sprintf("task %d", task+1)
	}
	first := task / step * step
	return fmt.Sprintf("tasks %d-%d", first+1, min(first+step, a.traffic.Tasks))
}

// totalText gives the totals that the sender and the receiver at the cursor send and receive.
func (p *Pane) totalText(a *answer, step int) string {
	var sent, received traffic.Pair
	for _, pair := range a.traffic.Pairs {
		if int(pair.From)/step == p.from/step {
			sent.Messages, sent.Bytes = sent.Messages+pair.Messages, sent.Bytes+pair.Bytes
		}
		if int(pair.To)/step == p.to/step {
			received.Messages, received.Bytes = received.Messages+pair.Messages, received.Bytes+pair.Bytes
		}
	}
	say := func(p traffic.Pair) string {
		return raster.CountOf(int(p.Messages), "message") + ", " + quantity.Bytes.Format(p.Bytes)
	}
	return fmt.Sprintf("in all %s from %s · %s to %s", say(sent), taskNames(a, p.from, step), say(received),
		taskNames(a, p.to, step))
}

// pairText describes the cell at the cursor.
func (p *Pane) pairText(a *answer, step int) string {
	text := fmt.Sprintf("%s -> %s: ", taskNames(a, p.from, step), taskNames(a, p.to, step))
	if step > 1 {
		messages, bytes := int64(0), 0.0
		for _, pair := range a.traffic.Pairs {
			if int(pair.From)/step == p.from/step && int(pair.To)/step == p.to/step {
				messages, bytes = messages+pair.Messages, bytes+pair.Bytes
			}
		}
		return text + fmt.Sprintf("%s messages, %s", raster.FormatCount(messages), quantity.Bytes.Format(bytes))
	}
	pair := a.traffic.Between(int32(p.from), int32(p.to))
	if pair == nil {
		return text + "nothing"
	}
	return text + fmt.Sprintf("%s messages, %s, over %s", raster.FormatCount(pair.Messages),
		quantity.Bytes.Format(pair.Bytes), raster.CountOf(a.net.Far(pair.From, pair.To), "link"))
}

// drawDistances draws the amount sent over each number of links.
func (p *Pane) drawDistances(_ list.Look, c raster.Canvas, a *answer) {
	th := p.sc.Theme
	total := 0.0
	for _, d := range a.far {
		total += d.Bytes
	}
	c.Text(0, 0, fmt.Sprintf("%-8s %12s %12s %8s", "links", "messages", "bytes", "share"), th.Bold)
	y := 1
	for _, d := range a.far {
		if d.Messages == 0 || y >= c.H-1 {
			continue
		}
		share := d.Bytes / max(total, 1)
		x := c.Text(0, y, fmt.Sprintf("%-8d %12s %12s %8s  ", d.Links, raster.FormatCount(d.Messages),
			quantity.Bytes.Format(d.Bytes), quantity.FormatPercent(share)), th.Text)
		paint := raster.Painter{Look: p.sc.Look, Palette: raster.ValuePalette(), Mode: raster.NotNullGradient,
			Scale: raster.Scale{Max: 1}}
		for i := range int(share * float64(max(c.W-x, 0))) {
			c.Set(x+i, y, paint.Cell(share))
		}
		y++
	}
	perMessage, perByte := traffic.Mean(a.far)
	c.Text(0, y, th.Cut(fmt.Sprintf("on average %.2f links a message, %.2f a byte; at most %d between two processors",
		perMessage, perByte, a.net.Diameter()), c.W), th.Dim)
}
