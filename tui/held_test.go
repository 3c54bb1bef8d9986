package tui

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/paths"
)

// Closed things leave memory: the records of a trace, the data derived from it, and its windows. If anything keeps one
// of them (a pane, the cache, a dialog, a late job), these tests show it.

// closable has everything that the garbage collector must free once it is closed.
type closable struct {
	traces map[weak.Pointer[timeline.Trace]]string
	data   map[weak.Pointer[prv.Trace]]string
	views  map[weak.Pointer[timeline.View]]string
}

// note adds everything that is open now.
func (c *closable) note(m *Model) {
	for _, t := range m.Traces {
		c.traces[weak.Make(t)], c.data[weak.Make(t.Data)] = t.Name, t.Name
	}
	for _, w := range m.Windows {
		c.views[weak.Make(w)] = w.Trace.Name
	}
}

// held lists what is still in memory. A stopped goroutine may need a moment: on a busy machine half a minute.
func (c *closable) held() (list []string) {
	for pause := time.Millisecond; pause < 10*time.Second; pause += pause / 2 {
		runtime.GC()
		if list = c.list(); list == nil {
			return nil
		}
		time.Sleep(pause)
	}
	return list
}

func (c *closable) list() (list []string) {
	for p, name := range c.traces {
		if p.Value() != nil {
			list = append(list, "trace "+name)
		}
	}
	for p, name := range c.data {
		if p.Value() != nil {
			list = append(list, "records of "+name)
		}
	}
	for p, name := range c.views {
		if p.Value() != nil {
			list = append(list, "window on "+name)
		}
	}
	return list
}

func newClosable() *closable {
	return &closable{map[weak.Pointer[timeline.Trace]]string{}, map[weak.Pointer[prv.Trace]]string{},
		map[weak.Pointer[timeline.View]]string{}}
}

// ring returns the trace of four tasks that compute, send to the next one, receive from the previous one and meet at a
// barrier, a number of times; each iteration takes 1000 us.
func ring(times int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (01/01/26 at 00:00):%d:1(4):1:4(1:1,1:1,1:1,1:1)\n", 1000*times)
	for i := range 4 {
		who, next := fmt.Sprintf("%d:1:%d:1", i+1, i+1), (i+1)%4+1
		for at := 0; at < 1000*times; at += 1000 {
			compute := 500 + 50*i
			fmt.Fprintf(&b, "1:%s:%d:%d:1\n", who, at, at+compute)
			fmt.Fprintf(&b, "2:%s:%d:50000001:1\n1:%s:%d:%d:4\n2:%s:%d:50000001:0\n", who, at+compute, who, at+compute,
				at+compute+20, who, at+compute+20)
			fmt.Fprintf(&b, "3:%s:%d:%d:%d:1:%d:1:%d:%d:1024:1\n", who, at+compute, at+compute+10, next, next, at+700,
				at+800)
			fmt.Fprintf(&b, "2:%s:%d:50000001:2\n1:%s:%d:%d:3\n2:%s:%d:50000001:0\n", who, at+700, who, at+700, at+800,
				who, at+800)
			fmt.Fprintf(&b, "2:%s:%d:50000002:8\n1:%s:%d:%d:5\n2:%s:%d:50000002:0\n", who, at+900, who, at+900, at+1000,
				who, at+1000)
		}
	}
	return b.String()
}

