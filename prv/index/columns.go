package index

import (
	"pview/prv/model"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
)

// The columns of a trace are flat: one per field, over all threads, starting with the first thread. A Thread's slices
// are parts of them. So each field takes one allocation, and the same columns can be in memory or in the mapped files
// of an index (index.go), which other programs can read as tables.

// Columns are the flat columns.
type Columns struct {
	stateBegin, stateEnd  []int64
	stateValue            []uint32
	stateCPU, stateOrder  []int32
	eventTime             []int64
	eventType, eventValue []uint32 // values as in Values.Small
	largeValue            []int64
	eventCPU              []int32
	Comms                 model.Comms
	// lines is the set of events that start a line, over all threads. Only files have it: in memory, each thread's
	// Lines begin with a new word.
	lines []byte
	Order [4][]int32 // by Role: the communications of each thread, thread after thread
}

// Sizes has the numbers of rows, and tells which optional columns exist.
type Sizes struct {
	Threads int   `json:"threads"`
	States  int64 `json:"states"`
	Events  int64 `json:"events"`
	Comms   int64 `json:"communications"`
	Large   int64 `json:"large_values"` // of events

	StateCPU   bool `json:"state_cpu"`
	StateOrder bool `json:"state_file_order"`
	EventCPU   bool `json:"event_cpu"`
	CommCPU    bool `json:"communication_cpu"`
	EventLines bool `json:"event_lines_before"`
}

// table is a group of columns with the same length: a file of the index.
type table struct {
	name    string
	rows    func(s *Sizes) int64
	of      func(th *model.Thread) int // rows of a thread; nil if they are not in thread order
	columns []column
}

// column has a column's name in the index, and its slice.
type column struct {
	name   string
	typ    arrow.DataType
	at     func(c *Columns) any // returns a pointer to the slice
	needed func(s *Sizes) bool  // nil: always
	// gap fills the rows of a thread that lacks the column.
	gap func(th *model.Thread, rows []int32)
}

// lineColumn is the column that a Trace holds in another form.
const lineColumn = "line_start"

// tables lists the columns, in the order of the index's files. docs/index.md describes them.
var tables = []table{
	{"states.arrow", func(s *Sizes) int64 { return s.States }, func(th *model.Thread) int {
		return th.States.Len()
	}, []column{
		{"begin", arrow.PrimitiveTypes.Int64, func(c *Columns) any { return &c.stateBegin }, nil, nil},
		{"end", arrow.PrimitiveTypes.Int64, func(c *Columns) any { return &c.stateEnd }, nil, nil},
		{"value", arrow.PrimitiveTypes.Uint32, func(c *Columns) any { return &c.stateValue }, nil, nil},
		{"cpu", arrow.PrimitiveTypes.Int32, func(c *Columns) any { return &c.stateCPU }, func(s *Sizes) bool {
			return s.StateCPU
		}, func(th *model.Thread, rows []int32) {
			if th.States.CPU == nil {
				Fill(rows, th.CPU)
			}
		}},
		{"file_order", arrow.PrimitiveTypes.Int32, func(c *Columns) any {
			return &c.stateOrder
		}, func(s *Sizes) bool { return s.StateOrder }, func(th *model.Thread, rows []int32) {
			for i := range rows {
				if th.States.FileOrder == nil {
					rows[i] = int32(i)
				}
			}
		}},
	}},
	{"events.arrow", func(s *Sizes) int64 { return s.Events }, func(th *model.Thread) int {
		return th.Events.Len()
	}, []column{
		{"time", arrow.PrimitiveTypes.Int64, func(c *Columns) any { return &c.eventTime }, nil, nil},
		{"type", arrow.PrimitiveTypes.Uint32, func(c *Columns) any { return &c.eventType }, nil, nil},
		{"value", arrow.PrimitiveTypes.Uint32, func(c *Columns) any { return &c.eventValue }, nil, nil},
		{"cpu", arrow.PrimitiveTypes.Int32, func(c *Columns) any { return &c.eventCPU }, func(s *Sizes) bool {
			return s.EventCPU
		}, func(th *model.Thread, rows []int32) {
			if th.Events.CPU == nil {
				Fill(rows, th.CPU)
			}
		}},
		{lineColumn, arrow.FixedWidthTypes.Boolean, func(c *Columns) any { return &c.lines }, nil, nil},
	}},
	{"large_values.arrow", func(s *Sizes) int64 { return s.Large }, nil, []column{
		{"value", arrow.PrimitiveTypes.Int64, func(c *Columns) any { return &c.largeValue }, nil, nil},
	}},
	{"communications.arrow", func(s *Sizes) int64 { return s.Comms }, nil, []column{
		{"send_thread", arrow.PrimitiveTypes.Int32, func(c *Columns) any { return &c.Comms.Send }, nil, nil},
		{"receive_thread", arrow.PrimitiveTypes.Int32, func(c *Columns) any { return &c.Comms.Recv }, nil, nil},
		{"logical_send", arrow.PrimitiveTypes.Int64, func(c *Columns) any {
			return &c.Comms.Times[model.LogicalSend]
		}, nil, nil},
		{"physical_send", arrow.PrimitiveTypes.Int64, func(c *Columns) any {
			return &c.Comms.Times[model.PhysicalSend]
		}, nil, nil},
		{"logical_receive", arrow.PrimitiveTypes.Int64, func(c *Columns) any {
			return &c.Comms.Times[model.LogicalRecv]
		}, nil, nil},
		{"physical_receive", arrow.PrimitiveTypes.Int64, func(c *Columns) any {
			return &c.Comms.Times[model.PhysicalRecv]
		}, nil, nil},
		{"size", arrow.PrimitiveTypes.Int64, func(c *Columns) any { return &c.Comms.Size }, nil, nil},
		{"tag", arrow.PrimitiveTypes.Int64, func(c *Columns) any { return &c.Comms.Tag }, nil, nil},
		{"send_cpu", arrow.PrimitiveTypes.Int32, func(c *Columns) any {
			return &c.Comms.SendCPU
		}, func(s *Sizes) bool { return s.CommCPU }, nil},
		{"receive_cpu", arrow.PrimitiveTypes.Int32, func(c *Columns) any {
			return &c.Comms.RecvCPU
		}, func(s *Sizes) bool { return s.CommCPU }, nil},
		{"event_lines_before", arrow.PrimitiveTypes.Uint32, func(c *Columns) any {
			return &c.Comms.EventLines
		}, func(s *Sizes) bool { return s.EventLines }, nil},
	}},
	// The order of the communications of each thread, by role. A communication has one
	// sender and one receiver, so each of these has one row per communication.
	{"orders.arrow", func(s *Sizes) int64 { return s.Comms }, nil, []column{
		{"logical_send", arrow.PrimitiveTypes.Int32, func(c *Columns) any {
			return &c.Order[model.LogicalSend]
		}, nil, nil},
		{"physical_send", arrow.PrimitiveTypes.Int32, func(c *Columns) any {
			return &c.Order[model.PhysicalSend]
		}, nil, nil},
		{"logical_receive", arrow.PrimitiveTypes.Int32, func(c *Columns) any {
			return &c.Order[model.LogicalRecv]
		}, nil, nil},
		{"physical_receive", arrow.PrimitiveTypes.Int32, func(c *Columns) any {
			return &c.Order[model.PhysicalRecv]
		}, nil, nil},
	}},
}

