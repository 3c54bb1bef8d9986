package kineto

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/prvtest"
)

func TestNanoseconds(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "10": 10_000, "10.0": 10_000,
		"1712195495501688.612": 1712195495501688612,
		`"1060"`:               1_060_000, "1.07e3": 1_070_000, "2.5E-1": 250, "-3.001": -3001, "0.0005": 0, "0.0015": 2,
		"0.0025":     2,
		"0.00250001": 3, "1e-9": 0, "0.000999999999999999999999": 1, "1000000000000.0000000000": 1_000_000_000_000_000,
		"12345678901.2345000000000000001": 12345678901235, "0e99": 0} {
		if got, ok := nanoseconds([]byte(text)); !ok || got != want {
			t.Errorf("%s: %d %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "NaN", "Infinity", "-", "1e300", "1x", "1.2.3", "null", `""`, "9007199254740992",
		"99999999999999999999", "1e"} {
		if got, ok := nanoseconds([]byte(text)); ok {
			t.Errorf("%s is %d", text, got)
		}
	}
}

func TestText(t *testing.T) {
	for value, want := range map[string]string{`"a\"b\\c\/d\te\nf"`: `a"b\c/d e f`,
		`"caf\u00e9 \ud83d\ude00\u0000"`: "café 😀 ",
		`"lone \ud800 x"`:                "lone \ufffd x", `"pair \ud800\u0041"`: "pair \ufffdA",
		"\"caf\xe9\"": "café", "12": "12",
		`"\u12"`: "u12"} {
		if got, _ := text([]byte(value)); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
	if got, cut := text([]byte(`"` + strings.Repeat("é", mostName) + `"`)); !cut || len(got) != mostName {
		t.Errorf("a long name: %d bytes, cut %v", len(got), cut)
	}
}

func TestDetect(t *testing.T) {
	for head, want := range map[string]bool{`{"traceEvents": [`: true, "\n{\n\"schemaVersion\" : 1": true,
		`[{"name": "a", "ph": "X"}`: true, "[\n{\"cat\":\"x\",\"ph\"": true, `{"schema": "1.0.1", "pid": 1`: true,
		`{"a": 1}`: false, `[1, 2]`: false, "#Paraver": false, "": false, "[": false, "{": false} {
		if got := Detect([]byte(head)); got != want {
			t.Errorf("%s: %v", head, got)
		}
	}
}

// write writes a file of the test.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *prv.Trace {
	t.Helper()
	trace, err := Open(context.Background(), path, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// notesOf returns the notes without their files.
func notesOf(t *prv.Trace) (list []string) {
	for _, n := range t.Notes {
		list = append(list, n.Text)
	}
	return list
}

// stateTime returns the time of a thread in a state.
func stateTime(th *prv.Thread, state uint32) (sum int64) {
	for i, v := range th.States.Value {
		if v == state {
			sum += th.States.End[i] - th.States.Begin[i]
		}
	}
	return sum
}

// A correlation of 0 or -1 is unknown and joins no call to a kernel: neither kernel here has a launch, and no
// annotation names the collective's operation.
func TestUnknownCorrelation(t *testing.T) {
	for _, correlation := range []string{"0", "-1"} {
		trace := open(t, write(t, "a.json", strings.NewReplacer(`"correlation":7`, `"correlation":`+correlation,
			`"name":"k"`, `"name":"ncclKernel_SendRecv(k)"`, `"cat":"cpu_op","name":"f"`,
			`"cat":"user_annotation","name":"nccl:all_to_all"`).Replace(small)))
		if n := trace.Comms.Len(); n != 0 {
			t.Errorf("correlation %s: %d launches", correlation, n)
		}
		e := &trace.Threads[1].Events
		for i, typ := range e.Type {
			if typ == device.Operation && e.Value.At(i) == device.AllToAll || typ == device.Correlation {
				t.Errorf("correlation %s: event %d of %d", correlation, typ, e.Value.At(i))
			}
		}
	}
}

// A thread, a stream, a call and its kernel: the call (10..15) is inside a function (5..25), the kernel at 20..120;
// then a synchronisation 30..130 outside of functions. Host: running 5 + 10 = 15, others 5, waiting 100, idle 5 before
// and 5 between; it ends with the file.
const small = `{"schemaVersion": 1, "traceEvents": [
{"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":1,"ts":5,"dur":20},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":10,"dur":5,"args":{"correlation":7}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":3,"ts":20,"dur":100,"args":{"device":0,"stream":3,"correlation":7,
"grid":[1,2,3],"block":[4,5,6],"shared memory":8,"registers per thread":9}},
{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","pid":1,"tid":1,"ts":30,"dur":100,
"args":{"correlation":8}}
]}`

func TestStatesAndLaunch(t *testing.T) {
	trace := open(t, write(t, "a.json", small))
	if got := trace.Names.Levels[prv.LevelThread]; !slices.Equal(got, []string{"thread 1", "CUDA-D0.S3"}) {
		t.Fatalf("threads %v", got)
	}
	host, stream := &trace.Threads[0], &trace.Threads[1]
	for state, want := range map[uint32]int64{stateRunning: 15_000, stateOthers: 5_000, device.Waiting: 100_000,
		stateIdle: 5_000, stateUntraced: 0} {
		if got := stateTime(host, state); got != want {
			t.Errorf("host in state %d: %d, want %d", state, got, want)
		}
	}
	if got := stateTime(stream, device.Computing); got != 100_000 || trace.Duration != 125_000 {
		t.Errorf("kernel of %d in %d", got, trace.Duration)
	}
	if s, ok := device.StreamOf(trace, 1); !ok || s != (device.Stream{Kind: "CUDA", Device: 0, Number: 3}) {
		t.Errorf("stream %v %v", s, ok)
	}
	if _, ok := device.StreamOf(trace, 0); ok {
		t.Error("the host is a stream")
	}
	c := &trace.Comms
	if c.Len() != 1 || fmt.Sprint(c.Times) != "[[5000] [10000] [15000] [15000]]" || c.Tag[0] != device.LaunchTag {
		t.Errorf("launch %+v", c)
	}
	pairs := map[uint32]int64{}
	for i := range stream.Events.Len() {
		if stream.Events.Time[i] == 15_000 {
			pairs[stream.Events.Type[i]] = stream.Events.Value.At(i)
		}
	}
	for i := range uint32(6) {
		if pairs[device.GridX+i] != int64(i)+1 {
			t.Errorf("size %d: %d", i, pairs[device.GridX+i])
		}
	}
	if pairs[device.Shared] != 8 || pairs[device.Registers] != 9 || pairs[device.Correlation] != 7 {
		t.Errorf("kernel %v", pairs)
	}
}

// The text of a file may be cut anywhere: it opens, or gives an error of one line that names the file.
func TestPrefixes(t *testing.T) {
	text, err := os.ReadFile(prvtest.Shared(t, "oracle", "kineto", "cases", "c02-straggler", "rank-0.json"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range text {
		f := newFile("a.json", false)
		err := f.scan(newScanner(bytes.NewReader(text[:n])))
		if err == nil {
			f.finish()
			f.rank = 0
			_, err = newBuilder([]*file{f}).build(context.Background())
		}
		if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
}

// Check 7: cut files open up to the cut; an array may lack its end.
func TestCut(t *testing.T) {
	dir := prvtest.Shared(t, "oracle", "kineto", "cases", "c07-truncated")
	for name, spans := range map[string]int{"cut.json": 5, "cut.json.gz": 4} {
		path := filepath.Join(dir, name)
		f := newFile(path, false)
		if err := f.read(context.Background(), func(int) {}); err != nil {
			t.Fatal(err)
		}
		n := len(f.work)
		for i := range f.rows {
			n += len(f.rows[i].spans)
		}
		if n != spans || !strings.HasPrefix(f.cut, "the file ends early") {
			t.Errorf("%s: %d events, %q", name, n, f.cut)
		}
		if _, err := Open(context.Background(), path, true, prv.Watcher{}); err == nil {
			t.Errorf("%s is opened strictly", name)
		}
	}
	a, b := open(t, filepath.Join(dir, "array.json")), open(t, filepath.Join(dir, "array-open.json"))
	if err := prv.Equal(a, b); err != nil || len(b.Notes) != len(a.Notes) {
		t.Errorf("%v, %v", err, b.Notes)
	}
}

// Check 6: odd numbers and names.
func TestOdd(t *testing.T) {
	trace := open(t, prvtest.Shared(t, "oracle", "kineto", "cases", "c06-odd", "rank-0.json"))
	names, _ := trace.Labels.Type(device.Function)
	for _, want := range []string{`quote " backslash \ slash / tab   newline   end`, "café 😀  ",
		"lone \ufffd surrogate",
		"café 😀", "no dur", "text number", "exponent", "ts after args", "large ids", "string ids", "(no name)"} {
		if !slices.ContainsFunc(names.Values, func(v prv.ValueLabel) bool { return v.Label == strings.TrimSpace(want) }) {
			t.Errorf("no function %q in %v", want, names.Values)
		}
	}
	want := []string{
		"3 items without an event left out; the first: event at byte 1826",
		"4 events left out: a time is missing or not a number; the first: event at byte 500 nan",
		"1 repeated operation of a device left out; the first: k",
		"1 event left out: more than a day away from the others; the first: exact",
		`1 event of an unknown phase left out; the first: 'Q'`,
		"2 of 2 operations of devices have no call that launched them",
	}
	if got := notesOf(trace); !slices.Equal(got, want) {
		t.Errorf("notes %q", got)
	}
}

// Check 9: JSON of another tool.
func TestGeneric(t *testing.T) {
	trace := open(t, prvtest.Shared(t, "oracle", "kineto", "cases", "c09-generic", "other.json"))
	if got := trace.Names.Levels[prv.LevelTask]; !slices.Equal(got, []string{"server", "client"}) {
		t.Errorf("tasks %v", got)
	}
	if got := trace.Names.Levels[prv.LevelThread]; !slices.Equal(got, []string{"thread 12", "main", "async", "main"}) {
		t.Errorf("threads %v", got)
	}
	running := int64(0)
	for i := range trace.Threads {
		running += stateTime(&trace.Threads[i], stateRunning)
	}
	// work takes 50, handle 30 with parse inside, job 46 on its own row, wait 40
	if running != 166_000 || trace.Comms.Len() != 2 {
		t.Errorf("running %d, %d messages", running, trace.Comms.Len())
	}
	for i, name := range []string{"queue running", "queue waiting"} {
		e, ok := trace.Labels.Type(uint32(device.FirstCounter + i))
		if !ok || e.Label != name {
			t.Errorf("counter %d: %v", i, e)
		}
	}
}

// Check 13: other records of the profiler.
func TestRest(t *testing.T) {
	trace := open(t, prvtest.Shared(t, "oracle", "kineto", "cases", "c13-rest", "rank-0.json"))
	host := &trace.Threads[0]
	if got := stateTime(host, device.Waiting); got != 70_000 {
		t.Errorf("waits %d", got)
	}
	var allocated []int64
	for i := range host.Events.Len() {
		if host.Events.Type[i] == device.MemoryAllocated {
			allocated = append(allocated, host.Events.Value.At(i))
		}
	}
	if !slices.Equal(allocated, []int64{1024, 3072, 2048}) || trace.Comms.Len() != 4 {
		t.Errorf("memory %v, %d launches", allocated, trace.Comms.Len())
	}
}

// run opens the ranks of a case.
func openCase(t *testing.T, name string) *prv.Trace {
	t.Helper()
	list, _ := filepath.Glob(filepath.Join(prvtest.Shared(t, "oracle", "kineto", "cases"), name, "*.json*"))
	trace, err := OpenRun(context.Background(), list, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// Check 8: the clock of rank 1 is 5.0005 ms ahead. Each rank begins every other one of 8 allreduces 30 us late. They
// end 150 us after the earlier begin, so on the corrected clock they end at the same time.
func TestClock(t *testing.T) {
	trace := openCase(t, "c08-clock")
	want := "clock of rank 1 is 5.000 ms ahead of rank 0 (8 collectives, residual 0 us): corrected"
	if got := notesOf(trace); !slices.Equal(got, []string{want}) {
		t.Errorf("notes %q", got)
	}
	var ends [2][]int64
	for i := range ends {
		s := &trace.Threads[2*i+1].States
		for k := range s.Len() {
			if s.Value[k] == device.Communicating {
				ends[i] = append(ends[i], s.End[k])
			}
		}
	}
	if len(ends[0]) != 8 || !slices.Equal(ends[0], ends[1]) {
		t.Errorf("ends %v", ends)
	}
}

// Check 12: a pipeline of two ranks: rank 1 waits 60 us for each of 4 blocks of 65,536 floats.
func TestPipeline(t *testing.T) {
	c := &openCase(t, "c12-pipeline").Comms
	n := 0
	for i := range c.Len() {
		if c.Tag[i] != device.TransferTag {
			continue
		}
		n++
		if c.Size[i] != 262_144 || c.Times[prv.LogicalSend][i]-c.Times[prv.LogicalRecv][i] != 60_000 {
			t.Errorf("message %d: %d bytes, waited %d", i, c.Size[i],
				c.Times[prv.LogicalSend][i]-c.Times[prv.LogicalRecv][i])
		}
	}
	if n != 4 {
		t.Errorf("%d messages", n)
	}
}

// Checks 3 and 15: notes tell what a rank lacks.
func TestUnmatched(t *testing.T) {
	for name, want := range map[string]string{
		"c03-missing": "1 collective is not recorded by all of the ranks that have its group; the first is on rank 0 " +
			"at 1.090 ms",
		"c15-late": "4 collectives are not recorded by all of the ranks that have their group; the first is on rank 0 " +
			"at 0.090 ms"} {
		if got := notesOf(openCase(t, name)); !slices.Contains(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Check 28: files of different runs are not opened as one.
func TestDifferentRuns(t *testing.T) {
	data := prvtest.Shared(t, "oracle", "kineto", "data")
	_, err := OpenRun(context.Background(), []string{filepath.Join(data, "memory-rank1.json.gz"),
		filepath.Join(data, "queue-rank0.json.gz")}, false, prv.Watcher{})
	if err == nil || !strings.Contains(err.Error(), "rank 0 of 16") || !strings.Contains(err.Error(), "a run of 2") {
		t.Error(err)
	}
}

// Check 30: hostile files exhaust neither the stack nor the memory.
func TestHostile(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	event := `{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":` + deep + `}`
	if trace := open(t, write(t, "deep.json", `{"traceEvents":[`+event+`]}`)); trace.Duration != 1000 {
		t.Errorf("deep: %d", trace.Duration)
	}
	long := `{"traceEvents":[{"ph":"X","name":"` + strings.Repeat("x", 5<<20) + `","pid":1,"tid":1,"ts":1,"dur":1}]}`
	if trace := open(t, write(t, "long.json", long)); len(trace.Notes) != 1 {
		t.Errorf("long: %v", trace.Notes)
	}
	blanks := io.MultiReader(strings.NewReader(`{"traceEvents":[`), &repeated{' ', 64 << 20},
		strings.NewReader(event+"]}"))
	f, s := newFile("blanks.json", false), newScanner(blanks)
	if err := f.scan(s); err != nil || cap(s.buf) > 4<<20 || len(f.rows) != 1 {
		t.Errorf("blanks: %v, buffer of %d", err, cap(s.buf))
	}
}

// repeated is a stream of one byte.
type repeated struct {
	c byte
	n int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.n)
	for i := range p[:n] {
		p[i] = r.c
	}
	r.n -= n
	return n, nil
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{"": "no events", "hello": "not JSON: it begins with neither { nor [",
		`{"a": 1}`: `no "traceEvents"`, `{"traceEvents": []}`: "no events with times",
		`{"traceEvents": [{"ph":"M"}]}`: "no events with times", `{a}`: "byte 1: not JSON",
		`{"schema": "1.0.1", "nodes": []}`: "execution trace"} {
		path := write(t, "a.json", text)
		_, err := Open(context.Background(), path, false, prv.Watcher{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	path := write(t, "a.json", strings.Replace(small, `"ts":10`, `"ts":"x"`, 1))
	if _, err := Open(context.Background(), path, true, prv.Watcher{}); err == nil ||
		!strings.Contains(err.Error(), "cudaLaunchKernel") {
		t.Errorf("strictly: %v", err)
	}
	if trace := open(t, path); len(trace.Notes) != 2 {
		t.Errorf("notes %v", trace.Notes)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, path, false, prv.Watcher{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`[{"ph":"B","name":"a","pid":1,"tid":1,"ts":1},{"ph":"E","pid":1,"tid":1,"ts":2},` +
		`{"ph":"C","name":"c","pid":1,"ts":1,"args":{"x":1.5}},{"ph":"b","cat":"q","id":1,"name":"j","pid":1,"ts":1},` +
		`{"ph":"e","cat":"q","id":1,"name":"j","pid":1,"ts":3},{"ph":"s","id":1,"pid":1,"tid":1,"ts":1},` +
		`{"ph":"f","id":1,"pid":1,"tid":2,"ts":2}]`))
	list, _ := filepath.Glob(filepath.Join(prvtest.SharedDir(), "oracle", "kineto", "cases", "*", "*.json"))
	for _, path := range list {
		if text, err := os.ReadFile(path); err == nil {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in := newFile("a.json", false)
		if in.scan(newScanner(bytes.NewReader(text))) != nil {
			return
		}
		in.finish()
		in.rank = 0
		trace, err := newBuilder([]*file{in}).build(context.Background())
		if err != nil && (err.Error() == "" || strings.Contains(err.Error(), "\n")) {
			t.Fatal(err)
		}
		if err == nil && trace.Duration < 0 {
			t.Fatalf("it lasts %d", trace.Duration)
		}
	})
}

// BenchmarkRead reads generated events of the usual kinds: a function, its call, the launch's flow, and a kernel.
func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	text.WriteString(`{"schemaVersion":1,"traceEvents":[`)
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&text, `{"ph": "X", "cat": "cpu_op", "name": "aten::mul%d", "pid": 4711, "tid": 4711, "ts": `+
			`1712195495501%03d.612, "dur": 20.5, "args": {"External id": %d, "Ev Idx": %d, "Input Dims": [[128, 64], []], `+
			`"Input type": ["float", "double"], "Concrete Inputs": ["", "1."]}},
`, i%100, i%1000, i, i)
		fmt.Fprintf(&text, `{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4711, "tid": 4711, `+
			`"ts": 1712195495501%03d.700, "dur": 4.1, "args": {"cbid": 211, "correlation": %d}},
{"ph": "s", "id": %d, "pid": 4711, "tid": 4711, "ts": 1712195495501%03d.700, "cat": "ac2g", "name": "ac2g"},
`, i%1000, i, i, i%1000)
		fmt.Fprintf(&text, `{"ph": "X", "cat": "kernel", "name": "void at::native::elementwise_kernel<128, 2, float>(int)", `+
			`"pid": 0, "tid": 7, "ts": 1712195495501%03d.900, "dur": 2.1, "args": {"External id": %d, "queued": 0, `+
			`"device": 0, "context": 1, "stream": 7, "correlation": %d, "registers per thread": 16, "shared memory": 0, `+
			`"blocks per SM": 4.5, "warps per SM": 18.0, "grid": [486, 1, 1], "block": [128, 1, 1], `+
			`"est. achieved occupancy %%": 28}},
`, i%1000, i, i)
	}
	text.WriteString(`{}]}`)
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		f := newFile("a.json", false)
		if err := f.scan(newScanner(bytes.NewReader(text.Bytes()))); err != nil || len(f.work) != n {
			b.Fatal(err, len(f.work))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(4*n), "ns/event")
}

// Memory totals at the same instant keep the file's order: the last one holds from then on.
func TestEqualTimes(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"schemaVersion": 1, "traceEvents": [
{"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":1,"ts":0,"dur":20}`)
	for i := range 40 {
		fmt.Fprintf(&text, `,{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":10,"args":`+
			`{"Device Type":1,"Total Allocated":%d,"Total Reserved":%d}}`, i*7%40, i)
	}
	tr := open(t, write(t, "run.json", text.String()+"]}"))
	e := &tr.Threads[0].Events
	var got []int64
	for i, typ := range e.Type {
		if typ == device.MemoryAllocated {
			got = append(got, e.Value.At(i))
		}
	}
	for i := range 40 {
		if len(got) != 40 || got[i] != int64(i*7%40) {
			t.Fatalf("totals %v", got)
		}
	}
}
