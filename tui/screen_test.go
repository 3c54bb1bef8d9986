package tui

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pview/prv"
	"pview/tui/pane/analyzer"
)

func TestFirstScreen(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	d.sees("pview", "100 us", "2 tasks", "2 nodes", "thread", "THREAD 1.1.1", "THREAD 1.2.1", "Running", "? help")
}

// Every size gets a screen that fills it exactly, whatever is open.
func TestEverySizeIsFilledExactly(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	d.press("ctrl+t", "i")
	for _, w := range []int{1, 20, 59, 60, 61, 79, 80, 100, 133, 200, 300} {
		for _, h := range []int{1, 5, 14, 15, 16, 20, 24, 40, 60, 100} {
			d.resize(w, h)
			for _, overlay := range []string{"", "?", ":", "v", "/", "o"} {
				if overlay != "" {
					d.press(overlay)
				}
				d.checkSize(w, h, overlay)
				d.m.dialogs.Close()
			}
		}
	}
}

func (d *driver) checkSize(w, h int, what string) {
	d.t.Helper()
	lines := d.screen()
	if len(lines) != h {
		d.t.Fatalf("%dx%d %s: %d lines", w, h, what, len(lines))
	}
	for i, line := range lines {
		if n := ansi.StringWidth(line); n != w {
			d.t.Fatalf("%dx%d %s: line %d is %d wide: %q", w, h, what, i, n, line)
		}
	}
}

// Every action runs without harm on every kind of trace.
func TestEveryActionOnEveryTrace(t *testing.T) {
	traces := map[string]string{
		"trace A":              traceA,
		"no resources":         "#Paraver (01/01/03 at 00:00):100:0:1:2(1:0,1:0)\n1:0:1:1:1:0:30:1\n1:0:1:2:1:0:100:3\n",
		"one thread":           "#Paraver (01/01/03 at 00:00):100:1:1:1(1:1)\n2:1:1:1:1:10:40:1\n",
		"no time":              "#Paraver (01/01/03 at 00:00):0:1:1:1(1:1)\n1:1:1:1:1:0:0:1\n",
		"one unit of time":     "#Paraver (01/01/03 at 00:00):1:1:1:1(1:1)\n1:1:1:1:1:0:1:1\n",
		"more rows than lines": manyThreads(60),
		"centuries":            "#Paraver (01/01/03 at 00:00):9000000000000000000_ms:1:1:1(1:1)\n1:1:1:1:1:0:9000000000000000000:1\n",
	}
	for name, text := range traces {
		t.Run(name, func(t *testing.T) {
			tr := traceOf(t, text)
			for _, a := range Actions() {
				d := drive(t, 80, 24, Options{Demo: func() (*prv.Trace, error) { return tr, nil }})
				if a.InPane && a.Group == analyzer.Title {
					d.command("analyze Time per value")
				} else if a.InPane {
					d.press("enter")
				}
				for _, key := range a.Keys {
					d.press(key)
					d.m.dialogs.Close()
					d.press("right", "l", "down", "+")
					d.press(key)
					d.checkSize(80, 24, a.Name)
					d.m.dialogs.Close()
				}
				d.fire()
				d.checkSize(80, 24, a.Name)
			}
		})
	}
}

func (d *driver) resize(w, h int) {
	d.t.Helper()
	d.send(windowSize(w, h))
}
