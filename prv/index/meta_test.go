package index

import (
	"math"
	"strings"
	"testing"

	"pview/prv/model"
)

// twoTasks returns the index of a node with 2 CPUs and two tasks of 2 and 1 threads; thread 1 has 4 states, and
// sends 2 messages to thread 3.
func twoTasks() *Meta {
	return &Meta{Header: header{NodeCPUs: []int32{2}, PtaskTasks: []int32{2}, TaskThreads: []int32{2, 1},
		TaskNodes: []int32{0, -1}},
		Sizes: Sizes{Threads: 3, States: 4, Events: 6, Comms: 2, Large: 3},
		Threads: threadMeta{CPU: []int32{0, 1, 2}, States: []int64{4, 0, 0}, Events: []int64{1, 2, 3},
			Large: []int64{0, 2, 1}, Sends: []int64{2, 0, 0}, Receives: []int64{0, 0, 2}, Has: make([]ThreadHas, 3)}}
}

// The metadata of an index must be consistent; each of these changes breaks that.
func TestMetaIsChecked(t *testing.T) {
	read := func(change func(m *Meta)) (*model.Trace, error) {
		m, tr := twoTasks(), &model.Trace{}
		change(m)
		if err := m.header(tr); err != nil {
			return nil, err
		}
		return tr, m.checkThreads(tr)
	}
	tr, err := read(func(*Meta) {})
	if err != nil || len(tr.Threads) != 3 || len(tr.Tasks) != 2 || len(tr.Nodes) != 1 {
		t.Fatalf("%+v, %v", tr, err)
	}
	for _, change := range []func(m *Meta){
		func(m *Meta) { m.Header.NodeCPUs, m.Header.TaskNodes = nil, []int32{7, -1} }, // nodes are unknown
		func(m *Meta) { m.Header.NodeCPUs[0] = 0 },
		func(m *Meta) { m.Sizes.StateCPU, m.Threads.Has[1] = true, HasStateCPU },
		func(m *Meta) { m.Sizes.EventCPU, m.Threads.Has[1] = true, HasEventCPU },
		func(m *Meta) { m.Sizes.StateOrder, m.Threads.Has[1] = true, HasStateOrder },
		func(m *Meta) { m.Sizes.StateCPU = true },
	} {
		if _, err := read(change); err != nil {
			t.Errorf("refused: %v", err)
		}
	}
	for what, change := range map[string]func(m *Meta){
		"invalid nodes":              func(m *Meta) { m.Header.NodeCPUs[0] = -1 },
		"nodes":                      func(m *Meta) { m.Header.NodeCPUs = []int32{math.MaxInt32, math.MaxInt32} },
		"invalid tasks":              func(m *Meta) { m.Header.TaskNodes = m.Header.TaskNodes[:1] },
		"tasks":                      func(m *Meta) { m.Header.TaskNodes[0] = 1 },
		"valid tasks":                func(m *Meta) { m.Header.TaskNodes[0] = -2 },
		"lid tasks":                  func(m *Meta) { m.Header.TaskThreads[0] = -1 },
		"invalid task":               func(m *Meta) { m.Header.TaskThreads[0] = 3 },
		"invalid ptasks":             func(m *Meta) { m.Header.PtaskTasks[0] = -1 },
		"invalid ptask":              func(m *Meta) { m.Header.PtaskTasks[0] = 3 },
		"ptasks":                     func(m *Meta) { m.Header.PtaskTasks = []int32{2, 1} },
		"numbers of threads":         func(m *Meta) { m.Sizes.Threads = 2 },
		"threads do not agree":       func(m *Meta) { m.Threads.Has = m.Threads.Has[:2] },
		"invalid numbers of states":  func(m *Meta) { m.Threads.States = []int64{5, -1, 0} },
		"invalid numbers of events":  func(m *Meta) { m.Threads.Events[0] = math.MaxInt64 },
		"states do not agree":        func(m *Meta) { m.Threads.States[0] = 3 },
		"events do not agree":        func(m *Meta) { m.Threads.Events = []int64{6, 0} },
		"large values do not agree":  func(m *Meta) { m.Threads.Large[1] = 1 },
		"numbers of large values":    func(m *Meta) { m.Threads.Large = m.Threads.Large[:2] },
		"sends do not agree":         func(m *Meta) { m.Threads.Sends[0] = 1 },
		"receives do not agree":      func(m *Meta) { m.Threads.Receives[0] = 1 },
		"columns or CPU of thread 1": func(m *Meta) { m.Threads.Has[1] = HasStateCPU },
		"or CPU of thread 1":         func(m *Meta) { m.Threads.Has[1] = HasEventCPU },
		"CPU of thread 1":            func(m *Meta) { m.Threads.Has[1] = HasStateOrder },
		"CPU of thread 2":            func(m *Meta) { m.Threads.CPU[2] = -1 },
		"invalid number of communications": func(m *Meta) {
			m.Sizes.Comms = 1 << 31
			m.Threads.Sends[0], m.Threads.Receives[2] = 1<<31, 1<<31
		},
	} {
		if _, err := read(change); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Bits are copied from any position, also in the last bytes; bits past the end are 0.
func TestCopyBits(t *testing.T) {
	src := []byte{0xf0, 0xff, 0x01, 0x80, 0x55, 0xaa, 0x0f, 0xf0, 0x3c, 0xc3, 0x99, 0x66}
	bit := func(at int64) bool { return at < 96 && src[at/8]>>(at%8)&1 == 1 }
	for at := range int64(40) {
		for _, n := range []int64{1, 7, 8, 63, 64, 65, 96} {
			if at+n > 96 {
				continue
			}
			dst := make(model.Bits, (n+63)/64)
			copyBits(dst, src, at, n)
			for i := range int64(len(dst)) * 64 {
				if got, want := dst[i/64]>>(i%64)&1 == 1, i < n && bit(at+i); got != want {
					t.Fatalf("bit %d of %d from %d on is %v", i, n, at, got)
				}
			}
		}
	}
}
