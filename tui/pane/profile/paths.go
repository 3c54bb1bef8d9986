package profile

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/prv/calls"
	"pview/prv/extrae"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/list"
	"pview/tui/pane"
)

// paths is the page of the call paths: a tree of the calls in view with their own and inclusive times.
type paths struct {
	list.List
	asked key
	job   pane.Job
	err   error
	shown *tree // nil until there is an answer
}

// tree is an answer.
type tree struct {
	*calls.Tree
	key   key
	names []string   // of the paths, short
	cells [][]string // by column and path
}

// pathColumns are the columns before the names.
var pathColumns = []string{"inclusive", "own", "inclusive", "own", "calls"}

// wideEnough is the minimum width for times beside the shares.
const wideEnough = 90

func (p *paths) init(sc *pane.Scene) {
	p.job = pane.NewJob(sc)
	p.Len = func() int {
		if p.shown == nil {
			return 0
		}
		return len(p.shown.Paths)
	}
	p.Text = func(i int) string { return cmp.Or(p.shown.Paths[i].Name, p.shown.names[i]) }
}

// shortNames names paths in a line: by short names, unless two calls from one path have the same.
func shortNames(paths []calls.Path, threads int) []string {
	type call struct {
		from int
		name string
	}
	names, of := make([]string, len(paths)), map[call][]int{}
	var open []int // the paths around the current one
	for i := range paths {
		open = append(open[:min(paths[i].Depth, len(open))], i)
		names[i] = extrae.ShortName(paths[i].Name)
		if i == 0 {
			names[i] = fmt.Sprintf("all %s", raster.CountOf(threads, "thread"))
			continue
		}
		c := call{open[max(len(open)-2, 0)], names[i]}
		of[c] = append(of[c], i)
	}
	for _, same := range of {
		for _, i := range same {
			if len(same) > 1 {
				names[i] = paths[i].Name
			}
		}
	}
	return names
}

// whole names a path with its enclosing calls, the outermost first.
func (t *tree) whole(i int) string {
	text := t.names[i]
	for depth := t.Paths[i].Depth; i > 0; i-- {
		if p := &t.Paths[i]; p.Depth < depth {
			text, depth = t.names[i]+" > "+text, p.Depth
		}
	}
	return text
}

// sync asks for the tree of the view.
func (p *paths) sync(k key, v *timeline.View) tea.Cmd {
	if k == p.asked {
		return nil
	}
	p.asked, p.err = k, nil
	data, threads := k.trace.Data, threadsOf(v)
	return p.job.Start("reading call paths", func(ctx context.Context, _ func(done, total int64)) pane.Result {
		got, err := calls.TreeOf(ctx, data, threads, max(k.begin, 0), min(k.end, data.Duration))
		var t *tree
		if err == nil {
			t = newTree(got, k, len(threads))
		}
		return func() tea.Cmd {
			p.err, p.shown = err, t
			p.By(0)
			return nil
		}
	})
}

func newTree(got *calls.Tree, k key, threads int) *tree {
	t := &tree{Tree: got, key: k, names: shortNames(got.Paths, threads), cells: make([][]string, len(pathColumns))}
	whole, unit := got.Paths[0].Inclusive.Float(), k.trace.Data.Unit
	for i := range got.Paths {
		c := &got.Paths[i]
		count := ""
		if i > 0 {
			count = quantity.FormatCount(c.Calls)
		}
		for column, text := range []string{quantity.FormatPercent(c.Inclusive.Float() / whole),
			quantity.FormatPercent(c.Own.Float() / whole), quantity.FormatSpan(c.Inclusive.Float(), unit),
			quantity.FormatSpan(c.Own.Float(), unit), count} {
			t.cells[column] = append(t.cells[column], text)
		}
	}
	for _, column := range t.cells {
		document.Align(column)
	}
	return t
}

// columns lists the columns that fit in a width.
func (p *paths) columns(width int) []int {
	if width < wideEnough {
		return []int{0, 1, 4}
	}
	return []int{0, 1, 2, 3, 4}
}

// drawPaths draws the tree: on c, in the pane on.
func (p *Pane) drawPaths(c, on raster.Canvas) {
	th, t := p.sc.Theme, p.paths.shown
	widths, x := map[int]int{}, 1
	columns := p.paths.columns(c.W)
	for _, k := range columns {
		widths[k] = raster.TextWidth(pathColumns[k])
		for _, text := range t.cells[k] {
			widths[k] = max(widths[k], raster.TextWidth(text))
		}
		c.TextIn(x, 0, widths[k], pathColumns[k], th.Dim, true)
		x += widths[k] + 2
	}
	c.Text(x, 0, th.Cut("call path", c.W-x), th.Dim)
	p.paths.Draw(p.sc.ListLook(on), c.Sub(0, 1, c.W, c.H-1), func(c raster.Canvas, i int, st, dim raster.Style) {
		x := 1
		for _, k := range columns {
			c.TextIn(x, 0, widths[k], t.cells[k][i], st, true)
			x += widths[k] + 2
		}
		x = c.Text(x, 0, strings.Repeat("  ", t.Paths[i].Depth), dim)
		c.Text(x, 0, th.Cut(prv.Clean(t.names[i]), c.W-x-1), st)
	})
}

// goToPath goes to the longest call of a path in view.
func (p *Pane) goToPath() tea.Cmd {
	i := p.paths.At()
	if i < 0 {
		return nil
	}
	t := p.paths.shown
	c := &t.Paths[i]
	return p.goTo(longestMsg{view: p.sc.View, thread: c.Thread, begin: c.Begin, ok: i > 0, name: t.whole(i),
		length: c.End - c.Begin, part: t.key.part()})
}
