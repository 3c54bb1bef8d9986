package picture

import (
	"bufio"
	"compress/flate"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"strings"

	"pview/prv/quantity"
	"pview/render/raster"
	"pview/semantic/series"
)

// A page is one file: its style and script, and the figure as JSON. Bursts are not JSON but a deflated stream in
// base64. Row after row, as unsigned varints, it has the number of bursts; for each burst the time since the start of
// the previous one (for the first: since the start of the axis, where bursts are cut) and the position of its value in
// the list of values; then the length of the last burst.

//go:embed page.html
var pageText string

func writePage(w io.Writer, f *Figure, width, height float64) error {
	out := bufio.NewWriter(w)
	k := inkOf(f.Dark)
	before, after, _ := strings.Cut(pageText, "<!--FIGURE-->")
	out.WriteString(strings.NewReplacer("<!--TITLE-->", escape(f.Title), "<!--SUBTITLE-->", escape(f.Subtitle),
		"/*PAPER*/", hex(k.paper), "/*TEXT*/", hex(k.text), "/*DIM*/", hex(k.dim), "/*GRID*/",
		hex(k.grid)).Replace(before))
	out.WriteString(`<script id="figure" type="application/json">{"times":"` + quantity.TimeUnit() + `","panels":[`)
	for i, p := range f.Panels {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		if err := p.page(out, k); err != nil {
			return err
		}
	}
	out.WriteString("]}</script>")
	out.WriteString(after)
	return out.Flush()
}

// pageTimeline is a timeline for the script.
type pageTimeline struct {
	Kind       string     `json:"kind"`
	Title      string     `json:"title"`
	Note       string     `json:"note"`
	Begin      int64      `json:"begin"`
	End        int64      `json:"end"`
	Tick       int64      `json:"tick"` // ns of a unit of time
	Rows       []string   `json:"rows"`
	Values     []any      `json:"values"` // null where it is no number
	Names      []string   `json:"names"`
	Colors     []string   `json:"colors"` // "": none
	Coded      bool       `json:"coded"`
	Ramp       []string   `json:"ramp,omitempty"`
	Low        float64    `json:"low"`
	High       float64    `json:"high"`
	Unit       string     `json:"unit"`
	Rule       string     `json:"rule"`
	NotZero    bool       `json:"notzero"`
	Absolute   bool       `json:"absolute"`
	Curves     bool       `json:"curves"`
	HeightNote string     `json:"heightnote"`
	Spread     bool       `json:"spread"`
	Messages   [][5]int64 `json:"messages"` // from, to, sent, received, 1 for a physical one
	Lines      [2]string  `json:"lines"`    // colours of logical and physical messages
	Flags      []pageFlag `json:"flags"`
	Sampled    int        `json:"sampled"` // columns; 0: all bursts are there
	Data       string     `json:"data"`    // set last, written as a stream
}

type pageFlag struct {
	Time int64  `json:"time"`
	Text string `json:"text"`
}

// pageRules names the rule by which the script chooses the value of a pixel with several bursts. Instead of a random
// one it takes the one that holds longest.
var pageRules = map[series.DrawMode]struct {
	rule              string
	notZero, absolute bool
}{
	series.Maximum: {"max", false, false}, series.MaximumNotZero: {"max", true, false},
	series.Minimum: {"min", false, false}, series.MinimumNotZero: {"min", true, false},
	series.MaximumAbsolute: {"max", false, true}, series.MinimumAbsoluteNotZero: {"min", true, true},
	series.Last: {"last", false, false}, series.LastNotZero: {"last", true, false},
	series.Random: {"longest", false, false}, series.RandomNotZero: {"longest", true, false},
	series.Average: {"mean", false, false}, series.AverageNotZero: {"mean", true, false},
	series.MostTime: {"longest", false, false},
}

// mostBursts bounds the bursts of a page; where there are more, it holds samples.
const mostBursts = 2_000_000

