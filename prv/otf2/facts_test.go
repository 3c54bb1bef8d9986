package otf2

// The facts about the kit's archives were counted by another program: events, regions and metrics of the files, and
// messages, collective operations and calls of the trace.

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/otf2/otf2test"
	"pview/prv/prvtest"
)

// facts are the rows of a facts.tsv by their first three columns; the others are the numbers.
type facts map[[3]string][]string

func readFacts(t testing.TB, path string) facts {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := facts{}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for len(f) < 3 {
			f = append(f, "")
		}
		all[[3]string(f[:3])] = f[3:]
	}
	return all
}

// tally counts as the kit's README says.
type tally struct {
	rows facts
	a    *archive
}

func (c *tally) set(kind, location, name string, numbers ...any) {
	var list []string
	for _, n := range numbers {
		if f, ok := n.(float64); ok {
			n = strings.Replace(strconv.FormatFloat(f, 'g', 6, 64), "e+0", "e+0", 1)
		}
		list = append(list, fmt.Sprint(n))
	}
	c.rows[[3]string{kind, location, name}] = list
}

// kinds are the names of events in the facts.
var kindNames = map[uint8]string{10: "BUFFER_FLUSH", 11: "MEASUREMENT_ON_OFF", 12: "ENTER", 13: "LEAVE", 14: "MPI_SEND",
	15: "MPI_ISEND", 16: "MPI_ISEND_COMPLETE", 17: "MPI_IRECV_REQUEST", 18: "MPI_RECV", 19: "MPI_IRECV",
	20: "MPI_REQUEST_TEST", 21: "MPI_REQUEST_CANCELLED", 22: "MPI_COLLECTIVE_BEGIN", 23: "MPI_COLLECTIVE_END",
	24: "OMP_FORK", 25: "OMP_JOIN", 26: "OMP_ACQUIRE_LOCK", 27: "OMP_RELEASE_LOCK", 28: "OMP_TASK_CREATE",
	29: "OMP_TASK_SWITCH", 30: "OMP_TASK_COMPLETE", 31: "METRIC", 32: "PARAMETER_STRING", 33: "PARAMETER_INT64",
	34: "PARAMETER_UINT64", 53: "THREAD_FORK", 54: "THREAD_JOIN", 55: "THREAD_TEAM_BEGIN", 56: "THREAD_TEAM_END",
	57: "THREAD_ACQUIRE_LOCK", 58: "THREAD_RELEASE_LOCK", 59: "THREAD_TASK_CREATE", 60: "THREAD_TASK_SWITCH",
	61: "THREAD_TASK_COMPLETE", 75: "IO_OPERATION_BEGIN", 78: "IO_OPERATION_COMPLETE",
	85: "NON_BLOCKING_COLLECTIVE_REQUEST", 86: "NON_BLOCKING_COLLECTIVE_COMPLETE",
	66: "CALLING_CONTEXT_ENTER", 67: "CALLING_CONTEXT_LEAVE", 68: "CALLING_CONTEXT_SAMPLE", 46: "RMA_PUT", 47: "RMA_GET"}

