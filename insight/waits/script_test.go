package waits_test

// Traces of the tests as text:
//
//	1: A[0,20) Recv[20,100)
//	2: A[0,70) Send[70,90)
//	2>1 70 90 20 100 size 8
//
// A thread is a line of code regions (one capital letter) and calls; "!" marks the root of a collective operation, "0"
// one without bytes. A message is its two threads, its four times in the order of the record, and what differs from 8
// bytes. "tasks 4 1" makes two tasks of 4 and 1 threads, "nodes 1 2" puts tasks on nodes.

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pview/insight/waits"
	"pview/prv"
)

// calls are the event types and values of calls by name.
var calls = map[string]prv.Pair{
	"Send": {Type: 50000001, Value: 1}, "Recv": {Type: 50000001, Value: 2}, "Isend": {Type: 50000001, Value: 3},
	"Irecv": {Type: 50000001, Value: 4},
	"Wait":  {Type: 50000001, Value: 5}, "Waitall": {Type: 50000001, Value: 6}, "Waitany": {Type: 50000001, Value: 59},
	"Waitsome": {Type: 50000001, Value: 60},
	"Ssend":    {Type: 50000001, Value: 34}, "Issend": {Type: 50000001, Value: 37},
	"Bsend":    {Type: 50000001, Value: 33},
	"Sendrecv": {Type: 50000001, Value: 41},
	"Test":     {Type: 50000003, Value: 39}, "Probe": {Type: 50000001, Value: 61},
	"Bcast": {Type: 50000002, Value: 7}, "Barrier": {Type: 50000002, Value: 8}, "Reduce": {Type: 50000002, Value: 9},
	"Allreduce": {Type: 50000002, Value: 10},
	"Scan":      {Type: 50000002, Value: 30}, "Ibarrier": {Type: 50000002, Value: 156},
	"Init":     {Type: 50000003, Value: 31},
	"Finalize": {Type: 50000003, Value: 32},
	"Par":      {Type: 60000001, Value: 3}, "f": {Type: 60000018, Value: 1}, "Teambarrier": {Type: 60000005, Value: 1},
	"Taskwait": {Type: 60000022, Value: 1},
	"Task":     {Type: 60000023, Value: 1},
	"Put":      {Type: 50000004, Value: 65}, "Winstart": {Type: 50000004, Value: 69},
	"Wincomplete": {Type: 50000004, Value: 70}, "Winpost": {Type: 50000004, Value: 71},
	"Winwait": {Type: 50000004, Value: 72}, "Winlock": {Type: 50000004, Value: 80},
	"Winunlock": {Type: 50000004, Value: 81},
	"Winfence":  {Type: 50000004, Value: 68},
}

var itemForm = regexp.MustCompile(`([A-Za-z]+)([!0]?)\[(\d+),(\d+)\)`)

// script is a trace being made of text.
type script struct {
	t       *testing.T
	threads []string
	comms   []string
	tasks   []int
	nodes   []int
}

// build makes the trace.
func (s *script) build() *prv.Trace {
	head := prv.Header{Unit: prv.Nanoseconds}
	if s.tasks == nil {
		for range s.threads {
			s.tasks = append(s.tasks, 1)
		}
	}
	nodes := 1
	for _, n := range s.nodes {
		nodes = max(nodes, n)
	}
	for range nodes {
		head.AddNode(64)
	}
	head.AddPtask()
	for i, n := range s.tasks {
		node := 0
		if s.nodes != nil {
			node = s.nodes[i] - 1
		}
		head.AddTask(n, node)
	}
	b := prv.NewBuilder(head)
	for i, line := range s.threads {
		s.thread(b, int32(i), line)
	}
	for _, line := range s.comms {
		s.comm(b, line)
	}
	t, err := b.Build()
	if err != nil {
		s.t.Fatal(err)
	}
	t.Labels = labels()
	return t
}

func labels() *prv.Labels {
	l := &prv.Labels{}
	byType := map[uint32][]prv.ValueLabel{}
	for name, p := range calls {
		label := "MPI_" + strings.Replace(name, "Win", "Win_", 1)
		switch p.Value { // as Extrae has them
		case 69:
			label = "MPI_Win_complete"
		case 70:
			label = "MPI_Win_start"
		}
		byType[p.Type] = append(byType[p.Type], prv.ValueLabel{Value: p.Value, Label: label})
	}
	for typ, name := range map[uint32]string{50000001: "MPI Point-to-point", 50000002: "MPI Collective Comm",
		50000003: "MPI Other", 50000004: "MPI One-sided"} {
		slices.SortFunc(byType[typ], func(a, b prv.ValueLabel) int { return cmp.Compare(a.Value, b.Value) })
		l.AddType(typ, name, byType[typ]...)
	}
	var functions []prv.ValueLabel
	for c := 'A'; c <= 'Z'; c++ {
		functions = append(functions, prv.ValueLabel{Value: int64(c-'A') + 1, Label: string(c)})
	}
	l.AddType(60000019, "User function", functions...)
	l.AddType(60000018, "Executed OpenMP parallel function", prv.ValueLabel{Value: 1, Label: "f"})
	l.AddType(60000007, "OpenMP unnamed-Lock", prv.ValueLabel{Value: 3, Label: "lock"})
	l.AddType(60000023, "Executed OpenMP task function", prv.ValueLabel{Value: 1, Label: "task"})
	l.AddState(3, "Waiting a message")
	l.AddState(26, "Startup latency")
	l.AddState(2, "Not created")
	return l
}

// event is an event of a thread, of one or several pairs.
type event struct {
	time  int64
	pairs []prv.Pair
}

