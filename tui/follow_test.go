package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// appendTo writes more of a trace.
func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

const followedHead = "#Paraver (01/01/2026 at 10:00):0:1(2):1:2(1:1,1:1)\n"

// wait lets time pass until the trace in focus has the given length.
func (d *driver) wait(duration int64) {
	d.t.Helper()
	for range 20 {
		d.fire()
		if d.m.Focused().Trace.Data.Duration == duration &&
			d.m.Focused().Trace.Profiled == d.m.Focused().Trace.Revision {
			return
		}
	}
	d.t.Fatalf("the trace is %d long, want %d", d.m.Focused().Trace.Data.Duration, duration)
}

// read lets time pass until the last reading is shown and has its headline, and the file is read again.
func (d *driver) read() {
	d.t.Helper()
	for range 4 { // the screen, the headline, the reading; the next screen
		d.fire()
	}
}

// A growing trace is shown as it grows; a view of the end follows the end, another view stays.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.prv")
	appendTo(t, path, followedHead+"1:1:1:1:1:0:50:1\n1:2:1:2:1:0:10")
	d := drive(t, 100, 24, Options{Paths: []string{path}, Follow: true})
	d.sees("run.prv", "following", "0 .. 50 us  (all)")
	w := d.m.Focused()
	appendTo(t, path, "0:3\n")
	d.wait(100)
	d.sees("0 .. 100 us  (all)", " 1.2.1")
	if _, _, v, ok := w.Burst(1, 70); !ok || v != 3 {
		t.Errorf("thread 2 is in state %g at 70, want 3", v)
	}
	// The right half: 50 to 100 shows the end, and so does 150 to 200 once there is more.
	d.command("goto 75us")
	d.press("+")
	d.press("end")
	length := w.End - w.Begin
	appendTo(t, path, "1:1:1:1:1:50:200:1\n")
	d.wait(200)
	if w.End != 200 || w.Begin != 200-length {
		t.Errorf("the view goes from %d to %d, want the last %d of 200", w.Begin, w.End, length)
	}
	// A view of the middle stays where it is.
	d.press("left", "left")
	begin, end := w.Begin, w.End
	appendTo(t, path, "1:1:1:1:1:200:300:1\n")
	d.wait(300)
	if w.Begin != begin || w.End != end {
		t.Errorf("the view of the middle has moved from %d..%d to %d..%d", begin, end, w.Begin, w.End)
	}
	// Stop and resume.
	d.press("alt+f")
	d.sees("not following")
	appendTo(t, path, "1:1:1:1:1:300:400:1\n")
	d.fire()
	d.fire()
	if got := w.Trace.Data.Duration; got != 300 {
		t.Errorf("it is followed although that was stopped: %d", got)
	}
	d.press("alt+f")
	d.wait(400)
}

// A file is replaced by one with other objects, emptied, and made an invalid trace.
func TestFollowAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.prv")
	appendTo(t, path, followedHead+"1:1:1:1:1:0:50:1\n1:2:1:2:1:0:100:3\n")
	d := drive(t, 100, 24, Options{Paths: []string{path}, Follow: true})
	d.press("j", "enter") // What/Where on the second row
	d.command("rows 2")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("#Paraver (01/01/2026 at 11:00):0:1(2):1:1(1:1)\n1:1:1:1:1:0:30:1\n")
	d.wait(30)
	d.sees("was rewritten", "0 .. 30 us  (all)", " 1.1.1 ")
	d.misses(" 1.2.1")
	write("")
	d.read()
	d.sees("is gone or was truncated", "waiting for run.prv", " 1.1.1 ")
	write(followedHead + "1:2:1:2:1:0:20:3\n")
	d.wait(20)
	d.sees(" 1.2.1")
	write(strings.Repeat("no trace\n", 20))
	d.read()
	d.sees("no longer followed", "not a Paraver")
}

// Every trace with a plain file can be followed; the demo and a compressed one cannot.
func TestFollowLater(t *testing.T) {
	path := toolTrace(t)
	d := drive(t, 100, 24, Options{Paths: []string{path}})
	d.press("alt+f")
	d.sees("following")
	appendTo(t, path, "1:1:1:1:1:100:250:1\n")
	d.wait(250)
	trace := d.m.Focused().Trace
	d.press("ctrl+x")
	d.fire()
	if d.m.follow.On(trace) || d.m.follow.Notice(trace) != "" { // its file: TestForget in package follow
		t.Error("the closed trace is still followed")
	}
	d = drive(t, 100, 24, Options{Paths: []string{"../testdata/traces/heat2d_8/heat2d_8.prv.gz"}})
	d.press("alt+f")
	d.sees("a compressed trace cannot be followed")
}

// The headline of a growing trace is computed before the next reading; until then it names the part that it covers, and
// the title has no factors.
func TestFollowHeadline(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.prv")
	appendTo(t, path, followedHead+"1:1:1:1:1:0:100:1\n1:2:1:2:1:0:100:1\n")
	d := drive(t, 100, 40, Options{Paths: []string{path}, Follow: true})
	d.sees("100 % efficient")
	appendTo(t, path, "1:1:1:1:1:100:200:1\n1:2:1:2:1:100:200:3\n")
	d.wait(200)
	d.sees("first 100 us: 100 % efficient")
	d.fire()
	d.sees("75.0 % efficient")
	d.misses("first", "load balance 7")
	d.misses("100 % efficient")
	// While it rests, the known headline stays; the end of following computes the new one.
	d.fire()
	d.sees("75.0 % efficient")
	appendTo(t, path, "1:1:1:1:1:200:400:3\n1:2:1:2:1:200:400:3\n")
	d.wait(400)
	d.press("alt+f")
	d.sees("not following", "37.5 % efficient")
}
