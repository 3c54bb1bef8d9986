// Package perfetto writes a trace in the Trace Event Format, the JSON that ui.perfetto.dev and chrome://tracing open.
//
// A task is a process. Each of its threads has a track for its states and, if it has any, tracks for its MPI calls,
// functions and OpenMP constructs: the slices of a track must be nested, but states and calls need not be. Messages are
// flows from the state at the logical send to the state in which the receiver has them, counters are counter tracks,
// other events are instants. Times are microseconds with a fraction, from the begin of the run. Slices are written as
// begin and end, not with a duration: readers add it to the begin in floating point, and a slice that ends slightly
// after the next one begins is nested wrongly. Ends have the names of their begins, by which some readers pair them.
// The file is written record by record: the format requires no order between tracks.
package perfetto

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strconv"

	"pview/prv"
	"pview/prv/calls"
	"pview/prv/extrae"
)

// Write writes a trace. The error is that of w, or ctx.Err().
func Write(ctx context.Context, w io.Writer, t *prv.Trace) error {
	o := &writer{ctx: ctx, out: bufio.NewWriterSize(w, 1<<18), t: t, types: calls.TypesOf(t.Labels),
		unit: t.Unit.Nanoseconds(), names: map[string][]byte{}}
	o.out.WriteString(`{"displayTimeUnit":"ns","otherData":{"writer":"pview","trace":`)
	o.out.Write(o.quoted(t.Path))
	o.out.WriteString("},\"traceEvents\":[")
	o.processes()
	for i := range t.Threads {
		o.thread(i)
	}
	o.messages()
	o.out.WriteString("\n]}\n")
	if o.err != nil {
		return o.err
	}
	return o.out.Flush()
}

// writer is a trace being written.
type writer struct {
	ctx   context.Context
	out   *bufio.Writer
	t     *prv.Trace
	types *calls.Types
	unit  int64 // ns
	n     int   // events
	line  []byte
	names map[string][]byte // as JSON
	err   error
}

// tracks is the most tracks of a thread: states, and one for each family of calls. Track numbers must also differ
// between processes, since readers identify threads by them alone.
var tracks = 1 + len(calls.Families)

// pid returns the number of a thread's task.
func (o *writer) pid(thread int) int { return int(o.t.ThreadTask[thread]) + 1 }

func tid(thread, track int) int { return thread*tracks + track + 1 }

// begin starts an event: its phase, its track and, if it has one (>= 0), its time.
func (o *writer) begin(phase byte, pid, tid int, at int64) {
	if o.n++; o.n > 1 {
		o.line = append(o.line, ',')
	}
	o.line = append(o.line, "\n{\"ph\":\""...)
	o.line = append(o.line, phase)
	o.line = append(o.line, `","pid":`...)
	o.line = strconv.AppendInt(o.line, int64(pid), 10)
	o.line = append(o.line, `,"tid":`...)
	o.line = strconv.AppendInt(o.line, int64(tid), 10)
	if at >= 0 {
		o.line = append(o.line, `,"ts":`...)
		o.line = o.microseconds(o.line, at)
	}
}

// microseconds appends a time or duration, exactly.
func (o *writer) microseconds(dst []byte, t int64) []byte {
	if o.unit >= 1000 {
		dst = strconv.AppendInt(dst, t, 10)
		if o.unit > 1000 && t != 0 {
			dst = append(dst, "000"...)
		}
		return dst
	}
	dst = strconv.AppendInt(dst, t/1000, 10)
	if ns := t % 1000; ns != 0 {
		dst = append(dst, '.', byte('0'+ns/100), byte('0'+ns/10%10), byte('0'+ns%10))
	}
	return dst
}

// text adds a field whose value is a text.
func (o *writer) text(key, value string) {
	o.line = append(o.line, `,"`+key+`":`...)
	o.line = append(o.line, o.quoted(value)...)
}

// raw adds a field whose value is already JSON.
func (o *writer) raw(key, value string) { o.line = append(o.line, `,"`+key+`":`+value...) }

// quoted returns a text as JSON, cached because names recur.
func (o *writer) quoted(s string) []byte {
	if b, ok := o.names[s]; ok {
		return b
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // texts can always be encoded
	}
	if len(o.names) < 1<<16 {
		o.names[s] = b
	}
	return b
}

// end writes the event.
func (o *writer) end() {
	o.line = append(o.line, '}')
	if o.err == nil {
		_, o.err = o.out.Write(o.line)
	}
	if o.n%4096 == 0 && o.err == nil {
		o.err = o.ctx.Err()
	}
	o.line = o.line[:0]
}

// meta names a process or a track, and gives it its position.
func (o *writer) meta(kind string, pid, tid int, field, value string) {
	o.begin('M', pid, tid, -1)
	o.text("name", kind)
	o.raw("args", `{"`+field+`":`+value+`}`)
	o.end()
}

