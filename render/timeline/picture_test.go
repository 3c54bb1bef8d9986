package timeline

import (
	"fmt"
	"strings"
	"testing"

	"pview/prv"
	"pview/render/raster"
	"pview/semantic"
)

// inText draws a view without colours, 20 columns wide, with its names, axis, legend and notes.
func inText(t *testing.T, w *View, height int) string {
	t.Helper()
	look := raster.Look{Profile: raster.Mono, Glyphs: raster.UTF8, Theme: raster.DarkTheme}
	const labels, width = 6, 20
	c := raster.NewCanvas(labels+1+width, height+2)
	f := Frame{Labels: raster.Rect{W: labels, H: height}, Gap: raster.Rect{X: labels, W: 1, H: height},
		Plot: raster.Rect{X: labels + 1, W: width, H: height}}
	w.LabelWidth(w.RowLayout(height, look))
	w.Draw(c, f, look, theme(), true)
	w.DrawAxis(c.Sub(0, height, c.W, 2), look, f.Plot, nil)
	legend := raster.NewCanvas(70, 1)
	if w.Drawing.Graph {
		w.DrawGraphLegend(legend, theme())
	} else {
		w.LegendWithCursor(look).Draw(legend)
	}
	var out []string
	for line := range strings.Lines(text(c) + text(legend)) {
		out = append(out, strings.TrimRight(line, " \n"))
	}
	for _, n := range append(w.Notes(), w.ModeNotes()...) {
		out = append(out, fmt.Sprintf("%s (%s)", n.Long, n.Short))
	}
	return strings.Join(out, "\n") + "\n"
}

