package record

import (
	"context"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
)

// Calls of the tests, by kind.
const (
	callInit = iota + 1
	callSend
	callRecv
	callIrecv
	callWaitall
	callFinalize
	callTest
)

const callNames = "1 MPI_Init\n2 MPI_Send\n3 MPI_Recv\n4 MPI_Irecv\n5 MPI_Waitall\n6 MPI_Finalize\n7 MPI_Test\n"

// threadFile is the file of a thread, as lib/record.c writes it.
type threadFile struct {
	t   testing.TB
	f   *os.File
	seq uint32
}

// rec has the fields of a record.
type rec struct {
	kind, flags  uint16
	begin, end   int64
	bytes, recvd int64
	comm, peer   int32
	tag          int32
	request      uint32
	aux          int64
}

// newFile starts the file of a rank; each rank has its own host.
func newFile(t testing.TB, dir string, rank, size int) *threadFile {
	t.Helper()
	names := filepath.Join(dir, fmt.Sprintf("%016x.calls", 1))
	if err := os.WriteFile(names, []byte(callNames), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%016x-%06d-0000.rec", 1, rank)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	h := make([]byte, 4096)
	copy(h, magic)
	for at, v := range map[int]int{8: 64, 12: 4096, 16: rank, 20: size, 24: 0, 28: 1, 32: 1, 40: 1000, 64: 2} {
		binary.LittleEndian.PutUint32(h[at:], uint32(v))
	}
	copy(h[72:], fmt.Sprintf("host-of-rank-%d", rank))
	if _, err := f.Write(h); err != nil {
		t.Fatal(err)
	}
	w := &threadFile{t: t, f: f}
	return w
}

// put appends records.
func (w *threadFile) put(list ...rec) {
	w.t.Helper()
	for _, r := range list {
		w.seq++
		w.write(w.seq, r)
	}
}

// write writes a record in its place.
func (w *threadFile) write(seq uint32, r rec) {
	w.t.Helper()
	b := make([]byte, 0, 64)
	le := binary.LittleEndian
	b = le.AppendUint16(le.AppendUint16(le.AppendUint32(b, seq), r.kind), r.flags)
	for _, v := range []int64{r.begin, r.end, r.bytes, r.recvd} {
		b = le.AppendUint64(b, uint64(v))
	}
	for _, v := range []int32{r.comm, r.peer, r.tag, int32(r.request)} {
		b = le.AppendUint32(b, uint32(v))
	}
	b = le.AppendUint64(b, uint64(r.aux))
	if _, err := w.f.WriteAt(b, 4096+64*int64(seq-1)); err != nil {
		w.t.Fatal(err)
	}
}

// init records MPI_Init and the communicators.
func (w *threadFile) init(rank, size int) {
	w.put(rec{kind: callInit, begin: 1000, end: 1100}, rec{kind: kindComm, peer: int32(rank), bytes: int64(size)})
}

// ends marks the file of a rank that has called MPI_Finalize.
func (w *threadFile) ends() {
	w.t.Helper()
	if _, err := w.f.WriteAt([]byte{endFinalized, 0, 0, 0}, endAt); err != nil {
		w.t.Fatal(err)
	}
}

// messagesOf returns the messages of a trace, in any order: "sender>receiver size: times".
func messagesOf(t *prv.Trace) (list []string) {
	c := &t.Comms
	for i := range c.Send {
		list = append(list, fmt.Sprintf("%d>%d %d: %d %d %d %d", c.Send[i], c.Recv[i], c.Size[i], c.Times[0][i],
			c.Times[1][i], c.Times[2][i], c.Times[3][i]))
	}
	slices.Sort(list)
	return list
}

// Receives take messages in the order in which they were posted, even if they complete in another order:
//
//	rank 0 sends 11, 22, 33 bytes to rank 1, at 1200, 1300, 1400
//	rank 1 posts a (from any), b (from 0), c (from 0): the test at 2100 completes b with 22 bytes, the one at 2200
//	c with 33, and the last a with 11
//
// Until a has completed, the messages of b and c could also be a's. Times count from 1000.
func TestPostedOrder(t *testing.T) {
	dir := t.TempDir()
	a := newFile(t, dir, 0, 2)
	a.init(0, 2)
	for i := range int64(3) {
		a.put(rec{kind: callSend, flags: flagSend, begin: 1200 + 100*i, end: 1210 + 100*i, peer: 1, tag: 5,
			bytes: 11 * (i + 1)})
	}
	b := newFile(t, dir, 1, 2)
	b.init(1, 2)
	for i := range int64(3) {
		from := int32(0)
		if i == 0 {
			from = -1
		}
		b.put(rec{kind: callIrecv, flags: flagPost, begin: 1500 + 10*i, end: 1505 + 10*i, peer: from, tag: 5,
			request: uint32(i + 1)})
	}
	for i, request := range []uint32{2, 3, 1} {
		at := 2100 + 100*int64(i)
		b.put(rec{kind: callTest, begin: at, end: at + 7})
		b.put(rec{kind: kindReceived, peer: 0, tag: 5, recvd: 11 * int64(request), request: request, aux: int64(b.seq)})
	}
	got := messagesOf(opened(t, dir))
	want := []string{"0>1 11: 200 210 505 1307", "0>1 22: 300 310 515 1107", "0>1 33: 400 410 525 1207"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// L4: a counter's events hold the count since its last reading; a counter that failed has no events, but a note.
// Callers need no symbols. Files of the first version of the format, which had neither, still open.
func TestCounters(t *testing.T) {
	dir := t.TempDir()
	w := newFile(t, dir, 0, 1)
	le := binary.LittleEndian
	header := func(at int64, b []byte) {
		t.Helper()
		if _, err := w.f.WriteAt(b, at); err != nil {
			t.Fatal(err)
		}
	}
	w.init(0, 1)
	w.put(rec{kind: callTest, begin: 1200, end: 1300}, rec{kind: callFinalize, begin: 1400, end: 1500})
	w.ends()
	before := opened(t, dir)
	header(0, []byte("PVREC1\n\x00"))
	if err := prv.Equal(before, opened(t, dir)); err != nil {
		t.Errorf("the first version: %v", err)
	}
	header(0, []byte("PVREC0\n\x00"))
	if _, err := Open(context.Background(), dir, false, 0, prv.Watcher{}); err == nil ||
		!strings.Contains(err.Error(), "not a recording of this version") {
		t.Errorf("an unknown version: %v", err)
	}
	header(0, []byte(magic))
	header(8, le.AppendUint32(nil, 96))
	header(68, le.AppendUint32(nil, 2))
	header(1160, le.AppendUint32(le.AppendUint32(nil, 8), 500))
	header(1168, []byte("cycles 2,page-faults 0,"))
	for i, r := range []struct {
		kind, flags uint16
		begin, end  int64
		counts      [2]int64 // page faults
		aux         int64
	}{{callInit, 0, 1000, 1100, [2]int64{3, 5}, 0}, {kindStack, 9, 0x101, 0x102, [2]int64{}, 0},
		{kindStack, 2, 0x108, 0x109, [2]int64{}, 0}, {callTest, 0, 1200, 1300, [2]int64{12, 12}, 2},
		{callFinalize, 0, 1400, 0, [2]int64{20, 0}, 0}} {
		b := make([]byte, 96)
		le.PutUint32(b, uint32(i+1))
		le.PutUint16(b[4:], r.kind)
		le.PutUint16(b[6:], r.flags)
		le.PutUint64(b[8:], uint64(r.begin))
		le.PutUint64(b[16:], uint64(r.end))
		le.PutUint64(b[56:], uint64(r.aux))
		le.PutUint64(b[80:], uint64(r.counts[0]))
		le.PutUint64(b[88:], uint64(r.counts[1]))
		header(4096+96*int64(i), b)
	}
	trace := opened(t, dir)
	var counts, callers []string
	e := &trace.Threads[0].Events
	for i := range e.Time {
		switch typ := e.Type[i]; {
		case typ == 44731460:
			counts = append(counts, fmt.Sprint(e.Time[i], " ", e.Value.At(i)))
		case typ > 70000000 && typ < 80000000:
			label, _ := trace.Labels.Type(typ)
			name, _ := label.ValueLabel(e.Value.At(i))
			callers = append(callers, fmt.Sprint(typ-70000000, name))
		}
	}
	if want := []string{"200 7", "300 0", "400 8"}; !slices.Equal(counts, want) {
		t.Errorf("%q, want %q", counts, want)
	}
	if want := []string{"10x100", "20x101", "30xffffffffffffffff", "80x107"}; len(callers) != 8 ||
		!slices.Equal(slices.Concat(callers[:3], callers[7:]), want) {
		t.Errorf("%q, want 8 like %q", callers, want)
	}
	text := fmt.Sprint(trace.Notes)
	for _, want := range []string{"not counted: cycles: this machine has no such counter",
		"counts of 1 thread are too low: the counters were shared, and ran 50.0 % of the time"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	header(1168, []byte("cycles 2,page-faults 0,instructions 0,"))
	if _, err := Open(context.Background(), dir, false, 0, prv.Watcher{}); err == nil {
		t.Error("three counters in the room of two")
	}
}

// A cancelled receive takes no message, and a receive that never completes does not hold back later ones.
func TestPostedForNothing(t *testing.T) {
	for _, cancelled := range []bool{true, false} {
		dir := t.TempDir()
		a := newFile(t, dir, 0, 2)
		a.init(0, 2)
		a.put(rec{kind: callSend, flags: flagSend, begin: 1200, end: 1210, peer: 1, tag: 5, bytes: 8})
		b := newFile(t, dir, 1, 2)
		b.init(1, 2)
		b.put(rec{kind: callIrecv, flags: flagPost, begin: 1300, end: 1305, peer: -1, tag: -1, request: 1})
		b.put(rec{kind: callTest, begin: 1310, end: 1320})
		if cancelled {
			b.put(rec{kind: kindReceived, flags: flagFailed, request: 1, aux: int64(b.seq)})
		}
		b.put(rec{kind: callRecv, flags: flagRecv, begin: 1400, end: 1450, peer: 0, tag: 5, recvd: 8})
		trace := opened(t, dir)
		if got := messagesOf(trace); !slices.Equal(got, []string{"0>1 8: 200 210 400 450"}) {
			t.Errorf("cancelled: %v: %q", cancelled, got)
		}
		for _, note := range trace.Notes {
			if strings.Contains(note.Text, "have no") {
				t.Error(note)
			}
		}
	}
}

func opened(t *testing.T, dir string) *prv.Trace {
	t.Helper()
	trace, err := Open(context.Background(), dir, false, 0, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// L4: functions are named as in the source; a name that is not mangled stays. Parameters are left out, and long names
// are cut.
func TestFunctionNames(t *testing.T) {
	long := strings.Repeat("a", 2000)
	for symbol, want := range map[string]string{"main": "main", "__grid_MOD_step": "__grid_MOD_step",
		"_ZN6solver5FieldIdLi1EE3sumEd": "solver::Field<double, 1>::sum", "_ZN4": "_ZN4",
		"_Z2000" + long + "v":  long[:1024],
		"_ZZ4mainENKUliE_clEi": "main::{lambda(int)#1}::operator()", "_ZN4grid4stepEi.isra.0": "grid::step"} {
		im := &image{symbols: []elf.Symbol{{Name: symbol, Value: 0x100, Size: 0x10}}}
		if f, ok := im.function(0x108); !ok || f.name != want {
			t.Errorf("%s: %q, want %q", symbol, f.name, want)
		}
	}
}

// W1: the follower merges records as they come, up to the time that all ranks have passed, and reports what it waits
// for. At the end its trace equals the one that Open reads.
func TestFollow(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a.pvrec")
	f := Follow(dir)
	defer f.Close()
	waits := func(why string) {
		t.Helper()
		if g, err := f.Read(context.Background(), nil); !errors.Is(err, prv.ErrWaiting) {
			t.Fatalf("%s: %v, %v", why, g, err)
		}
	}
	grows := func(duration int64, messages ...string) prv.Growth {
		t.Helper()
		g, err := f.Read(context.Background(), nil)
		if err != nil || g.Trace == nil {
			t.Fatalf("%v, %v", g, err)
		}
		if g.Trace.Duration != duration || !slices.Equal(messagesOf(g.Trace), messages) {
			t.Fatalf("%d long, %q; want %d, %q", g.Trace.Duration, messagesOf(g.Trace), duration, messages)
		}
		return g
	}
	waits("no folder")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	waits("no file")
	a := newFile(t, dir, 0, 2)
	waits("no record")
	a.init(0, 2)
	waits("one of two ranks")
	b := newFile(t, dir, 1, 2)
	b.init(1, 2)
	a.put(rec{kind: callSend, flags: flagSend, begin: 1200, end: 1250, peer: 1, tag: 5, bytes: 8})
	grows(100) // rank 1 is at 1100
	if g, err := f.Read(context.Background(), nil); err != nil || g.Trace != nil {
		t.Errorf("nothing is new: %v, %v", g, err)
	}
	// Rank 1 has posted a receive and waits for it from 1300: everything before is known, except the receive's message.
	b.put(rec{kind: callIrecv, flags: flagPost, begin: 1150, end: 1160, peer: 0, tag: 5, request: 1})
	b.put(rec{kind: callWaitall, begin: 1300})
	waitall := b.seq
	a.put(rec{kind: callSend, flags: flagSend, begin: 1350, end: 1360, peer: 1, tag: 5, bytes: 16})
	shown := grows(250).Trace
	if name := shown.Labels.StateName(0); name != "Idle" { // thread 2 has no state yet at the end
		t.Errorf("no state is %q", name)
	}
	f.at = f.at.Add(-5 * heldAfter)
	g, err := f.Read(context.Background(), nil)
	if err != nil || g.Trace != nil || g.Held != "rank 1 in MPI_Waitall for 10 s" {
		t.Errorf("%+v, %v", g, err)
	}
	b.put(rec{kind: kindReceived, peer: 0, tag: 5, recvd: 8, request: 1, aux: int64(waitall)})
	b.write(waitall, rec{kind: callWaitall, begin: 1300, end: 1400})
	grows(400, "0>1 8: 200 250 160 400")
	if len(shown.Comms.Send) != 0 || shown.Threads[1].States.Len() != 3 {
		t.Errorf("the trace of before has changed: %d messages, %d states", len(shown.Comms.Send),
			shown.Threads[1].States.Len())
	}
	// The end.
	b.put(rec{kind: callRecv, flags: flagRecv, begin: 1500, end: 1600, peer: 0, tag: 5, recvd: 16})
	a.put(rec{kind: callFinalize, begin: 1650, end: 1700})
	a.ends()
	b.put(rec{kind: callFinalize, begin: 1660, end: 1710})
	b.ends()
	g = grows(710, "0>1 16: 350 360 500 600", "0>1 8: 200 250 160 400")
	if !g.Complete || g.Restarted {
		t.Errorf("%+v", g)
	}
	if err := prv.Equal(g.Trace, opened(t, dir)); err != nil {
		t.Errorf("followed and opened differ: %v", err)
	}
	if g, err := f.Read(context.Background(), nil); err != nil || g.Trace != nil || !g.Complete {
		t.Errorf("after the end: %+v, %v", g, err)
	}
}

// followed returns the folder of a run that is followed, and the files of its two ranks, which have called MPI_Init.
func followed(t *testing.T) (dir string, f *Follower, a, b *threadFile) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "a.pvrec")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f = Follow(dir)
	t.Cleanup(func() { f.Close() })
	a, b = newFile(t, dir, 0, 2), newFile(t, dir, 1, 2)
	a.init(0, 2)
	b.init(1, 2)
	return dir, f, a, b
}

// TestFollowCommunicator: when the run is first read, rank 0 has written a communicator without its members, which come
// later. It is the same communicator as rank 1's.
func TestFollowCommunicator(t *testing.T) {
	_, f, a, b := followed(t)
	members := rec{kind: kindMembers, begin: 1 << 32} // ranks 0 and 1
	a.put(rec{kind: kindComm, comm: 5, peer: 0, bytes: 2})
	b.put(rec{kind: kindComm, comm: 5, peer: 1, bytes: 2}, members,
		rec{kind: callRecv, flags: flagRecv, begin: 1200, end: 1300, comm: 5, peer: 0, tag: 7, recvd: 8})
	if g, err := f.Read(context.Background(), nil); err != nil || g.Trace == nil {
		t.Fatal(g, err)
	}
	a.put(members, rec{kind: callSend, flags: flagSend, begin: 1200, end: 1250, comm: 5, peer: 1, tag: 7, bytes: 8})
	g, err := f.Read(context.Background(), nil)
	if err != nil || g.Trace == nil {
		t.Fatal(g, err)
	}
	if got := messagesOf(g.Trace); !slices.Equal(got, []string{"0>1 8: 200 250 200 300"}) {
		t.Errorf("%q", got)
	}
	var texts []string
	for _, c := range g.Trace.Communicators {
		texts = append(texts, c.Text)
	}
	if !slices.Equal(texts, []string{"c:1:1:2:1:2"}) {
		t.Errorf("%q", texts)
	}
}

// The timeline of a killed rank ends in its last call, and the folder may be gone before the last reading.
func TestFollowKilled(t *testing.T) {
	dir, f, a, b := followed(t)
	if g, err := f.Read(context.Background(), nil); err != nil || g.Trace == nil {
		t.Fatal(g, err)
	}
	a.put(rec{kind: callRecv, begin: 1200, peer: 1, tag: 5})
	b.put(rec{kind: callSend, flags: flagSend, begin: 1300, end: 1400, peer: 0, tag: 6, bytes: 8})
	want := opened(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	g, err := f.Read(context.Background(), nil)
	if err != nil || g.Trace == nil || !g.Complete {
		t.Fatal(g, err)
	}
	if err := prv.Equal(g.Trace, want); err != nil {
		t.Error(err)
	}
	if n := g.Trace.Notes; len(n) == 0 || n[0].Text != "2 ranks ended without MPI_Finalize" {
		t.Errorf("%v", n)
	}
	s := &g.Trace.Threads[0].States
	if last := s.Len() - 1; s.Begin[last] != 200 || s.End[last] != 400 {
		t.Errorf("the last state is from %d to %d, want 200 to 400", s.Begin[last], s.End[last])
	}
}

// L1: srun exports the recorder's variables if its arguments, or SLURM_EXPORT_ENV, list what to export; the program's
// arguments stay as they are.
func TestSrunExports(t *testing.T) {
	const own = "PVIEW_RECORD_DIR,LD_PRELOAD"
	t.Setenv("LD_PRELOAD", "")
	for _, c := range []struct{ variable, arguments, want string }{
		{"", "-n 2 ls --export=A", "-n 2 ls --export=A"},
		{"", "--export=ALL,A=1 ls", "--export=ALL,A=1 ls"},
		{"", "--export=A,B=2 -n 2 ls --export=A", "--export=A,B=2," + own + " -n 2 ls --export=A"},
		{"A", "--export NONE ls", "--export " + own + " ls"},
		{"NONE", "ls", "ls"}, {"A", "ls", "ls"}, {"ALL", "ls", "ls"},
	} {
		t.Setenv("SLURM_EXPORT_ENV", c.variable)
		s := Settings{Folder: "/f", Library: "/l"}
		cmd := s.Command(append([]string{"srun"}, strings.Fields(c.arguments)...))
		if got := strings.Join(cmd.Args[1:], " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.arguments, got, c.want)
		}
		want := map[string]string{"NONE": own, "A": "A," + own, "ALL": "ALL"}[c.variable]
		if c.arguments != "ls" {
			want = c.variable
		}
		i := len(cmd.Env) - 1
		for i >= 0 && !strings.HasPrefix(cmd.Env[i], "SLURM_EXPORT_ENV=") {
			i--
		}
		if i < 0 || cmd.Env[i] != "SLURM_EXPORT_ENV="+want {
			t.Errorf("%q, %q: the last SLURM_EXPORT_ENV is %d: %q", c.variable, c.arguments, i, cmd.Env[max(i, 0)])
		}
	}
}
