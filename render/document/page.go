package document

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"

	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/picture"
	"pview/render/timeline"
	"pview/semantic/series"
)

// A page stands alone: it can be sent to a colleague, and its pictures are SVGs within it.

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// Sizes of pictures.
const (
	pageWidth = 1000 // px
	mostRows  = 24   // threads
)

// WritePage writes a document as a page of HTML. Its pictures evaluate timelines: memory is the size of their cache in
// bytes.
func WritePage(ctx context.Context, w io.Writer, d *report.Document, memory int64) error {
	m := pageMaker{ctx: ctx, cache: series.NewCache(memory)}
	p := page{Title: prv.Clean(d.PageTitle), Heading: prv.Clean(d.PageHeading), Foot: d.Foot}
	if p.Title == "" {
		p.Title = p.Heading
	}
	for i := range d.Sections {
		if on := d.Sections[i].On; on == report.TextOnly || on == report.ViewerOnly {
			continue
		}
		s, err := m.section(&d.Sections[i])
		if err != nil {
			return err
		}
		if len(s.Blocks) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	return pageTemplate.Execute(w, &p)
}

// page is the data of the template.
type page struct {
	Title, Heading, Foot string
	Sections             []pageSection
}

type pageSection struct {
	Heading string
	Blocks  []pageBlock
}

// pageBlock is one of its fields; the others are nil.
type pageBlock struct {
	Passage *pagePassage
	Table   *pageTable
	Entry   *pageEntry
	Image   *pageImage
}

type pagePassage struct{ Class, Text string }

type pageImage struct {
	Source template.URL
	Alt    string
}

type pageEntry struct {
	Confirmed    bool
	Badge, Title string
	About        string
	Details      []report.Detail
	Parts        []string
	Image        *pageImage
}

// pageTable is a table of a page.
type pageTable struct {
	Title, Doc, Fold string
	Head             []string // nil: no line of titles
	Rows             [][]pageCell
	More             *pageTable // the rows beyond Top, to be unfolded
	numbers, bars    []bool     // by column
}

// pageCell is a text, or a bar to the left (Less) or right (More), in percent.
type pageCell struct{ Text, Less, More string }

// Class returns the style of a column.
func (t *pageTable) Class(i int) string {
	switch {
	case t.bars[i]:
		return "bar"
	case t.numbers[i]:
		return "n"
	}
	return ""
}

// Bars reports whether a column has bars.
func (t *pageTable) Bars(i int) bool { return t.bars[i] }

// Hidden returns the number of rows to be unfolded.
func (t *pageTable) Hidden() string { return quantity.FormatCount(int64(len(t.More.Rows))) }

// pageMaker draws the pictures of a page.
type pageMaker struct {
	ctx   context.Context
	cache *series.Cache
	gen   int
}

func (m *pageMaker) section(s *report.Section) (out pageSection, err error) {
	out.Heading = prv.Clean(s.Heading)
	for _, b := range s.Blocks {
		var block pageBlock
		switch b := b.(type) {
		case *report.Passage:
			block.Passage = &pagePassage{classes[b.Tone], prv.Clean(b.Text)}
		case report.Pairs:
			block.Table = tableOf(b.Table())
		case *report.Table:
			if block.Table = tableOf(b); len(block.Table.Rows) == 0 {
				continue
			}
			block.Table.Fold = s.Fold
		case *report.Entry:
			block.Entry, err = m.entry(b)
		case *report.Plot:
			block.Image, err = imageOf(b.Alt, &picture.Chart{Figure: b.Figure})
		case *report.Picture:
			block.Image, err = m.picture(b)
		}
		if err != nil {
			return out, err
		}
		out.Blocks = append(out.Blocks, block)
	}
	return out, nil
}

// classes are the styles of passages, by tone.
var classes = [...]string{report.Plain: "", report.Strong: "strong", report.Note: "note", report.Warning: "warning",
	report.About: "about"}

func (m *pageMaker) entry(e *report.Entry) (out *pageEntry, err error) {
	out = &pageEntry{Confirmed: e.Confirmed, Badge: e.Share, Title: prv.Clean(e.Title),
		About: prv.Clean(e.About)}
	if e.Warning {
		out.Badge = "warning"
	}
	for _, l := range e.Details {
		out.Details = append(out.Details, report.Detail{Key: l.Key, Text: prv.Clean(l.Text)})
	}
	for _, c := range e.Children {
		cost := ""
		switch {
		case c.Warning:
			cost = " (warning)"
		case c.Share != "":
			cost = fmt.Sprintf(" (%s, %s)", c.Share, c.Cost)
		}
		out.Parts = append(out.Parts, fmt.Sprintf("with %s%s: %s", c.Rule, cost, prv.Clean(c.Title)))
	}
	if e.Picture != nil {
		out.Image, err = m.picture(e.Picture)
	}
	return out, err
}

// tableOf returns a table as a terminal shows it, with real bars instead of those made of characters.
func tableOf(t *report.Table) *pageTable {
	whole, more := *t, hidden(t)
	if whole.Top, whole.Rest = 0, nil; more > 0 && t.Rest != nil {
		whole.Foot = slices.Concat([][]any{t.Rest}, t.Foot)
	}
	cells, widths := Cells(&whole)
	out := &pageTable{Title: t.Title, Doc: t.Doc}
	var columns []int
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Bar || !c.Drawn && widths[i] > 0 {
			columns = append(columns, i)
			out.bars, out.numbers = append(out.bars, c.Bar), append(out.numbers, t.RightAligned(i))
		}
	}
	rows := listed(&whole)
	for r := range rows {
		line := make([]pageCell, len(columns))
		for k, i := range columns {
			if line[k] = (pageCell{Text: cells[r+1][i]}); t.Columns[i].Bar {
				line[k] = barOf(rows[r][i])
			}
		}
		out.Rows = append(out.Rows, line)
	}
	if titles := pick(cells[0], columns); !t.Headless && slices.ContainsFunc(titles,
		func(s string) bool { return s != "" }) {
		out.Head = titles
	}
	if more > 0 {
		rest := *out
		rest.Title, rest.Head, rest.Rows = "", nil, out.Rows[t.Top:t.Top+more]
		out.More, out.Rows = &rest, slices.Concat(out.Rows[:t.Top], out.Rows[t.Top+more:])
	}
	return out
}

