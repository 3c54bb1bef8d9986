package prvtest

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Doubts returns pview's output on standard error about the doubtful records of a trace called name, a line for each
// kind. It counts them independently, in the text of the file: fields split at colons, states listed by thread and
// sorted.
func Doubts(t testing.TB, path, name string) (said string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	c := doubtCount{threads: map[string][]stateTimes{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		c.line(strings.Split(strings.TrimSpace(lines.Text()), ":"))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	c.overlaps()
	for k, text := range []string{
		"state begins before the one that its thread has before it in the file (%d in all): where one ends as " +
			"another begins, the order of the file decides, as in Paraver: time of states can be lost",
		"state begins before an earlier one of its thread has ended (%d in all): the sums of info count such times " +
			"twice, a window shows one state at a time",
		"message is received before it is sent (%d in all): clocks differ, or the tracer paired messages wrongly",
		"record is later than the end in the header (%d in all): states and events extend the trace, messages do not",
		"state ends before it begins (%d in all): it counts as one without an end; its end ends what lasts then, as " +
			"in Paraver",
	} {
		if c.count[k] > 0 {
			said += fmt.Sprintf("pview: %s:%d: "+text+"\n", name, c.first[k], c.count[k])
		}
	}
	return said
}

type stateTimes struct{ begin, end, line int64 }

// doubtCount has the counts so far. The kinds are in the order of the lines above.
type doubtCount struct {
	lines, end   int64
	threads      map[string][]stateTimes
	count, first [5]int64
}

func (c *doubtCount) add(kind int, line int64) {
	if c.count[kind]++; c.count[kind] == 1 {
		c.first[kind] = line
	}
}

func (c *doubtCount) line(f []string) {
	c.lines++
	n := func(i int) int64 {
		v, _ := strconv.ParseInt(f[i], 10, 64)
		return v
	}
	latest := int64(0)
	switch {
	case c.lines == 1: // #Paraver (DATE at HH:MM):END_ns:... has a colon in its date
		_, after, _ := strings.Cut(strings.Join(f, ":"), "):")
		end, _, _ := strings.Cut(after, ":")
		c.end, _ = strconv.ParseInt(strings.TrimSuffix(end, "_ns"), 10, 64)
		return
	case f[0] == "1" && len(f) == 8:
		thread := strings.Join(f[2:5], ":")
		list := c.threads[thread]
		if len(list) > 0 && n(5) < list[len(list)-1].begin {
			c.add(0, c.lines)
		}
		if n(6) < n(5) && n(6) != -1 {
			c.add(4, c.lines)
		}
		c.threads[thread] = append(list, stateTimes{n(5), n(6), c.lines})
		latest = max(n(5), n(6))
	case f[0] == "2" && len(f) >= 8:
		latest = n(5)
	case f[0] == "3" && len(f) == 15:
		if n(12) < n(5) {
			c.add(2, c.lines)
		}
		latest = max(n(5), n(6), n(11), n(12))
	}
	if c.end > 0 && latest > c.end {
		c.add(3, c.lines)
	}
}

// overlaps counts the states that overlap an earlier one; its first is the first in time.
func (c *doubtCount) overlaps() {
	first := int64(0)
	for _, list := range c.threads {
		slices.SortStableFunc(list, func(a, b stateTimes) int { return int(a.begin - b.begin) })
		latest := int64(0)
		for _, s := range list {
			if s.begin < latest {
				if c.count[1]++; c.count[1] == 1 || s.begin < first {
					first, c.first[1] = s.begin, s.line
				}
			}
			latest = max(latest, s.end)
		}
	}
}