func Fill(rows []int32, v int32) {
	for i := range rows {
		rows[i] = v
	}
}

// used returns the columns of a table that a trace of the given sizes has, with their types.
func (t *table) used(s *Sizes) (list []column) {
	for _, c := range t.columns {
		if c.needed != nil && !c.needed(s) {
			continue
		}
		list = append(list, c)
	}
	return list
}

// bytesOf returns the bytes of N rows of a column.
func (c *column) bytesOf(rows int64) int64 {
	return (rows*int64(c.typ.(arrow.FixedWidthDataType).BitWidth()) + 7) / 8
}

// Bytes returns the memory of columns of these sizes; orders that may be shared do not count.
func (s *Sizes) Bytes() (n int64) {
	for i := range tables {
		for _, c := range tables[i].used(s) {
			n += c.bytesOf(tables[i].rows(s))
		}
	}
	return n
}

// HeapColumns makes columns in memory. OrderComms makes the orders, which may share memory.
func HeapColumns(s *Sizes) *Columns {
	c := &Columns{}
	for i := range tables {
		n := tables[i].rows(s)
		if n == 0 || tables[i].name == "orders.arrow" {
			continue
		}
		for _, col := range tables[i].used(s) {
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

// alias makes a column refer to bytes that are owned elsewhere. They must be aligned to 8.
func (c *column) alias(cols *Columns, b []byte) {
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

// Rows is the number of records of a thread, by kind.
type Rows struct{ States, Events, Large, sends, receives int64 }

// Carve gives thread i its part of the columns, starting at the rows in at, and advances at to the next thread. has
// tells which columns the thread has; the caller sets the events' Lines.
func Carve(t *model.Trace, c *Columns, i int, at *Rows, n Rows, has ThreadHas) {
	th := &t.Threads[i]
	if a, b := at.States, at.States+n.States; a < b {
		th.States = model.States{Begin: c.stateBegin[a:b:b], End: c.stateEnd[a:b:b], Value: c.stateValue[a:b:b]}
		if has&HasStateCPU != 0 {
			th.States.CPU = c.stateCPU[a:b:b]
		}
		if has&HasStateOrder != 0 {
			th.States.FileOrder = c.stateOrder[a:b:b]
		}
		at.States = b
	}
	if a, b := at.Events, at.Events+n.Events; a < b {
		th.Events = model.Events{Time: c.eventTime[a:b:b], Type: c.eventType[a:b:b],
			Value: model.Values{Small: c.eventValue[a:b:b]}}
		if has&HasEventCPU != 0 {
			th.Events.CPU = c.eventCPU[a:b:b]
		}
		at.Events = b
	}
	if a, b := at.Large, at.Large+n.Large; a < b {
		th.Events.Value.Large = c.largeValue[a:b:b]
		at.Large = b
	}
}

// ThreadHas is the set of special properties of a thread's columns.
type ThreadHas uint16

const (
	HasStateCPU ThreadHas = 1 << iota
	HasEventCPU
	HasStateOrder
	// hasOneSendOrder and hasOneReceiveOrder are set if the logical and the physical order are the same.
	hasOneSendOrder
	hasOneReceiveOrder
)
