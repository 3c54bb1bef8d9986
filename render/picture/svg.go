package picture

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"strconv"
	"strings"

	"pview/render/raster"
)

// svg is a canvas that is written as it is drawn.
type svg struct {
	out    *bufio.Writer
	prefix string // of names, where a page has several pictures
	clips  int
	open   int // groups that clip
}

func writeSVG(w io.Writer, f *Figure, width, height float64) error {
	s := &svg{out: bufio.NewWriter(w)}
	fmt.Fprintf(
		s.out,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" `+
			`role="img" font-family="%s">`+"\n",
		number(width),
		number(height),
		number(width),
		number(height),
		"Go, Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",
	)
	fmt.Fprintf(s.out, "<title>%s</title>\n", escape(f.Title))
	f.draw(s, width, height)
	s.out.WriteString("</svg>\n")
	return s.out.Flush()
}

// number writes a coordinate in hundredths of a px.
func number(v float64) string {
	t := strconv.FormatFloat(v, 'f', 2, 64)
	t = strings.TrimRight(strings.TrimRight(t, "0"), ".")
	if t == "-0" {
		return "0"
	}
	return t
}

func hex(c raster.Color) string {
	r, g, b := c.RGB()
	return fmt.Sprintf("#%02x%02x%02x", r, g, b)
}

// escape returns a text as XML allows it: without control characters.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
}

func (s *svg) grain() float64 { return 2 }
func (s *svg) shapes() int    { return 20_000 }

func (s *svg) fill(c raster.Color, list ...rect) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(s.out, `<path fill="%s" shape-rendering="crispEdges" d="`, hex(c))
	for _, r := range list {
		w := number(r.w)
		s.out.WriteString("M" + number(r.x) + " " + number(r.y) + "h" + w + "v" + number(r.h) + "h-" + w + "z")
	}
	s.out.WriteString("\"/>\n")
}

// path writes the points of a line.
func (s *svg) path(path []point) {
	for i, p := range path {
		if i == 0 {
			s.out.WriteByte('M')
		} else {
			s.out.WriteByte('L')
		}
		s.out.WriteString(number(p.x) + " " + number(p.y))
	}
}

func (s *svg) line(c raster.Color, width, alpha float64, path ...point) {
	fmt.Fprintf(s.out, `<path fill="none" stroke="%s" stroke-width="%s"%s d="`, hex(c), number(width),
		opacity("stroke", alpha))
	s.path(path)
	s.out.WriteString("\"/>\n")
}

func (s *svg) area(c raster.Color, alpha float64, path ...point) {
	fmt.Fprintf(s.out, `<path fill="%s"%s d="`, hex(c), opacity("fill", alpha))
	s.path(path)
	s.out.WriteString("z\"/>\n")
}

func opacity(of string, alpha float64) string {
	if alpha >= 1 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, of, number(alpha))
}

func (s *svg) text(x, y float64, text string, l lettering) {
	if text == "" {
		return
	}
	more := [...]string{atStart: "", atMiddle: ` text-anchor="middle"`, atEnd: ` text-anchor="end"`}[l.anchor]
	if l.bold {
		more += ` font-weight="bold"`
	}
	if l.turned {
		more += fmt.Sprintf(` transform="rotate(-90 %s %s)"`, number(x), number(y))
	}
	fmt.Fprintf(s.out, `<text x="%s" y="%s" font-size="%s" fill="%s"%s>%s</text>`+"\n", number(x), number(y),
		number(l.size), hex(l.color), more, escape(text))
}

func (s *svg) picture(r rect, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // of an image in memory
	}
	fmt.Fprintf(
		s.out,
		`<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" `+
			`style="image-rendering:pixelated" href="data:image/png;base64,`,
		number(r.x),
		number(r.y),
		number(r.w),
		number(r.h),
	)
	e := base64.NewEncoder(base64.StdEncoding, s.out)
	e.Write(b.Bytes())
	e.Close()
	s.out.WriteString("\"/>\n")
}

func (s *svg) clip(r rect) {
	s.clips++
	s.open++
	fmt.Fprintf(
		s.out,
		`<clipPath id="%[1]sc%[2]d"><rect x="%[3]s" y="%[4]s" width="%[5]s" height="%[6]s"/>`+
			`</clipPath><g clip-path="url(#%[1]sc%[2]d)">`+"\n",
		s.prefix,
		s.clips,
		number(r.x),
		number(r.y),
		number(r.w),
		number(r.h),
	)
}

func (s *svg) unclip() {
	s.open--
	s.out.WriteString("</g>\n")
}
