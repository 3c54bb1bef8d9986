package efficiency

import (
	"fmt"

	"pview/insight/efficiency"
	"pview/prv"
	"pview/render/raster"
)

// The useful time of each thread of a run, beside the factors or instead of them.

// drawUseful draws the useful time of each thread, as shares of the run; if there are more threads than lines, means of
// several threads.
func (p *Pane) drawUseful(c raster.Canvas, run *efficiency.Run) {
	th := p.sc.Theme
	what := "process"
	if run.Threads > run.Processes && run.Threads <= c.H-2 {
		what = "thread"
	}
	runtime := float64(run.Runtime)
	if c.H < 3 || runtime == 0 || len(run.Useful) == 0 {
		return
	}
	x := c.Text(0, 0, "Useful time per "+what, th.Bold)
	of := "  of " + raster.FormatDuration(run.Runtime, prv.Nanoseconds) + " · " + run.Name
	c.Text(x, 0, th.Cut(th.ASCII(of), c.W-x), th.Dim)
	sum := fmt.Sprintf("mean %s, most %s", raster.FormatPercent(run.UsefulAverage()/runtime),
		raster.FormatPercent(run.UsefulMax()/runtime))
	c.Text(0, 1, th.Cut(sum+"; the tick is the mean", c.W), th.Dim)
	body := c.Sub(0, 2, c.W, c.H-2)
	groups := usefulGroups(run, body.H)
	names := 0
	for _, g := range groups {
		names = max(names, raster.TextWidth(g.name))
	}
	const value = 8
	for y, g := range groups {
		mean := 0.0
		for _, ns := range run.Useful[g.from:g.to] {
			mean += float64(ns) / float64(g.to-g.from)
		}
		share := mean / runtime
		body.TextIn(0, y, names, g.name, th.Dim, true)
		body.TextIn(names, y, value, raster.FormatPercent(share), th.Text, true)
		if bar := body.W - names - value - 2; bar >= leastBar {
			p.drawShare(body.Sub(names+value+1, y, bar, 1), share, run.UsefulAverage()/runtime, th.Accent)
		}
	}
}

// usefulGroup is a group of threads that share a line.
type usefulGroup struct {
	from, to int // in Run.Useful
	name     string
}

// usefulGroups divides the threads of a run into a number of lines at most: one for each thread if they fit, else for
// each process, else for several processes.
func usefulGroups(run *efficiency.Run, lines int) (groups []usefulGroup) {
	for p, from := range run.First {
		to := run.Threads
		if p+1 < len(run.First) {
			to = run.First[p+1]
		}
		if run.Threads > lines || run.Threads == run.Processes {
			groups = append(groups, usefulGroup{from, to, fmt.Sprint(p + 1)})
			continue
		}
		for i := from; i < to; i++ {
			groups = append(groups, usefulGroup{i, i + 1, fmt.Sprintf("%d.%d", p+1, i-from+1)})
		}
	}
	if len(groups) <= lines {
		return groups
	}
	var merged []usefulGroup
	for step, i := (len(groups)+lines-1)/lines, 0; i < len(groups); i += step {
		last := groups[min(i+step, len(groups))-1]
		g := usefulGroup{groups[i].from, last.to, groups[i].name}
		if last.name != g.name {
			g.name += ".." + last.name
		}
		merged = append(merged, g)
	}
	return merged
}
