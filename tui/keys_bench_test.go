package tui

// How long a user waits for the effect of a key: the time from the key to the end of the frame that shows it, in a
// program that meanwhile computes in the background on all cores.
//
// Keys come at a fixed rate, as from a key held down, whether the program is ready or not: work that delays a key
// counts for that key. Frames are drawn immediately after a key, and after a message from the background at most 60
// times a second, as in Bubble Tea.

import (
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pview/prv"
	"pview/prv/synth"
)

// keyRate is the time between two keys: a keyboard repeats 30 times a second, a wheel turns faster.
const (
	keyRate   = time.Second / 60
	frameRate = time.Second / 60
)

// keyScript lists the pressed keys: zooms, pans, scrolls, and a change of the functions.
var keyScript = [][]string{
	{"+", "20"}, {"right", "40"}, {"j", "40"}, {"-", "20"}, {"pgdown", "20"}, {"left", "20"}, {"J", "1"}, {"K", "1"},
	{"[", "5"}, {"]", "5"}, {"x", "2"}, {"c", "4"}, {"+", "30"}, {"shift+right", "30"}, {"0", "1"}, {"u", "10"},
}

// BenchmarkKeys reports the latency of keys in milliseconds, for a trace with more rows than lines and for one with
// very many records on 64 rows. PVIEW_KEYS_MB sets the size of the latter (default 50).
func BenchmarkKeys(b *testing.B) {
	size := int64(50)
	if text := os.Getenv("PVIEW_KEYS_MB"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		size = n
	}
	for _, bench := range []struct {
		name string
		opt  synth.Options
	}{
		{"16384rows", synth.Options{Tasks: 16384, Nodes: 256, Iterations: 8, NoCounters: true}},
		{"64rows", synth.Options{Tasks: 64, Nodes: 4, Callers: 2, Bytes: size << 20}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			tr := synthTrace(b, bench.opt)
			for b.Loop() {
				l := typist(b, tr, 200, 60)
				slices.Sort(l)
				b.ReportMetric(ms(l[len(l)/2]), "ms-median")
				b.ReportMetric(ms(l[len(l)*99/100]), "ms-p99")
				b.ReportMetric(ms(l[len(l)-1]), "ms-max")
			}
		})
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func synthTrace(b *testing.B, opt synth.Options) *prv.Trace {
	g, err := synth.New(opt)
	if err != nil {
		b.Fatal(err)
	}
	tr, err := g.Trace(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return tr
}

// typist opens a trace, waits until the screen is complete, types the script, and returns the latency of each key.
func typist(b *testing.B, tr *prv.Trace, width, height int) (latencies []time.Duration) {
	no, dark, profile := false, true, colorprofile.TrueColor
	m := New(Options{ASCII: &no, Dark: &dark, Profile: &profile, Demo: func() (*prv.Trace, error) { return tr, nil }})
	defer m.shut()
	p := &program{m: m, messages: make(chan tea.Msg, 1000), done: make(chan struct{})}
	defer close(p.done)
	p.take(tea.WindowSizeMsg{Width: width, Height: height})
	p.run(m.Init())
	for start := time.Now(); len(m.Windows) == 0 || m.busy() || m.Traces[0].Profiled != m.Traces[0].Revision ||
		m.Traces[0].Profile == nil; {
		if time.Since(start) > time.Minute {
			b.Fatal("the screen is not complete after a minute")
		}
		p.take(<-p.messages)
	}
	next := time.Now()
	for _, step := range keyScript {
		n, err := strconv.Atoi(step[1])
		if err != nil {
			b.Fatal(err)
		}
		msg := keyPress(&testing.T{}, step[0])
		for range n {
			next = next.Add(keyRate)
			p.until(next)
			p.frame(msg)
			late := time.Since(next)
			latencies = append(latencies, late)
			if late > keyRate {
				next = next.Add(late - keyRate) // a keyboard does not catch up
			}
		}
	}
	return latencies
}

// program runs a model as Bubble Tea does: commands in goroutines, messages one by one.
type program struct {
	m        *Model
	messages chan tea.Msg
	done     chan struct{}
	drawn    time.Time
}

// until handles messages until it is time for a key.
func (p *program) until(when time.Time) {
	for {
		select {
		case msg := <-p.messages:
			p.take(msg)
		case <-time.After(time.Until(when)):
			return
		}
		if !time.Now().Before(when) {
			return
		}
	}
}

// take updates the model, and draws when the last frame is old enough.
func (p *program) take(msg tea.Msg) {
	if time.Since(p.drawn) >= frameRate {
		p.frame(msg)
		return
	}
	_, cmd := p.m.Update(msg)
	p.run(cmd)
}

// frame updates the model and draws.
func (p *program) frame(msg tea.Msg) {
	_, cmd := p.m.Update(msg)
	p.m.View()
	p.drawn = time.Now()
	p.run(cmd)
}

func (p *program) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				p.run(c)
			}
		default:
			select {
			case p.messages <- msg:
			case <-p.done:
			}
		}
	}()
}
