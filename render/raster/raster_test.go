package raster

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/semantic/series"
)

var update = flag.Bool("update", false, "rewrite the golden screens in testdata")

// series builds a series from bursts: begin, value, begin, value, ..., end.
func seriesOf(parts ...int64) *series.Series {
	var begin []int64
	var value []float64
	for i := 0; i+1 < len(parts); i += 2 {
		begin = append(begin, parts[i])
		value = append(value, float64(parts[i+1]))
	}
	return series.New(begin, value, parts[len(parts)-1])
}

var mono = Look{Mono, UTF8, DarkTheme}

func painter(l Look) *Painter { return &Painter{Look: l, Palette: NewPalette(nil)} }

// paint samples rows and paints them, one line each.
func paint(l Look, axis Axis, m Modes, rows ...*series.Series) Canvas {
	var g Grid
	g.Sample(rows, axis, Layout{Rows: len(rows), Lines: len(rows)}, m, 1)
	c := NewCanvas(axis.W, len(rows))
	g.Draw(c, painter(l))
	return c
}

// layers describes a canvas for reading: its characters, then its background and foreground colours as letters ("." for
// the default) with a key.
func layers(c Canvas) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", frame(c, func(cell Cell) string { return c.Grapheme(cell) }))
	letters := map[Color]string{NoColor: "."}
	var key []string
	letter := func(col Color) string {
		if letters[col] == "" {
			letters[col] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[len(key)%52:][:1]
			red, green, blue := col.RGB()
			key = append(key, fmt.Sprintf("%s = %d,%d,%d", letters[col], red, green, blue))
		}
		return letters[col]
	}
	fmt.Fprintf(&b, "background\n%s\n", frame(c, func(cell Cell) string { return letter(cell.BG) }))
	fmt.Fprintf(&b, "foreground\n%s\n", frame(c, func(cell Cell) string {
		if cell.Rune == ' ' && cell.Attr&Underline == 0 {
			return " "
		}
		return letter(cell.FG)
	}))
	fmt.Fprintf(&b, "attributes\n%s\n", frame(c, func(cell Cell) string {
		text := ""
		for i, name := range "bfuri" {
			if cell.Attr&(1<<i) != 0 {
				text = string(name) // the last one, if there are several
			}
		}
		return cmp.Or(text, " ")
	}))
	b.WriteString(strings.Join(key, "\n"))
	return b.String() + "\n"
}

// exact returns the full contents of a canvas, for comparison.
func exact(c Canvas) string {
	var b strings.Builder
	for y := range c.H {
		fmt.Fprintln(&b, c.Line(y), *c.clusters)
	}
	return b.String()
}

func frame(c Canvas, cell func(Cell) string) string {
	var lines []string
	for y := range c.H {
		line := "|"
		for _, x := range c.Line(y) {
			line += cell(x)
		}
		lines = append(lines, line+"|")
	}
	return strings.Join(lines, "\n")
}

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it)\ngot\n%s\nwant\n%s", path, got, want)
	}
}

func traceA(t testing.TB) *prv.Trace {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(prvtest.TraceA), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// states returns the states of each thread as series: what State As Is shows.
func states(tr *prv.Trace) []*series.Series {
	var rows []*series.Series
	for i := range tr.Threads {
		st := &tr.Threads[i].States
		begin, value := []int64{}, []float64{}
		if st.Len() == 0 || st.Begin[0] > 0 {
			begin, value = append(begin, 0), append(value, 0)
		}
		for k := range st.Begin {
			begin, value = append(begin, st.Begin[k]), append(value, float64(st.Value[k]))
			if end := st.End[k]; (k+1 == st.Len() || st.Begin[k+1] > end) && end < tr.Duration {
				begin, value = append(begin, end), append(value, 0)
			}
		}
		rows = append(rows, series.New(begin, value, tr.Duration))
	}
	return rows
}

// threadRow is CommLines.Row for a window of all threads.
func threadRow(tr *prv.Trace) func(int32, prv.Role) int32 {
	return func(i int32, r prv.Role) int32 { return tr.Comms.Thread(int(i), r) }
}

// tasks returns resources of n tasks of one thread each on one node.
func tasks(n int) prv.Resources {
	var r prv.Resources
	r.AddNode(n)
	r.AddPtask()
	for range n {
		r.AddTask(1, 0)
	}
	return r
}
