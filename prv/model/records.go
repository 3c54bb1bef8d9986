package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Header is the content of a trace's header.
type Header struct {
	Date string
	Unit Unit
	End  int64
	Resources
	Communicators []Communicator

	Notes []string // on how a file writes it
}

// Pair is one type:value pair of an event line.
type Pair struct {
	Type  uint32
	Value int64
}

// Comm is one communication. Threads are 0-based over the trace, CPUs 1-based
// over all nodes (0 unknown), times by Role, Size in bytes.
type Comm struct {
	Send, Recv       int32
	SendCPU, RecvCPU int32
	Times            [4]int64
	Size, Tag        int64
}

// Line returns the header as the first line of a .prv, without its line end.
func (h *Header) Line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#Paraver (%s):%d", h.Date, h.End)
	switch h.Unit {
	case Nanoseconds:
		b.WriteString("_ns")
	case Milliseconds:
		b.WriteString("_ms")
	}
	if len(h.Nodes) == 0 {
		b.WriteString(":0")
	} else {
		fmt.Fprintf(&b, ":%d", len(h.Nodes))
		for i, n := range h.Nodes {
			b.WriteByte("(,"[min(i, 1)])
			b.WriteString(strconv.Itoa(int(n.CPUs)))
		}
		b.WriteByte(')')
	}
	fmt.Fprintf(&b, ":%d", len(h.Ptasks))
	for k, p := range h.Ptasks {
		b.WriteByte(":,"[min(k, 1)])
		b.WriteString(strconv.Itoa(int(p.Tasks)))
		for i, t := range h.Tasks[p.FirstTask : p.FirstTask+p.Tasks] {
			fmt.Fprintf(&b, "%c%d:%d", "(,"[min(i, 1)], t.Threads, t.Node+1)
		}
		b.WriteByte(')')
	}
	if len(h.Communicators) > 0 {
		fmt.Fprintf(&b, ",%d", len(h.Communicators))
	}
	return b.String()
}

// Remarks returns notes for the user on the header as written.
func (h *Header) Remarks(file string) (list []Note) {
	for _, text := range h.Notes {
		list = append(list, Note{File: file, Line: 1, Text: text})
	}
	return list
}
