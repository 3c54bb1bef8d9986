package prv

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"pview/prv/store"
	"slices"
	"strings"
	"testing"
)

// The fuzzers compare the parser, which is fast and therefore intricate, with a plain one written straight from the
// grammar: a field at a time, with big integers.

// plainRecord is a record as the plain parser sees it.
type plainRecord struct {
	kind   byte
	thread int32
	text   string // all its contents, as words
	time   int64
}

// plainBody reads a body line by line; it returns the records in file order and how many were bad.
func plainBody(h *Header, body string) (recs []plainRecord, skipped int) {
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if k, rest, ok := strings.Cut(line, ":"); ok && strings.Contains("1234", k) && len(k) == 1 {
			r, bad := plainLine(h, k[0], rest)
			recs = append(recs, r...)
			if bad {
				skipped++
			}
			continue
		}
		line = string(bytes.TrimSpace([]byte(line)))
		if line != "" && line[0] != '#' && !(len(line) > 1 && strings.Contains("cCiI", line[:1]) && line[1] == ':') {
			skipped++
		}
	}
	return recs, skipped
}

func plainLine(h *Header, kind byte, rest string) (recs []plainRecord, bad bool) {
	f := strings.Split(rest, ":")
	switch kind {
	case '4':
		return nil, false
	case '1':
		if len(f) < 7 {
			return nil, true
		}
		th, ok := plainObject(h, f)
		b, ok2 := plainNumber(f[4], 0, 1<<63-1, false)
		e, ok3 := plainNumber(f[5], -1, 1<<63-1, false)
		v, ok4 := plainNumber(f[6], 0, 1<<32-1, true)
		if !ok || !ok2 || !ok3 || !ok4 {
			return nil, true
		}
		return []plainRecord{{'1', th, words("state", b, e, uint32(v), f[0]), b}}, false
	case '2':
		if len(f) < 7 {
			return nil, true
		}
		th, ok := plainObject(h, f)
		at, ok2 := plainNumber(f[4], 0, 1<<63-1, false)
		if !ok || !ok2 {
			return nil, true
		}
		for i := 5; i < len(f); i += 2 {
			if i+1 == len(f) {
				return recs, true
			}
			typ, ok := plainNumber(f[i], 0, 1<<32-1, false)
			val, ok2 := plainWrapping(f[i+1], true)
			if !ok || !ok2 {
				return recs, true
			}
			// Text after a blank is not another field.
			recs = append(recs, plainRecord{'2', th, words("event", at, uint32(typ), val, f[0], i == 5), at})
			if strings.ContainsAny(f[i+1], " \t\r") {
				break
			}
		}
		return recs, false
	case '3':
		if len(f) < 14 {
			return nil, true
		}
		from, ok := plainObject(h, f)
		to, ok2 := plainObject(h, f[6:])
		size, ok3 := plainWrapping(f[12], false)
		tag, ok4 := plainWrapping(f[13], true)
		var times [4]int64
		for i, at := range []int{4, 5, 10, 11} {
			t, good := plainNumber(f[at], 0, 1<<63-1, false)
			times[i], ok = t, ok && good
		}
		if !ok || !ok2 || !ok3 || !ok4 {
			return nil, true
		}
		return []plainRecord{{'3', from, words("message", from, to, times, size, tag, f[0], f[6]), 0}}, false
	}
	return nil, true
}

func plainObject(h *Header, f []string) (int32, bool) {
	var id [4]int64
	for i := range id {
		v, ok := plainNumber(f[i], 0, 1<<63-1, false)
		if !ok {
			return 0, false
		}
		id[i] = v
	}
	f[0] = words(id[0])
	for p := range h.Ptasks {
		for t := range h.Ptasks[p].Tasks {
			task := h.Tasks[h.Ptasks[p].FirstTask+t]
			for th := range task.Threads {
				if int64(p+1) != id[1] || int64(t+1) != id[2] || int64(th+1) != id[3] {
					continue
				}
				if len(h.Nodes) == 0 {
					return task.FirstThread + th, id[0] < 1<<31
				}
				if id[0] == 0 {
					return task.FirstThread + th, true
				}
				n := h.Nodes[task.Node]
				return task.FirstThread + th, id[0] >= int64(n.FirstCPU) && id[0] < int64(n.FirstCPU+n.CPUs)
			}
		}
	}
	return 0, false
}

