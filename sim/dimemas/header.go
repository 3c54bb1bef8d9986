package dimemas

// The header of a .dim, and its definitions.

import (
	"bytes"
	"fmt"

	"pview/prv/quantity"
)

// readHeader takes #DIMEMAS:"NAME":F[,OFF]:N(t0,t1,...),C[,A[(list)][,O[(list)]]].
func (d *dimReader) readHeader(line []byte) string {
	const magic = "#DIMEMAS:"
	if !bytes.HasPrefix(line, []byte(magic)) {
		return "not a Dimemas trace: the first line does not begin with " + magic
	}
	h := cursor{text: line, at: len(magic)}
	if !h.skip('"') {
		return "header: the name of the trace is not in quotes"
	}
	end := bytes.IndexByte(line[h.at:], '"')
	if end < 0 {
		return "header: the name of the trace does not end"
	}
	d.p.Name = string(line[h.at : h.at+end])
	h.at += end + 1
	flag, ok := int64(0), h.skip(':')
	if ok {
		flag, ok = h.number()
	}
	if !ok || flag != 0 && flag != 1 {
		return "header: after the name comes 0 or 1, whether there are offsets"
	}
	if h.skip(',') {
		if d.offsets, ok = h.number(); !ok {
			return "header: the place of the offsets is not a number"
		}
	}
	h.blanks()
	if !h.skip(':') {
		return "header: tasks missing"
	}
	if why := d.readTasks(&h); why != "" {
		return why
	}
	if !h.skip(',') {
		return "header: number of communicators missing"
	}
	if _, ok := h.number(); !ok {
		return "header: number of communicators missing"
	}
	return d.readKinds(&h)
}

func (d *dimReader) readTasks(h *cursor) string {
	n, ok := h.number()
	if !ok || !h.skip('(') {
		return "header: tasks missing"
	}
	d.p.AddPtask()
	total := int64(0)
	for i := int64(0); i < n; i++ {
		if i > 0 && !h.skip(',') {
			return fmt.Sprintf("header: %s, but threads of %d", quantity.CountOf(n, "task"), i)
		}
		threads, ok := h.number()
		if total += threads; !ok || threads < 1 || total > maxThreads {
			return fmt.Sprintf("header: number of threads of task %d (at most %d in all)", i, maxThreads)
		}
		d.p.AddTask(int(threads))
	}
	if n < 1 || !h.skip(')') {
		return fmt.Sprintf("header: %s, but another number of threads", quantity.CountOf(n, "task"))
	}
	return ""
}

// readKinds reads the lists of accelerator and OpenMP tasks, which may be missing.
func (d *dimReader) readKinds(h *cursor) string {
	for kind := range 2 {
		h.blanks()
		if !h.skip(',') {
			return ""
		}
		n, ok := h.number()
		if !ok {
			return "header: number of accelerator or OpenMP tasks"
		}
		if n == 0 {
			continue
		}
		if kind == 0 {
			return "accelerator tasks (CUDA, OpenCL) are not simulated yet"
		}
		if !h.skip('(') {
			return "header: list of OpenMP tasks missing"
		}
		for i := int64(0); i < n; i++ {
			if i > 0 && !h.skip(',') {
				return "header: list of OpenMP tasks"
			}
			t, ok := h.number()
			if !ok || t < 0 || t >= int64(len(d.p.Tasks)) {
				return "header: list of OpenMP tasks"
			}
			d.p.Tasks[t].OpenMP = true
		}
		if !h.skip(')') {
			return "header: list of OpenMP tasks does not end"
		}
	}
	return ""
}

// cursor reads a header.
type cursor struct {
	text []byte
	at   int
}

func (c *cursor) skip(b byte) bool {
	if c.at < len(c.text) && c.text[c.at] == b {
		c.at++
		return true
	}
	return false
}

func (c *cursor) blanks() {
	for c.skip(' ') {
	}
}

func (c *cursor) number() (int64, bool) {
	start, v := c.at, int64(0)
	for c.at < len(c.text) && c.text[c.at]-'0' < 10 && c.at-start < 18 {
		v = 10*v + int64(c.text[c.at]-'0')
		c.at++
	}
	return v, c.at > start
}

// definition takes d:1:ID:SIZE:task:task:...; malformed ones are ignored, as in Dimemas,
// and so are files and windows.
func (d *dimReader) definition(line []byte) {
	f := &d.f
	f.split(line)
	if f.n < 4 || string(f.text(1)) != "1" {
		return
	}
	id, ok1 := f.int(2)
	size, ok2 := f.int(3)
	if !ok1 || !ok2 || int64(f.n) != size+4 || size < 1 {
		return
	}
	var tasks []int32
	for i := 4; i < f.n; i++ {
		if t, ok := f.int(i); ok && t >= 0 && t < int64(len(d.p.Tasks)) {
			tasks = append(tasks, int32(t))
		}
	}
	if len(tasks) > 0 {
		d.communicators[id] = d.p.AddCommunicator(0, id, tasks)
	}
}
