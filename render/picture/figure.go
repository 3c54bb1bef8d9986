package picture

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/render/raster"
)

// Figure is a picture: a title, and panels one below the other.
type Figure struct {
	Title, Subtitle string
	Panels          []Panel

	Width, Height float64 // px; 0: what the panels want
	Scale         float64 // of a PNG: pixels per px; 0 counts as 1
	Dark          bool
}

// Panel is a part of a figure.
type Panel interface {
	// height returns the preferred height at a width, and the minimum that is readable.
	height(width float64) (want, least float64)
	draw(c canvas, r rect, ink *ink)
	// page writes the panel's data as JSON for the script of the page.
	page(w io.Writer, k *ink) error
}

// Format is a kind of file that a figure can be written as.
type Format struct {
	Ext, Doc string
	write    func(w io.Writer, f *Figure, width, height float64) error
}

// formats is the table of kinds of files.
var formats = []Format{
	{".svg", "vector graphics, for documents and the web", writeSVG},
	{".png", "pixels", writePNG},
	{".pdf", "vector graphics, for LaTeX", writePDF},
	{".html", "page that zooms and shows values, for a colleague without pview", writePage},
}

// FormatOf returns the format of a file by its name; nil for an unknown one.
func FormatOf(path string) *Format {
	i := slices.IndexFunc(formats, func(f Format) bool { return strings.HasSuffix(strings.ToLower(path), f.Ext) })
	if i < 0 {
		return nil
	}
	return &formats[i]
}

// FormatNamed is FormatOf with an error that names the known endings.
func FormatNamed(path string) (*Format, error) {
	f := FormatOf(path)
	if f == nil {
		return nil, fmt.Errorf("pictures are written as %s", strings.Join(Endings(), ", "))
	}
	return f, nil
}

// Endings returns the endings of the files' names.
func Endings() (list []string) {
	for _, f := range formats {
		list = append(list, f.Ext)
	}
	return list
}

// ink holds the colours of paper, text and grid.
type ink struct {
	paper, text, dim, grid raster.Color
}

func inkOf(dark bool) *ink {
	if dark {
		return &ink{raster.RGB(22, 24, 29), raster.RGB(224, 226, 230), raster.RGB(150, 154, 164),
			raster.RGB(58, 62, 70)}
	}
	return &ink{raster.RGB(255, 255, 255), raster.RGB(28, 30, 34), raster.RGB(100, 104, 112), raster.RGB(222, 224, 228)}
}

// look returns the colours of a figure's values.
func look(dark bool) raster.Look {
	th := *raster.LightTheme
	if dark {
		th = *raster.DarkTheme
	}
	k := inkOf(dark)
	th.Background, th.Text = k.paper, k.text
	return raster.Look{Profile: raster.TrueColor, Glyphs: raster.UTF8, Theme: &th}
}

// Sizes of a figure, px.
const (
	DefaultWidth = 1200
	LeastWidth   = 200
	LeastHeight  = 100
	MostSize     = 20_000 // each way

	margin       = 16
	titleSize    = 17
	subtitleSize = 12
	headSize     = 13
	labelSize    = 11
	panelGap     = 18
)

// Write writes the figure.
func (f *Figure) Write(w io.Writer, format *Format) error {
	width := f.Width
	if width == 0 {
		width = f.naturalWidth()
	}
	height := f.Height
	if height == 0 {
		height = 2*margin + f.head()
		for i, p := range f.Panels {
			want, _ := p.height(width - 2*margin)
			height += want
			if i > 0 {
				height += panelGap
			}
		}
	}
	for _, v := range [...]float64{width, height} {
		if v*max(f.Scale, 1) > MostSize {
			return fmt.Errorf("a picture of %.0f x %.0f is too large: at most %d each way", width*max(f.Scale, 1),
				height*max(f.Scale, 1), MostSize)
		}
	}
	return format.write(w, f, math.Ceil(width), math.Ceil(height))
}

// naturalWidth returns the width that a figure of tables needs, at most the default, which all other figures have.
func (f *Figure) naturalWidth() float64 {
	w := max(measure.width(f.Title, titleSize, true), measure.width(f.Subtitle, subtitleSize, false))
	for _, p := range f.Panels {
		t, ok := p.(*Table)
		if !ok {
			return DefaultWidth
		}
		w = max(w, t.naturalWidth(DefaultWidth-2*margin))
	}
	return min(max(w+2*margin, LeastWidth), DefaultWidth)
}

// ParseSize reads WIDTHxHEIGHT or WIDTH; a height of 0 stands for the preferred one.
func ParseSize(text string) (width, height float64, err error) {
	w, h, both := strings.Cut(text, "x")
	for _, side := range []struct {
		text  string
		at    *float64
		least int
	}{{w, &width, LeastWidth}, {h, &height, LeastHeight}} {
		if side.at == &height && !both {
			return width, 0, nil
		}
		n, err := strconv.Atoi(side.text)
		if err != nil || n < side.least || n > MostSize {
			return 0, 0, fmt.Errorf("must be WIDTHxHEIGHT, such as 1200x600, at least %dx%d and at most %d each way",
				LeastWidth, LeastHeight, MostSize)
		}
		*side.at = float64(n)
	}
	return width, height, nil
}

// head returns the height of title and subtitle.
func (f *Figure) head() float64 {
	h := 0.0
	if f.Title != "" {
		h += titleSize + 7
	}
	if f.Subtitle != "" {
		h += subtitleSize + 5
	}
	if h > 0 {
		h += 8
	}
	return h
}