func plainNumber(s string, least, most int64, last bool) (int64, bool) {
	v, ok := plainBig(s, last)
	if !ok || v.Cmp(big.NewInt(least)) < 0 || v.Cmp(big.NewInt(most)) > 0 || least >= 0 && strings.HasPrefix(s, "-") &&
		v.Sign() != 0 {
		return 0, false
	}
	return v.Int64(), least < 0 || most > 1<<32 || !strings.HasPrefix(s, "-")
}

func plainWrapping(s string, last bool) (int64, bool) {
	v, ok := plainBig(s, last)
	if !ok || v.Cmp(new(big.Int).SetInt64(-1<<63)) < 0 || v.BitLen() > 64 {
		return 0, false
	}
	if v.Sign() < 0 {
		return v.Int64(), true
	}
	return int64(v.Uint64()), true
}

// plainBig reads a number; at the end of a record blanks may follow it.
func plainBig(s string, last bool) (*big.Int, bool) {
	if last {
		if i := strings.IndexAny(s, " \t\r"); i >= 0 {
			s = s[:i]
		}
	}
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(s, 10)
}

// words joins values with blanks.
func words(v ...any) string { return strings.TrimSpace(fmt.Sprintln(v...)) }

// columnsOf returns the contents of a trace in the words of plainBody: per thread the states and the events, then the
// messages.
func columnsOf(t *Trace) (out []string) {
	for i := range t.Threads {
		th := &t.Threads[i]
		for k := range th.States.Begin {
			out = append(out, words(i, "state", th.States.Begin[k], th.States.End[k], th.States.Value[k],
				th.StateCPU(k)))
		}
		for k := range th.Events.Time {
			out = append(out, words(i, "event", th.Events.Time[k], th.Events.Type[k], th.Events.Value.At(k),
				th.EventCPU(k), th.Events.Lines.Has(k)))
		}
	}
	c := &t.Comms
	for k := range c.Send {
		times := [4]int64{c.Times[0][k], c.Times[1][k], c.Times[2][k], c.Times[3][k]}
		out = append(out, words(c.Send[k], "message", c.Send[k], c.Recv[k], times, c.Size[k], c.Tag[k],
			t.CommCPU(k, LogicalSend), t.CommCPU(k, LogicalRecv)))
	}
	return out
}

func plainColumns(recs []plainRecord) (out []string) {
	kinds := slices.Clone(recs)
	slices.SortStableFunc(kinds, func(a, b plainRecord) int {
		if a.kind == '3' || b.kind == '3' {
			return cmp.Compare(b2i(a.kind == '3'), b2i(b.kind == '3'))
		}
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.kind, b.kind), cmp.Compare(a.time, b.time))
	})
	for _, r := range kinds {
		out = append(out, words(r.thread, r.text))
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// awkward is a trace with most of the difficult cases.
const awkward = `#Paraver (30/02/2024 at 99:99):9000:2(1,1):1:2(2:1,1:2)
# a comment line inside the body
1:1:1:1:1:3000:5000:1
1:1:1:1:1:0:3000:3
2:1:1:1:1:3000:60000019:3:60000019:1

1:1:1:1:1:5000:5000:7
2:1:1:1:2:100:60000019:1:42000050:-5
2:1:1:1:2:200:42000050:9007199254740993
1:1:1:1:2:400:-1:3
2:9:1:1:1:4000:60000019:4
2:2:1:1:1:4000:60000019:4
1:1:3:1:1:0:10:1
2:1:1:1:1:4000:60000019
9:1:1:1:1:0
2:1:1:1:1:-5:60000019:4
2:2:1:2:1:0:60000019:18446744073709551615
3:1:1:1:1:5000:5000:2:1:2:1:5000:5000:1:1
3:2:1:2:1:8000:8000:1:1:1:1:8100:9600:77:2
2:0:1:2:1:7000:60000019:1
`

func bodySeeds(f *testing.F) {
	f.Add(awkward, uint8(0))
	f.Add(traceA, uint8(7))
	f.Add(strings.ReplaceAll(traceA, "\n", "\r\n"), uint8(30))
	f.Add("#Paraver (d):0:0:2:1(1:0),2(1:0,3:0),1\ni:1:1:1:1\n1:0:2:2:3:0:-1:0\n4:x\nc:1:1:1:1", uint8(1))
	f.Add("new format\n#Paraver ():7_ns:3:1:1(1:2)\n2:2:1:1:1:00000000000000000000009:1:1 2:\n", uint8(2))
	f.Add(string(zipped(f, awkward)), uint8(0))
	files, _ := filepath.Glob("../testdata/oracle/paraver/traces/*.prv")
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil && len(b) < 8<<10 {
			f.Add(string(b), uint8(100))
		}
	}
}

