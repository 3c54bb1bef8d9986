package prv

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
)

// The columns of a trace are flat: one per field, over all threads, those of the first
// thread first. A Thread's slices are stretches of them. So each field takes one
// allocation, and the same columns can be in memory or in the mapped files of an index
// (index.go), which are tables for others to read.

// columns are the flat columns.
type columns struct {
	stateBegin, stateEnd  []int64
	stateValue            []uint32
	stateCPU, stateOrder  []int32
	eventTime, eventValue []int64
	eventType             []uint32
	eventCPU              []int32
	comms                 Comms
	// lines is the set of the first events of lines, over all threads; only in files: a
	// thread's Lines begin with a word of their own.
	lines []byte
	order [4][]int32 // by Role: the communications of each thread, thread after thread
}

// columnSizes is the number of rows, and which of the optional columns exist.
type columnSizes struct {
	Threads int   `json:"threads"`
	States  int64 `json:"states"`
	Events  int64 `json:"events"`
	Comms   int64 `json:"communications"`

	StateCPU   bool `json:"state_cpu"`
	StateOrder bool `json:"state_file_order"`
	EventCPU   bool `json:"event_cpu"`
	CommCPU    bool `json:"communication_cpu"`
	EventLines bool `json:"event_lines_before"`
}

// table is a group of columns of one length: a file of the index.
type table struct {
	name    string
	rows    func(s *columnSizes) int64
	of      func(th *Thread) int // rows of a thread; nil where they are not in the order of threads
	columns []column
}

// column is a column: its name in the index, and its slice.
type column struct {
	name string
	typ  arrow.DataType
	// at returns a pointer to the slice; nil for the threads, which the index has for its
	// other readers.
	at     func(c *columns) any
	needed func(s *columnSizes) bool // nil: always
	// gap fills the rows of a thread without such a column.
	gap func(th *Thread, rows []int32)
}

// The columns that a Trace has in another form.
const (
	threadColumn = "thread"
	lineColumn   = "line_start"
)

// tables lists the columns, in the order of the files of the index. docs/index.md
// describes them.
var tables = []table{
	{"states.arrow", func(s *columnSizes) int64 { return s.States }, func(th *Thread) int {
		return th.States.Len()
	}, []column{
		{name: threadColumn},
		{"begin", arrow.PrimitiveTypes.Int64, func(c *columns) any { return &c.stateBegin }, nil, nil},
		{"end", arrow.PrimitiveTypes.Int64, func(c *columns) any { return &c.stateEnd }, nil, nil},
		{"value", arrow.PrimitiveTypes.Uint32, func(c *columns) any { return &c.stateValue }, nil, nil},
		{"cpu", arrow.PrimitiveTypes.Int32, func(c *columns) any { return &c.stateCPU }, func(s *columnSizes) bool {
			return s.StateCPU
		}, func(th *Thread, rows []int32) {
			if th.States.CPU == nil {
				fill(rows, th.CPU)
			}
		}},
		{"file_order", arrow.PrimitiveTypes.Int32, func(c *columns) any {
			return &c.stateOrder
		}, func(s *columnSizes) bool { return s.StateOrder }, func(th *Thread, rows []int32) {
			for i := range rows {
				if th.States.FileOrder == nil {
					rows[i] = int32(i)
				}
			}
		}},
	}},
	{"events.arrow", func(s *columnSizes) int64 { return s.Events }, func(th *Thread) int {
		return th.Events.Len()
	}, []column{
		{name: threadColumn},
		{"time", arrow.PrimitiveTypes.Int64, func(c *columns) any { return &c.eventTime }, nil, nil},
		{"type", arrow.PrimitiveTypes.Uint32, func(c *columns) any { return &c.eventType }, nil, nil},
		{"value", arrow.PrimitiveTypes.Int64, func(c *columns) any { return &c.eventValue }, nil, nil},
		{"cpu", arrow.PrimitiveTypes.Int32, func(c *columns) any { return &c.eventCPU }, func(s *columnSizes) bool {
			return s.EventCPU
		}, func(th *Thread, rows []int32) {
			if th.Events.CPU == nil {
				fill(rows, th.CPU)
			}
		}},
		{lineColumn, arrow.FixedWidthTypes.Boolean, func(c *columns) any { return &c.lines }, nil, nil},
	}},
	{"communications.arrow", func(s *columnSizes) int64 { return s.Comms }, nil, []column{
		{"send_thread", arrow.PrimitiveTypes.Int32, func(c *columns) any { return &c.comms.Send }, nil, nil},
		{"receive_thread", arrow.PrimitiveTypes.Int32, func(c *columns) any { return &c.comms.Recv }, nil, nil},
		{"logical_send", arrow.PrimitiveTypes.Int64, func(c *columns) any {
			return &c.comms.Times[LogicalSend]
		}, nil, nil},
		{"physical_send", arrow.PrimitiveTypes.Int64, func(c *columns) any {
			return &c.comms.Times[PhysicalSend]
		}, nil, nil},
		{"logical_receive", arrow.PrimitiveTypes.Int64, func(c *columns) any {
			return &c.comms.Times[LogicalRecv]
		}, nil, nil},
		{"physical_receive", arrow.PrimitiveTypes.Int64, func(c *columns) any {
			return &c.comms.Times[PhysicalRecv]
		}, nil, nil},
		{"size", arrow.PrimitiveTypes.Int64, func(c *columns) any { return &c.comms.Size }, nil, nil},
		{"tag", arrow.PrimitiveTypes.Int64, func(c *columns) any { return &c.comms.Tag }, nil, nil},
		{"send_cpu", arrow.PrimitiveTypes.Int32, func(c *columns) any {
			return &c.comms.SendCPU
		}, func(s *columnSizes) bool { return s.CommCPU }, nil},
		{"receive_cpu", arrow.PrimitiveTypes.Int32, func(c *columns) any {
			return &c.comms.RecvCPU
		}, func(s *columnSizes) bool { return s.CommCPU }, nil},
		{"event_lines_before", arrow.PrimitiveTypes.Uint32, func(c *columns) any {
			return &c.comms.EventLines
		}, func(s *columnSizes) bool { return s.EventLines }, nil},
	}},
	// The order of the communications of each thread, by role. A communication has one
	// sender and one receiver, so each of these has one row per communication.
	{"orders.arrow", func(s *columnSizes) int64 { return s.Comms }, nil, []column{
		{"logical_send", arrow.PrimitiveTypes.Int32, func(c *columns) any { return &c.order[LogicalSend] }, nil, nil},
		{"physical_send", arrow.PrimitiveTypes.Int32, func(c *columns) any { return &c.order[PhysicalSend] }, nil, nil},
		{"logical_receive", arrow.PrimitiveTypes.Int32, func(c *columns) any {
			return &c.order[LogicalRecv]
		}, nil, nil},
		{"physical_receive", arrow.PrimitiveTypes.Int32, func(c *columns) any {
			return &c.order[PhysicalRecv]
		}, nil, nil},
	}},
}

