package tui

import (
	"path/filepath"
	"strings"
	"testing"

	"pview/prv/prvtest"
	"pview/semantic"
	"pview/semantic/stat"
	"pview/tui/raster"
)

// The questions of every day, none more than six keys from the open trace, on a terminal of 80 by 24.

// ask opens a real trace and presses keys: names of keys, and words that are typed.
func ask(t *testing.T, trace string, keys ...string) *driver {
	t.Helper()
	path := prvtest.Shared(t, append([]string{"traces"}, strings.Split(trace, "/")...)...)
	d := drive(t, 80, 24, Options{Paths: []string{path}})
	n := 0
	for _, k := range keys {
		if _, special := specialKeys[k]; special || len(k) == 1 {
			d.press(k)
			n++
			continue
		}
		d.typed(k)
		n += len(k)
	}
	if n > 6 {
		t.Errorf("%s on %s: %d keys, want at most 6", strings.Join(keys, " "), filepath.Base(trace), n)
	}
	return d
}

const heat, imbalance = "heat2d_8/heat2d_8.prv", "imbalance_8/imbalance_8.prv"

func TestMostExpensiveCall(t *testing.T) {
	d := ask(t, heat, "a", "a", "mpi", "enter")
	s := d.sheetOf()
	if s.Columns[0].Name != "MPI_Waitall" {
		t.Errorf("first column %s, want MPI_Waitall", s.Columns[0].Name)
	}
	for c := 1; c < len(s.Columns); c++ {
		if s.Totals[stat.Sum][c] > s.Totals[stat.Sum][c-1] {
			t.Errorf("column %d is greater than the one before", c)
		}
	}
}

func TestItsCaller(t *testing.T) {
	d := ask(t, heat, "a", "a", "cal", "enter")
	s := d.sheetOf()
	// All 480 events of MPI_Waitall stand on lines with 70000001:7.
	caller := d.m.Focused().Trace.Data.Labels.ValueName(70000001, 7)
	if s.Planes[s.Plane].Name != "MPI_Waitall" || s.Columns[0].Name != caller {
		t.Errorf("plane %s, first caller %s; want MPI_Waitall, from %s", s.Planes[s.Plane].Name, s.Columns[0].Name, caller)
	}
}

// Work grows with the rank: thread 8 waits least, thread 1 most.
func TestLeastBalancedRank(t *testing.T) {
	d := ask(t, imbalance, "o")
	if w := d.m.Focused(); w.CursorRow != 0 && w.CursorRow != 7 {
		t.Errorf("row %d, want 0 or 7", w.CursorRow)
	}
	d.sees("differs (most)")
}

func TestItsLongestComputation(t *testing.T) {
	d := ask(t, imbalance, "Q", "h", "enter")
	w := d.m.Focused()
	useful := semantic.ThreadWindow("Useful")
	e, err := semantic.Compile(w.Trace.Data, &useful)
	if err != nil {
		t.Fatal(err)
	}
	// The rank with the most useful time, and its longest computation.
	row, begin, time, longest := 0, int64(0), int64(0), int64(0)
	for i := range e.Rows() {
		s, err := e.Series(d.m.ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		if g := s.Aggregate(0, s.End()); g.TimeNotZero > time {
			row, time, longest = i, g.TimeNotZero, 0
			for k := range s.Len() {
				if from, to, v := s.Burst(k); v == 1 && to-from > longest {
					begin, longest = from, to-from
				}
			}
		}
	}
	if w.CursorRow != row || w.Cursor != begin {
		t.Errorf("row %d at %d, want row %d at %d", w.CursorRow, w.Cursor, row, begin)
	}
}

func TestIPCOfTheView(t *testing.T) {
	d := ask(t, "epoch/epoch_8proc.prv.gz", "Q")
	d.sees("IPC 1.759")
}

func TestLatestSender(t *testing.T) {
	d := ask(t, imbalance, "a", "a", "lat", "enter")
	s, a := d.sheetOf(), d.m.analyzer.Tables(d.m.Focused())[0]
	most, _ := s.Cell(a.Row, a.Col)
	for r := range s.Rows {
		for c := range s.Columns {
			if v, ok := s.Cell(r, c); ok && v > most {
				t.Errorf("%s makes %s wait longer than the cell at the cursor", s.Rows[r].Name, s.Columns[c].Name)
			}
		}
	}
	if most == 0 || s.Statistic.Name != "Late sends" {
		t.Errorf("%s: %g", s.Statistic.Name, most)
	}
}

// From rank 0 to rank 1 of heat2d_8 go 92,160 bytes, in 60 messages of 1,536.
func TestBytesBetweenRanks(t *testing.T) {
	d := ask(t, heat, "a", "a", "by", "enter", "l")
	tr, bytes := d.m.Focused().Trace.Data, int64(0)
	for i := range tr.Comms.Len() {
		if tr.Comms.Thread(i, 0) == 0 && tr.Comms.Thread(i, 2) == 1 {
			bytes += tr.Comms.Size[i]
		}
	}
	d.sees("THREAD 1.2.1  " + raster.FormatCount(bytes) + " bytes")
}

func TestIterationThatDiffers(t *testing.T) {
	for _, trace := range []string{heat, imbalance} { // one with events of iterations, one with a collective in each
		d := ask(t, trace, "v", "it", "enter", "o")
		w := d.m.Focused()
		if !strings.HasPrefix(w.Title(), "Iteration duration") {
			t.Fatalf("%s: v it shows %s", trace, w.Title())
		}
		d.sees("differs (most)")
		if _, _, v, ok := w.Burst(w.CursorRow, w.Cursor); !ok || v == 0 {
			t.Errorf("%s: the cursor is on no iteration", trace)
		}
	}
}