// FuzzBody reads whole traces, in chunks of any size, and compares the columns with what the plain parser finds.
func FuzzBody(f *testing.F) {
	bodySeeds(f)
	f.Fuzz(func(t *testing.T, text string, chunk uint8) {
		if len(text) > 16<<10 {
			return
		}
		tr, err := Read(context.Background(), strings.NewReader(text),
			store.Options{Chunk: 1 + int(chunk), Workers: 1 + int(chunk)%2})
		if strings.HasPrefix(text, "\x1f\x8b") {
			return // no crash, no hang
		}
		text = strings.TrimPrefix(text, "new format\n")
		first, body, _ := strings.Cut(text, "\n")
		h, comms, herr := parseHeader(strings.TrimRight(first, "\r"), 0)
		for range comms {
			var line string
			if line, body, _ = strings.Cut(body, "\n"); !store.IsCommunicator([]byte(line)) {
				herr = fmt.Errorf("no communicator: %q", line)
				break
			}
		}
		if herr != nil {
			if err == nil {
				t.Fatalf("read, in spite of %v", herr)
			}
			return
		}
		if h.NumThreads() > 1000 {
			return
		}
		recs, skipped := plainBody(&h, body)
		if err != nil {
			if len(recs) > 0 {
				t.Fatalf("%v, in spite of %d records: %+v", err, len(recs), recs)
			}
			return
		}
		if tr.Cut != nil {
			skipped--
		}
		if int(tr.Skipped.Total()) != skipped {
			t.Errorf("%d records skipped, want %d", tr.Skipped.Total(), skipped)
		}
		if got, want := columnsOf(tr), plainColumns(recs); !slices.Equal(got, want) {
			t.Errorf("columns\n%q\nwant\n%q", got, want)
		}
	})
}

// FuzzHeader reads first lines: an accepted line must mean the same when written and read again, and must not claim
// more than the limits allow.
func FuzzHeader(f *testing.F) {
	for _, s := range []string{
		"#Paraver (30/02/2024 at 99:99):9000:2(1,1):1:2(2:1,1:2)",
		"#Paraver (d):100_ns:2(4,8):1:2(1:1,1:2),1",
		"#Paraver (07/05/01 at 11:12):100:2:2:3(4:1,1:1,3:2):2(3:1,2:2)",
		"#Paraver (x):7_ms:0:1:1(1:0)",
		"#Paraver (x):7:1000000000000:1000000000000:1000000000000(1000000000000:1)",
		"#Paraver (x):7:0:2:1(1:0),3,1(1:0),4",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		h, comms, err := parseHeader(line, int64(len(line)))
		if err != nil {
			return
		}
		if h.NumThreads() > maxObjects || h.NumCPUs() > maxObjects || comms < 0 || len(h.Ptasks) == 0 {
			t.Fatalf("%d threads, %d CPUs, %d communicators", h.NumThreads(), h.NumCPUs(), comms)
		}
		if h.NumThreads()+h.NumCPUs() > 1<<16 {
			return // reading it again is slow and finds nothing more
		}
		again, _, err := parseHeader(h.Line(), int64(len(line)))
		if err != nil {
			t.Fatalf("%q does not read again: %v", h.Line(), err)
		}
		if again.Line() != h.Line() || again.NumThreads() != h.NumThreads() || again.NumCPUs() != h.NumCPUs() {
			t.Fatalf("%q reads as %q", h.Line(), again.Line())
		}
	})
}