func (o *writer) processes() {
	for i := range o.t.Tasks {
		name := o.t.Name(prv.LevelTask, i)
		o.meta("process_name", i+1, 0, "name", string(o.quoted(name)))
		o.meta("process_sort_index", i+1, 0, "sort_index", strconv.Itoa(i))
	}
}

// thread writes the records of a thread.
func (o *writer) thread(i int) {
	if o.err != nil {
		return
	}
	th, pid := &o.t.Threads[i], o.pid(i)
	name := o.t.Name(prv.LevelThread, i)
	o.track(pid, i, 0, name)
	for k := range th.States.Begin {
		end := th.States.Until(k, o.t.Duration)
		if k+1 < len(th.States.Begin) { // if it overlaps the next, it would not be nested
			end = min(end, max(th.States.Begin[k+1], th.States.Begin[k]))
		}
		state := o.t.Labels.StateName(int64(th.States.Value[k]))
		o.begin('B', pid, tid(i, 0), th.States.Begin[k])
		o.text("name", state)
		o.raw("cat", `"state"`)
		o.end()
		o.begin('E', pid, tid(i, 0), max(end, th.States.Begin[k]))
		o.text("name", state)
		o.end()
	}
	o.calls(i, pid, name)
	o.events(i, pid, name)
}

func (o *writer) track(pid, thread, track int, name string) {
	o.meta("thread_name", pid, tid(thread, track), "name", string(o.quoted(name)))
	o.meta("thread_sort_index", pid, tid(thread, track), "sort_index", strconv.Itoa(tid(thread, track)))
}

// calls writes the begins and ends of calls, each family on its track.
func (o *writer) calls(i, pid int, name string) {
	named := make([]bool, tracks)
	err := o.types.Each(o.t, i, func(c calls.Call) error {
		if track := c.Family + 1; !named[track] {
			named[track] = true
			o.track(pid, i, track, name+" "+calls.Families[c.Family].Name)
		}
		o.begin('B', pid, tid(i, c.Family+1), c.Begin)
		o.text("name", o.t.Labels.ValueName(c.Type, c.Value))
		o.text("cat", o.t.Labels.TypeName(c.Type))
		o.end()
		return o.err
	}, func(c calls.Call) error {
		o.begin('E', pid, tid(i, c.Family+1), c.End)
		o.text("name", o.t.Labels.ValueName(c.Type, c.Value))
		o.end()
		return o.err
	})
	if o.err == nil {
		o.err = err
	}
}

// events writes counters and instants.
func (o *writer) events(i, pid int, name string) {
	ev := &o.t.Threads[i].Events
	for k, typ := range ev.Type {
		if o.err != nil {
			return
		}
		if _, ok := o.types.Family(typ); ok {
			continue
		}
		label := o.t.Labels.TypeName(typ)
		if extrae.IsCounter(o.t.Labels, typ) {
			o.begin('C', pid, tid(i, 0), ev.Time[k])
			o.text("name", label+" "+name) // counters belong to processes: the name distinguishes threads
			o.raw("args", `{"value":`+strconv.FormatInt(ev.Value.At(k), 10)+`}`)
			o.end()
			continue
		}
		o.begin('i', pid, tid(i, 0), ev.Time[k])
		o.text("name", label)
		o.raw("s", `"t"`)
		o.raw("cat", `"event"`)
		value := `{"type":` + strconv.FormatUint(uint64(typ), 10) + `,"value":` + strconv.FormatInt(ev.Value.At(k), 10)
		if e, ok := o.t.Labels.Type(typ); ok {
			if text, ok := e.ValueLabel(ev.Value.At(k)); ok {
				value += `,"label":` + string(o.quoted(text))
			}
		}
		o.raw("args", value+"}")
		o.end()
	}
}

// messages writes each message as a flow. It ends where the receiver has the message: receives are often posted before
// the send, and readers drop flows that end before they begin.
func (o *writer) messages() {
	c := &o.t.Comms
	for i := range c.Send {
		if o.err != nil {
			return
		}
		args := `{"bytes":` + strconv.FormatInt(c.Size[i], 10) + `,"tag":` + strconv.FormatInt(c.Tag[i], 10) + `}`
		sent := c.Times[prv.LogicalSend][i]
		for _, end := range []struct {
			phase  byte
			thread int32
			at     int64
		}{{'s', c.Send[i], sent}, {'f', c.Recv[i],
			max(sent, c.Times[prv.LogicalRecv][i], c.Times[prv.PhysicalRecv][i])}} {
			o.begin(end.phase, o.pid(int(end.thread)), tid(int(end.thread), 0), end.at)
			o.raw("name", `"message"`)
			o.raw("cat", `"message"`)
			o.raw("id", strconv.Itoa(i+1))
			if end.phase == 'f' {
				o.raw("bp", `"e"`)
			}
			o.raw("args", args)
			o.end()
		}
	}
}