func fill(rows []int32, v int32) {
	for i := range rows {
		rows[i] = v
	}
}

// used returns the columns of a table that a trace of the given sizes has, with
// their types.
func (t *table) used(s *columnSizes) (list []column) {
	for _, c := range t.columns {
		if c.needed != nil && !c.needed(s) {
			continue
		}
		if c.name == threadColumn {
			// Two bytes per record, if they suffice.
			if c.typ = arrow.PrimitiveTypes.Uint16; s.Threads > 1<<16 {
				c.typ = arrow.PrimitiveTypes.Uint32
			}
		}
		list = append(list, c)
	}
	return list
}

// bytesOf returns the bytes of N rows of a column.
func (c *column) bytesOf(rows int64) int64 {
	return (rows*int64(c.typ.(arrow.FixedWidthDataType).BitWidth()) + 7) / 8
}

// bytes returns the memory of columns of these sizes, without orders that may be shared.
func (s *columnSizes) bytes() (n int64) {
	for i := range tables {
		for _, c := range tables[i].used(s) {
			if c.at != nil {
				n += c.bytesOf(tables[i].rows(s))
			}
		}
	}
	return n
}

// heapColumns makes columns in memory. The orders are left to orderComms, which
// may share them.
func heapColumns(s *columnSizes) *columns {
	c := &columns{}
	for i := range tables {
		n := tables[i].rows(s)
		if n == 0 || tables[i].name == "orders.arrow" {
			continue
		}
		for _, col := range tables[i].used(s) {
			if col.at == nil {
				continue
			}
			switch p := col.at(c).(type) {
			case *[]int64:
				*p = make([]int64, n)
			case *[]int32:
				*p = make([]int32, n)
			case *[]uint32:
				*p = make([]uint32, n)
			}
		}
	}
	return c
}

// alias makes a column refer to bytes that are owned elsewhere. They must be aligned to
// 8.
func (c *column) alias(cols *columns, b []byte) {
	if len(b) == 0 {
		return
	}
	first := unsafe.Pointer(&b[0])
	switch p := c.at(cols).(type) {
	case *[]int64:
		*p = unsafe.Slice((*int64)(first), len(b)/8)
	case *[]int32:
		*p = unsafe.Slice((*int32)(first), len(b)/4)
	case *[]uint32:
		*p = unsafe.Slice((*uint32)(first), len(b)/4)
	case *[]byte:
		*p = b
	}
}

// rows is the number of records of a thread, by kind.
type rows struct{ states, events, sends, receives int64 }

// carve gives thread i its stretch of the columns, starting at the rows in at, and
// advances at to the next thread. has says which columns the thread has; the events'
// Lines are left to the caller.
func carve(t *Trace, c *columns, i int, at *rows, n rows, has threadHas) {
	th := &t.Threads[i]
	if a, b := at.states, at.states+n.states; a < b {
		th.States = States{Begin: c.stateBegin[a:b:b], End: c.stateEnd[a:b:b], Value: c.stateValue[a:b:b]}
		if has&hasStateCPU != 0 {
			th.States.CPU = c.stateCPU[a:b:b]
		}
		if has&hasStateOrder != 0 {
			th.States.FileOrder = c.stateOrder[a:b:b]
		}
		at.states = b
	}
	if a, b := at.events, at.events+n.events; a < b {
		th.Events = Events{Time: c.eventTime[a:b:b], Type: c.eventType[a:b:b], Value: c.eventValue[a:b:b]}
		if has&hasEventCPU != 0 {
			th.Events.CPU = c.eventCPU[a:b:b]
		}
		at.events = b
	}
}

// threadHas is the set of special properties of a thread's columns.
type threadHas uint16

const (
	hasStateCPU threadHas = 1 << iota
	hasEventCPU
	hasStateOrder
	// hasOneSendOrder and hasOneReceiveOrder are set where the logical and the
	// physical order are the same.
	hasOneSendOrder
	hasOneReceiveOrder
)
