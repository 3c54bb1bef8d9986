package nsight

// NVTX: ranges, marks, domains, and NCCL's ranges, which describe the kernels launched in them.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"pview/prv/extrae/device"
	"pview/prv/kineto"
	"pview/prv/nsight/sqlite"
)

// Kinds of NVTX events; each has a second number for NVTXT.
const (
	pushPop, textPushPop   = 59, 70
	startEnd, textStartEnd = 60, 71
	mark, textMark         = 34, 65
	domainName             = 75
)

// openRange is a range that belongs to no thread.
type openRange struct {
	begin, end int64
	open       bool // without an end
	name       int32
	kind       kineto.Index
}

// field is a member of the data of a range.
type field struct {
	name   string
	offset int64
	size   int64
}

// layouts are the members of data, by domain and schema.
type layouts map[[2]int64][]field

// fieldSizes are the sizes in bytes of the member types that are read.
var fieldSizes = map[int64]int64{5: 4, 18: 8, 22: 8}

// nvtx returns the tables of NVTX.
func (r *report) nvtx() []table {
	schemas := layouts{}
	return []table{
		{"NVTX_PAYLOAD_SCHEMA_ENTRIES", "domainId schemaId type name offset", func(v []value) {
			if size := fieldSizes[whole(v[2])]; size > 0 {
				key := [2]int64{whole(v[0]), whole(v[1])}
				schemas[key] = append(schemas[key], field{r.textOf(v[3]), max(whole(v[4]), 0), size})
			}
		}},
		{"NVTX_EVENTS", "start end eventType text textId globalTid domainId binaryData", func(v []value) {
			r.nvtxRow(v, schemas)
		}},
	}
}

// untilComma returns the part of a name that similar ranges share: autograd adds ", seq = 12".
func untilComma(name string) string {
	name, _, _ = strings.Cut(name, ",")
	return name
}

// rangeName returns a process's number for the name of a range.
func (r *report) rangeName(p *process, name value) int32 {
	if name.Kind != sqlite.Text {
		return r.name(p, name, untilComma)
	}
	s := name.Bytes
	if i := bytes.IndexByte(s, ','); i >= 0 {
		s = s[:i]
	}
	return p.NameOf(s)
}

// isNCCL reports whether a name is a call of NCCL.
func (r *report) isNCCL(name value) bool {
	if name.Kind == sqlite.Text {
		return bytes.HasPrefix(name.Bytes, []byte("nccl"))
	}
	return strings.HasPrefix(r.textOf(name), "nccl")
}

func (r *report) nvtxRow(v []value, schemas layouts) {
	name := v[3]
	if name.IsNull() {
		name = v[4]
	}
	domain := whole(v[6])
	kind := whole(v[2])
	if kind == domainName {
		r.nameDomain(domain, r.textOf(name))
		return
	}
	global, ok := number(v[5])
	begin, okBegin := timeOf(v[0])
	if !ok || !okBegin {
		return
	}
	p := r.process(global)
	told := func() string { return cmp.Or(untilComma(r.textOf(name)), aRecord()) }
	switch kind {
	case mark, textMark:
		p.take(begin, begin)
		p, row := r.thread(global)
		p.Event(row, begin, p.index(r.kinds.mark), r.rangeName(p, name), 0)
	case startEnd, textStartEnd:
		o := openRange{begin: begin, name: r.rangeName(p, name), kind: p.index(r.domain(domain))}
		if o.open = v[1].IsNull(); !o.open {
			if _, o.end, ok = r.span(p, v[0], v[1], told); !ok {
				return
			}
		}
		p.take(begin, begin)
		p.ranges = append(p.ranges, o)
	case pushPop, textPushPop:
		number, index := r.rangeName(p, name), p.index(r.domain(domain))
		if v[1].IsNull() {
			p.take(begin, begin)
			_, row := r.thread(global)
			p.Open(row, begin, number, index)
			return
		}
		_, end, ok := r.span(p, v[0], v[1], told)
		if !ok {
			return
		}
		_, row := r.thread(global)
		p.Span(row, begin, end, number, index)
		if r.isNCCL(name) {
			s := r.textOf(name)
			p.nccl[row] = append(p.nccl[row], ncclRange{begin: begin, end: end, name: s,
				told: toldOf(s, v[7], schemas)})
		}
	}
}

// addRanges adds the ranges of a process that belong to no thread: each to the first row where it is nested.
func (r *report) addRanges(p *process) {
	for i := range p.ranges {
		if o := &p.ranges[i]; o.open {
			o.end = max(o.begin, p.last)
		}
	}
	slices.SortStableFunc(p.ranges, func(x, y openRange) int {
		return cmp.Or(cmp.Compare(x.begin, y.begin), cmp.Compare(y.end, x.end))
	})
	var rows [][]int64 // ends of the open ranges
	for _, o := range p.ranges {
		if o.open {
			p.Unended(o.name)
		}
		at := len(rows)
		for i := range rows {
			open := rows[i]
			for len(open) > 0 && open[len(open)-1] <= o.begin {
				open = open[:len(open)-1]
			}
			rows[i] = open
			if len(open) == 0 || open[len(open)-1] >= o.end {
				at = i
				break
			}
		}
		if at == len(rows) {
			rows = append(rows, nil)
		}
		rows[at] = append(rows[at], o.end)
		name := "NVTX ranges"
		if at > 0 {
			name += fmt.Sprintf(" %d", at+1)
		}
		p.Span(p.Apart(name), o.begin, o.end, o.name, o.kind)
	}
}

