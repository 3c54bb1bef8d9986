package tui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/cfg"
	"pview/semantic/stat"
	"pview/tui/pane/analyzer"
)

// Every .cfg of the reference kit opens on its trace: its windows are on the screen, its histograms show the numbers of
// package stat (which are Paraver's, to the last digit); after saving and reopening it looks the same.
func TestCfgsOfTheKit(t *testing.T) {
	kit := filepath.Join("..", "testdata", "oracle", "paraver")
	index, err := os.ReadFile(filepath.Join(kit, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	traces := map[string]*prv.Trace{}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(index)), "\n")[1:] {
		f := strings.Split(line, "\t")
		name, trace := f[0], strings.TrimSuffix(f[1], "_gz")
		if seen[name] || testing.Short() && len(seen) > 40 {
			continue
		}
		seen[name] = true
		if !strings.Contains(name, "histo") && len(seen)%6 != 0 {
			continue // timelines are all alike, and the tests of package cli open them all
		}
		if traces[trace] == nil {
			if traces[trace], err = prv.Open(context.Background(), filepath.Join(kit, "traces", trace+".prv"),
				prv.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		t.Run(name, func(t *testing.T) { openSaveReopen(t, traces[trace], filepath.Join(kit, "cfgs", name+".cfg")) })
	}
}

func openSaveReopen(t *testing.T, tr *prv.Trace, path string) {
	d := drive(t, 100, 50, Options{Cfgs: []string{path}, Demo: func() (*prv.Trace, error) { return tr, nil }})
	if d.m.scene.Messages.Failed {
		t.Fatal(d.m.scene.Messages.Text)
	}
	d.m.dialogs.Close()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	file, _, err := cfg.Read(path, in)
	if err != nil {
		t.Fatal(err)
	}
	bound, _, err := file.Bind(tr, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range file.Windows {
		w := file.Windows[i]
		if w.View.Open && !slices.ContainsFunc(d.m.Windows, func(v *timeline.View) bool {
			return v.Sem.Equal(&w.Window)
		}) {
			t.Errorf("window %q is not open", w.Name)
		}
	}
	d.checkHistograms(bound)
	saved := filepath.Join(t.TempDir(), "again.cfg")
	d.command("save-cfg " + saved)
	d.sees("saved as")
	e := drive(t, 100, 50, Options{Cfgs: []string{saved}, Demo: func() (*prv.Trace, error) { return tr, nil }})
	e.m.dialogs.Close()
	sameWindows(t, d, e)
	e.checkHistograms(bound)
}

// checkHistograms compares what the tables show with what the histograms of a file
// count.
func (d *driver) checkHistograms(b *cfg.Bound) {
	d.t.Helper()
	left := slices.Clone(b.Histograms)
	for i, w := range d.m.Windows {
		d.m.Focus = i
		for k := range d.analyzer().Tables(w) {
			d.analyzer().Choose(w, k)
			d.show(d.analyzer(), d.m.PaneFocus)
			d.send(windowSize(100, 50))
			a := d.analyzer().Tables(w)[k]
			at := slices.IndexFunc(left, func(h stat.Histogram) bool { return h.Name == a.Setup.Name })
			if at < 0 {
				d.t.Errorf("the table %q is not in the file", a.Setup.Name)
				continue
			}
			want, err := stat.Compute(context.Background(), w.Trace.Data, left[at], stat.Options{})
			left = slices.Delete(left, at, at+1)
			if err != nil {
				if a.Err == nil {
					d.t.Errorf("%v is not told", err)
				}
				continue
			}
			if !want.Third {
				d.sameNumbers(want)
			}
		}
	}
	if len(left) > 0 {
		d.t.Errorf("%d histograms are not shown, the first is %q", len(left), left[0].Name)
	}
}

func sameWindows(t *testing.T, d, e *driver) {
	t.Helper()
	if len(d.m.Windows) != len(e.m.Windows) {
		t.Fatalf("%d windows come back of %d", len(e.m.Windows), len(d.m.Windows))
	}
	for _, v := range d.m.Windows {
		if !slices.ContainsFunc(e.m.Windows, func(w *timeline.View) bool {
			a, b := v.Setup, w.Setup
			a.Sem.Name, b.Sem.Name = v.Title(), w.Title()
			if a.Drawing.Graph { // a file has one way of drawing
				a.Drawing.Color = raster.CodeColor
			}
			return a.Equal(&b)
		}) {
			t.Errorf("window %q does not come back: %+v\n%+v", v.Title(), v.Setup, e.m.Windows[0].Setup)
		}
	}
}

// The real configurations of other projects open on a trace, and can be drawn completely.
func TestRealCfgs(t *testing.T) {
	dir := prvtest.Shared(t, "cfgs")
	var paths []string
	filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		// Dimemas's machines have the same ending, and are refused.
		if err == nil && strings.HasSuffix(path, ".cfg") && !strings.HasPrefix(e.Name(), "dimemas") {
			paths = append(paths, path)
		}
		return nil
	})
	tr, err := prv.Open(context.Background(), prvtest.Shared(t, "traces/epoch/epoch_2proc.prv.gz"), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		d := drive(t, 120, 50, Options{Demo: func() (*prv.Trace, error) { return tr, nil }})
		d.command("open-cfg " + path)
		if d.m.scene.Messages.Failed {
			t.Errorf("%s: %s", path, d.m.scene.Messages.Text)
		}
		if len(d.m.Windows) < 2 {
			t.Errorf("%s opens no window", path)
		}
		d.m.dialogs.Close()
		d.checkSize(120, 50, path)
	}
}

func TestCfgThatIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.cfg")
	if err := os.WriteFile(path, []byte("hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d := onTrace(t, 120, 30, traceA)
	d.command("open-cfg " + path)
	if !d.m.scene.Messages.Failed || len(d.m.Windows) != 1 {
		t.Errorf("message %+v, %d windows", d.m.scene.Messages, len(d.m.Windows))
	}
	d.command("open-cfg /no/such/file.cfg")
	d.sees("/no/such/file.cfg")
}

// A .cfg restores what was made here: rows, scales, looks, tables.
func TestSaveCfg(t *testing.T) {
	tr := traceOf(t, traceA)
	d := drive(t, 120, 50, Options{Demo: func() (*prv.Trace, error) { return tr, nil }})
	d.command("function Last Evt Val")
	d.command("draw-mode Last") // a .cfg names the modes, also those that the user did not choose
	d.command("row-mode Maximum")
	d.command("filter type=40 value>0")
	d.command("rows 2")
	d.command("scale 0 9")
	d.command("color gradient")
	d.command("view 10 70")
	d.command("analyze % Time")
	d.command("columns 0 10 2")
	d.press("ctrl+t")
	d.m.PaneFocus = false
	d.press("ctrl+t")
	d.command("level task")
	d.press("G")
	path := filepath.Join(t.TempDir(), "mine.cfg")
	d.command("save-cfg " + path)
	e := drive(t, 120, 50, Options{Cfgs: []string{path}, Demo: func() (*prv.Trace, error) { return tr, nil }})
	sameWindows(t, d, e)
	var tables []analyzer.Setup
	for _, w := range e.m.Windows {
		for _, a := range e.analyzer().Tables(w) {
			tables = append(tables, a.Setup)
		}
	}
	if len(tables) != 2 || tables[0].Statistic != "% Time" || tables[0].Columns.Max != 10 ||
		tables[0].Columns.Delta != 2 {
		t.Errorf("tables: %+v", tables)
	}
}
