package store_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/model"
	"pview/prv/prvtest"
	"pview/prv/store"
)

// read reads a trace from a string.
func read(t testing.TB, text string, opt store.Options) *model.Trace {
	t.Helper()
	tr, err := prv.Read(context.Background(), strings.NewReader(text), opt)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// counts returns how many records of each kind a trace has.
func counts(t testing.TB, tr *model.Trace) (states, pairs, messages int64) {
	t.Helper()
	sum, err := model.Count(context.Background(), tr, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sum.StateRecords, sum.EventPairs, sum.Messages
}

// linesOf returns a reader of the lines after the header of a text.
func linesOf(t testing.TB, text string) *store.Lines {
	t.Helper()
	src, err := prv.NewText(strings.NewReader(text), store.Options{Size: int64(len(text))})
	if err != nil {
		t.Fatal(err)
	}
	chunk, _, err := src.Next(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := store.NewLines(&src.Resources)
	lines.Reset(chunk)
	return lines
}

// Each line is read with its fields; blank lines and bad records are left out, and a line ends with its last valid
// field.
func TestLines(t *testing.T) {
	const text = "#Paraver (d):100:2(1,1):1:2(1:1,1:2)\n" +
		"1:1:1:1:1:20:30:4294967295\n" +
		"1:1:1:1:1:30:-1:7:8:9\n" + // further fields
		"\n  \r\n" +
		"2:2:1:2:1:40:7:-1:8:2\r\n" +
		"2:2:1:2:1:50:7:3:8:x\n" + // the pair before the bad one
		"2:2:1:2:1:60:x:1\n" + // none
		"3:1:1:1:1:1:2:2:1:2:1:3:4:100:-5 \n" +
		"  hello \n" +
		"# a comment\nc:1:2:1:1\n4:1:1:1\n"
	show := func(l *store.Line) string {
		who := fmt.Sprintf("%q %d@%d", l.Text, l.Thread, l.CPU)
		switch l.Kind {
		case store.StateLine:
			return fmt.Sprint(who, " state ", l.Times[:2], l.State)
		case store.EventLine:
			who += fmt.Sprintf(" events %d", l.Times[0])
			for _, p := range l.Pairs {
				who += fmt.Sprintf(" %d=%d as %s", p.Type, p.Value, l.Text[p.Begin:p.End])
			}
			return who
		case store.CommLine:
			return fmt.Sprintf("%s to %d@%d %d, %d bytes, tag %d", who, l.Recv, l.RecvCPU, l.Times, l.Size, l.Tag)
		case store.GlobalLine:
			return fmt.Sprintf("%q global", l.Text)
		}
		return fmt.Sprintf("%q other", l.Text)
	}
	l := linesOf(t, text)
	var got, shifted []string
	for l.Next() {
		got = append(got, fmt.Sprintf("%d: %s", l.Count, show(&l.Line)))
		shifted = append(shifted, string(l.AppendAt([]byte("> "), [4]int64{1000, 2000, 3000, 4000})))
	}
	want := []string{
		`1: "1:1:1:1:1:20:30:4294967295" 0@1 state [20 30] 4294967295`,
		`2: "1:1:1:1:1:30:-1:7" 0@1 state [30 -1] 7`,
		`5: "2:2:1:2:1:40:7:-1:8:2" 1@2 events 40 7=-1 as 7:-1 8=2 as 8:2`,
		`6: "2:2:1:2:1:50:7:3" 1@2 events 50 7=3 as 7:3`,
		`8: "3:1:1:1:1:1:2:2:1:2:1:3:4:100:-5" 0@1 to 1@2 [1 2 3 4], 100 bytes, tag -5`,
		`10: "# a comment" other`,
		`11: "c:1:2:1:1" other`,
		`12: "4:1:1:1" global`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	skipped := model.Skipped{First: model.Problem{Line: 6, Reason: model.NotANumber, Text: "2:2:1:2:1:50:7:3:8:x"}}
	skipped.Count[model.NotANumber], skipped.Count[model.UnknownKind] = 2, 1
	if l.Skipped != skipped {
		t.Errorf("skipped %+v, want %+v", l.Skipped, skipped)
	}
	wantShifted := []string{
		"> 1:1:1:1:1:1000:2000:4294967295\n",
		"> 1:1:1:1:1:1000:2000:7\n",
		"> 2:2:1:2:1:1000:7:-1:8:2\n",
		"> 2:2:1:2:1:1000:7:3\n",
		"> 3:1:1:1:1:1000:2000:2:1:2:1:3000:4000:100:-5\n",
		"> # a comment\n", "> c:1:2:1:1\n", "> 4:1:1:1\n",
	}
	if !slices.Equal(shifted, wantShifted) {
		t.Errorf("with other times %q, want %q", shifted, wantShifted)
	}
}

// The first skipped line is shown without surrounding blanks if it is not a record.
func TestFirstSkippedLine(t *testing.T) {
	for line, want := range map[string]string{"  hello \r": "hello", "1:1:1:1:1:5 \r": "1:1:1:1:1:5 "} {
		text := "#Paraver (d):100:0:1:1(1:0)\n1:0:1:1:1:0:1:1\n" + line + "\n"
		l := linesOf(t, text)
		for l.Next() {
		}
		if tr := read(t, text, store.Options{}); l.Skipped.First.Text != want || tr.Skipped.First.Text != want {
			t.Errorf("%q is shown as %q and as %q", line, l.Skipped.First.Text, tr.Skipped.First.Text)
		}
	}
}

// A bad record of each kind is counted, and the records around it stay.
func TestBadRecords(t *testing.T) {
	const head = "#Paraver (d):100:2(1,1):1:2(1:1,1:2)\n1:1:1:1:1:0:9:1\n"
	for _, c := range []struct {
		line string
		want model.Reason
	}{
		{"9:1:1:1:1:0", model.UnknownKind},
		{"hello", model.UnknownKind},
		{"11:1:1:1:1:0:5:1", model.UnknownKind},
		{"1", model.UnknownKind},
		{"1:", model.MissingField},
		{"1:1:1:1:1", model.MissingField},
		{"1:1:1:1:1:5", model.MissingField},
		{"1:1:1:1:1:5:6", model.MissingField},
		{"1:1:1:1:1:5:6:", model.MissingField},
		{"1:1::1:1:5:6:1", model.MissingField},
		{"2:1:1:1:1:5", model.MissingField},
		{"2:1:1:1:1:5:7", model.MissingField},
		{"2:1:1:1:1:5:7:", model.MissingField},
		{"3:1:1:1:1:1:2:2:1:2:1:3:4:100", model.MissingField},
		{"1:1:1:1:1:x:6:1", model.NotANumber},
		{"1:1:1:1:1:5:6:1.5", model.NotANumber},
		{"1:1:1:1:1:5.5:6:1", model.NotANumber},
		{"1:1:1:1:1:5:6:-1", model.NotANumber}, // a state has no negative values
		{"1:-1:1:1:1:5:6:1", model.NotANumber},
		{"2:1:1:1:1:5:-7:1", model.NotANumber},
		{"2:1:1:1:1:5:7:--1", model.NotANumber},
		{"2:1:1:1:1:5:7:1e3", model.NotANumber},
		{"1:1:1:1:1:5:6:99999999999", model.Overflow},
		{"2:1:1:1:1:5:4294967296:1", model.Overflow},
		{"2:1:1:1:1:5:7:18446744073709551616", model.Overflow},
		{"2:1:1:1:1:5:7:-9223372036854775809", model.Overflow},
		{"2:1:1:1:1:9223372036854775808:7:1", model.Overflow},
		{"1:1:1:1:1:5:99999999999999999999999999:1", model.Overflow},
		{"1:1:2:1:1:5:6:1", model.UnknownObject},
		{"1:1:0:1:1:5:6:1", model.UnknownObject},
		{"1:1:1:3:1:5:6:1", model.UnknownObject},
		{"1:1:1:1:2:5:6:1", model.UnknownObject},
		{"1:1:1:9223372036854775808:1:5:6:1", model.UnknownObject},
		{"3:1:1:1:1:1:2:2:1:9:1:3:4:100:5", model.UnknownObject},
		{"1:3:1:1:1:5:6:1", model.UnknownCPU},
		{"1:2:1:1:1:5:6:1", model.WrongNode},
		{"3:1:1:1:1:1:2:1:1:2:1:3:4:100:5", model.WrongNode},
		{"2:1:1:1:1:-5:7:1", model.NegativeTime},
		{"1:1:1:1:1:-5:6:1", model.NegativeTime},
		{"1:1:1:1:1:5:-2:1", model.NegativeTime},
		{"3:1:1:1:1:1:2:2:1:2:1:3:-4:100:5", model.NegativeTime},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			text := head + c.line + eol + "2:2:1:2:1:5:7:1" + eol
			tr := read(t, text, store.Options{})
			want := model.Skipped{First: model.Problem{Line: 3, Reason: c.want, Text: c.line}}
			want.Count[c.want] = 1
			if tr.Skipped != want {
				t.Errorf("%q: skipped %+v, want %v", c.line, tr.Skipped, c.want)
			}
			if s, p, m := counts(t, tr); s != 1 || p != 1 || m != 0 {
				t.Errorf("%q: %d states, %d events, %d messages; want 1 1 0", c.line, s, p, m)
			}
			lines := linesOf(t, text)
			for lines.Next() {
			}
			want.First.Line-- // the header is not in the chunk
			if lines.Skipped != want || lines.Count != 3 {
				t.Errorf("%q: lines skipped %+v of %d, want %v of 3", c.line, lines.Skipped, lines.Count, c.want)
			}
			_, err := prv.Read(context.Background(), strings.NewReader(text),
				store.Options{Name: "x.prv", Strict: true})
			if want := fmt.Sprintf("x.prv:3: %s: %s", c.want, c.line); err == nil || err.Error() != want {
				t.Errorf("%q, strict: %v, want %s", c.line, err, want)
			}
		}
	}
}

// Odd but valid records.
func TestOddRecords(t *testing.T) {
	const head = "#Paraver (d):100:0:1:2(1:0,1:0)\n"
	tr := read(t,
		head+
			"1:0:1:1:1:5:-1:4\r\n  \r\n#c one\r\n"+
			"# date:CUTTER\n\n4:1:1:1\n2:77:1:1:1:5:7:-9223372036854775808:7:18446744073709551615\n"+
			"2:0:1:1:1:250:4294967295:0 \n1:0:1:2:1:0:5:3:99\nc:1:2:1:1\n3:0:1:1:1:0:0:0:1:1:1:0:900:-4:-1\n",
		store.Options{Name: "x"})
	if tr.Skipped.Total() != 0 {
		t.Errorf("skipped %+v", tr.Skipped)
	}
	e := &tr.Threads[0].Events
	if got := fmt.Sprint(e.Type, e.Value.All(), e.CPU); got !=
		"[7 7 4294967295] [-9223372036854775808 -1 0] [77 77 0]" {
		t.Errorf("events %s", got)
	}
	if tr.Threads[0].States.End[0] != model.NoEnd {
		t.Errorf("end of the endless state: %d", tr.Threads[0].States.End[0])
	}
	// The event at 250 extends the run, the message that arrives at 900 does not.
	if tr.Duration != 250 || tr.HeaderEnd != 100 {
		t.Errorf("duration %d, header's %d", tr.Duration, tr.HeaderEnd)
	}
	if got := fmt.Sprintf("%q %q", tr.Comments, tr.Communicators); got != `["#c one" "# date:CUTTER"] [{"c:1:2:1:1"}]` {
		t.Errorf("comments, communicators: %s", got)
	}
	if got := fmt.Sprint(tr.Notes); got != "[x:10: more fields than the record has: the rest of the line is "+
		"ignored, as Paraver does (1 such records) x: global communications (kind 4) are ignored, as Paraver does (1 "+
		"records)]" {
		t.Errorf("notes: %s", got)
	}
}

// Paraver keeps the pairs of a line before the bad one.
func TestPairsBeforeTheBadOne(t *testing.T) {
	tr := read(t, "#Paraver (d):100:0:1:1(1:0)\n2:0:1:1:1:5:1:10:2:20:3\n2:0:1:1:1:6:1:10:x:20\n2:0:1:1:1:7:1:11\n",
		store.Options{})
	e := &tr.Threads[0].Events
	if got := fmt.Sprint(e.Time, e.Type, e.Value.All(), e.Lines.Count()); got != "[5 5 6 7] [1 2 1 1] [10 20 10 11] 3" {
		t.Errorf("events: %s", got)
	}
	if tr.Skipped.Count[model.MissingField] != 1 || tr.Skipped.Count[model.NotANumber] != 1 {
		t.Errorf("skipped: %+v", tr.Skipped)
	}
}

func TestDisorder(t *testing.T) {
	tr := read(t,
		"#Paraver (d):100:0:1:1(1:0)\n1:0:1:1:1:30:50:1\n1:0:1:1:1:0:30:3\n"+
			"2:0:1:1:1:20:1:1:2:2\n2:3:1:1:1:10:1:3\n2:0:1:1:1:20:3:3\n", store.Options{})
	th := &tr.Threads[0]
	if got := fmt.Sprint(th.States.Begin, th.States.Value, th.States.FileOrder); got != "[0 30] [3 1] [1 0]" {
		t.Errorf("states: %s", got)
	}
	e := &th.Events
	if got := fmt.Sprint(e.Time, e.Value.All(), e.CPU); got != "[10 20 20 20] [3 1 2 3] [3 0 0 0]" {
		t.Errorf("events: %s", got)
	}
	if !e.Lines.Has(0) || !e.Lines.Has(1) || e.Lines.Has(2) || !e.Lines.Has(3) {
		t.Errorf("lines: %b", e.Lines)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		lines int64 // of the truncated file; 0: none
		pairs int64
		note  string
	}{
		{prvtest.TraceA, 0, 8, ""},
		{strings.TrimSuffix(prvtest.TraceA, "\n"), 0, 8,
			"x:19: the last line has no line end: if the file was cut there, its last number may be cut, too"},
		{strings.TrimSuffix(prvtest.TraceA, ":0\n"), 19, 7, ""},
		{strings.TrimSuffix(prvtest.TraceA, "2:1:1:1:1:90:40:0\n") + "2", 19, 7, ""},
		{strings.TrimSuffix(prvtest.TraceA, "2:1:1:1:1:90:40:0\n") + "2:1:1:1:1:90:40:", 19, 7, ""},
	} {
		for chunk := range 80 {
			tr := read(t, c.text, store.Options{Name: "x", Chunk: chunk})
			_, pairs, _ := counts(t, tr)
			if pairs != c.pairs || tr.Skipped.Total() != 0 {
				t.Errorf("chunks of %d: %d events, %d skipped; want %d and 0", chunk, pairs, tr.Skipped.Total(),
					c.pairs)
			}
			if c.lines == 0 && tr.Cut != nil || c.lines != 0 &&
				(tr.Cut == nil || *tr.Cut != model.Cut{Line: c.lines, Why: "the last line is incomplete"}) {
				t.Errorf("chunks of %d: cut %+v, want line %d", chunk, tr.Cut, c.lines)
			}
			if got := strings.Trim(fmt.Sprint(tr.Notes), "[]"); got != c.note {
				t.Errorf("chunks of %d: note %q, want %q", chunk, got, c.note)
			}
		}
	}
	_, err := prv.Read(context.Background(), strings.NewReader(strings.TrimSuffix(prvtest.TraceA, ":0\n")),
		store.Options{Name: "x", Strict: true})
	if err == nil || err.Error() != "x:19: the last line is incomplete" {
		t.Errorf("strict: %v", err)
	}
}

func TestBuilderRefusesNonsense(t *testing.T) {
	var res model.Resources
	res.AddNode(2)
	res.AddPtask()
	res.AddTask(1, 0)
	type builder = *store.Builder
	one := model.Pair{Type: 1, Value: 1}
	for _, c := range []struct {
		want string
		add  func(b builder)
	}{
		{"no thread 1", func(b builder) { b.State(1, 0, 0, 1, 1) }},
		{"no thread -1", func(b builder) { b.Event(-1, 0, 0, one) }},
		{"no thread 1", func(b builder) { b.Comm(model.Comm{Send: 1}) }},
		{"no thread 2", func(b builder) { b.Comm(model.Comm{Recv: 2}) }},
		{"no CPU 3", func(b builder) { b.Event(0, 3, 0, one) }},
		{"no CPU -1", func(b builder) { b.State(0, -1, 0, 1, 1) }},
		{"no CPU 3", func(b builder) { b.Comm(model.Comm{RecvCPU: 3}) }},
		{"time -2 is negative", func(b builder) { b.State(0, 0, -2, 1, 1) }},
		{"time -1 is negative", func(b builder) { b.Comm(model.Comm{Times: [4]int64{0, 0, 0, -1}}) }},
		{"state of thread 0 ends at 4, before it begins at 5", func(b builder) { b.State(0, 0, 5, 4, 1) }},
		{"state of thread 0 ends at -2, before it begins at 0", func(b builder) { b.State(0, 0, 0, -2, 1) }},
		{"no CPU 4", func(b builder) { b.Event(0, 4, 0, one); b.Event(0, 5, 0, one) }}, // the first error counts
		{"no CPU 3", func(b builder) { b.Part().Event(0, 3, 0, one) }},
		{"", func(b builder) { b.State(0, 0, 5, 5, 1); b.State(0, 2, 5, model.NoEnd, 1) }},
		{"", func(b builder) { b.Event(0, 0, 0) }}, // a line without pairs does not count
	} {
		b := store.NewBuilder(model.Header{Resources: res})
		c.add(b)
		_, err := b.Build()
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && got != "building a trace: "+c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Without nodes a CPU is only a number.
func TestBuilderWithoutNodes(t *testing.T) {
	var res model.Resources
	res.AddPtask()
	res.AddTask(1, -1)
	b := store.NewBuilder(model.Header{Resources: res})
	b.State(0, 99, 0, 1, 1)
	if _, err := b.Build(); err != nil {
		t.Error(err)
	}
}

// A builder's parts, each with its own threads, give the same as one builder, even with enough records for several
// segments.
func TestBuilderParts(t *testing.T) {
	var res model.Resources
	res.AddPtask()
	const threads, records = 3, 60_000 // 60,000 states of 12 bytes and as many lines of two pairs: 2 MB
	res.AddTask(threads, -1)
	build := func(part func(b *store.Builder, thread int32) *store.Builder) *model.Trace {
		b := store.NewBuilder(model.Header{Resources: res})
		for th := range int32(threads) {
			p := part(b, th)
			for i := range int64(records) {
				p.State(th, 0, 10*i, 10*i+int64(th), uint32(i))
				p.Event(th, 0, 10*i, model.Pair{Type: 1, Value: i}, model.Pair{Type: 2, Value: -i})
			}
		}
		b.Comm(model.Comm{Send: 0, Recv: 2, Times: [4]int64{1, 2, 3, 4}, Size: 5, Tag: 6})
		tr, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
	whole := build(func(b *store.Builder, _ int32) *store.Builder { return b })
	split := build(func(b *store.Builder, thread int32) *store.Builder {
		if thread == 0 {
			return b
		}
		return b.Part()
	})
	if err := model.Equal(whole, split); err != nil {
		t.Error(err)
	}
	if s, p, m := counts(t, split); s != threads*records || p != 2*threads*records || m != 1 {
		t.Errorf("%d states, %d events, %d messages", s, p, m)
	}
}

// Numbers of any size must survive the packing.
func TestBuilderExtremes(t *testing.T) {
	var res model.Resources
	res.AddPtask()
	res.AddTask(2, -1)
	b := store.NewBuilder(model.Header{Resources: res})
	b.State(1, math.MaxInt32, math.MaxInt64, math.MaxInt64, math.MaxUint32)
	b.State(1, 0, 0, math.MaxInt64-1, 0)
	const lines = 4101
	for i := range uint32(lines) {
		b.Event(0, 1, int64(i), model.Pair{Type: i * 77777, Value: math.MinInt64 + int64(i)},
			model.Pair{Type: i, Value: math.MaxInt64})
	}
	big := model.Comm{Send: 0, Recv: 1, SendCPU: 9, RecvCPU: 7, Times: [4]int64{math.MaxInt64, 0, math.MaxInt64, 0},
		Size: math.MaxInt64, Tag: math.MinInt64}
	b.Comm(big)
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s := &tr.Threads[1].States
	if got := fmt.Sprint(s.Begin, s.End, s.Value, s.CPU); got != fmt.Sprint([]int64{0, math.MaxInt64},
		[]int64{math.MaxInt64 - 1, math.MaxInt64}, []uint32{0, math.MaxUint32}, []int32{0, math.MaxInt32}) {
		t.Error("states:", got)
	}
	e := &tr.Threads[0].Events
	for i := range uint32(lines) {
		j := int(2 * i)
		if e.Time[j] != int64(i) || e.Type[j] != i*77777 || e.Value.At(j) != math.MinInt64+int64(i) ||
			e.Type[j+1] != i || e.Value.At(j+1) != math.MaxInt64 {
			t.Fatalf("event line %d: %d %d:%d %d:%d", i, e.Time[j], e.Type[j], e.Value.At(j), e.Type[j+1],
				e.Value.At(j+1))
		}
	}
	c := &tr.Comms
	times := [4][]int64{{big.Times[0]}, {0}, {big.Times[2]}, {0}}
	if got := fmt.Sprint(c.Send[0], c.Recv[0], c.Times, c.Size[0], c.Tag[0], tr.CommCPU(0, model.LogicalSend),
		tr.CommCPU(0, model.PhysicalRecv)); got != fmt.Sprint(0, 1, times, big.Size, big.Tag, 9, 7) {
		t.Error("message:", got)
	}
}
