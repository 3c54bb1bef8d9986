package otf2

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/otf2/otf2test"
)

// A part of a large archive has all of its records up to some time; the whole is the same with and without a part.
func TestPart(t *testing.T) {
	path, _, _ := bigArchive(t, 8, 4200)
	var parts []*prv.Part
	whole, err := Open(context.Background(), path, false, prv.Watcher{
		Part: func(p *prv.Part) { parts = append(parts, p) }})
	if err != nil {
		t.Fatal(err)
	}
	without, err := Open(context.Background(), path, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	if err := prv.Equal(without, whole); err != nil {
		t.Errorf("with a part: %v", err)
	}
	if len(parts) != 1 {
		t.Fatalf("%d parts", len(parts))
	}
	p := parts[0]
	begin := whole.Threads[0].Events.Time[0]
	length, part := whole.Duration-begin, p.Trace.Duration-begin
	if read := p.Until - begin; read < length/40 || read > length/25 || part < length*9/10 || part > length*11/10 ||
		p.Unread != nil || len(p.Trace.Notes) > 0 {
		t.Errorf("a part until %d of %d, the whole has %d, notes %v", read, part, length, p.Trace.Notes)
	}
	for i := range whole.Threads {
		got, want := recordsOf(p.Trace, i, p.Until), recordsOf(whole, i, p.Until)
		if len(want) < 1000 || !slices.Equal(got, want) {
			t.Errorf("thread %d has %d records until %d, the whole %d", i, len(got), p.Until, len(want))
		}
	}
	if got, want := commsOf(p.Trace, p.Until), commsOf(whole, p.Until); len(want) < 100 || !slices.Equal(got, want) {
		t.Errorf("%d messages until %d, the whole has %d", len(got), p.Until, len(want))
	}
}

// recordsOf lists a thread's states that end before a time, and its events before it, by names.
func recordsOf(tr *prv.Trace, thread int, until int64) (list []string) {
	th := &tr.Threads[thread]
	for i := range th.States.Len() {
		if th.States.End[i] < until {
			list = append(list, fmt.Sprint(th.States.Begin[i], th.States.End[i], th.States.Value[i]))
		}
	}
	for i, typ := range th.Events.Type {
		if at := th.Events.Time[i]; at < until {
			value := tr.Labels.ValueName(typ, th.Events.Value.At(i))
			list = append(list, fmt.Sprint(at, tr.Labels.TypeName(typ), " ", value))
		}
	}
	return list
}

// commsOf lists the messages that end before a time.
func commsOf(tr *prv.Trace, until int64) (list []string) {
	c := &tr.Comms
	for i := range c.Len() {
		if c.Times[prv.PhysicalRecv][i] < until && c.Times[prv.LogicalRecv][i] < until {
			list = append(list, fmt.Sprint(c.Send[i], c.Recv[i], c.Size[i], c.Tag[i], c.Times[0][i], c.Times[1][i],
				c.Times[2][i], c.Times[3][i]))
		}
	}
	return list
}

// A short location is read whole; if only one of two is long, that one decides up to when the part is complete. The
// run's length is the one in the archive.
func TestPartOfUnequalLocations(t *testing.T) {
	a := otf2test.New(false)
	names := a.MPI(2, 2, 1_000_000_000, "work")
	a.Region(0, names["work"], 1, 2)
	short, long := a.At(0), a.At(1)
	for i := range uint64(10) {
		short.Bare(1000*i, 12, 0)
		short.Bare(1000*i+500, 13, 0)
	}
	for i := range uint64(10_000) {
		long.Bare(10*i, 12, 0)
		long.Bare(10*i+5, 13, 0)
	}
	p, err := readPart(context.Background(), a.Write(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	if n := p.Trace.Threads[0].Events.Len(); n != 20 {
		t.Errorf("%d events of the short location", n)
	}
	n := p.Trace.Threads[1].Events.Len()
	if last := p.Trace.Threads[1].Events.Time[n-1]; n < 200 || n > 1000 || last != p.Until {
		t.Errorf("%d events of the long location until %d, the part until %d", n, last, p.Until)
	}
	if strings.Contains(fmt.Sprint(p.Trace.Notes), "end") {
		t.Error(p.Trace.Notes)
	}
}

// A small archive is not shown in parts.
func TestNoPart(t *testing.T) {
	path, _, _ := bigArchive(t, 2, 100)
	never := prv.Watcher{Part: func(*prv.Part) { t.Error("a part") }}
	if _, err := Open(context.Background(), path, false, never); err != nil {
		t.Error(err)
	}
}
