package picture

import (
	"math"
	"strconv"

	"pview/render/raster"
)

// Table is a panel of cells by row and column: numbers with a shade behind them, or, where these do not fit, colours.
type Table struct {
	Title, Note   string
	Unit          string // of the cells
	Rows, Columns []Heading
	Totals        []Total
	Cell          func(row, column int) (v float64, ok bool)
	Text          func(v float64, row, column int) string
	Shade         Shade
	NoShade       bool // columns have different units, so colours cannot compare them
}

// Heading is the name of a row or a column.
type Heading struct{ Name, Unit string }

// Total is a line below the rows, such as their sum.
type Total struct {
	Name   string
	Values []float64 // by column; NaN: none
}

const (
	tableLine   = 19
	thinLine    = 12
	cellPadding = 14
)

// text returns the heading with its unit.
func (h Heading) text() string {
	if h.Unit == "" {
		return h.Name
	}
	return h.Name + " [" + h.Unit + "]"
}

// mostNumbers bounds the cells that are measured to find out whether numbers fit.
const mostNumbers = 4000

// numbers returns the widths of the columns, and whether the table can be drawn as numbers: with its headings above the
// columns where there is room, else with turned ones.
func (t *Table) numbers(width float64) (names float64, columns []float64, ok bool) {
	names = t.namesWidth(width)
	if len(t.Rows)*len(t.Columns) > mostNumbers && !t.NoShade {
		return names, nil, false
	}
	wide, narrow := names, names
	heads := make([]float64, len(t.Columns))
	for c := range t.Columns {
		w := 0.0
		for r := range t.Rows {
			w = max(w, measure.width(t.cellText(r, c), labelSize, false))
		}
		for _, total := range t.Totals {
			w = max(w, measure.width(t.totalText(total.Values[c], c), labelSize, false))
		}
		columns = append(columns, w+cellPadding)
		heads[c] = max(w, measure.width(t.Columns[c].text(), labelSize, false)) + cellPadding
		wide += heads[c]
		narrow += w + cellPadding
	}
	if wide <= width {
		return names, heads, true
	}
	return names, columns, narrow <= width || t.NoShade
}

// naturalWidth returns the part of a width that the table needs: as colours all of it.
func (t *Table) naturalWidth(width float64) float64 {
	names, columns, ok := t.numbers(width)
	if !ok {
		return width
	}
	w := names
	for _, c := range columns {
		w += c
	}
	const gradient = 400 // the colours' scale with its ends, and most headings
	return min(max(w+1, 3*names, gradient, measure.width(t.Title, headSize, true)+10+measure.width(t.Note, labelSize,
		false)), width)
}

func (t *Table) namesWidth(width float64) float64 {
	w := 0.0
	step := max(len(t.Rows)/500, 1)
	for i := 0; i < len(t.Rows); i += step {
		w = max(w, measure.width(t.Rows[i].text(), labelSize, false))
	}
	for _, total := range t.Totals {
		w = max(w, measure.width(total.Name, labelSize, false))
	}
	return min(w+10, width/3)
}

func (t *Table) cellText(row, column int) string {
	v, ok := t.Cell(row, column)
	if !ok || math.IsNaN(v) {
		return "-"
	}
	return t.Text(v, row, column)
}

func (t *Table) totalText(v float64, column int) string {
	if math.IsNaN(v) {
		return "-"
	}
	return t.Text(v, -1, column)
}

// headings returns the height of the columns' names: turned where they are wider than their columns.
func (t *Table) headings(widths []float64) (h float64, turned bool) {
	longest := 0.0
	for c := range t.Columns {
		w := measure.width(t.Columns[c].text(), labelSize, false)
		longest = max(longest, w)
		if w > widths[c]-6 {
			turned = true
		}
	}
	if !turned {
		return tableLine, false
	}
	return min(longest, 180) + 8, true
}

