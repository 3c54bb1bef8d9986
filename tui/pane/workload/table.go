package workload

// The table of clusters: a line for each, and for the components that are in none.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/insight/workload"
	"pview/insight/workload/plots"
	"pview/render/plot"
	"pview/render/raster"
	"pview/render/style"
)

// classes are the lines of the table: the clusters, noise, what was filtered.
func (s *session) classes() (list []int32) {
	for c := range s.result.Clusters {
		list = append(list, int32(workload.FirstCluster+c))
	}
	for c := int32(workload.ClassNoise); c > workload.ClassEnd; c-- {
		if s.result.Counts[c] > 0 {
			list = append(list, c)
		}
	}
	return list
}

// class is the chosen class.
func (s *session) class() (class int32, ok bool) {
	if s.result == nil {
		return 0, false
	}
	list := s.classes()
	if s.row < 0 || s.row >= len(list) {
		return 0, false
	}
	return list[s.row], true
}

// chosen is the chosen class, -1 for none.
func (s *session) chosen() int32 {
	if c, ok := s.class(); ok {
		return c
	}
	return -1
}

// choose chooses a component, and with it its class.
func (s *session) choose(i int) {
	s.at = i
	for k, c := range s.classes() {
		if c == s.result.Class[i] {
			s.row = k
		}
	}
}

// shower writes values of a column for people.
func shower(c *workload.Column) func(v float64) string {
	kind := plots.KindOf(c)
	return func(v float64) string {
		switch {
		case math.IsNaN(v):
			return "-"
		case kind != nil:
			return kind.Round(v, 4)
		}
		return raster.FormatShort(v)
	}
}

func percent(share float64) string { return raster.FormatPercent(share) }

// cell is a column of the table.
type cell struct {
	title string
	width int
	text  func(class int32) string
}

// cells are the columns of the table.
func (s *session) cells() []cell {
	r := s.result
	cluster := func(f func(c *workload.Cluster) string) func(int32) string {
		return func(class int32) string {
			if class < workload.FirstCluster {
				return ""
			}
			return f(&r.Clusters[class-workload.FirstCluster])
		}
	}
	noise, noiseTime := r.NoiseShares()
	shareOf := func(f func(c *workload.Cluster) float64, ofNoise float64) func(int32) string {
		return func(class int32) string {
			switch {
			case class >= workload.FirstCluster:
				return percent(f(&r.Clusters[class-workload.FirstCluster]))
			case class == workload.ClassNoise:
				return percent(ofNoise)
			}
			return ""
		}
	}
	time := r.Set.Time()
	list := []cell{
		{"size", 9, func(class int32) string { return raster.FormatCount(int64(r.Counts[class])) }},
		{"share", 7, shareOf(func(c *workload.Cluster) float64 { return c.Share }, noise)},
		{"time", 10, func(class int32) string {
			if time == nil {
				return ""
			}
			return shower(time)(r.Times[class])
		}},
		{"of time", 8, shareOf(func(c *workload.Cluster) float64 { return c.TimeShare }, noiseTime)},
	}
	if v := s.shown[pageSequence]; v != nil && v.scores != nil && v.key == pages[pageSequence].key(s) {
		list = append(list, cell{"quality", 9, cluster(func(c *workload.Cluster) string {
			return fmt.Sprintf("%.3f", v.scores.Of[c.ID-1])
		})})
	}
	for j, name := range r.ParameterNames() {
		show := shower(r.Set.Column(name))
		title := name
		if label := plots.LabelOf(r, name); label != "" {
			title = label
		}
		list = append(list, cell{title, max(11, min(raster.TextWidth(title), 20)+2),
			cluster(func(c *workload.Cluster) string { return show(c.Parameters[j].Mean) })},
			cell{deviation, 10, cluster(func(c *workload.Cluster) string { return show(c.Parameters[j].Std) })})
	}
	return list
}

// deviation is the title of the columns that are left out where there is little room.
const (
	deviation   = "±"
	roomForMore = 90
)