// ncclRange is a call of NCCL.
type ncclRange struct {
	begin, end int64
	name       string
	told       kineto.Told
}

// headerSize is the size of the header of a range's data.
const headerSize = 32

// toldOf reads the data of a range of NCCL: a header, then fields where the schema places them.
func toldOf(name string, data value, schemas layouts) kineto.Told {
	told := kineto.Told{Operation: kineto.OperationOf(strings.TrimPrefix(name, "nccl")), Bytes: -1}
	b := data.Bytes
	switch data.Kind {
	case sqlite.Blob:
	case sqlite.Text:
		b, _ = hex.DecodeString(strings.TrimPrefix(data.Text(), "0x"))
	default:
		return told
	}
	if len(b) < headerSize {
		return told
	}
	key := [2]int64{int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[8:]))}
	for _, f := range schemas[key] {
		if f.offset > int64(len(b)-headerSize)-f.size {
			continue
		}
		at := b[headerSize+f.offset:]
		n := uint64(binary.LittleEndian.Uint32(at))
		if f.size == 8 {
			n = binary.LittleEndian.Uint64(at)
		}
		switch {
		case f.name == "NCCL communicator ID":
			told.Group = fmt.Sprintf("0x%X", n)
		case f.name == "Message size [bytes]" && n < 1<<60:
			told.Bytes = int64(n)
		case f.name == "No. of ranks" && n < 1<<31:
			told.Members = int64(n)
		}
	}
	return told
}

// tellNCCL gives NCCL kernels the operation of the range that encloses their launch. ncclGroupEnd launches the calls
// since ncclGroupStart: one launch per call, or one for all.
func (r *report) tellNCCL(p *process) {
	told := map[int64]kineto.Told{}
	for row, ranges := range p.nccl {
		slices.SortStableFunc(ranges, func(x, y ncclRange) int { return cmp.Compare(x.begin, y.begin) })
		calls := p.CallsOf(row, "LaunchKernel", within(ranges))
		slices.SortStableFunc(calls, func(x, y kineto.Call) int { return cmp.Compare(x.Begin, y.Begin) })
		inside := func(o *ncclRange) []kineto.Call {
			from, _ := slices.BinarySearchFunc(calls, o.begin, func(c kineto.Call, t int64) int {
				return cmp.Compare(c.Begin, t)
			})
			to := from
			for to < len(calls) && calls[to].End <= o.end {
				to++
			}
			return calls[from:to]
		}
		var group []kineto.Told
		depth := 0
		for i := range ranges {
			o := &ranges[i]
			switch {
			case o.name == "ncclGroupStart":
				if depth++; depth == 1 {
					group = group[:0]
				}
			case o.name == "ncclGroupEnd":
				if depth = max(depth-1, 0); depth > 0 || len(group) == 0 {
					continue
				}
				launches := inside(o)
				for k, c := range launches {
					switch {
					case len(launches) == 1:
						told[c.Correlation] = together(group)
					case k < len(group):
						told[c.Correlation] = group[k]
					}
				}
				group = group[:0]
			case o.told.Operation == device.Unknown: // ncclCommCount and others that launch nothing
			case depth > 0:
				group = append(group, o.told)
			default:
				for _, c := range inside(o) {
					told[c.Correlation] = o.told
				}
			}
		}
	}
	p.Tell(told)
}

// within reports whether a time is inside one of some ranges, which are sorted by begin.
func within(ranges []ncclRange) func(t int64) bool {
	last := make([]int64, len(ranges)) // end of this range and those before
	for i := range ranges {
		last[i] = max(ranges[i].end, last[max(i-1, 0)])
	}
	return func(t int64) bool {
		i, _ := slices.BinarySearchFunc(ranges, t+1, func(x ncclRange, t int64) int { return cmp.Compare(x.begin, t) })
		return i > 0 && t <= last[i-1]
	}
}

// together merges operations that a single kernel does.
func together(list []kineto.Told) kineto.Told {
	all := list[0]
	for _, t := range list[1:] {
		if t.Operation != all.Operation {
			all.Operation = device.SendReceive
		}
		if t.Group != all.Group {
			all.Group = ""
		}
		all.Members = max(all.Members, t.Members)
		if all.Bytes >= 0 && t.Bytes >= 0 {
			all.Bytes += t.Bytes
		} else {
			all.Bytes = -1
		}
	}
	return all
}

// finish adds the records that depend on all tables.
func (r *report) finish(p *process) {
	r.addRanges(p)
	r.joinWaits(p)
	r.tellNCCL(p)
}
