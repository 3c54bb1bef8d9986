package kineto

// Communication operations: recognising their kernels, and reading their arguments or the annotation around their
// launch.

import (
	"encoding/json"
	"regexp"
	"strings"

	"pview/prv/extrae/device"
)

var announcement = regexp.MustCompile(`^(nccl|gloo|hccl|xccl|rccl):`)

// operationNames are the parts of names that identify the operation; the first one found counts.
var operationNames = []struct {
	part      string
	operation int64
}{{"allreduce", device.AllReduce}, {"allgather", device.AllGather}, {"reducescatter", device.ReduceScatter},
	{"alltoall", device.AllToAll}, {"broadcast", device.Broadcast}, {"sendrecv", device.SendReceive},
	{"barrier", device.Barrier}, {"send", device.Send}, {"recv", device.Receive}, {"gather", device.Gather},
	{"scatter", device.Scatter}, {"reduce", device.Reduce}}

// operationOf returns the operation that a name identifies.
func operationOf(name string) int64 {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	if strings.HasPrefix(letters, "all") && strings.Contains(letters, "toall") {
		return device.AllToAll // also all_to_allv
	}
	for _, n := range operationNames {
		if strings.Contains(letters, n.part) {
			return n.operation
		}
	}
	return device.Unknown
}

// announcedBy returns the operation of an annotation like nccl:all_reduce.
func announcedBy(name string) (int64, bool) {
	m := announcement.FindString(name)
	if m == "" {
		return 0, false
	}
	return operationOf(name[len(m):]), true
}

// elementSizes are the bytes of an element by type.
var elementSizes = map[string]int64{"byte": 1, "char": 1, "bool": 1, "short": 2, "half": 2, "bfloat16": 2, "int": 4,
	"float": 4, "long": 8, "double": 8, "complexfloat": 8, "complexdouble": 16, "float8_e4m3fn": 1, "float8_e5m2": 1,
	"long int": 8, "c10::half": 2, "c10::bfloat16": 2}

// bytesOf returns the size in bytes of elements of a type; -1: unknown.
func bytesOf(elements int64, typ string) int64 {
	size, ok := elementSizes[strings.ToLower(typ)]
	if !ok || elements < 0 || elements > 1<<50 {
		return -1
	}
	return elements * size
}

// dimensions returns the size in bytes of an annotation's first input; -1: unknown.
func dimensions(e *event) int64 {
	var (
		inputs []json.RawMessage
		first  []int64
		types  []string
	)
	if json.Unmarshal(e.arg[argDimensions], &inputs) != nil || len(inputs) == 0 ||
		json.Unmarshal(inputs[0], &first) != nil || len(first) == 0 ||
		json.Unmarshal(e.arg[argTypes], &types) != nil || len(types) == 0 {
		return -1
	}
	elements := int64(1)
	for _, n := range first {
		if n < 0 || n > 0 && elements > 1<<50/n {
			return -1
		}
		elements *= n
	}
	return bytesOf(elements, types[0])
}

// unknownPart is a part with nothing known but its operation.
var unknownPart = part{group: -1, in: -1, out: -1, source: -1, destination: -1, sequence: -1}

// partOf reads a kernel's operation, sizes, ranks and group from its arguments, or the operation from its name.
func (f *file) partOf(e *event, kernel string) part {
	p := unknownPart
	operation := str(e.arg[argOperation])
	if operation == "" {
		// Many operations have a kernel called SendRecv, so the name counts only if it is unambiguous.
		if p.operation = operationOf(kernel[:max(strings.IndexByte(kernel, '('), 0)]); p.operation == device.Unknown {
			p.operation = operationOf(kernel)
		}
		return p
	}
	p.operation = operationOf(operation)
	typ := str(e.arg[argType])
	if n, ok := e.number(argElementsIn); ok {
		p.in = bytesOf(n, typ)
	}
	if n, ok := e.number(argElementsOut); ok {
		p.out = bytesOf(n, typ)
	}
	for arg, to := range map[int]*int64{argSource: &p.source, argDestination: &p.destination,
		argSequence: &p.sequence} {
		if n, ok := e.number(arg); ok {
			*to = n
		}
	}
	p.group = f.groupFor(e)
	return p
}

// groupFor returns the process group of an operation; -1: unknown. A list of ranks may be cut after 30: the header has
// them all.
func (f *file) groupFor(e *event) int32 {
	if e.arg[argGroup] == nil {
		return -1
	}
	f.key = append(append(append(f.key[:0], e.arg[argGroup]...), 0), e.arg[argGroupRanks]...)
	i, ok := f.groupOf[string(f.key)]
	if ok {
		return i
	}
	g := group{name: str(e.arg[argGroup]), text: str(e.arg[argGroupText])}
	g.size, _ = e.number(argGroupSize)
	list := str(e.arg[argGroupRanks])
	if !strings.Contains(list, "...") {
		g.members = ranksOf([]byte(list))
	}
	i = int32(len(f.groups))
	f.groups = append(f.groups, g)
	f.groupOf[string(f.key)] = i
	return i
}

// completeGroups fills in the members of groups whose lists are cut, from the header.
func (f *file) completeGroups() {
	for i := range f.groups {
		g := &f.groups[i]
		for _, c := range f.configured {
			if c.name == g.name && g.members == nil {
				g.members = c.members
				g.size = max(g.size, c.size)
			}
		}
		g.size = max(g.size, int64(len(g.members)))
	}
}