func (t *Table) height(width float64) (want, least float64) {
	_, columns, ok := t.numbers(width)
	if !ok {
		columns = t.even(width)
	}
	head, _ := t.headings(columns)
	rest := headHeight + head + legendLine + 6
	n := float64(max(len(t.Rows), 1))
	if ok {
		rest += float64(len(t.Totals)) * tableLine
		if len(t.Totals) > 0 {
			rest += 4
		}
		return rest + n*tableLine, rest + n*thinLine
	}
	plot := max(min(n*thinLine, 640), 40)
	return rest + plot, rest + 40
}

// even returns columns of equal width.
func (t *Table) even(width float64) []float64 {
	list := make([]float64, len(t.Columns))
	for i := range list {
		list[i] = (width - t.namesWidth(width)) / float64(len(list))
	}
	return list
}

func (t *Table) draw(c canvas, r rect, k *ink) {
	r = heading(c, r, k, t.Title, t.Note)
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		c.text(r.x, r.y+labelSize+4, "nothing to show: all columns are empty", lettering{size: labelSize, color: k.dim})
		return
	}
	names, columns, numbers := t.numbers(r.w)
	if !numbers {
		columns = t.even(r.w)
	}
	head, turned := t.headings(columns)
	body := r.inset(names, head, 0, legendLine+6)
	lines := float64(len(t.Rows))
	if numbers {
		lines += float64(len(t.Totals))
	}
	line := min(body.h/max(lines, 1), 32)
	if line < thinLine*0.85 && !t.NoShade { // too low for numbers
		numbers = false
		columns = t.even(r.w)
		line = body.h / float64(len(t.Rows))
	}
	t.drawHeadings(c, rect{body.x, r.y, body.w, head - 4}, k, columns, turned)
	if numbers {
		t.drawNumbers(c, body, k, columns, line)
		body.h = line * lines
	} else {
		body.h = line * float64(len(t.Rows))
		t.drawColors(c, body, k)
	}
	t.drawRowNames(c, body, k, names, line)
	if !t.NoShade {
		drawGradient(c, rect{r.x, body.bottom() + 8, r.w, legendLine}, k, t.Shade.Scale, t.Shade.color, t.Unit)
	}
}

// drawHeadings writes the names of the columns, or of some of them where they are narrow.
func (t *Table) drawHeadings(c canvas, r rect, k *ink, widths []float64, turned bool) {
	x, free := r.x, r.x
	for i, h := range t.Columns {
		mid := x + widths[i]/2
		switch {
		case !turned:
			c.text(x+widths[i]-cellPadding/2, r.bottom()-3, h.text(),
				lettering{size: labelSize, color: k.dim, anchor: atEnd})
		case mid-labelSize/2 >= free:
			c.text(mid+labelSize*0.35, r.bottom(), shorten(h.text(), labelSize, r.h),
				lettering{size: labelSize, color: k.dim, turned: true})
			free = mid + labelSize*0.6
		}
		x += widths[i]
	}
}

func (t *Table) drawRowNames(c canvas, r rect, k *ink, width, line float64) {
	step := niceStep(int(math.Ceil((labelSize + 1) / line)))
	for i := 0; i < len(t.Rows); i += step {
		y := r.y + (float64(i)+0.5)*line + labelSize*0.36
		c.text(r.x-8, max(y, r.y+labelSize*0.7), shorten(t.Rows[i].text(), labelSize, width-8),
			lettering{size: labelSize, color: k.text, anchor: atEnd})
	}
}

