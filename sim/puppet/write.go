package puppet

// Writing a program as a log.

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pview/sim"
)

// WriteLog writes a program of one application. For a rank with several threads, it writes the communicating one, and
// omits the others' computation. Records that MPI 1 lacks are an error.
func WriteLog(out io.Writer, p *sim.Program) error {
	if len(p.Ptasks) != 1 {
		return fmt.Errorf("a log has one application, not %d", len(p.Ptasks))
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, mark)
	names := make([]string, len(p.Communicators))
	for i := range p.Communicators {
		c := &p.Communicators[i]
		if names[i] = "world"; len(c.Tasks) < len(p.Tasks) {
			names[i] = strconv.FormatInt(c.ID, 10)
			fmt.Fprintf(w, "communicator %s", names[i])
			for _, t := range c.Tasks {
				fmt.Fprintf(w, " %d", t)
			}
			fmt.Fprintln(w)
		}
	}
	roots := p.Roots()
	for rank := range p.Tasks {
		i, err := talker(p, rank)
		if err != nil {
			return err
		}
		lw := &logWriter{w: w, p: p, t: &p.Threads[i], rank: rank, names: names, roots: roots[i],
			posted: map[sim.Message][]int{}}
		if err := lw.write(); err != nil {
			return fmt.Errorf("rank %d: %w", rank, err)
		}
	}
	return w.Flush()
}

// talker returns the communicating thread of a task, the first if none does.
func talker(p *sim.Program, rank int) (int32, error) {
	task := &p.Tasks[rank]
	found := int32(-1)
	for i := task.FirstThread; i < task.FirstThread+task.Threads; i++ {
		if t := &p.Threads[i]; len(t.Messages) > 0 || len(t.Collectives) > 0 {
			if found >= 0 {
				return 0, fmt.Errorf("rank %d: two of its threads communicate", rank)
			}
			found = i
		}
	}
	return max(found, task.FirstThread), nil
}

// logWriter writes one rank.
type logWriter struct {
	w       *bufio.Writer
	p       *sim.Program
	t       *sim.Thread
	rank    int
	names   []string
	roots   []int32 // of the operations to come
	block   float64
	posted  map[sim.Message][]int // receives without a request, by envelope: their assigned names
	started []startedCall
	unnamed int
}

// startedCall is a collective operation in the background, and the name of its request.
type startedCall struct {
	request int32
	name    string
}

func (l *logWriter) entry(words ...string) {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	fmt.Fprintf(l.w, "%d %s MPI_%s\n", l.rank, inSeconds(l.block), strings.Join(words, " "))
	l.block = 0
}

func (l *logWriter) write() error {
	for row, k := range l.t.Kinds() {
		switch {
		case k == sim.Compute:
			l.block += l.t.Burst(row)
		case k < sim.Send: // events and the like
		case k == sim.Collective || k == sim.CollectiveStart || k == sim.CollectiveWait || k == sim.Reduce:
			l.collective(k, row)
		default:
			m, h := *l.t.Message(row), l.t.Handled(row)
			if h.Routine != 0 {
				return fmt.Errorf("collective operations are messages already")
			}
			if err := l.message(k, m, h); err != nil {
				return err
			}
		}
	}
	l.entry("Finalize")
	return nil
}

// sends are the routines of kinds and modes.
var sends = map[sim.SendMode]string{sim.ModeBuffered: "b", sim.ModeSynchronous: "s", sim.ModeReady: "r"}

func (l *logWriter) message(k sim.Kind, m sim.Message, h sim.Handling) error {
	request := "r" + strconv.Itoa(int(h.Request))
	comm := ""
	if m.Match != 0 {
		comm = "comm=" + strconv.FormatInt(m.Match, 10)
	}
	switch k {
	case sim.Send, sim.SendRendezvous, sim.Isend, sim.IsendRendezvous:
		l.send(k, m, h, request, comm)
	case sim.Recv, sim.Probe:
		l.entry(receiveName(k), source(m, h), comm, recorded(m, h))
	case sim.Irecv:
		if h.Request == 0 {
			request = l.post(m)
		}
		l.entry("Irecv", source(m, h), request, comm, recorded(m, h))
	case sim.Wait:
		key := envelope(m)
		if list := l.posted[key]; len(list) > 0 {
			l.posted[key] = list[1:]
			l.entry("Wait", "w"+strconv.Itoa(list[0]))
		} else {
			l.entry("Recv", source(m, h), comm)
		}
	case sim.WaitRequest:
		l.entry("Wait", request)
	default:
		return fmt.Errorf("a log has no %s", k)
	}
	return nil
}

