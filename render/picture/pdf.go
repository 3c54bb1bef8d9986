package picture

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"pview/render/raster"
)

// pdf is a canvas of one page; a px is 3/4 of a point.
type pdf struct {
	doc    *fpdf.Fpdf
	images int
}

const pointsPerPx = 0.75

func writePDF(w io.Writer, f *Figure, width, height float64) error {
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt",
		Size: fpdf.SizeType{Wd: width * pointsPerPx, Ht: height * pointsPerPx}})
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.SetTitle(plane0(f.Title), true)
	doc.SetCreator("pview", true)
	// The same picture is the same file.
	doc.SetCatalogSort(true)
	doc.SetCreationDate(time.Unix(0, 0).UTC())
	doc.SetModificationDate(time.Unix(0, 0).UTC())
	doc.AddUTF8FontFromBytes("Go", "", goregular.TTF)
	doc.AddUTF8FontFromBytes("Go", "B", gobold.TTF)
	doc.AddPageFormat("P", fpdf.SizeType{Wd: width * pointsPerPx, Ht: height * pointsPerPx})
	doc.TransformBegin()
	doc.TransformScale(100*pointsPerPx, 100*pointsPerPx, 0, 0)
	f.draw(&pdf{doc: doc}, width, height)
	doc.TransformEnd()
	return doc.Output(w)
}

// plane0 replaces characters above U+FFFF, such as emoji: neither the fonts nor the library support them.
func plane0(s string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xffff {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func (p *pdf) grain() float64 { return 2 }
func (p *pdf) shapes() int    { return 20_000 }

func (p *pdf) fill(c raster.Color, list ...rect) {
	p.fillColor(c)
	for _, r := range list {
		p.doc.Rect(r.x, r.y, r.w, r.h, "F")
	}
}

func (p *pdf) fillColor(c raster.Color) {
	r, g, b := c.RGB()
	p.doc.SetFillColor(int(r), int(g), int(b))
}

func (p *pdf) path(path []point) {
	for i, q := range path {
		if i == 0 {
			p.doc.MoveTo(q.x, q.y)
		} else {
			p.doc.LineTo(q.x, q.y)
		}
	}
}

func (p *pdf) line(c raster.Color, width, alpha float64, path ...point) {
	r, g, b := c.RGB()
	p.doc.SetDrawColor(int(r), int(g), int(b))
	p.doc.SetLineWidth(width)
	p.doc.SetAlpha(alpha, "Normal")
	p.path(path)
	p.doc.DrawPath("D")
	p.doc.SetAlpha(1, "Normal")
}

func (p *pdf) area(c raster.Color, alpha float64, path ...point) {
	p.fillColor(c)
	p.doc.SetAlpha(alpha, "Normal")
	p.path(path)
	p.doc.ClosePath()
	p.doc.DrawPath("F")
	p.doc.SetAlpha(1, "Normal")
}

func (p *pdf) text(x, y float64, s string, l lettering) {
	style := ""
	if l.bold {
		style = "B"
	}
	p.doc.SetFont("Go", style, l.size)
	r, g, b := l.color.RGB()
	p.doc.SetTextColor(int(r), int(g), int(b))
	w := measure.width(s, l.size, l.bold)
	by := [...]float64{atStart: 0, atMiddle: -w / 2, atEnd: -w}[l.anchor]
	if l.turned {
		p.doc.TransformBegin()
		p.doc.TransformRotate(90, x, y)
		defer p.doc.TransformEnd()
	}
	p.doc.Text(x+by, y, plane0(s))
}

func (p *pdf) picture(r rect, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // of an image in memory
	}
	p.images++
	name := "i" + strconv.Itoa(p.images)
	opt := fpdf.ImageOptions{ImageType: "PNG"}
	p.doc.RegisterImageOptionsReader(name, opt, &b)
	p.doc.ImageOptions(name, r.x, r.y, r.w, r.h, false, opt, 0, "")
}

func (p *pdf) clip(r rect) { p.doc.ClipRect(r.x, r.y, r.w, r.h, false) }
func (p *pdf) unclip()     { p.doc.ClipEnd() }