func (s *script) thread(b *prv.Builder, thread int32, line string) {
	var events []event
	for _, m := range itemForm.FindAllStringSubmatch(line, -1) {
		from, to := number(m[3]), number(m[4])
		switch p, ok := calls[m[1]]; {
		case m[1] == "off":
			b.State(thread, 0, from, to, 14)
			continue
		case m[1] == "state":
			b.State(thread, 0, from, to, 3)
			continue
		case m[1] == "Lock":
			events = append(events, event{from, []prv.Pair{{Type: 60000007, Value: 3}}},
				event{to, []prv.Pair{{Type: 60000007, Value: 6}}})
		case m[1] == "Unlock":
			events = append(events, event{from, []prv.Pair{{Type: 60000007, Value: 5}}},
				event{to, []prv.Pair{{Type: 60000007}}})
		case ok:
			begin := []prv.Pair{p}
			if m[1] == "Put" { // to the first task, or with ! to the second
				begin = append(begin, prv.Pair{Type: 50001001, Value: int64(len(m[2]))})
			}
			if p.Type == 50000002 {
				begin = append(begin, prv.Pair{Type: 50100001, Value: size(m[2])},
					prv.Pair{Type: 50100002, Value: size(m[2])}, prv.Pair{Type: 50100004, Value: 1})
				if m[2] == "!" {
					begin = append(begin, prv.Pair{Type: 50100003, Value: 1})
				}
			}
			events = append(events, event{from, begin}, event{to, []prv.Pair{{Type: p.Type}}})
		case len(m[1]) == 1:
			events = append(events, event{from, []prv.Pair{{Type: 60000019, Value: int64(m[1][0]-'A') + 1}}},
				event{to, []prv.Pair{{Type: 60000019}}})
		default:
			s.t.Fatalf("no call %q", m[1])
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.time, b.time) })
	for _, e := range events {
		b.Event(thread, 0, e.time, e.pairs...)
	}
}

func size(mark string) int64 {
	if mark == "0" {
		return 0
	}
	return 8
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func (s *script) comm(b *prv.Builder, line string) {
	f := strings.Fields(line)
	from, to, _ := strings.Cut(f[0], ">")
	c := prv.Comm{Send: int32(number(from)) - 1, Recv: int32(number(to)) - 1, Size: 8}
	for i := range 4 {
		c.Times[i] = number(f[1+i])
	}
	switch {
	case len(f) > 6 && f[5] == "tag":
		c.Tag = number(f[6])
	case len(f) > 6:
		c.Size = number(f[6])
	}
	b.Comm(c)
}

// parse reads a script.
func parse(t *testing.T, text string) *prv.Trace {
	t.Helper()
	s := &script{t: t}
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case first == "tasks" || first == "nodes":
			for _, n := range strings.Fields(rest) {
				if first == "tasks" {
					s.tasks = append(s.tasks, int(number(n)))
				} else {
					s.nodes = append(s.nodes, int(number(n)))
				}
			}
		case strings.HasSuffix(first, ":"):
			s.threads = append(s.threads, rest)
		default:
			s.comms = append(s.comms, line)
		}
	}
	return s.build()
}

// analyze finds the waits of a trace, with an eager limit of 1024 bytes, and checks the sums.
func analyze(t testing.TB, tr *prv.Trace, opt waits.Options) *waits.Result {
	t.Helper()
	r, err := waits.Analyze(context.Background(), tr, opt)
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, r)
	return r
}

func limit(n int64) waits.Options { return waits.Options{Eager: &n} }

// checkSums: costs sum to the waiting time; short-term costs to the direct parts, long-term costs to the indirect ones.
func checkSums(t testing.TB, r *waits.Result) {
	t.Helper()
	var length, direct, short, long int64
	for i := range r.Waits {
		w := &r.Waits[i]
		length += w.Length()
		direct += w.Direct
		if w.Length() <= 0 || w.Direct < 0 || w.Indirect() < 0 || w.L < 0 || w.Spread < 0 || w.Spread > w.Length() {
			t.Fatalf("wait %+v", *w)
		}
	}
	for _, d := range r.Delays {
		short += d.Short
		long += d.Long
		if d.Short < 0 || d.Long < 0 {
			t.Fatalf("delay %+v", d)
		}
	}
	if short+long+r.Unknown != length {
		t.Fatalf("costs are %d + %d + %d unknown, waits %d", short, long, r.Unknown, length)
	}
	if r.Unknown == 0 && (short != direct || long != length-direct) {
		t.Fatalf("short %d, direct %d; long %d, indirect %d", short, direct, long, length-direct)
	}
}

// shown writes waits and delays as lines.
func shown(r *waits.Result) (lines []string) {
	for i := range r.Waits {
		w := &r.Waits[i]
		line := fmt.Sprintf("%d [%d,%d) class %d by %d", w.Thread+1, w.From, w.To, w.Class, w.Cause+1)
		for _, f := range waits.Flagged {
			if w.Flags&f.Flag != 0 {
				line += " " + f.Key
			}
		}
		lines = append(lines, line)
	}
	for _, d := range r.Delays {
		if d.Cost() > 0 {
			lines = append(lines, fmt.Sprintf("%d %s %d+%d", d.Thread+1,
				strings.TrimPrefix(r.Regions[d.Region].Name, "MPI_"), d.Short, d.Long))
		}
	}
	return lines
}

// check compares the waits and delays of a script.
func check(t *testing.T, text string, want ...string) *waits.Result {
	t.Helper()
	r := analyze(t, parse(t, text), limit(1024))
	if got := shown(r); !slices.Equal(got, want) {
		t.Errorf("%s\nis\n  %s\nnot\n  %s", text, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	return r
}

// sized puts a size into a script.
func sized(text string, n int) string { return strings.ReplaceAll(text, "%d", strconv.Itoa(n)) }
