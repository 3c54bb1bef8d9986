package sim

import (
	"math"
	"slices"
	"testing"
)

// A value on the edge of the possible passes; the next one is reported.
func TestMachineCheck(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		change func(m *Machine)
		ok     bool
	}{
		"none":                  {func(m *Machine) {}, true},
		"no nodes":              {func(m *Machine) { m.Nodes = nil }, false},
		"no cluster":            {func(m *Machine) { m.Clusters = nil }, false},
		"no mapping":            {func(m *Machine) { m.Mapping = nil }, false},
		"the last cluster":      {func(m *Machine) { m.Nodes[1].Cluster = 0 }, true},
		"beyond the clusters":   {func(m *Machine) { m.Nodes[1].Cluster = 1 }, false},
		"before the clusters":   {func(m *Machine) { m.Nodes[1].Cluster = -1 }, false},
		"no CPU":                {func(m *Machine) { m.Nodes[1].CPUs = 0 }, false},
		"all CPUs":              {func(m *Machine) { m.Nodes[1].CPUs = maxCPUs - 1 }, true},
		"too many CPUs":         {func(m *Machine) { m.Nodes[1].CPUs = maxCPUs }, false},
		"too many of both":      {func(m *Machine) { m.Nodes[1].CPUs, m.Nodes[1].Links.In = maxCPUs-1, 1 }, false},
		"infinitely fast":       {func(m *Machine) { m.Nodes[1].Speed = 0 }, true},
		"no speed":              {func(m *Machine) { m.Nodes[1].Speed = inf }, false},
		"negative latency":      {func(m *Machine) { m.Nodes[1].Latency = -1 }, false},
		"local latency":         {func(m *Machine) { m.Nodes[1].Local.Latency = -1 }, false},
		"WAN latency":           {func(m *Machine) { m.Nodes[1].WANLatency = -1 }, false},
		"local bandwidth":       {func(m *Machine) { m.Nodes[1].Local.Bandwidth = -1 }, false},
		"most links":            {func(m *Machine) { m.Nodes[1].Links.In = maxLinks }, true},
		"too many inputs":       {func(m *Machine) { m.Nodes[1].Links.In = maxLinks + 1 }, false},
		"too many outputs":      {func(m *Machine) { m.Nodes[1].Links.Out = maxLinks + 1 }, false},
		"too many local inputs": {func(m *Machine) { m.Nodes[1].Local.Links.In = maxLinks + 1 }, false},
		"too many local":        {func(m *Machine) { m.Nodes[1].Local.Links.Out = maxLinks + 1 }, false},
		"negative inputs":       {func(m *Machine) { m.Nodes[1].Links.In = -1 }, false},
		"negative outputs":      {func(m *Machine) { m.Nodes[1].Links.Out = -1 }, false},
		"negative local inputs": {func(m *Machine) { m.Nodes[1].Local.Links.In = -1 }, false},
		"negative local":        {func(m *Machine) { m.Nodes[1].Local.Links.Out = -1 }, false},
		"negative local buses":  {func(m *Machine) { m.Nodes[1].Local.Buses = -1 }, false},
		"negative buses":        {func(m *Machine) { m.Clusters[0].Buses = -1 }, false},
		"bandwidth":             {func(m *Machine) { m.Clusters[0].Bandwidth = math.NaN() }, false},
		"last model":            {func(m *Machine) { m.Clusters[0].Model = ModelLogarithmic }, true},
		"no model":              {func(m *Machine) { m.Clusters[0].Model = ModelLogarithmic + 1 }, false},
		"no WAN model":          {func(m *Machine) { m.WAN.Model = ModelLogarithmic + 1 }, false},
		"flight times":          {func(m *Machine) { m.Clusters[0].Flight = []float64{1} }, true},
		"two flight times":      {func(m *Machine) { m.Clusters[0].Flight = []float64{1, 2} }, false},
		"WAN bandwidth":         {func(m *Machine) { m.WAN.Bandwidth = -1 }, false},
		"a line":                {func(m *Machine) { m.Connections = []Connection{{}} }, true},
		"its bandwidth":         {func(m *Machine) { m.Connections = []Connection{{Bandwidth: -1}} }, false},
		"its latency":           {func(m *Machine) { m.Connections = []Connection{{Latency: -1}} }, false},
		"its flight":            {func(m *Machine) { m.Connections = []Connection{{Flight: -1}} }, false},
		"no network":            {func(m *Machine) { m.Network = "none" }, false},
		"no switching":          {func(m *Machine) { m.Direct.Switching = uint8(len(Switchings)) }, false},
		"a link's speed":        {func(m *Machine) { m.Direct.PerByte = -1 }, false},
		"last send mode":        {func(m *Machine) { m.StandardSend = ModeReady }, true},
		"no send mode":          {func(m *Machine) { m.StandardSend = ModeReady + 1 }, false},
		"own network":           {func(m *Machine) { m.Routines = []Routine{{Op: OpReduce}} }, true},
		"of no operation": {func(m *Machine) { m.Routines = []Routine{{Op: CollectiveOp(len(Collectives))}} },
			false},
		"own speed":   {func(m *Machine) { m.Routines = []Routine{{Interconnect: Interconnect{PerByte: -1}}} }, false},
		"random":      {varied("latency", 1, 2), true},
		"not random":  {varied("nodes", 1, 2), false},
		"bad random":  {varied("latency", 2, 1), false},
		"reported":    {func(m *Machine) { m.Fault = errTest }, false},
		"bad policy":  {func(m *Machine) { m.Scheduler.Policy = "none" }, false},
		"bad quantum": {func(m *Machine) { m.Scheduler.Quantum = 0.5 }, false},
	} {
		m := Ideal(2)
		c.change(m)
		if err := m.Check(); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type testError string

func (e testError) Error() string { return string(e) }

const errTest = testError("it cannot be made")

func varied(parameter string, least, most float64) func(*Machine) {
	return func(m *Machine) {
		m.Vary(Variation{Parameter: parameter, Distribution: Distribution{"uniform", [3]float64{least, most}}})
	}
}

// Five tasks on three nodes of 2, 1 and 2 CPUs.
func TestPlace(t *testing.T) {
	nodes := []Node{{CPUs: 2}, {CPUs: 1}, {CPUs: 2}}
	for _, c := range []struct {
		m    Mapping
		n    int
		want []int32 // nil: an error
	}{
		{Mapping{Kind: TasksPerNode, Tasks: 2}, 5, []int32{0, 0, 1, 1, 2}},
		{Mapping{Kind: TasksPerNode, Tasks: 2}, 6, []int32{0, 0, 1, 1, 2, 2}},
		{Mapping{Kind: TasksPerNode, Tasks: 2}, 7, nil},
		{Mapping{Kind: TasksPerNode}, 1, nil},
		{Mapping{Kind: FillNodes}, 7, []int32{0, 0, 1, 2, 2, 2, 2}}, // the last node takes the rest
		{Mapping{Kind: Interleaved}, 5, []int32{0, 1, 2, 0, 1}},
		{Mapping{Kind: Explicit, Nodes: []int{2, 0, 1}}, 2, []int32{2, 0}},
		{Mapping{Kind: Explicit, Nodes: []int{2, 0}}, 3, nil},
		{Mapping{Kind: Explicit, Nodes: []int{3}}, 1, nil},
		{Mapping{Kind: Explicit, Nodes: []int{-1}}, 1, nil},
	} {
		got, err := c.m.place(c.n, nodes)
		if !slices.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%+v, %d tasks: %v, %v, want %v", c.m, c.n, got, err, c.want)
		}
	}
}