// onRings runs the program on two traces in the test's own folder, and saves the initial session.
func onRings(t *testing.T) *driver {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, times := range map[string]int{"a.prv": 8, "b.prv": 12} {
		if err := os.WriteFile(name, []byte(ring(times)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d := drive(t, 150, 50, Options{Paths: []string{"a.prv", "b.prv"}})
	d.command("save-session start.session.json")
	return d
}

// use is an action with arguments.
type use struct {
	action *action.Action
	args   string
}

func (u use) String() string { return strings.TrimSpace(u.action.Name + " " + u.args) }

// argsToTry are arguments for actions that need some, or that do more with them.
var argsToTry = map[string][]string{
	"goto": {"50%"}, "row": {"2"}, "function": {"Useful", "= state == 1"}, "fold": {"Maximum"}, "compose": {"Mod 2"},
	"in-state": {"1"}, "event": {"MPI"}, "filter": {"size>100"},
	"rows": {"1-2"}, "view": {"10% 20%"}, "rename": {"name"}, "note": {"text"}, "window": {"1"},
	"filter-findings": {"a"}, "stage-length": {"1ms"}, "stages-mesh": {"2x2x2"},
	"cut": {"cut.prv"}, "save-trace": {"saved.prv"}, "filter-trace": {"filtered.prv"},
	"shift-trace": {"1ms shifted.prv"}, "export": {"a.svg"}, "save-table": {"a.csv"},
	"workload-save": {"w.csv"}, "save-cfg": {"a.cfg"}, "open-cfg": {"a.cfg"}, "save-session": {"b.session.json"},
	"open": {"saved.prv"}, "derive": {"", "1 add 1"},
	"quit": {}, "suspend": {}, "load-session": {},
}

// uses lists all actions and arguments, in parts of a few actions of one group.
func (d *driver) uses() (parts [][]use) {
	const most = 12
	group := ""
	for _, a := range d.m.palette.Actions.Each() {
		list, ok := argsToTry[a.Name]
		if !ok && !a.NeedsArgs() {
			list = append(list, "")
		}
		if !ok && a.Complete != nil && a.Files == nil {
			more := slices.DeleteFunc(a.Complete(""), paths.Exists) // existing files must stay
			list = append(list, more[:min(len(more), 3)]...)
		}
		for _, args := range list {
			if n := len(parts); n == 0 || a.Group != group || len(parts[n-1]) == most {
				parts, group = append(parts, nil), a.Group
			}
			parts[len(parts)-1] = append(parts[len(parts)-1], use{a, args})
		}
	}
	return parts
}

// lateness says which messages arrive only after everything was closed: none, those of actions, or also those of the
// first steps of panes.
type lateness int

const (
	none lateness = iota
	lateActions
	latePanes
)

// closing runs a few actions, closes everything and returns what is still held.
func (d *driver) closing(list []use, late lateness) []string {
	d.t.Helper()
	c := newClosable()
	c.note(d.m)
	if late == none {
		d.command("simulate")
	}
	var later []tea.Cmd
	for _, u := range list {
		for _, p := range d.m.panes.list {
			if p.Title() == u.action.Group {
				d.show(p, true)
			}
		}
		_, opens := d.m.Update(nil)
		if late < latePanes {
			d.run(opens)
			opens = nil
		}
		does := d.m.palette.Perform(u.action, "", u.args)
		_, more := d.m.Update(nil)
		d.m.View()
		c.note(d.m)
		if late == none {
			d.run(tea.Batch(does, more))
			d.press("enter", "enter", "esc")
			d.fire()
			c.note(d.m)
		} else {
			later = append(later, opens, does, more)
		}
	}
	d.restart()
	for _, cmd := range later {
		d.run(cmd)
	}
	d.send(nil)
	d.timers = nil
	return c.held()
}

// restart closes everything that is open, with the initial session.
func (d *driver) restart() {
	d.t.Helper()
	d.m.dialogs.Close()
	d.run(d.m.sessions.load("start.session.json"))
	d.send(nil)
}

// Every action runs, and everything is closed. If several actions hold something, they are tested one by one.
func TestClosedTracesLeaveMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("does everything there is, three times")
	}
	for late, name := range []string{"at once", "late", "late panes"} {
		t.Run(name, func(t *testing.T) {
			d := onRings(t)
			for _, part := range d.uses() {
				list := d.closing(part, lateness(late))
				if list == nil {
					continue
				}
				t.Errorf("%v: %s", part, strings.Join(list, ", "))
				for _, u := range part {
					if list := d.closing([]use{u}, lateness(late)); list != nil {
						t.Errorf("by %v: %s", u, strings.Join(list, ", "))
					}
				}
				return // waiting for held objects takes time: all parts take half an hour
			}
		})
	}
}
