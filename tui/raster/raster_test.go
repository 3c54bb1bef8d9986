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
	"pview/semantic"
)

var update = flag.Bool("update", false, "rewrite the golden screens in testdata")

// series builds a series from bursts: begin, value, begin, value, ..., end.
func series(parts ...int64) *semantic.Series {
	var begin []int64
	var value []float64
	for i := 0; i+1 < len(parts); i += 2 {
		begin = append(begin, parts[i])
		value = append(value, float64(parts[i+1]))
	}
	return semantic.FromBursts(begin, value, parts[len(parts)-1])
}

var mono = Look{Mono, UTF8, DarkTheme}

func painter(l Look) *Painter { return &Painter{Look: l, Palette: NewPalette(nil)} }

// paint samples rows and paints them, one line each.
func paint(l Look, axis Axis, m Modes, rows ...*semantic.Series) Canvas {
	var g Grid
	g.Sample(rows, axis, Layout{Rows: len(rows), Lines: len(rows)}, m, 1)
	c := NewCanvas(axis.W, len(rows))
	g.Draw(c, painter(l))
	return c
}

// layers describes a canvas to people: its characters, then its background and
// foreground colours as letters ("." for the default) with a key.
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
				text = string(name) // the last one, where there are several
			}
		}
		return cmp.Or(text, " ")
	}))
	b.WriteString(strings.Join(key, "\n"))
	return b.String() + "\n"
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

// traceText is the small trace of the specification (paraver.md, section 5,
// Trace A): two threads, a message of tag 5 to the first and one of tag 6 to the second.
const traceText = `#Paraver (01/01/03 at 00:00):100:2:1:2(1:1,1:2)
1:1:1:1:1:0:30:1
1:2:1:2:1:0:45:1
2:2:1:2:1:5:500:7
2:1:1:1:1:10:40:1
2:1:1:1:1:20:40:2
2:1:1:1:1:25:40:0
1:1:1:1:1:30:50:3
1:2:1:2:1:45:50:7
3:2:1:2:1:45:50:1:1:1:1:30:50:1000:5
1:1:1:1:1:50:90:1
1:2:1:2:1:50:70:1
2:2:1:2:1:55:500:9
2:1:1:1:1:60:40:3
3:1:1:1:1:60:62:2:1:2:1:70:80:3000:6
1:2:1:2:1:70:80:3
2:1:1:1:1:80:40:0
1:2:1:2:1:80:100:1
2:1:1:1:1:90:40:0
`

func traceA(t testing.TB) *prv.Trace {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(traceText), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// states returns the states of each thread as series: what State As Is shows.
func states(tr *prv.Trace) []*semantic.Series {
	var rows []*semantic.Series
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
		rows = append(rows, semantic.FromBursts(begin, value, tr.Duration))
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