// nameWidth is the width of the first column: the colour and the name of a class.
const nameWidth = 20

// drawTable draws the clusters, with the chosen one in view.
func (p *Pane) drawTable(c raster.Canvas, s *session) {
	th, list := p.sc.Theme, s.cells()
	if c.W < roomForMore {
		list = slices.DeleteFunc(list, func(one cell) bool { return one.title == deviation })
	}
	x, shown := nameWidth, 0
	for _, one := range list {
		if x+one.width > c.W-1 {
			break
		}
		c.TextIn(x, 0, one.width, th.Cut(th.ASCII(one.title), one.width-1), th.Dim, true)
		x += one.width
		shown++
	}
	classes := s.classes()
	body := c.Sub(0, 1, c.W, c.H-1)
	s.top = max(min(s.top, len(classes)-body.H), 0)
	s.top = max(min(s.top, s.row), s.row-body.H+1)
	for y := range min(body.H, len(classes)-s.top) {
		class := classes[s.top+y]
		st := th.Text
		if s.top+y == s.row {
			if st = th.PopupSel; !p.sc.Focused {
				st = th.Bold
			}
			body.Sub(0, y, c.W-1, 1).Fill(raster.Cell{Rune: ' ', Style: st})
		} else if class < workload.FirstCluster {
			st = th.Dim
		}
		body.Set(1, y, raster.Cell{Rune: th.Glyphs.Full, Style: raster.Style{FG: plot.Color(plots.InkOf(int(class)), p.sc.Dark)}})
		body.Text(3, y, workload.ClassName(class), st)
		x := nameWidth
		for _, one := range list[:shown] {
			body.TextIn(x, y, one.width, th.Cut(th.ASCII(one.text(class)), one.width-1), st, true)
			x += one.width
		}
	}
	style.DrawScrollbar(body, s.top, body.H, len(classes), th)
	p.drawn.table = raster.Rect{Y: 1, W: c.W, H: body.H}
	if y := len(classes) - s.top + 1; y < body.H {
		p.drawNotes(body.Sub(1, y, c.W-2, body.H-y), s)
	}
}

// drawNotes says what is to be minded, and where the typical component of the chosen cluster is.
func (p *Pane) drawNotes(c raster.Canvas, s *session) {
	th, notes := p.sc.Theme, s.notes()
	if class := s.chosen(); class >= workload.FirstCluster {
		i := s.result.Clusters[class-workload.FirstCluster].Nearest
		notes = append([]string{"typical: " + s.placeOf(i) + "; " + p.sc.KeysOf("workload-enter") + " goes there"},
			notes...)
	}
	y := 0
	for _, n := range notes {
		for _, text := range style.Wrap(th.ASCII(n), c.W) {
			if y >= c.H {
				return
			}
			c.Text(0, y, text, th.Dim)
			y++
		}
	}
}

// muchToDo is how many components are worth a sample: more take more than a few seconds.
const muchToDo = 200_000

// notes are those of the result, and what to try.
func (s *session) notes() (list []string) {
	list = append(list, s.result.Notes...)
	if n := len(s.result.Rows); n > muchToDo && s.set.Sample == 0 {
		list = append(list,
			fmt.Sprintf("%s components: a sample of 100000 is clustered faster (line sample of the setup)",
				raster.FormatCount(int64(n))))
	}
	return list
}

// summary is the result in a few words.
func (s *session) summary() string {
	r := s.result
	var out []string
	for class := workload.ClassMissing; class <= workload.ClassNoise; class++ {
		if n := r.Counts[class]; n > 0 {
			out = append(out, raster.FormatCount(int64(n))+" "+strings.ToLower(workload.ClassNames[class]))
		}
	}
	text := fmt.Sprintf("%s of %s", raster.CountOf(len(r.Clusters), "cluster"),
		raster.CountOf(r.Set.Len(), r.Set.Kind.Name))
	if len(out) > 0 {
		text += "; " + strings.Join(out, ", ")
	}
	return text
}
