package tools

// The shifter: moves the records of threads in time.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
)

// ShiftOptions tell by how much objects are shifted.
type ShiftOptions struct {
	// Times are added to all times of the objects of Level, in order; objects beyond the list are
	// not shifted.
	Times []Moment
	Level prv.Level // LevelThread, LevelTask, LevelPtask or LevelWorkload

	// AsParaver reproduces a bug of current Paraver: it shifts both ends of a message with the sender, so that a
	// receive is separated from its thread.
	AsParaver bool
}

// Shift writes a trace in which the records of each object are moved in time. The header's end grows by the greatest
// shift. Records keep their order in the file, which may no longer be time order, as with Paraver's shifter. It is an
// error if a record would begin before 0.
func Shift(ctx context.Context, src Source, out string, opt ShiftOptions) (*Result, error) {
	return run(ctx, src, out, nil, func(j *job, w io.Writer) error {
		shifts, err := opt.byThread(j)
		if err != nil {
			return err
		}
		h := j.text.Header
		h.End += max(0, slices.Max(shifts))
		if h.End < 0 {
			return optionf("the trace would end beyond the largest time")
		}
		if err := j.writeHeader(w, h); err != nil {
			return err
		}
		return j.each(j.text, w, func() stage { return shiftThreads(shifts, opt.AsParaver) })
	})
}

// largestShift keeps sums of times from overflowing undetected.
const largestShift = 1 << 62

// byThread returns the shift of each thread in the trace's unit.
func (o *ShiftOptions) byThread(j *job) ([]int64, error) {
	h := &j.text.Header
	objects := h.Count(o.Level)
	if n := len(o.Times); n > objects {
		return nil, optionf("there are %d times, but the trace has %s", n, countOf(objects, o.Level))
	} else if n < objects {
		j.result.Notes = append(j.result.Notes, fmt.Sprintf("there are %d times for %s: the others stay where they are",
			n, countOf(objects, o.Level)))
	}
	shifts := make([]int64, h.NumThreads())
	for i := range shifts {
		object := 0
		switch o.Level {
		case prv.LevelThread:
			object = i
		case prv.LevelTask:
			object = int(h.ThreadTask[i])
		case prv.LevelPtask:
			object = int(h.Tasks[h.ThreadTask[i]].Ptask)
		}
		if object >= len(o.Times) {
			continue
		}
		shifts[i] = o.Times[object].At(h.Unit, h.End)
		if shifts[i] > largestShift || shifts[i] < -largestShift {
			return nil, optionf("a shift of %d is too large", shifts[i])
		}
	}
	return shifts, nil
}

// countOf returns a number of objects, such as "4 threads".
func countOf(n int, l prv.Level) string {
	if n == 1 {
		return "1 " + l.String()
	}
	return fmt.Sprintf("%d %ss", n, l)
}

// shiftThreads returns the stage that moves each thread by its shift; on request, messages move as a whole with their
// senders.
func shiftThreads(shifts []int64, withSender bool) stage {
	return func(lines *prv.Lines, out []byte) (_ []byte, records int64, err error) {
		for lines.Next() {
			l := &lines.Line
			var by [4]int64
			switch l.Kind {
			case prv.StateLine, prv.EventLine, prv.CommLine:
				by = [4]int64{shifts[l.Thread], shifts[l.Thread], shifts[l.Thread], shifts[l.Thread]}
				if l.Kind == prv.CommLine && !withSender {
					by[2], by[3] = shifts[l.Recv], shifts[l.Recv]
				}
				records++
			}
			if out, err = appendShifted(out, l, by); err != nil {
				return out, records, err
			}
		}
		return out, records, nil
	}
}

// shiftBy returns the stage that moves everything.
func shiftBy(by int64) stage {
	return func(lines *prv.Lines, out []byte) (_ []byte, records int64, err error) {
		for lines.Next() {
			if out, err = appendShifted(out, &lines.Line, [4]int64{by, by, by, by}); err != nil {
				return out, records, err
			}
			records++
		}
		return out, records, nil
	}
}

// appendShifted appends a line with its times moved.
func appendShifted(out []byte, l *prv.Line, by [4]int64) ([]byte, error) {
	times := l.Times
	n := 0
	switch l.Kind {
	case prv.StateLine:
		if n = 2; times[1] == prv.NoEnd {
			n = 1
		}
	case prv.EventLine:
		n = 1
	case prv.CommLine:
		n = 4
	}
	for i := range n {
		times[i] += by[i]
		if times[i] < 0 {
			return out, optionf("a record would be at %d, before the begin of the trace: %s", times[i],
				prv.Clean(string(l.Text)))
		}
	}
	return l.AppendAt(out, times), nil
}

// ParseShiftTimes reads Paraver's file of times: one number per line; blank lines and lines that
// begin with # are ignored. Errors refer to it by name.
func ParseShiftTimes(name string, r io.Reader) (times []Moment, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<16)
	for n := int64(1); lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return nil, &prv.FileError{File: name, Line: n, Why: fmt.Sprintf("%q is not a time", text)}
		}
		times = append(times, Moment{Value: v, Unit: TraceUnits})
	}
	if err := lines.Err(); err != nil {
		return nil, &prv.FileError{File: name, Why: err.Error(), Err: err}
	}
	if len(times) == 0 {
		return nil, &prv.FileError{File: name, Why: "no time in it"}
	}
	return times, nil
}