func pick(list []string, at []int) (some []string) {
	for _, i := range at {
		some = append(some, list[i])
	}
	return some
}

// barOf returns the bar of a share from -1 to 1.
func barOf(cell any) (c pageCell) {
	if v, ok := cell.(float64); ok {
		width := fmt.Sprintf("%.1f", 100*math.Abs(v))
		if v < 0 {
			c.Less = width
		} else {
			c.More = width
		}
	}
	return c
}

// picture draws timelines, one below the other.
func (m *pageMaker) picture(p *report.Picture) (*pageImage, error) {
	var panels []picture.Panel
	for i := range p.Panels {
		panel, err := m.panel(&p.Panels[i])
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return imageOf(p.Alt, panels...)
}

func (m *pageMaker) panel(p *report.Panel) (picture.Panel, error) {
	t := p.Trace
	if t == nil {
		var err error
		if t, err = p.Make(m.ctx); err != nil {
			return nil, err
		}
	}
	m.gen++
	v := timeline.NewView(m.gen, timeline.NewTrace(m.gen, t))
	if p.Event != 0 {
		timeline.LastValue("", []uint32{p.Event})(&v.Sem)
		v.Palette = timeline.PaletteOf(p.Values)
	}
	if p.Name != "" {
		v.Name = prv.Clean(p.Name)
	}
	if len(p.Threads) > 0 {
		v.Objects = p.Threads[:min(mostRows, len(p.Threads))]
	} else {
		v.Span = min(mostRows, v.Rows(t))
	}
	if v.Begin, v.End = p.From, p.To; p.Messages {
		v.Drawing.Comms = timeline.CommsLogical
	}
	v.Clamp(t, max(t.Duration, v.End, 1))
	if err := v.Complete(timeline.Resources{Context: m.ctx, Cache: m.cache, Gen: &m.gen}); err != nil {
		return nil, err
	}
	return picture.OfView(v, false), nil
}

// imageOf returns a picture as a data URL.
func imageOf(alt string, panels ...picture.Panel) (*pageImage, error) {
	var b bytes.Buffer
	fig := picture.Figure{Width: pageWidth, Panels: panels}
	if err := fig.Write(&b, picture.FormatOf("x.svg")); err != nil {
		return nil, err
	}
	return &pageImage{template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), alt},
		nil
}