// Pictures as they stand on a screen of few columns, 50 ns each: thread k of fourThreads computes in 2 (k + 1) of the
// 20, its event is where that ends, and the message goes from column 4 of 1.1.1 to column 2 (posted) and 8 (received)
// of 1.2.1.
func TestPictures(t *testing.T) {
	for _, p := range []struct {
		name   string
		height int
		change func(w *View)
		want   string
	}{
		{"states", 4, func(w *View) {}, `
1.1.1  ▇▇░░░░░░░░░░░░░░░░░░
1.1.2  ▇▇▇▇░░░░░░░░░░░░░░░░
1.2.1  ▇▇▇▇▇▇░░░░░░░░░░░░░░
1.2.2  ▇▇▇▇▇▇▇▇░░░░░░░░░░░░
       ┬─────────┬────────┬
              0.5 us
██ Running  ░░ Waiting a message
`},
		{"rows that share lines, the cursor on the third", 2, func(w *View) { w.CursorRow = 2 }, `
…1.1.2 ▇▇░░░░░░░░░░░░░░░░░░
1.2.1  ▇▇▇▇▇▇░░░░░░░░░░░░░░
       ┬─────────┬────────┬
              0.5 us
██ Running  ░░ Waiting a message
4 rows on 2 lines, mode (rows mode)
`},
		{"messages and flags", 4, func(w *View) {
			w.Drawing.Flags, w.Drawing.Comms = true, CommsLogical
			w.Cursor, w.CursorRow = 500, 1
		}, `
1.1.1  ▇▇╵⢀⠆░░░░░░░░░░░░░░░
1.1.2  ▇▇⢀⠎╵░░░░░░░░░░░░░░░
1.2.1  ▇▇⠊▇▇▇╵░░░░░░░░░░░░░
1.2.2  ▇▇▇▇▇▇▇▇╵░░░░░░░░░░░
       ┬─────────┬────────┬
              0.5 us
██ Running  ░░ Waiting a message
1 message (1 msg)
4 events (4 events)
`},
		{"some rows, in another order", 3, func(w *View) {
			w.Drawing.Flags, w.Drawing.Comms, w.Objects = true, commsBoth, []int32{2, 0, 1}
		}, `
1.2.1  ▇▇⠢⡀▇▇⣀⠤⠂░░░░░░░░░░░
1.1.1  ▇▇╵⠈⠒⠉░░░░░░░░░░░░░░
1.1.2  ▇▇▇▇╵░░░░░░░░░░░░░░░
       ┬─────────┬────────┬
              0.5 us
██ Running  ░░ Waiting a message
1 logical, 1 physical messages (1+1 msgs)
3 events (3 events)
3 of 4 rows (3/4 rows)
`},
		{"function lines", 8, func(w *View) { w.Drawing.Graph, w.Objects = true, []int32{2, 0} }, `
1.2.1
     3       ▇▇▇▇▇▇▇▇▇▇▇▇▇▇
             ██████████████
     0 ████████████████████
1.1.1
     3   ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
         ██████████████████
     0 ████████████████████
       ┬─────────┬────────┬
              0.5 us
height: 0 to 3  strong minimum, lighter mean, faint maximum of each co
2 of 4 rows (2/4 rows)
function line 0..3 (line 0..3)
`},
		{"function lines above a fixed scale", 4, func(w *View) {
			w.Drawing.Graph, w.Objects = true, []int32{3, 2, 1, 0}
			w.Drawing.Fixed, w.Drawing.Scale = true, raster.Scale{Min: 1, Max: 2}
		}, `
1.2.2          ^^^^^^^^^^^^
1.2.1        ^^^^^^^^^^^^^^
1.1.2      ^^^^^^^^^^^^^^^^
1.1.1    ^^^^^^^^^^^^^^^^^^
       ┬─────────┬────────┬
              0.5 us
height: 1 to 2  strong minimum, lighter mean, faint maximum of each co
rows reordered (reordered)
function line 1..2 fixed (line 1..2 fixed)
`},
		{"amounts from 100 to 300 ns, 10 ns a column", 4, func(w *View) {
			w.Sem, w.Drawing.Comms = semantic.ThreadWindow("State Record Dur."), CommsPhysical
			w.Begin, w.End, w.Cursor = 100, 300, 100
		}, `
1.1.1             ⠒⠢⠤⠤⣀⣀
1.1.2  ▓▓▓▓▓▓▓▓▓▓       ⠉⠉⠑
1.2.1  ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
1.2.2  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
       ┬─────────┬─────────
              200 ns
·· 0 us  ▓▓ 0.2 us  ▓▓ 0.3 us  ██ 0.4 us
1 physical message (1 phys. msg)
not null gradient 0..0.4 (0..0.4)
`},
		{"nothing", 2, func(w *View) { w.Sem, w.Top, w.Span = semantic.ThreadWindow("In State", []float64{7}), 1, 2 }, `
1.1.2 │   every value in
1.2.1 █     view is 0
       ┬─────────┬────────┬
              0.5 us
·· not Scheduling and Fork/Join
`},
		{"tasks, and the messages from one to the other", 2, func(w *View) {
			w.Sem.Level, w.Drawing.Comms, w.Drawing.Between = prv.LevelTask, commsBoth, Pair{1, 2}
		}, `
1.1    ░░▓⡠⠢⢄⡀▇▇▇▇▇▇▇▇▇▇▇▇▇
1.2    ░░⠊░░░⠈⠑⠂▇▇▇▇▇▇▇▇▇▇▇
       ┬─────────┬────────┬
              0.5 us
░░ 2  ▓▓ 4  ██ 6
messages from TASK 1.1 to TASK 1.2 (msgs 1 to 2)
not null gradient 2..6 (2..6)
`},
		{"tasks, and no message back", 2, func(w *View) {
			w.Sem.Level, w.Drawing.Comms, w.Drawing.Between = prv.LevelTask, commsBoth, Pair{2, 1}
		}, `
1.1    ░░▓▓▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
1.2    ░░░░░░▓▓▇▇▇▇▇▇▇▇▇▇▇▇
       ┬─────────┬────────┬
              0.5 us
░░ 2  ▓▓ 4  ██ 6
messages from TASK 1.2 to TASK 1.1 (msgs 2 to 1)
not null gradient 2..6 (2..6)
`},
		{"two threads until 600", 4, func(w *View) {
			w.Trace.SetPart(&prv.Part{Unread: []bool{false, false, true, true}, Until: 600})
		}, `
1.1.1  ▇▇░░░░░░░░░░········
1.1.2  ▇▇▇▇░░░░░░░░········
1.2.1  ····················
1.2.2  ····················
       ┬─────────┬────────┬
              0.5 us
██ Running  ░░ Waiting a message
`},
		{"all threads together", 1, func(w *View) {
			w.Sem.Level, w.Drawing.Flags, w.Drawing.Given.Time = prv.LevelWorkload, true, true
		}, `
…KLOAD ░░╵▒╵▓╵▇╵▇▇▇▇▇▇▇▇▇▇▇
       ┬─────────┬────────┬
              0.5 us
░░ 4  ▒▒ 6  ▓▓ 8  ██ 10  ██ 12
4 events (4 events)
not null gradient 4..12 (4..12)
maximum (maximum)
`},
	} {
		if got := inText(t, complete(t, p.change), p.height); got != strings.TrimPrefix(p.want, "\n") {
			t.Errorf("%s: got\n%s\nwant%s", p.name, got, p.want)
		}
	}
}