// eachBurst calls do for the bursts of a row that begin before the end of the axis, cut to it.
func (t *Timeline) eachBurst(row int, do func(begin, end int64, v float64)) {
	s := t.Rows[row].Series
	if s == nil || s.Len() == 0 {
		return
	}
	for i := s.At(t.Begin); i < s.Len(); i++ {
		begin, end, v := s.Burst(i)
		if begin >= t.End {
			return
		}
		if begin, end = max(begin, t.Begin), min(end, t.End); end > begin {
			do(begin, end, v)
		}
	}
}

// eachSample is eachBurst for columns of equal length, joining neighbours of one value.
func (t *Timeline) eachSample(row, columns int, do func(begin, end int64, v float64)) {
	s := t.Rows[row].Series
	if s == nil {
		return
	}
	axis := raster.Axis{Begin: t.Begin, End: t.End, W: columns}
	from, last := t.Begin, raster.Absent
	for x := range columns {
		a, b := axis.Bounds(x)
		v, ok := s.Value(a, b, t.Modes.Time, 0)
		if !ok {
			v = raster.Absent
		}
		if math.Float64bits(v) != math.Float64bits(last) {
			if !raster.IsAbsent(last) && a > from {
				do(from, a, last)
			}
			from, last = a, v
		}
	}
	if !raster.IsAbsent(last) && t.End > from {
		do(from, t.End, last)
	}
}

func (t *Timeline) page(w io.Writer, _ *ink) error {
	// How many bursts there are decides whether all are written.
	total := 0
	for i := range t.Rows {
		if s := t.Rows[i].Series; s != nil {
			total += s.At(t.End) - s.At(t.Begin) + 1
		}
	}
	columns := 0
	if total > mostBursts {
		columns = max(mostBursts/len(t.Rows), 512)
	}
	each := func(row int, do func(begin, end int64, v float64)) {
		if columns > 0 {
			t.eachSample(row, columns, do)
		} else {
			t.eachBurst(row, do)
		}
	}
	rule := pageRules[t.Modes.Time]
	p := pageTimeline{Kind: "timeline", Title: t.Title, Note: t.note(), Begin: t.Begin, End: t.End,
		Tick: t.Unit.Nanoseconds(), Unit: t.ValueUnit,
		Rule: rule.rule, NotZero: rule.notZero, Absolute: rule.absolute, Curves: t.Curves, Spread: t.Modes.Spread &&
			columns == 0,
		Coded: t.coded(), Sampled: columns, Messages: [][5]int64{}, Flags: []pageFlag{}}
	p.HeightNote = heightNote(p.Spread)
	positions := t.pageValues(&p, each)
	for i := range t.Rows {
		p.Rows = append(p.Rows, t.Rows[i].Name)
	}
	for _, m := range t.Messages {
		physical := int64(0)
		if m.Physical {
			physical = 1
		}
		p.Messages = append(p.Messages, [5]int64{int64(m.From), int64(m.To), m.Sent, m.Received, physical})
	}
	for _, f := range t.Flags {
		p.Flags = append(p.Flags, pageFlag(f))
	}
	p.Lines = [2]string{hex(t.Painter.Theme.Text), hex(t.Painter.Theme.Physical)}
	text, err := json.Marshal(&p)
	if err != nil {
		return err
	}
	if _, err := w.Write(text[:len(text)-len(`"}`)]); err != nil { // open: the data follow
		return err
	}
	if err := t.pageBursts(w, positions, each); err != nil {
		return err
	}
	_, err = io.WriteString(w, `"}`)
	return err
}

