package record

// Callers of MPI functions: events 70000001 and 80000001 and following, as in Extrae's traces. Records have return
// addresses; functions and lines are those of the preceding call instructions.

import (
	"fmt"
	"path/filepath"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
)

// stackPart is the number of return addresses per record.
const stackPart = 7

// keptStacks bounds the resolved stacks kept per thread; those of a thread with more are resolved repeatedly.
const keptStacks = 1 << 12

// MostCallers bounds the recorded levels of call stacks.
const MostCallers = 30

// callers are the functions and lines of all call stacks.
type callers struct {
	names numbers[string]
	lines numbers[callLine]
}

// callLine is the place of a call. Calls with unknown lines are distinguished by address.
type callLine struct {
	function
	image   string
	address uint64
}

// caller is a level of a call stack.
type caller struct {
	callLine
	first   bool   // it begins the program: the levels above it belong to the system
	system  bool   // it is in libc or the runtime of OpenMP
	unnamed *image // the image that has no name for it; nil: it is named
}

// stackAt returns the callers of a call stack, whose records begin at seq: for each level, an event of its function and
// one of its line.
func (l *lane) stackAt(seq int64) []prv.Pair {
	if seq <= 0 || seq > int64(l.stream.n) {
		return nil
	}
	pairs, ok := l.stacks[seq]
	if !ok {
		if l.stacks == nil || len(l.stacks) == keptStacks {
			l.stacks = map[int64][]prv.Pair{}
		}
		pairs = l.resolve(l.addresses(int(seq - 1)))
		l.stacks[seq] = pairs
	}
	return pairs
}

// addresses returns the return addresses of a call stack whose records begin with the i-th, without those in the MPI
// library's Fortran layer.
func (l *lane) addresses(i int) (list []uint64) {
	first := l.stream.at(i)
	if first.kind() != kindStack {
		return nil
	}
	for n := int(first.flags()); len(list) < n && i < l.stream.n; i++ {
		r := l.stream.at(i)
		if r.kind() != kindStack {
			break
		}
		for k := 0; k < stackPart && len(list) < n; k++ {
			list = append(list, r.address(k))
		}
	}
	for len(list) > 1 && isMPI(l.process.module(list[0]-1).path) {
		list = list[1:]
	}
	return list[:min(len(list), l.stream.callers)]
}

// isMPI reports whether a library belongs to an MPI library.
func isMPI(path string) bool { return strings.HasPrefix(filepath.Base(path), "libmpi") }

// resolve returns the events of the callers at some return addresses, without the system functions that start the
// program and its threads.
func (l *lane) resolve(addresses []uint64) (pairs []prv.Pair) {
	var list []caller
	n := 1
	for _, address := range addresses {
		c := l.caller(address)
		list = append(list, c)
		if !c.system {
			n = len(list)
		}
		if c.first {
			break
		}
	}
	cs := &l.functions.callers
	for i, c := range list[:min(n, len(list))] {
		if !c.system {
			c.unnamed.lacks()
		}
		pairs = append(pairs, prv.Pair{Type: extrae.FirstCaller + 1 + uint32(i), Value: cs.names.of(c.name, l.part)},
			prv.Pair{Type: extrae.FirstCallerLine + 1 + uint32(i), Value: cs.lines.of(c.callLine, l.part)})
	}
	l.levels = max(l.levels, len(pairs)/2)
	return pairs
}

// caller returns the caller with a return address.
func (l *lane) caller(address uint64) caller {
	p := l.process
	c, ok := p.callers[address]
	if ok {
		return c
	}
	m := p.module(address - 1)
	f, unnamed := l.functions.find(m, address-1)
	c = caller{callLine: callLine{function: f, image: "??"}, unnamed: unnamed,
		first: f.name == "main" || strings.HasPrefix(f.name, "__libc_start_main")}
	if m.path != "" {
		c.image = filepath.Base(m.path)
		c.system = strings.HasPrefix(c.image, "libc.so.") || strings.HasPrefix(c.image, "libomp.so") ||
			strings.HasPrefix(c.image, "libiomp5.so")
	}
	if f.file == "" {
		c.address = address - m.base
	}
	if p.callers == nil {
		p.callers = map[uint64]caller{}
	}
	p.callers[address] = c
	return c
}

// text returns the label of a line.
func (l callLine) text() string {
	place := "??:0"
	if l.file != "" {
		place = fmt.Sprintf("%s:%d", l.file, l.line)
	}
	return fmt.Sprintf("%s [%[1]s, %s]", place, l.image)
}

// label names the callers of the given number of levels; all levels have the same values.
func (cs *callers) label(l *prv.Labels, levels int) {
	if levels == 0 {
		return
	}
	add := func(first uint32, name string, labels []string) {
		var types []prv.EventType
		for level := 1; level <= levels; level++ {
			types = append(types, prv.EventType{Type: first + uint32(level),
				Label: fmt.Sprintf("%s at level %d", name, level)})
		}
		values := []prv.ValueLabel{{Value: 0, Label: "End"}}
		for i, label := range labels {
			values = append(values, prv.ValueLabel{Value: int64(i + 1), Label: label})
		}
		l.AddSection(types, values, 0)
	}
	var lines []string
	for _, line := range cs.lines.list {
		lines = append(lines, line.text())
	}
	add(extrae.FirstCaller, "Caller", cs.names.list)
	add(extrae.FirstCallerLine, "Caller line", lines)
}
