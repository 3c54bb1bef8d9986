package nsight

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/prvtest"
)

func openTrace(t testing.TB, paths ...string) *prv.Trace {
	t.Helper()
	trace, err := OpenRun(context.Background(), paths, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// piece is an interval between two events of a type.
type piece struct {
	begin, end int64
	typ        uint32
	name       string
	bytes      int64
	thread     int
}

// pieces returns a thread's pieces of some types: nested, except for the work of a stream, which ends in the order of
// its begin.
func pieces(tr *prv.Trace, thread int, is func(typ uint32) bool) (list []piece) {
	e := &tr.Threads[thread].Events
	open := map[uint32][]int{}
	for i := range e.Len() {
		typ := e.Type[i]
		switch {
		case typ == device.MemoryBytes && len(list) > 0 && list[len(list)-1].begin == e.Time[i]:
			list[len(list)-1].bytes = e.Value.At(i)
		case !is(typ):
		case e.Value.At(i) == 0:
			s := open[typ]
			n := len(s) - 1
			if isWork(typ) {
				n = 0
			}
			list[s[n]].end = e.Time[i]
			open[typ] = slices.Delete(s, n, n+1)
		default:
			name := tr.Labels.ValueName(typ, e.Value.At(i))
			open[typ] = append(open[typ], len(list))
			list = append(list, piece{begin: e.Time[i], typ: typ, name: name, thread: thread})
		}
	}
	return list
}

func isWork(typ uint32) bool {
	return typ == device.Kernel || typ == device.Collective || typ == device.Memory
}

// union returns the length of the union of pieces of some types.
func union(list []piece, types ...uint32) (sum int64) {
	list = slices.DeleteFunc(slices.Clone(list), func(p piece) bool { return !slices.Contains(types, p.typ) })
	slices.SortFunc(list, func(x, y piece) int { return cmp.Compare(x.begin, y.begin) })
	until := int64(-1 << 62)
	for _, p := range list {
		if p.end > until {
			sum += p.end - max(p.begin, until)
			until = p.end
		}
	}
	return sum
}

// short returns a kernel's name as in the facts.
func short(p piece) string {
	name := strings.TrimPrefix(p.name, "void ")
	for _, part := range []string{"<unnamed>::", "(anonymous namespace)::"} {
		name = strings.ReplaceAll(name, part, "")
	}
	switch {
	case p.typ == device.Memory:
		return strings.ToUpper(strings.TrimPrefix(name, "Memcpy "))
	case strings.HasPrefix(name, "graph "):
		return "GRAPH_TRACE"
	case strings.HasPrefix(name, "#"):
		return "?"
	}
	if i := strings.IndexAny(name, "<("); i > 0 {
		name = name[:i]
	}
	return name[strings.LastIndex(name, ":")+1:]
}

// facts returns the answers for a trace, by the key of the fact file without its value.
func facts(t *testing.T, tr *prv.Trace) map[string]string {
	got := map[string]string{}
	set := func(fact, who, key string, value any) { got[fact+"\t"+who+"\t"+key] = fmt.Sprint(value) }
	work := map[string][]piece{}
	streams := map[string][]int{}
	tops, calls := map[string][2]int64{}, map[string][2]int64{}
	ranges, system := map[string][2]int64{}, map[string][2]int64{}
	count := func(m map[string][2]int64, key string, length int64) {
		v := m[key]
		m[key] = [2]int64{v[0] + 1, v[1] + length}
	}
	first, last := int64(1<<62), int64(-1<<62)
	tasks := tr.Tasks
	for task := range tasks {
		name := tr.Names.Levels[prv.LevelTask][task]
		pid := name[strings.LastIndex(name, " ")+1:]
		for k := range tasks[task].Threads {
			thread := tasks[task].FirstThread + k
			if s, ok := device.StreamOf(tr, int(thread)); ok {
				who := fmt.Sprintf("%s dev %d", pid, s.Device)
				list := pieces(tr, int(thread), isWork)
				work[who] = append(work[who], list...)
				streams[who] = append(streams[who], int(thread))
				for _, p := range list {
					kind := map[uint32]string{device.Kernel: "compute", device.Collective: "comm", device.Memory: "memory"}[p.typ]
					count(tops, kind+"|"+short(p), p.end-p.begin)
					first, last = min(first, p.begin), max(last, p.end)
				}
				continue
			}
			for _, p := range pieces(tr, int(thread), func(typ uint32) bool {
				return typ == device.Call || typ >= typeNCCL && typ < typeLibrary && typ != typeMark || typ == typeSystem
			}) {
				switch p.typ {
				case device.Call:
					count(calls, p.name, p.end-p.begin)
					first, last = min(first, p.begin), max(last, p.end)
				case typeSystem:
					count(system, p.name, p.end-p.begin)
				default:
					count(ranges, p.name, p.end-p.begin)
				}
			}
		}
	}
	set("run", "-", "duration_ns", last-first)
	for name, m := range map[string]map[string][2]int64{"top": tops, "call": calls, "nvtx": ranges, "osrt": system} {
		who := ""
		if name == "top" {
			who = "-"
		}
		for key, v := range m {
			set(name, who, key, fmt.Sprintf("%d %d", v[0], v[1]))
		}
	}
	for who, list := range work {
		from, to, bytes := int64(1<<62), int64(0), int64(0)
		for _, p := range list {
			from, to, bytes = min(from, p.begin), max(to, p.end), bytes+p.bytes
		}
		busy := union(list, device.Kernel, device.Collective, device.Memory)
		compute, both := union(list, device.Kernel), union(list, device.Kernel, device.Collective)
		set("gpu", who, "ops", len(list))
		set("gpu", who, "span_ns", to-from)
		set("gpu", who, "busy_ns", busy)
		set("gpu", who, "idle_ns", to-from-busy)
		set("gpu", who, "compute_ns", compute)
		set("gpu", who, "comm_ns", union(list, device.Collective))
		set("gpu", who, "memory_ns", union(list, device.Memory))
		set("gpu", who, "exposed_comm_ns", both-compute)
		set("gpu", who, "exposed_memory_ns", busy-both)
		set("gpu", who, "bytes", bytes)
		n, delay, most := 0, int64(0), int64(0)
		c := &tr.Comms
		for i := range c.Len() {
			if device.IsLink(tr, int32(i)) && slices.Contains(streams[who], int(c.Recv[i])) {
				d := c.Times[prv.PhysicalRecv][i] - c.Times[prv.PhysicalSend][i]
				n, delay, most = n+1, delay+max(0, d), max(most, d)
			}
		}
		set("gpu", who, "launched", n)
		set("gpu", who, "no_launch", len(list)-n)
		set("gpu", who, "launch_delay_ns", delay)
		set("gpu", who, "launch_delay_max_ns", most)
	}
	collectives(tr, work, set)
	return got
}

// collectives adds the matched collectives: operations with equal numbers on all tasks.
func collectives(tr *prv.Trace, work map[string][]piece, set func(fact, who, key string, value any)) {
	type part struct {
		who        string
		begin, end int64
	}
	turns := map[int64][]part{}
	for who, list := range work {
		for _, p := range list {
			e := &tr.Threads[p.thread].Events
			for i := range e.Len() {
				if p.typ == device.Collective && e.Time[i] == p.begin && e.Type[i] == device.OperationTurn {
					turns[e.Value.At(i)] = append(turns[e.Value.At(i)], part{who, p.begin, p.end})
				}
			}
		}
	}
	matched, time, wait, caused := 0, int64(0), int64(0), map[string]int64{}
	for _, parts := range turns {
		if len(parts) < len(work) {
			continue
		}
		matched++
		last := slices.MaxFunc(parts, func(x, y part) int { return cmp.Compare(x.begin, y.begin) })
		for _, p := range parts {
			w := min(last.begin, p.end) - p.begin
			time, wait = time+p.end-p.begin, wait+w
			caused[last.who] += w
		}
	}
	set("collectives", "-", "matched", matched)
	set("collectives", "-", "time_ns", time)
	set("collectives", "-", "wait_ns", wait)
	for who, w := range caused {
		set("straggler", who, "wait_caused_ns", w)
	}
}

// Counts, times and sums are those of an independent reader: checks 5 to 8, 10 to 13 and 15 to 19.
func TestFacts(t *testing.T) {
	kit := prvtest.Shared(t, "oracle", "nsight")
	for _, name := range []string{"n02-old", "n03-correlations", "n04-graphs", "n05-nvtx", "mfu_2gpu_before",
		"nsight-2025.5.2", "healthy_1pct"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(kit, "cases", name+".sqlite")
			if _, err := os.Stat(path); err != nil {
				path = filepath.Join(kit, "data", name+".sqlite")
			}
			tr := openTrace(t, path)
			got := facts(t, tr)
			text, err := os.ReadFile(filepath.Join(kit, "facts", name+".tsv"))
			if err != nil {
				t.Fatal(err)
			}
			checked := 0
			for _, line := range strings.Split(string(text), "\n") {
				i := strings.LastIndex(line, "\t")
				if i < 0 {
					continue
				}
				key, want := line[:i], line[i+1:]
				f := strings.Split(key, "\t")
				switch f[0] {
				case "top":
					f[2] = strings.ReplaceAll(f[2], "memory|HtoD", "memory|HTOD")
					f[2] = strings.ReplaceAll(f[2], "memory|DtoD", "memory|DTOD")
				case "call":
					f[2] = withoutVersion(f[2])
				case "gpu":
					if name == "healthy_1pct" { // its kernels have no process
						f[1] = strings.Replace(f[1], "0 ", pidOf(tr)+" ", 1)
					}
				}
				value, ok := got[strings.Join(f, "\t")]
				if !ok && slices.Contains([]string{"call", "top", "osrt", "straggler"}, f[0]) {
					t.Errorf("nothing for %q", key)
				}
				if !ok || strings.HasSuffix(want, "None") {
					continue
				}
				if checked++; value != want {
					t.Errorf("%q: %s, want %s", key, value, want)
				}
			}
			if checked < 15 {
				t.Errorf("%d facts checked", checked)
			}
			t.Log(checked, "facts")
		})
	}
}

func pidOf(tr *prv.Trace) string {
	name := tr.Names.Levels[prv.LevelTask][0]
	return name[strings.LastIndex(name, " ")+1:]
}
