package prv

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"pview/prv/store"
	"runtime"
	"strings"
	"testing"
	"time"
)

// growingFile is a file written in steps.
type growingFile struct {
	t    testing.TB
	path string
}

func (g growingFile) write(text string) {
	g.t.Helper()
	if err := os.WriteFile(g.path, []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g growingFile) append(text string) {
	g.t.Helper()
	f, err := os.OpenFile(g.path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		g.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		g.t.Fatal(err)
	}
}

// follow returns a Follower of a file that does not exist yet.
func follow(t testing.TB) (*Follower, growingFile) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.prv")
	f, err := Follow(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f, growingFile{t, path}
}

// sameAsOpened compares what a Follower has read with what Open reads, except for the duration, which Open also takes
// from the header.
func sameAsOpened(t testing.TB, got *Trace, path string) {
	t.Helper()
	want, err := Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want.Duration = got.Duration
	if err := Equal(got, want); err != nil {
		t.Errorf("%v", err)
	}
	if got.Skipped != want.Skipped {
		t.Errorf("left out %+v, when opened %+v", got.Skipped, want.Skipped)
	}
}

// However a trace is cut into steps, Follower reads the same as Open, and a trace that it has returned does not change.
func TestFollowInSteps(t *testing.T) {
	files, _ := filepath.Glob("../testdata/oracle/paraver/traces/*.prv")
	more, _ := filepath.Glob("../testdata/traces/*/*.prv")
	if len(files) == 0 || len(more) == 0 {
		t.Fatal("there are no traces")
	}
	for _, file := range append(files, more...) {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, g := follow(t)
		rest := string(whole)
		var before *Trace
		var beforeFile string
		r := rand.New(rand.NewPCG(1, uint64(len(rest))))
		for len(rest) > 0 {
			n := min(1+r.IntN(len(whole)/5), len(rest))
			g.append(rest[:n])
			rest = rest[n:]
			growth, err := f.Read(t.Context(), nil)
			if errors.Is(err, ErrWaiting) {
				continue
			}
			if err != nil || growth.Restarted {
				t.Fatalf("%s: %+v, %v", file, growth, err)
			}
			if before != nil {
				sameAsOpened(t, before, beforeFile)
			}
			if growth.Trace != nil {
				text, _ := os.ReadFile(g.path)
				before, beforeFile = growth.Trace, filepath.Join(t.TempDir(), "step.prv")
				complete := text[:strings.LastIndexByte(string(text), '\n')+1]
				if err := os.WriteFile(beforeFile, complete, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		if before == nil {
			t.Fatalf("%s: no trace", file)
		}
		sameAsOpened(t, before, g.path)
	}
}

const followHead = "#Paraver (01/01/2026 at 10:00):0:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n"

// The changes of a file that is being written: it does not exist yet, has half a header, ends in half a line, is
// rewritten, truncated, or grows after its beginning was changed.
func TestFollowChanges(t *testing.T) {
	f, g := follow(t)
	read := func() (Growth, error) {
		t.Helper()
		return f.Read(t.Context(), nil)
	}
	waits := func(when string) {
		t.Helper()
		if got, err := read(); !errors.Is(err, ErrWaiting) {
			t.Errorf("%s: %+v, %v", when, got, err)
		}
	}
	shows := func(when string, states int, duration int64, restarted bool) {
		t.Helper()
		got, err := read()
		if err != nil || got.Trace == nil || got.Restarted != restarted {
			t.Fatalf("%s: %+v, %v", when, got, err)
		}
		if n := got.Trace.Threads[0].States.Len(); n != states || got.Trace.Duration != duration {
			t.Errorf("%s: %d states, %d long", when, n, got.Trace.Duration)
		}
	}
	waits("no file")
	g.write("")
	waits("an empty file")
	g.append(followHead[:20])
	waits("a part of the header")
	g.append(followHead[20:60])
	waits("no communicator yet")
	g.append(followHead[60:])
	waits("no record yet")
	g.append("1:1:1:1:1:0:10:1\n1:1:1:1:1:10:2")
	shows("half a line", 1, 10, false)
	if got, err := read(); err != nil || got.Trace != nil {
		t.Errorf("nothing new: %+v, %v", got, err)
	}
	g.append("0:1\n")
	shows("the line's other half", 2, 20, false)
	if err := os.WriteFile(Base(g.path)+".pcf", []byte("STATES\n1    Working\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := read()
	if err != nil || got.Trace == nil || got.Trace.Labels.StateName(1) != "Working" {
		t.Errorf("labels that come later: %+v, %v", got, err)
	}
	// The end time of the header is filled in last.
	text, _ := os.ReadFile(g.path)
	g.write(strings.Replace(string(text), "):0:", "):9:", 1) + "1:1:1:1:1:20:30:1\n")
	shows("another end in the header", 3, 30, false)
	g.write(followHead + "1:1:1:1:1:0:5:1\n")
	shows("a shorter file", 1, 5, true)
	g.write(followHead + "1:1:1:1:1:0:7:3\n1:1:1:1:1:7:8:3\n")
	shows("a longer file with another beginning", 2, 8, true)
	os.Remove(g.path)
	if got, err := read(); !errors.Is(err, ErrWaiting) || !got.Restarted {
		t.Errorf("the file is gone: %+v, %v", got, err)
	}
	g.write(followHead + "1:1:1:1:1:0:6:3\n")
	shows("a new file", 1, 6, false)
	g.write("something else that is no trace at all, but longer than what was here before it was written\n")
	if _, err := read(); err == nil || errors.Is(err, ErrWaiting) {
		t.Errorf("no trace: %v", err)
	}
	g.write("#Paraver (01/01/2026 at 10:00):0:1(2):1:2(1:1)\n")
	if _, err := read(); err == nil || errors.Is(err, ErrWaiting) {
		t.Errorf("a broken header: %v", err)
	}
	// A header longer than one read, in steps.
	long := manyTasks(20_000)
	for _, part := range []string{long[:70_000], long[:len(long)-30], long[:len(long)-16], long[:len(long)-5], long} {
		g.write(part)
		waits("a long header")
	}
	g.append("1:1:1:1:1:0:6:3\n")
	shows("a long header", 1, 6, false)
	if _, err := Follow("run.prv.gz"); err == nil {
		t.Error("a compressed trace is followed")
	}
}

// manyTasks returns a long header, and a communicator.
func manyTasks(n int) string {
	return fmt.Sprintf("#Paraver (01/01/2026 at 10:00):0:1(%d):1:%d(%s1:1),1\nc:1:1:3:1:2:3\n", n, n,
		strings.Repeat("1:1,", n-1))
}

// Many small steps cost little more than one: a step reads neither the text nor the rows of earlier steps, which are
// spoiled here, and all steps together allocate a few times the size of the columns.
func TestFollowIsNotQuadratic(t *testing.T) {
	f, g := follow(t)
	const head = "#Paraver (01/01/2026 at 10:00):0:1(4):1:4(1:1,1:1,1:1,1:1)\n"
	g.append(head)
	file, err := os.OpenFile(g.path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const steps, rounds = 400, 100
	var texts [steps]string
	for i := range texts {
		var step strings.Builder
		for k := range int64(rounds) {
			followLines(&step, 10*(rounds*int64(i)+k))
		}
		texts[i] = step.String()
	}
	var trace *Trace
	size, spoiled := len(head), len(head)
	noText := []byte(strings.Repeat("x", 2*len(texts[steps-1])))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range texts {
		if _, err := file.WriteAt([]byte(texts[i]), int64(size)); err != nil {
			t.Fatal(err)
		}
		size += len(texts[i])
		growth, err := f.Read(context.Background(), nil)
		if err != nil || growth.Restarted || growth.Trace == nil {
			t.Fatalf("step %d: %+v, %v", i, growth, err)
		}
		trace = growth.Trace
		// A step may read again the text that identifies the file, and the last rows, to compare them with the next.
		if n := size - len(f.tail) - spoiled; n > 0 {
			if _, err := file.WriteAt(noText[:n], int64(spoiled)); err != nil {
				t.Fatal(err)
			}
			spoiled += n
		}
		f.spoil(rounds*i, rounds*(i+1))
	}
	runtime.ReadMemStats(&after)
	const last = 10 * rounds * steps
	if trace.Skipped.Total() > 0 || trace.Doubts.Total() > 0 || trace.Duration != last {
		t.Errorf("left out %+v, doubts %+v, %d long", trace.Skipped, trace.Doubts, trace.Duration)
	}
	columns := 0
	for i := range trace.Threads {
		th := &trace.Threads[i]
		if th.States.Len() != rounds*steps || th.Events.Len() != 2*rounds*steps || th.States.FileOrder != nil {
			t.Errorf("thread %d: %d states, %d events", i, th.States.Len(), th.Events.Len())
		}
		columns += 20*th.States.Len() + 20*th.Events.Len()
	}
	columns += 60 * trace.Comms.Len()
	// Columns that grow by a quarter when they are full are allocated five times in all; copies in each step would
	// allocate 200 times.
	if all := after.TotalAlloc - before.TotalAlloc; all > 20*uint64(columns) {
		t.Errorf("columns of %d bytes take %d bytes to read in %d steps", columns, all, steps)
	}
}

// spoil overwrites the rows of some rounds, except the last ones: they must not be read again.
func (f *Follower) spoil(from, to int) {
	const never = math.MaxInt64
	from = max(0, from-1) // the last ones of the previous step
	for i := range f.records.threads {
		s, e := &f.records.threads[i].states, &f.records.threads[i].events
		for k := from; k < to-1; k++ {
			s.Begin[k], s.End[k], e.Time[2*k], e.Time[2*k+1] = never, 0, never, never
		}
	}
	for k := from; k < to-1; k++ {
		for r := range f.records.comms.Times {
			f.records.comms.Times[r][k] = never
		}
	}
}

// followLines writes what four threads do at one time.
func followLines(b *strings.Builder, at int64) {
	for th := 1; th <= 4; th++ {
		fmt.Fprintf(b, "1:0:1:%d:1:%d:%d:1\n2:0:1:%d:1:%d:50000001:3:42000050:77\n", th, at, at+10, th, at)
	}
	fmt.Fprintf(b, "3:0:1:1:1:%d:%d:0:1:2:1:%d:%d:8:1\n", at, at, at+3, at+5)
}

// Whatever a file contains, following and opening it read the same, and each line that the line reader accepts is a
// record.
func FuzzFollow(f *testing.F) {
	f.Add("1:1:1:1:1:0:10:1\n2:2:1:2:1:7:60000001:5:60000002:-6\n3:1:1:1:1:1:2:2:1:2:1:3:4:64:9\n", 20)
	f.Add("# c\n2:1:1:1:1:5:1:2:x\n1:9:1:1:1:0:10:1\nc:1:2:1:1\n4:1\n1:1:1:1:1:7:-1:3:9\n1:1:1:1:1:5:6:3\r\n", 33)
	f.Fuzz(func(t *testing.T, body string, cut int) {
		path := filepath.Join(t.TempDir(), "run.prv")
		text := "#Paraver (01/01/2026 at 10:00):5:1(2):1:2(1:1,1:1)\n" + body
		text = text[:strings.LastIndexByte(text, '\n')+1]
		want, wrong := Read(t.Context(), strings.NewReader(text), store.Options{Name: path})
		fl, err := Follow(path)
		if err != nil {
			t.Fatal(err)
		}
		defer fl.Close()
		var got *Trace
		for _, part := range []string{text[:min(max(cut, 0), len(text))], text[min(max(cut, 0), len(text)):]} {
			growingFile{t, path}.append(part)
			growth, err := fl.Read(t.Context(), nil)
			if err != nil && !errors.Is(err, ErrWaiting) {
				t.Fatal(err)
			}
			if growth.Trace != nil {
				got = growth.Trace
			}
		}
		if (got == nil) != (wrong != nil) {
			t.Fatalf("followed %v, opened %v", got, wrong)
		}
		if got == nil {
			return
		}
		want.Duration, want.Path = got.Duration, got.Path
		if err := Equal(got, want); err != nil {
			t.Error(err)
		}
		if got.Skipped != want.Skipped {
			t.Errorf("left out %+v, when opened %+v", got.Skipped, want.Skipped)
		}
	})
}

// The clock may jump an hour back or forth while a trace is written: only what has been written counts, not when.
func TestFollowWhileTheClockJumps(t *testing.T) {
	f, g := follow(t)
	g.append(followHead)
	labels := Base(g.path) + ".pcf"
	now := time.Now()
	for i, jump := range []time.Duration{0, time.Hour, -time.Hour, 24 * time.Hour, -24 * time.Hour, 0} {
		g.append(fmt.Sprintf("1:1:1:1:1:%d:%d:1\n", 10*i, 10*i+10))
		name := strings.Repeat("x", i+1)
		if err := os.WriteFile(labels, []byte("STATES\n1    "+name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{g.path, labels} {
			if err := os.Chtimes(path, now.Add(jump), now.Add(jump)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := f.Read(t.Context(), nil)
		if err != nil || got.Restarted || got.Trace == nil {
			t.Fatalf("after a jump of %s: %+v, %v", jump, got, err)
		}
		if n := got.Trace.Threads[0].States.Len(); n != i+1 || got.Trace.Labels.StateName(1) != name {
			t.Errorf("after a jump of %s: %d states, the first %q", jump, n, got.Trace.Labels.StateName(1))
		}
	}
	before := now.Add(-time.Hour)
	if err := os.WriteFile(labels, []byte("STATES\n1    yyyyyy\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(labels, before, before); err != nil {
		t.Fatal(err)
	}
	got, err := f.Read(t.Context(), nil)
	if err != nil || got.Trace == nil || got.Trace.Labels.StateName(1) != "yyyyyy" {
		t.Errorf("labels of the same length that are older: %+v, %v", got, err)
	}
}