// pageValues lists the values that occur, with names and colours, and returns the position of each.
func (t *Timeline) pageValues(p *pageTimeline, each func(int, func(begin, end int64, v float64))) map[uint64]uint64 {
	positions := map[uint64]uint64{}
	p.Low, p.High = math.Inf(1), math.Inf(-1)
	var values []float64
	for i := range t.Rows {
		each(i, func(_, _ int64, v float64) {
			bits := math.Float64bits(v)
			if _, ok := positions[bits]; ok {
				return
			}
			positions[bits] = uint64(len(values))
			values = append(values, v)
			if v-v == 0 {
				p.Low, p.High = min(p.Low, v), max(p.High, v)
			}
		})
	}
	if p.Low > p.High {
		p.Low, p.High = 0, 1
	}
	if t.Fixed {
		p.Low, p.High = t.Painter.Scale.Min, t.Painter.Scale.Max
	} else if t.Curves {
		p.Low, p.High = min(p.Low, 0), max(p.High, 0)
	}
	painter := t.Painter
	painter.Scale = raster.Scale{Min: p.Low, Max: p.High}
	p.Values, p.Names, p.Colors = []any{}, []string{}, []string{}
	for _, v := range values {
		if v-v == 0 {
			p.Values = append(p.Values, v)
		} else {
			p.Values = append(p.Values, nil)
		}
		color, name := "", ""
		if c := painter.Color(v); c.IsSet() {
			color = hex(c)
		}
		if p.Coded || v-v != 0 {
			name = t.Label(v)
		}
		p.Names, p.Colors = append(p.Names, name), append(p.Colors, color)
	}
	if !p.Coded {
		const steps = 64
		for i := range steps {
			p.Ramp = append(p.Ramp, hex(painter.Color(p.Low+(p.High-p.Low)*float64(i)/(steps-1))))
		}
	}
	return positions
}

func (t *Timeline) pageBursts(w io.Writer, positions map[uint64]uint64,
	each func(int, func(begin, end int64, v float64))) error {
	text := base64.NewEncoder(base64.StdEncoding, w)
	packed, err := flate.NewWriter(text, flate.DefaultCompression)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(packed)
	var buf []byte
	for i := range t.Rows {
		n, from, until := uint64(0), t.Begin, t.Begin
		buf = buf[:0]
		each(i, func(begin, end int64, v float64) {
			n++
			buf = binary.AppendUvarint(buf, uint64(begin-from))
			buf = binary.AppendUvarint(buf, positions[math.Float64bits(v)])
			from, until = begin, end
		})
		out.Write(binary.AppendUvarint(nil, n))
		buf = binary.AppendUvarint(buf, uint64(until-from))
		if _, err := out.Write(buf); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return text.Close()
}

// pageTable is a table for the script: the cells that exist, row by row.
type pageTable struct {
	Kind    string      `json:"kind"`
	Title   string      `json:"title"`
	Note    string      `json:"note"`
	Unit    string      `json:"unit"`
	Rows    []string    `json:"rows"`
	Columns []string    `json:"columns"`
	Cells   []pageCell  `json:"cells"`
	Totals  []pageTotal `json:"totals"`
}

type pageCell struct {
	Row    int    `json:"r"`
	Column int    `json:"c"`
	Value  any    `json:"v"`
	Text   string `json:"t"`
	Color  string `json:"b,omitempty"`
	Ink    string `json:"f,omitempty"`
}

type pageTotal struct {
	Name string   `json:"name"`
	Text []string `json:"text"`
}

func (t *Table) page(w io.Writer, _ *ink) error {
	p := pageTable{Kind: "table", Title: t.Title, Note: t.Note, Unit: t.Unit, Cells: []pageCell{},
		Totals: []pageTotal{}, Rows: []string{}, Columns: []string{}}
	for _, h := range t.Columns {
		p.Columns = append(p.Columns, h.text())
	}
	for r, h := range t.Rows {
		p.Rows = append(p.Rows, h.text())
		for c := range t.Columns {
			v, ok := t.Cell(r, c)
			if !ok || v != v {
				continue
			}
			cell := pageCell{Row: r, Column: c, Text: t.Text(v, r, c)}
			if v-v == 0 {
				cell.Value = v
			}
			if color := t.Shade.color(v); !t.NoShade && color.IsSet() {
				cell.Color, cell.Ink = hex(color), hex(color.Contrast())
			}
			p.Cells = append(p.Cells, cell)
		}
	}
	for _, total := range t.Totals {
		line := pageTotal{Name: total.Name}
		for c, v := range total.Values {
			line.Text = append(line.Text, t.totalText(v, c))
		}
		p.Totals = append(p.Totals, line)
	}
	return json.NewEncoder(w).Encode(&p)
}
