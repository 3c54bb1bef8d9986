package kineto

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/prvtest"
)

// fact is a line of a file of facts.
type fact struct{ name, rank, key, value string }

func (f *fact) number(t *testing.T) int64 {
	t.Helper()
	n, err := strconv.ParseInt(f.value, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func readFacts(t *testing.T, path string) (list []fact) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if f := strings.Split(line, "\t"); len(f) == 4 {
			list = append(list, fact{f[0], f[1], f[2], f[3]})
		}
	}
	return list
}

// factRuns calls test for every run of the kit that has facts.
func factRuns(t *testing.T, test func(t *testing.T, name string, paths []string, facts []fact)) {
	kit := prvtest.Shared(t, "oracle", "kineto")
	list, _ := filepath.Glob(filepath.Join(kit, "facts", "*.tsv"))
	if len(list) < 27 {
		t.Fatalf("%d files of facts", len(list))
	}
	for _, path := range list {
		name := strings.TrimSuffix(filepath.Base(path), ".tsv")
		var files []string
		switch name {
		case "c07-truncated":
			continue // in another form: TestCut
		case "c07-truncated-array":
			files = []string{filepath.Join(kit, "cases", "c07-truncated", "array.json")}
		default:
			for _, pattern := range []string{"cases/" + name + "/*.json*", "data/" + name + ".json.gz",
				"data/" + name + "/*.json.gz"} {
				found, _ := filepath.Glob(filepath.Join(kit, pattern))
				files = append(files, found...)
			}
		}
		t.Run(name, func(t *testing.T) { test(t, name, files, readFacts(t, path)) })
	}
}

// openFiles reads files and keeps the builder.
func openFiles(t *testing.T, paths []string) (*builder, *prv.Trace) {
	t.Helper()
	files, err := readFiles(context.Background(), paths, false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(files)
	trace, err := b.build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return b, trace
}

// Counts, times and sums are those of an independent reader.
func TestFacts(t *testing.T) {
	factRuns(t, func(t *testing.T, name string, paths []string, facts []fact) {
		b, trace := openFiles(t, paths)
		byRank := map[string]*file{}
		for _, f := range b.files {
			byRank[strconv.FormatInt(f.rank, 10)] = f
		}
		checked, matches := 0, 0
		for _, f := range facts {
			if f.name == "match" {
				matches++
			}
			got, ok := b.fact(t, trace, byRank[f.rank], &f)
			if !ok {
				continue
			}
			if checked++; got != f.number(t) {
				t.Errorf("%s %s %s: %d, want %s", f.name, f.rank, f.key, got, f.value)
			}
		}
		for _, l := range b.collectives {
			for _, in := range l.matched {
				if recorded := slices.DeleteFunc(slices.Clone(in), func(k int32) bool { return k < 0 }); len(recorded) > 1 {
					matches--
				}
			}
		}
		if matches != 0 {
			t.Errorf("%d collectives are not matched", matches)
		}
		if checked < 3 {
			t.Errorf("%d facts checked", checked)
		}
	})
}

var leftOut = map[string]problem{"no event": noEvent, "no number": noNumber, "negative duration": negative,
	"duplicate": duplicate, "end without begin": endOnly, "begin without end": beginOnly, "far away": farAway}

// fact computes a fact from the trace, or from the files as read; ok is false for facts that other packages compute.
func (b *builder) fact(t *testing.T, trace *prv.Trace, f *file, want *fact) (n int64, ok bool) {
	switch want.name {
	case "run":
		if len(b.said) > 0 && want.key != "ranks" {
			return 0, false // the clock is corrected: TestClock
		}
		switch want.key {
		case "ranks":
			return int64(len(b.files)), true
		case "duration_ns":
			return trace.Duration, true
		case "first_ns":
			return b.zero, true
		}
	case "left_out":
		return f.damaged[leftOut[want.key]].count, true
	case "threads":
		if want.key == "gpu_streams" && f.profiler && f.kind != "MTIA" {
			for _, s := range trace.Names.Levels[prv.LevelThread][b.taskOf(f).first:][:b.taskOf(f).threads()] {
				if strings.HasPrefix(s, f.kind+"-D") {
					n++
				}
			}
			return n, true
		}
	case "category":
		category, what, _ := strings.Cut(want.key, ":")
		if category == "mtia_ccp_events" || f.damaged[overlapping].count > 0 {
			return 0, false
		}
		return sumOf(f, categories[category], what, category)
	case "step":
		return stepFact(trace, b.taskOf(f), want.key)
	case "gpu":
		if want.key == "ops" {
			return int64(len(f.work)), true
		}
	case "clock":
		c := b.clocks[b.taskOf(f).number]
		if want.key == "end_offset_median_ns" {
			return c.offset, true
		}
		return c.rest, true
	case "launch":
		if want.key != "cpu_ns" {
			return b.launchFact(trace, b.taskOf(f), want.key)
		}
	}
	return 0, false
}

func (b *builder) taskOf(f *file) *task {
	return b.tasks[slices.IndexFunc(b.tasks, func(t *task) bool { return t.file == f })]
}

// sumOf counts the records of a category, or sums their lengths; ok is false if other categories share its class.
func sumOf(f *file, c class, what, category string) (n int64, ok bool) {
	add := func(length int64) {
		if what == "n" {
			length = 1
		}
		n += length
	}
	switch category {
	case "kernel", "Kernel":
		for i := range f.work {
			if o := &f.work[i]; o.state != device.Copying {
				add(o.end - o.begin)
			} else if device.StateOf(f.names[o.name]) == device.Copying && o.bytes == 0 {
				return 0, false // a copy done by a kernel
			}
		}
		return n, true
	case "cpu_op", "python_function", "user_annotation":
		for i := range f.rows {
			for _, s := range f.rows[i].spans {
				if s.class == c || c == annotation && s.class == step {
					add(s.end - s.begin)
				}
			}
		}
		return n, true
	}
	return 0, false
}

// stepFact computes the length and begin of an iteration from the main thread's events.
func stepFact(trace *prv.Trace, t *task, key string) (int64, bool) {
	number, what, _ := strings.Cut(key, ":")
	n, _ := strconv.ParseInt(number, 10, 64)
	e := &trace.Threads[t.first].Events
	begin := int64(-1)
	for i := range e.Len() {
		switch {
		case e.Type[i] != device.Iteration:
		case e.Value.At(i) == n+1:
			begin = e.Time[i]
		case e.Value.At(i) == 0 && begin >= 0:
			if what == "ns" {
				return e.Time[i] - begin, true
			}
			return begin, true
		}
	}
	return -1, true
}

// launchFact computes facts about launches from the messages.
func (b *builder) launchFact(trace *prv.Trace, t *task, key string) (int64, bool) {
	c := &trace.Comms
	n, delay, most, before := int64(0), int64(0), int64(0), int64(0)
	for i := range c.Len() {
		if c.Tag[i] != device.LaunchTag && c.Tag[i] != device.LaunchCopyTag || c.Send[i] < t.first ||
			c.Send[i] >= t.first+int32(t.threads()) {
			continue
		}
		n++
		d := c.Times[prv.PhysicalRecv][i] - c.Times[prv.PhysicalSend][i]
		delay, most = delay+max(0, d), max(most, d)
		if c.Times[prv.PhysicalRecv][i] < c.Times[prv.LogicalSend][i] {
			before++
		}
	}
	switch key {
	case "n":
		return n, true
	case "no_launch":
		return int64(len(t.work)) - n, true
	case "delay_ns":
		return delay, true
	case "delay_max_ns":
		return most, true
	}
	return before, true
}