// draw draws the figure on a canvas of its size.
func (f *Figure) draw(c canvas, width, height float64) {
	k := inkOf(f.Dark)
	c.fill(k.paper, rect{0, 0, width, height})
	inner := rect{0, 0, width, height}.inset(margin, margin, margin, margin)
	y := inner.y
	if f.Title != "" {
		y += titleSize
		c.text(inner.x, y, shorten(f.Title, titleSize, inner.w), lettering{size: titleSize, bold: true, color: k.text})
		y += 7
	}
	if f.Subtitle != "" {
		y += subtitleSize
		c.text(inner.x, y, shorten(f.Subtitle, subtitleSize, inner.w), lettering{size: subtitleSize, color: k.dim})
	}
	inner = inner.inset(0, f.head(), 0, 0)
	f.alignNames(inner.w)
	for i, r := range f.divide(inner) {
		f.Panels[i].draw(c, r, k)
	}
}

// alignNames gives the names of all timelines one width, so that equal times stand below each other.
func (f *Figure) alignNames(width float64) {
	widest := 0.0
	for _, p := range f.Panels {
		if t, ok := p.(*Timeline); ok {
			widest = max(widest, t.namesWidth(width))
		}
	}
	for _, p := range f.Panels {
		if t, ok := p.(*Timeline); ok {
			t.names = widest
		}
	}
}

// divide gives every panel its part of the figure: its preferred height, with any surplus or deficit shared in
// proportion to the difference from their minimum.
func (f *Figure) divide(r rect) (parts []rect) {
	wants, leasts := make([]float64, len(f.Panels)), make([]float64, len(f.Panels))
	sum, slack := 0.0, 0.0
	for i, p := range f.Panels {
		wants[i], leasts[i] = p.height(r.w)
		sum += wants[i]
		slack += wants[i] - leasts[i]
	}
	more := r.h - panelGap*float64(max(len(f.Panels)-1, 0)) - sum
	y := r.y
	for i := range f.Panels {
		share := 1 / float64(len(f.Panels))
		if slack > 0 {
			share = (wants[i] - leasts[i]) / slack
		}
		h := max(wants[i]+more*share, 1)
		parts = append(parts, rect{r.x, y, r.w, h})
		y += h + panelGap
	}
	return parts
}

// heading draws the title of a panel, followed by a note, and returns the space below.
func heading(c canvas, r rect, k *ink, title, note string) rect {
	if title == "" && note == "" {
		return r
	}
	y := r.y + headSize
	c.text(r.x, y, shorten(title, headSize*1.05, r.w), lettering{size: headSize, bold: true, color: k.text})
	x := r.x + measure.width(title, headSize, true) + 10
	if title == "" {
		x = r.x
	}
	if note = shorten(note, labelSize, r.right()-x); note != "" {
		c.text(x, y, note, lettering{size: labelSize, color: k.dim})
	}
	return r.inset(0, headHeight, 0, 0)
}

const headHeight = headSize + 9

// swatch is an entry of a legend.
type swatch struct {
	color raster.Color
	label string
}

const (
	swatchSize = 10
	legendLine = labelSize + 7
)

// legendLines returns where the entries stand: x and line of each, and the number of lines.
func legendLines(list []swatch, width float64) (at []point, lines int) {
	x := 0.0
	for _, s := range list {
		w := swatchSize + 5 + measure.width(s.label, labelSize, false)
		if x > 0 && x+w > width {
			x = 0
			lines++
		}
		at = append(at, point{x, float64(lines)})
		x += w + 18
	}
	if len(list) > 0 {
		lines++
	}
	return at, lines
}

// drawLegend draws the entries that fit, and the number of those that do not.
func drawLegend(c canvas, r rect, k *ink, list []swatch) {
	at, _ := legendLines(list, r.w)
	most := int(r.h / legendLine)
	for i, s := range list {
		if int(at[i].y) >= most {
			c.text(r.right(), r.y+float64(most-1)*legendLine+swatchSize, fmt.Sprintf("+%d more", len(list)-i),
				lettering{size: labelSize, color: k.dim, anchor: atEnd})
			return
		}
		x, y := r.x+at[i].x, r.y+at[i].y*legendLine
		box := rect{x, y + 1, swatchSize, swatchSize}
		c.fill(k.dim, rect{box.x - 0.5, box.y - 0.5, box.w + 1, box.h + 1})
		if s.color.IsSet() {
			c.fill(s.color, box)
		} else {
			c.fill(k.paper, box)
		}
		c.text(x+swatchSize+5, y+swatchSize, shorten(s.label, labelSize, r.right()-x-swatchSize-5),
			lettering{size: labelSize, color: k.text})
	}
}

// drawGradient draws the colours of a scale of values, from the minimum to the maximum.
func drawGradient(c canvas, r rect, k *ink, scale raster.Scale, paint func(v float64) raster.Color, unit string) {
	low, high := raster.FormatValue(scale.Min, unit), raster.FormatValue(scale.Max, unit)
	y := r.y + swatchSize
	c.text(r.x, y, low, lettering{size: labelSize, color: k.text})
	x := r.x + measure.width(low, labelSize, false) + 8
	w := min(240, r.right()-x-measure.width(high, labelSize, false)-8)
	if w > 20 {
		const steps = 120
		for i := range steps {
			v := scale.Min + (scale.Max-scale.Min)*float64(i)/(steps-1)
			if color := paint(v); color.IsSet() {
				c.fill(color, rect{x + w*float64(i)/steps, r.y + 1, w/steps + 0.5, swatchSize})
			}
		}
		x += w
	}
	c.text(x+8, y, high, lettering{size: labelSize, color: k.text})
}