func receiveName(k sim.Kind) string {
	if k == sim.Probe {
		return "Probe"
	}
	return "Recv"
}

func (l *logWriter) send(k sim.Kind, m sim.Message, h sim.Handling, request, comm string) {
	immediate := k == sim.Isend || k == sim.IsendRendezvous
	mode := h.Mode
	if mode == sim.ModeStandard && (k == sim.SendRendezvous || k == sim.IsendRendezvous) {
		mode = sim.ModeSynchronous
	}
	letter := sends[mode]
	args := fmt.Sprintf("%d %d %d", m.Peer, m.Size, m.Tag)
	option := ""
	if mode == sim.ModeNoSpace {
		option = "mode=nospace"
	}
	name := "Send"
	if letter != "" {
		name = strings.ToUpper(letter) + "send"
	}
	switch {
	case !immediate:
		l.entry(name, args, comm, option)
	case h.Request == 0: // never awaited
		l.unnamed++
		l.entry("I"+letter+"send", args, "w"+strconv.Itoa(l.unnamed), comm, option)
	default:
		l.entry("I"+letter+"send", args, request, comm, option)
	}
}

// envelope returns a message without its size.
func envelope(m sim.Message) sim.Message {
	return sim.Message{Peer: m.Peer, Tag: m.Tag, Match: m.Match}
}

// post names a receive for the Wait with its envelope.
func (l *logWriter) post(m sim.Message) string {
	l.unnamed++
	l.posted[envelope(m)] = append(l.posted[envelope(m)], l.unnamed)
	return "w" + strconv.Itoa(l.unnamed)
}

func source(m sim.Message, h sim.Handling) string {
	from, tag := strconv.Itoa(int(m.Peer)), strconv.FormatInt(m.Tag, 10)
	if h.AnySource {
		from = "ANY"
	}
	if h.AnyTag {
		tag = "ANY"
	}
	return from + " " + tag
}

func recorded(m sim.Message, h sim.Handling) string {
	text := ""
	if h.Recorded && h.AnySource {
		text = fmt.Sprintf("from=%d ", m.Peer)
	}
	if h.Recorded && h.AnyTag {
		text += fmt.Sprintf("tag=%d", m.Tag)
	}
	return strings.TrimSpace(text)
}

func (l *logWriter) collective(k sim.Kind, row int) {
	c := l.t.Call(row)
	name := sim.Collectives[c.Op]
	request := ""
	if k == sim.CollectiveWait {
		at := slices.IndexFunc(l.started, func(s startedCall) bool { return c.Request == 0 || s.request == c.Request })
		if at >= 0 {
			l.entry("Wait", l.started[at].name)
			l.started = slices.Delete(l.started, at, at+1)
		}
		return
	}
	root := l.roots[0]
	l.roots = l.roots[1:]
	if k == sim.CollectiveStart {
		l.unnamed++
		request = "c" + strconv.Itoa(l.unnamed)
		l.started = append(l.started, startedCall{c.Request, request})
		name = "I" + strings.ToLower(name)
	}
	words := []string{name}
	if collectives[c.Op].root {
		words = append(words, strconv.Itoa(int(root)))
	}
	if sizes := l.t.CallSizes(row); sizes != nil {
		for _, n := range sizes {
			words = append(words, strconv.FormatInt(n, 10))
		}
	} else if c.Op != 0 {
		words = append(words, strconv.FormatInt(c.Sent, 10))
	}
	words = append(words, request)
	if comm := l.names[c.Communicator]; comm != "world" {
		words = append(words, "comm="+comm)
	}
	l.entry(words...)
}