func kindName(id int) string {
	if n := kindNames[uint8(id)]; n != "" && id < 256 {
		return n
	}
	if id > lastEvent || eventNames[id] == "" {
		return "UNKNOWN"
	}
	var b strings.Builder
	for i, r := range eventNames[id] {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToUpper(b.String())
}

// location counts the events of a location.
func (c *tally) location(l *location) {
	a, id := c.a, strconv.FormatUint(l.id, 10)
	data, err := os.ReadFile(a.fileOf(l.id, ".evt"))
	if err != nil {
		return
	}
	own, err := readLocal(a.anchor, a.definitions, l.id)
	if err != nil {
		panic(err)
	}
	r := newReader(data, a.eventChunk, func(int, string, bool) {})
	if !r.open() {
		return
	}
	type open struct {
		name  string
		since int64
		outer bool
	}
	type sum struct{ calls, ticks int64 }
	type reading struct {
		n                int64
		sum, first, last float64
		isum             int64
		double           bool
		ifirst, ilast    int64
	}
	var stack []open
	var stray, closed int
	regions, metrics := map[string]*sum{}, map[string]*reading{}
	k, e := clock{spans: own.spans}, event{}
	first, last, n := int64(math.MaxInt64), int64(math.MinInt64), 0
	kinds := map[string]int{}
	finish := func(o open, at int64) {
		s := regions[o.name]
		if s == nil {
			s = &sum{}
			regions[o.name] = s
		}
		s.calls++
		if o.outer {
			s.ticks += at - o.since
		}
	}
	for r.next(&e) {
		n++
		at := k.global(int64(e.time))
		first, last = min(first, at), max(last, at)
		kinds[kindName(int(e.id))]++
		switch e.id {
		case evEnter, evLeave:
			name := fmt.Sprintf("region %d", own.maps[mapRegion].global(e.fields[0]))
			if def := own.regions.find(e.fields[0]); def >= 0 &&
				!a.definitions.regions[def].undefined {
				name = a.strings[a.definitions.regions[def].name]
			}
			if e.id == evEnter {
				outer := true
				for _, o := range stack {
					outer = outer && o.name != name
				}
				stack = append(stack, open{name, at, outer})
				continue
			}
			i := len(stack) - 1
			for i >= 0 && stack[i].name != name {
				i--
			}
			if i < 0 {
				stray++
				continue
			}
			closed += len(stack) - 1 - i
			for len(stack) > i {
				finish(stack[len(stack)-1], at)
				stack = stack[:len(stack)-1]
			}
		case evMetric:
			class := a.classIDs.find(own.maps[mapMetric].global(e.fields[0]))
			for i, v := range e.values {
				name := a.strings[a.members[a.classes[class].members[i]].name]
				m := metrics[name]
				if m == nil {
					m = &reading{first: v.float(), ifirst: int64(v.value), double: v.typ == typeDouble}
					metrics[name] = m
				}
				m.n++
				m.sum += v.float()
				m.isum += int64(v.value)
				m.last, m.ilast = v.float(), int64(v.value)
			}
		}
	}
	open0 := len(stack)
	for len(stack) > 0 {
		finish(stack[len(stack)-1], last)
		stack = stack[:len(stack)-1]
	}
	for name, n := range kinds {
		c.set("events", id, name, n)
	}
	if n > 0 {
		c.set("time", id, "first, last", first, last)
	}
	for name, s := range regions {
		c.set("region", id, name, s.calls, s.ticks)
	}
	if stray+closed+open0 > 0 {
		c.set("stack", id, "leaves of nothing, closed by others, open at the end", stray, closed, open0)
	}
	for name, m := range metrics {
		if m.double {
			c.set("metric", id, name, m.n, m.sum, m.first, m.last)
		} else {
			c.set("metric", id, name, m.n, m.isum, m.ifirst, m.ilast)
		}
	}
	if r.attributes > 0 {
		c.set("attributes", id, "", r.attributes)
	}
}

// kit returns the archives of the kit.
func kit(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "otf2"), "archives", "*", "facts.tsv"))
	if err != nil || len(list) == 0 {
		t.Skip("no archives")
	}
	return list
}

// prepared reads an archive up to its rows.
func prepared(t testing.TB, path string) (*archive, []*lane) {
	t.Helper()
	ctx := context.Background()
	anchor, err := readAnchor(path)
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := readDefinitions(anchor)
	if err != nil {
		t.Fatal(err)
	}
	a := &archive{anchor: anchor, definitions: d, regions: makeRegions(d)}
	if err := a.place(); err != nil {
		t.Fatal(err)
	}
	a.findRanks()
	m := a.newMeter(ctx, prv.Watcher{})
	if err := a.scanAll(ctx, m); err != nil {
		t.Fatal(err)
	}
	a.plan()
	lanes, err := a.readAll(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	return a, lanes
}

// TestFacts is check 1 of the specification for the contents of the files.
func TestFacts(t *testing.T) {
	for _, path := range kit(t) {
		name := filepath.Base(filepath.Dir(path))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := readFacts(t, path)
			a, _ := prepared(t, otf2test.Unpack(t, filepath.Join(filepath.Dir(path), name+".tar.gz")))
			c := &tally{facts{}, a}
			c.set("clock", "", "", a.resolution, a.offset, a.length)
			c.set("locations", "", "", len(a.locations))
			for i := range a.locs {
				l := &a.locs[i]
				c.set("location", strconv.FormatUint(l.id, 10), a.strings[l.name], l.group)
				c.location(l)
			}
			count := 0
			for key, row := range want {
				switch key[0] {
				case "messages", "times", "pair", "collective":
					continue
				}
				count++
				if got := c.rows[key]; strings.Join(got, " ") != strings.Join(row, " ") {
					t.Errorf("%v: %v, want %v", key, got, row)
				}
				delete(c.rows, key)
			}
			if count == 0 || len(c.rows) > 0 {
				t.Errorf("%d facts compared, these are not in the kit: %v", count, c.rows)
			}
		})
	}
}