func TestParseMappings(t *testing.T) {
	for text, want := range map[string][][]int{
		"[1,1,2,2][1..4]":    {{0, 0, 1, 1}, {0, 1, 2, 3}},
		" [ 1 , 3 .. 3 ] ":   {{0, 2}},
		"[65536]":            {{65535}},
		"[65537]":            nil,
		"[1..65536]":         {make([]int, 65536)},
		"[1,1..65536]":       nil,
		"[0]":                nil,
		"[2..1]":             nil,
		"[x]":                nil,
		"[1..x]":             nil,
		"1,2":                nil,
		"[1,2":               nil,
		"[1] 2":              nil,
		"":                   nil,
		"[1,2]\t[3]":         {{0, 1}, {2}},
		"[1..2,1..2][ 4..4]": {{0, 1, 0, 1}, {3}},
	} {
		list, err := ParseMappings(text)
		if (err == nil) != (want != nil) || len(list) != len(want) {
			t.Errorf("%q: %d mappings, %v", text, len(list), err)
			continue
		}
		for i := range list {
			if text != "[1..65536]" && !slices.Equal(list[i].Nodes, want[i]) || list[i].Kind != Explicit ||
				len(list[i].Nodes) != len(want[i]) {
				t.Errorf("%q: %v, want %v", text, list[i].Nodes, want[i])
			}
		}
	}
}

// The machine of a program has the nodes of its largest application, with CPUs for the threads of each: tasks of
// 1, 3 and 2 threads, and of another application 4 and 1, make nodes of 5, 4 and 2 threads.
func TestIdealFor(t *testing.T) {
	p := &Program{}
	for _, threads := range [][]int32{{1, 3, 2}, {4, 1}} {
		p.AddPtask()
		for _, n := range threads {
			p.AddTask(int(n))
		}
	}
	m := IdealFor(p)
	if len(m.Nodes) != 3 || m.Nodes[0].CPUs != 5 || m.Nodes[2].CPUs != 5 || m.Check() != nil {
		t.Errorf("%d nodes of %d and %d CPUs, %v", len(m.Nodes), m.Nodes[0].CPUs, m.Nodes[2].CPUs, m.Check())
	}
}

// A message takes a line between its two clusters, in either direction, for its tag and its size.
func TestConnectionTakes(t *testing.T) {
	less, more := SizeCondition{'<', 100}, SizeCondition{'>', 10}
	equal := SizeCondition{'=', 50}
	for _, c := range []struct {
		first, second SizeCondition
		and           bool
		sizes         []int64 // taken of 10, 11, 50, 99, 100
	}{
		{less, more, true, []int64{11, 50, 99}},
		{less, equal, true, []int64{50}},
		{equal, more, false, []int64{11, 50, 99, 100}},
		{less, equal, false, []int64{10, 11, 50, 99}},
	} {
		line := Connection{From: 1, To: 2, Tags: []int64{7, 8}, First: c.first, Second: c.second, And: c.and}
		var taken []int64
		for _, size := range []int64{10, 11, 50, 99, 100} {
			if line.Takes(1, 2, &Message{Size: size, Tag: 8}) {
				taken = append(taken, size)
			}
		}
		if !slices.Equal(taken, c.sizes) {
			t.Errorf("%c%d, %c%d: sizes %v, want %v", c.first.Relation, c.first.Size, c.second.Relation, c.second.Size,
				taken, c.sizes)
		}
		m := &Message{Size: 50, Tag: 7}
		if !line.Takes(2, 1, m) || line.Takes(1, 1, m) || line.Takes(2, 2, m) || line.Takes(0, 2, m) ||
			line.Takes(1, 2, &Message{Size: 50, Tag: 9}) {
			t.Error("a line serves others than its two clusters, or other tags")
		}
	}
}
