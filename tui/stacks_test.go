package tui

import (
	"strings"
	"testing"
)

// Thread 1 is in the function solve from 10 to 90, and in MPI_Recv from 50 to 60 of that time; thread 2 calls nothing.
const stackText = `#Paraver (01/01/03 at 00:00):100:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:100:1
1:2:1:2:1:0:100:1
2:1:1:1:1:10:60000019:5
2:1:1:1:1:50:50000001:2
2:1:1:1:1:60:50000001:0
2:1:1:1:1:90:60000019:0
`

// The call stack is a word away in the menu of views: nested rows, on the time axis of the trace; closing the window
// forgets it.
func TestCallStack(t *testing.T) {
	d := onTrace(t, 120, 40, stackText)
	d.press("v", "/")
	d.typed("flame")
	d.press("enter")
	d.sees("Call stack · thread", "1.1.1:1", "1.1.1:2", "1.2.1:1", "outside")
	w := d.m.Focused()
	if len(d.m.Windows) != 2 || w.Trace.StacksOf != d.m.Windows[0].Trace {
		t.Fatalf("%d windows", len(d.m.Windows))
	}
	d.goTo("55us")
	d.sees("type 60000019 5") // in no .pcf
	d.press("down")
	d.sees("type 50000001 2")
	d.press("+")
	if lead := d.m.Windows[0]; lead.Begin != w.Begin || lead.End != w.End {
		t.Error("the windows do not zoom together")
	}
	d.command("call-stack")
	d.sees("is derived from a trace")
	d.command("workspace why critical") // a run has a critical path
	d.sees("call stacks of demo is derived from a trace")
	d.press("esc")
	d.command("what")
	d.command("what")
	d.m.Focus = 0
	d.command("flame") // the existing one
	if len(d.m.Windows) != 2 || d.m.Focused() != w {
		t.Errorf("%d windows", len(d.m.Windows))
	}
	d.press("v", "/") // views are of the run, and shown in its window
	d.typed("useful")
	d.press("enter")
	if lead := d.m.Windows[0]; d.m.Focused() != lead || !strings.HasPrefix(lead.Title(), "Useful") {
		t.Errorf("Useful is not shown in the window of the run")
	}
	d.m.FocusOn(w)
	d.press("alt+h") // the headline is the run's, and leads there
	if d.m.Focused() == w {
		t.Error("the headline leads to the call stacks")
	}
	d.m.FocusOn(w)
	d.command("close")
	if len(d.m.Windows) != 1 || len(d.m.Traces) != 1 {
		t.Errorf("%d windows, %d traces", len(d.m.Windows), len(d.m.Traces))
	}
}

// Only the threads in view have rows. A trace without calls does not offer any.
func TestCallStackOfSomeRows(t *testing.T) {
	d := onTrace(t, 120, 40, stackText)
	d.command("rows 1")
	d.press("alt+v")
	d.sees("1.1.1:2")
	d.misses("1.2.1:1")
	d = onTrace(t, 120, 40, traceA)
	d.press("v")
	if strings.Contains(strings.Join(d.screen(), "\n"), "Call stack") {
		t.Error("call stacks are offered")
	}
	d.press("esc")
	d.command("call-stack")
	d.sees("the trace has no calls")
}