func (t *Table) drawNumbers(c canvas, r rect, k *ink, widths []float64, line float64) {
	for row := range t.Rows {
		x, y := r.x, r.y+float64(row)*line
		for col, w := range widths {
			color := k.text
			if v, ok := t.Cell(row, col); ok && !t.NoShade {
				if bg := t.Shade.color(v); bg.IsSet() {
					c.fill(bg, rect{x, y, w - 1, line - 1})
					color = bg.Contrast()
				}
			}
			c.text(x+w-cellPadding/2, y+line/2+labelSize*0.36, t.cellText(row, col),
				lettering{size: labelSize, color: color, anchor: atEnd})
			x += w
		}
	}
	if len(t.Totals) == 0 {
		return
	}
	top := r.y + float64(len(t.Rows))*line
	whole := 0.0
	for _, w := range widths {
		whole += w
	}
	c.fill(k.dim, rect{r.x, top, whole, 1})
	for i, total := range t.Totals {
		x, y := r.x, top+2+float64(i)*line
		c.text(r.x-8, y+line/2+labelSize*0.36, total.Name, lettering{size: labelSize, color: k.dim, anchor: atEnd})
		for col, w := range widths {
			c.text(x+w-cellPadding/2, y+line/2+labelSize*0.36, t.totalText(total.Values[col], col),
				lettering{size: labelSize, color: k.dim, anchor: atEnd})
			x += w
		}
	}
}

// drawColors draws the cells as colours, each with as many points as fit; where cells share a point, the greatest value
// shows.
func (t *Table) drawColors(c canvas, r rect, k *ink) {
	c.fill(k.grid, rect{r.x - 1, r.y - 1, r.w + 2, r.h + 2})
	c.fill(k.paper, r)
	g := c.grain()
	w := min(len(t.Columns), max(int(r.w*g), 1))
	h := min(len(t.Rows), max(int(r.h*g), 1))
	best := make([]float64, w*h)
	for i := range best {
		best[i] = math.NaN()
	}
	for row := range t.Rows {
		for col := range t.Columns {
			if v, ok := t.Cell(row, col); ok {
				at := &best[row*h/len(t.Rows)*w+col*w/len(t.Columns)]
				if !(*at >= v) {
					*at = v
				}
			}
		}
	}
	byColor := map[raster.Color][]rect{}
	var order []raster.Color
	dx, dy := r.w/float64(w), r.h/float64(h)
	for y := range h {
		for x := 0; x < w; {
			v := best[y*w+x]
			end := x + 1
			if v != v {
				x = end
				continue
			}
			color := t.Shade.color(v)
			for end < w && best[y*w+end] == best[y*w+end] && t.Shade.color(best[y*w+end]) == color {
				end++
			}
			if color.IsSet() {
				if byColor[color] == nil {
					order = append(order, color)
				}
				byColor[color] = append(byColor[color],
					rect{r.x + float64(x)*dx, r.y + float64(y)*dy, float64(end-x) * dx, dy})
			}
			x = end
		}
	}
	for _, color := range order {
		c.fill(color, byColor[color]...)
	}
}

// PlainNumber writes a number for people: with thousands separators, and enough digits that small ones can be told
// apart.
func PlainNumber(v float64) string {
	switch a := math.Abs(v); {
	case v == math.Trunc(v) && a < 1e15:
		return raster.FormatCount(int64(v))
	case a >= 1e15 || a < 1e-4:
		return strconv.FormatFloat(v, 'e', 3, 64)
	case a >= 1000:
		return raster.FormatCount(int64(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'f', max(2, 3-int(math.Floor(math.Log10(math.Abs(v))))), 64)
}

// Shade colours cells: none for 0, else blue over green to yellow; the greater the value, the further from the
// background. Colour-blind people can read the ramp, and its steps look even.
type Shade struct {
	Scale raster.Scale
	Dark  bool
}

var shades = [...]raster.Color{raster.RGB(59, 82, 139), raster.RGB(33, 144, 140), raster.RGB(93, 200, 99),
	raster.RGB(253, 231, 37)}

// color returns the colour of a value; NoColor for 0 and NaN.
func (s Shade) color(v float64) raster.Color {
	if v == 0 || v != v {
		return raster.NoColor
	}
	x := min(max(s.Scale.At(v), 0), 1)
	if !s.Dark {
		x = 1 - x
	}
	x *= float64(len(shades) - 1)
	k := min(int(x), len(shades)-2)
	return shades[k].Blend(shades[k+1], x-float64(k))
}
