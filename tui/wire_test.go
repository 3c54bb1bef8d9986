package tui

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pview/prv"
	"pview/tui/screen"
)

// dense returns a trace in which every thread changes its state all the time, at times unrelated to columns.
func dense(threads, states int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (01/01/03 at 00:00):1000000000_ns:1(%d):1:%d(", threads, threads)
	b.WriteString(strings.TrimSuffix(strings.Repeat("1:1,", threads), ",") + ")\n")
	r := rand.New(rand.NewPCG(3, 4))
	for th := 1; th <= threads; th++ {
		for t := int64(0); t < 1e9; {
			end := min(t+1+r.Int64N(2e9/int64(states)), 1e9)
			fmt.Fprintf(&b, "1:%d:1:%d:1:%d:%d:%d\n", th, th, t, end, r.IntN(16))
			t = end
		}
	}
	return b.String()
}

// overWire connects a driven program to a terminal that records its input. The test sends the pictures itself.
func (d *driver) overWire() *bytes.Buffer {
	out := &bytes.Buffer{}
	d.m.wire = screen.NewWire(out, []string{"TERM=xterm-256color"})
	d.m.wire.Write([]byte("\x1b[?1049h"))
	d.m.View()
	d.m.wire.Flush()
	return out
}

// withMessages returns a dense trace in which every thread sends messages to others all the time: enough of them to be
// drawn as density.
func withMessages(threads, states, messages int) string {
	var b strings.Builder
	b.WriteString(dense(threads, states))
	r := rand.New(rand.NewPCG(5, 6))
	for range messages {
		at := r.Int64N(1e9 - 2e7)
		from, to := 1+r.IntN(threads), 1+r.IntN(threads)
		fmt.Fprintf(&b, "3:%[1]d:1:%[1]d:1:%[3]d:%[3]d:%[2]d:1:%[2]d:1:%[4]d:%[4]d:8:1\n", from, to, at,
			at+r.Int64N(2e7))
	}
	return b.String()
}

// A pan by one column sends less than 4 KB however dense the picture is: rows of one line in halves of cells (48
// threads on 60 lines, 16 on 24), rows of several lines shared out by time (8 and 16 on 60), several rows on a line (48
// on 24), and messages as density over them.
func TestOneColumnPanIsCheap(t *testing.T) {
	skipLayout(t)
	for _, lines := range []int{24, 60} {
		for _, threads := range []int{8, 16, 48} {
			for name, trace := range map[string]string{"states": dense(threads, 400),
				"messages": withMessages(threads, 400, 20000)} {
				d := onTrace(t, 200, lines, trace)
				if name == "messages" {
					before := d.styled()
					d.command("goto 50%") // a cursor that leaves the view unpicks the message under it
					d.command("lines both")
					if d.styled() == before {
						t.Fatal("no messages are drawn")
					}
				}
				out := d.overWire()
				for zoom := range 6 {
					d.press("+")
					d.m.wire.Flush()
					for _, key := range []string{")", "(", ")"} {
						out.Reset()
						d.press(key)
						d.m.wire.Flush()
						if n := out.Len(); n == 0 || n >= 4096 {
							t.Errorf("%d lines, %d threads, %s, zoomed in %d times: a pan by one column sends %d bytes",
								lines, threads, name, zoom+1, n)
						}
					}
				}
			}
		}
	}
}

// A picture is sent again after the screen was cleared; nothing is sent to a terminal that was given back.
func TestWireRepaintsWhatWasCleared(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	out := d.overWire()
	if !strings.Contains(out.String(), "for 30 us") {
		t.Fatalf("the first picture was not sent: %q", out)
	}
	out.Reset()
	d.m.View()
	d.m.wire.Flush()
	if out.Len() > 0 {
		t.Errorf("the same picture was sent twice: %q", out)
	}
	d.m.wire.Write([]byte("\x1b[H\x1b[2J"))
	if !strings.Contains(out.String(), "for 30 us") {
		t.Errorf("after the screen was cleared the picture is missing: %q", out)
	}
	d.m.wire.Write([]byte("\x1b[?1049l"))
	out.Reset()
	d.press("+")
	d.m.wire.Flush()
	if out.Len() > 0 {
		t.Errorf("the terminal was given back, and gets %q", out)
	}
}

// The cursor stays where Bubble Tea put it.
func TestWireLeavesTheCursor(t *testing.T) {
	d := onTrace(t, 80, 24, traceA)
	out := d.overWire()
	out.Reset()
	d.press(":")
	d.m.wire.Flush()
	got := out.String()
	if !strings.HasPrefix(got, "\x1b[?25l\x1b7") || !strings.HasSuffix(got, "\x1b8\x1b[?25h") {
		t.Errorf("the picture does not save and restore the cursor: %q", got)
	}
}

// BenchmarkZoomStep is a zoom step end to end, except the terminal: key, picture, bytes.
func BenchmarkZoomStep(b *testing.B) {
	for _, threads := range []int{8, 16, 48, 480} {
		b.Run(fmt.Sprint(threads, "threads"), func(b *testing.B) { zoomSteps(b, threads) })
	}
}

func zoomSteps(b *testing.B, threads int) {
	tr, err := prv.Read(context.Background(), strings.NewReader(dense(threads, 2000)), prv.Options{})
	if err != nil {
		b.Fatal(err)
	}
	t := &testing.T{}
	d := drive(t, 200, 60, Options{Demo: func() (*prv.Trace, error) { return tr, nil }})
	out := d.overWire()
	keys := []string{"+", "+", "+", "-", "-", "-"}
	b.ResetTimer()
	start := time.Now()
	bytes := 0
	for i := range b.N {
		out.Reset()
		d.press(keys[i%len(keys)])
		d.m.wire.Flush()
		bytes += out.Len()
	}
	b.ReportMetric(float64(time.Since(start).Microseconds())/1000/float64(b.N), "ms/step")
	b.ReportMetric(float64(bytes)/float64(b.N), "bytes/step")
}