// number reads a number of the facts.
func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestTraceFacts is check 1 for the trace: messages, collective operations, calls of regions, counters. The times of
// the facts are ticks, those of the trace nanoseconds, each rounded: sums of n times differ by up to n/2.
func TestTraceFacts(t *testing.T) {
	for _, path := range kit(t) {
		name := filepath.Base(filepath.Dir(path))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := readFacts(t, path)
			anchor := otf2test.Unpack(t, filepath.Join(filepath.Dir(path), name+".tar.gz"))
			tr, err := Open(context.Background(), anchor, false, prv.Watcher{})
			if err != nil {
				t.Fatal(err)
			}
			a, lanes := prepared(t, anchor)
			found, err := a.match(context.Background(), lanes)
			if err != nil {
				t.Fatal(err)
			}
			checkMessages(t, tr, a, found, want)
			checkThreads(t, tr, a, want)
		})
	}
}

func checkMessages(t *testing.T, tr *prv.Trace, a *archive, found *matched, want facts) {
	m := want[[3]string{"messages", "", "matched, bytes, sends without receive, receives without send"}]
	bytes := int64(0)
	for _, n := range tr.Comms.Size {
		bytes += n
	}
	if got := int64(tr.Comms.Len()); got != number(t, m[0]) || bytes != number(t, m[1]) {
		t.Errorf("%d messages of %d bytes, want %v", got, bytes, m)
	}
	noPeer := found.lostSends + found.lostPosted
	if lost := number(t, m[2]) + number(t, m[3]); noPeer > lost {
		t.Errorf("%d ends without the other, want at most %d", noPeer, lost)
	}
	times := want[[3]string{"times", "",
		"sums of logical send, physical send, logical receive, physical receive, from the begin of the trace"}]
	for r := range tr.Comms.Times {
		sum := int64(0)
		for _, at := range tr.Comms.Times[r] {
			sum += at
		}
		exact := float64(number(t, times[r])) * 1e9 / float64(a.resolution)
		if math.Abs(float64(sum)-exact) > float64(tr.Comms.Len())/2+exact*1e-15 {
			t.Errorf("%s: the times add up to %d, want %.1f", prv.Role(r), sum, exact)
		}
	}
	pairs := map[[3]string][2]int64{}
	ids := map[int32]string{}
	for i := range a.locs {
		if l := &a.locs[i]; l.own {
			ids[l.thread] = strconv.FormatUint(l.id, 10)
		}
	}
	for i := range tr.Comms.Len() {
		key := [3]string{"pair", ids[tr.Comms.Send[i]], ids[tr.Comms.Recv[i]]}
		p := pairs[key]
		pairs[key] = [2]int64{p[0] + 1, p[1] + tr.Comms.Size[i]}
	}
	for key, row := range want {
		if key[0] == "pair" && pairs[key] != [2]int64{number(t, row[0]), number(t, row[1])} {
			t.Errorf("%v: %v, want %v", key, pairs[key], row)
		}
	}
}

// checkThreads compares each thread with the facts of its location.
func checkThreads(t *testing.T, tr *prv.Trace, a *archive, want facts) {
	for i := range a.locs {
		l := &a.locs[i]
		if !l.own {
			continue
		}
		id := strconv.FormatUint(l.id, 10)
		sums, calls := map[uint32]int64{}, map[string]int64{}
		e := &tr.Threads[l.thread].Events
		for k := range e.Len() {
			if typ := e.Type[k]; typ != extrae.UserFunction {
				sums[typ] += e.Value.At(k)
			} else if e.Value.At(k) != 0 {
				calls[tr.Labels.ValueName(typ, e.Value.At(k))]++
			}
		}
		operations := [2]int64{}
		for key, row := range want {
			if key[1] != id {
				continue
			}
			switch key[0] {
			case "collective":
				operations[0] += number(t, row[2])
				operations[1] += number(t, row[3])
			case "region":
				g := &a.regions.list[a.of[regionNamed(a, key[2])]]
				if n := calls[g.name]; g.typ == extrae.UserFunction && n > 0 && n != number(t, row[0]) {
					t.Errorf("%v: %d calls, want %s", key, n, row[0])
				}
			case "metric":
				for _, kind := range a.kinds {
					if kind.label == key[2] && kind.mode == accumulated && kind.precision == 0 && kind.scale == 1 {
						if d := number(t, row[3]) - number(t, row[2]); sums[kind.typ] != d {
							t.Errorf("%v: differences add up to %d, want %d", key, sums[kind.typ], d)
						}
					}
				}
			}
		}
		if got := [2]int64{sums[extrae.CollectiveSent], sums[extrae.CollectiveRecv]}; got != operations {
			t.Errorf("location %s: collective operations move %v bytes, want %v", id, got, operations)
		}
	}
}

// regionNamed returns the definition of the first region with a name.
func regionNamed(a *archive, name string) int {
	for i := range a.definitions.regions {
		if a.strings[a.definitions.regions[i].name] == name {
			return i
		}
	}
	return len(a.definitions.regions) - 1
}
