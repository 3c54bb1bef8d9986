package dimemas

// Configurations of machines (.cfg), and the scheduler and communications files that
// they name.
//
// A configuration is a list of records: "name" {field, field, ...};; They describe
// the machine from the outside in: the wide area network, each machine (a cluster)
// of it, its nodes, then the mapping of tasks, then the rest.

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
	"pview/sim"
)

const configMagic = "#DIMEMAS_CONFIGURATION"

// OpenMachine reads the machine of a configuration; see OpenConfig.
func OpenMachine(path string) (*sim.Machine, error) {
	c, err := OpenConfig(path)
	if err != nil {
		return nil, err
	}
	return c.Machine, nil
}

// OpenConfig reads a configuration and the files that it names, except the traces. It looks for them in the
// configuration's folder, then in the current one; names of traces are kept as written.
func OpenConfig(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, openError(path, err)
	}
	c, err := ParseConfig(path, text)
	if err != nil {
		return nil, err
	}
	m := c.Machine
	find := func(name string) string {
		if beside := filepath.Join(filepath.Dir(path), name); !filepath.IsAbs(name) {
			if _, err := os.Stat(beside); err == nil {
				return beside
			}
		}
		return name
	}
	if c.Random != "" {
		if err := OpenRandom(m, find(c.Random)); err != nil {
			return nil, err
		}
	}
	if c.Scheduler != "" {
		if m.Scheduler, err = OpenScheduler(find(c.Scheduler)); err != nil {
			return nil, err
		}
	}
	if c.Communications != "" {
		if err := OpenCommunications(m, find(c.Communications)); err != nil {
			return nil, err
		}
	}
	if err := applyNotes(m, c.notes); err != nil {
		return nil, err
	}
	for i, name := range c.Traces {
		if name != "" {
			c.Traces[i] = find(name)
		}
	}
	return c, nil
}

// Config is the content of a configuration file: the machine, and the names of other
// files.
type Config struct {
	Machine                                       *sim.Machine
	Traces                                        []string // by application, as the mapping names them
	Scheduler, FileSystem, Communications, Random string

	notes []note // see SaveMachine
}

// ParseConfig reads a configuration; errors refer to it by name.
func ParseConfig(name string, text []byte) (*Config, error) {
	p := &configParser{name: name, c: &Config{Machine: &sim.Machine{EagerLimit: -1, Scheduler: sim.DefaultScheduler()}}}
	if err := p.parse(text); err != nil {
		return nil, err
	}
	return p.c, nil
}

type configParser struct {
	name string
	line int64
	c    *Config

	declaredClusters, declaredConnections int
	declaredNodes, nodes                  []int // by cluster
	haveWAN                               bool
}

func (p *configParser) fail(format string, args ...any) error {
	return &prv.FileError{File: p.name, Line: p.line, Why: fmt.Sprintf(format, args...)}
}

func (p *configParser) parse(text []byte) error {
	comment := false
	first := true
	for raw := range bytes.Lines(text) {
		p.line++
		line := strings.TrimSpace(string(raw))
		if first {
			if !strings.Contains(line, configMagic) {
				if strings.HasPrefix(line, "SDDF") || strings.HasPrefix(line, "/*") {
					return p.fail(
						"not a Dimemas configuration of today: the first line lacks %s (the old SDDF form is not read)",
						configMagic)
				}
				return p.fail("not a Dimemas configuration: the first line lacks %s", configMagic)
			}
			first = false
			continue
		}
		switch {
		case comment:
			comment = !strings.Contains(line, "*/")
		case strings.Contains(line, "/*"):
			comment = !strings.Contains(line[strings.Index(line, "/*"):], "*/")
		case strings.HasPrefix(line, noteMark):
			p.c.notes = append(p.c.notes, note{p.name, p.line, line[len(noteMark):]})
		case line == "" || strings.Contains(line, "//"):
		default:
			if err := p.record(line); err != nil {
				return err
			}
		}
	}
	if first {
		return p.fail("not a Dimemas configuration: it is empty")
	}
	return p.complete()
}

// complete checks that everything declared is present.
func (p *configParser) complete() error {
	m := p.c.Machine
	switch {
	case !p.haveWAN:
		return p.fail(`there is no record "wide area network information"`)
	case len(p.declaredNodes) != p.declaredClusters:
		return p.fail("%d machines are declared, %d described", p.declaredClusters, len(p.declaredNodes))
	case len(m.Connections) != p.declaredConnections:
		return p.fail("%d dedicated connections are declared, %d described", p.declaredConnections, len(m.Connections))
	}
	for i, n := range p.declaredNodes {
		if p.nodes[i] != n {
			return p.fail("machine %d: %d nodes are declared, %d described", i, n, p.nodes[i])
		}
	}
	if err := m.Check(); err != nil {
		return &prv.FileError{File: p.name, Why: err.Error(), Err: err}
	}
	return nil
}

// recordKinds are the records of a configuration. Fields is the number of fields; if several are allowed, the reader
// distinguishes them.
var recordKinds = map[string]struct {
	fields []int
	read   func(*configParser, *args) error
}{
	"wide area network information":    {[]int{7}, (*configParser).wan},
	"environment information":          {[]int{7}, (*configParser).environment},
	"node information":                 {[]int{11, 13, 14}, (*configParser).node},
	"multi node information":           {[]int{14}, (*configParser).multiNode},
	"mapping information":              {[]int{3}, (*configParser).mapping},
	"predefined mapping information":   {[]int{1, 2}, (*configParser).predefined},
	"configuration files":              {[]int{4}, (*configParser).files},
	"modules information":              {[]int{3}, (*configParser).module},
	"file system parameters":           {[]int{5}, (*configParser).fileSystem},
	"dedicated connection information": {[]int{13}, (*configParser).connection},
	"accelerator node information": {[]int{7}, func(p *configParser, _ *args) error {
		return p.fail("accelerators are not simulated yet")
	}},
}

// record takes "name" {field, ...};;
func (p *configParser) record(line string) error {
	if line[0] != '"' {
		return p.fail("a record begins with its name in quotes, not with %q", line[:1])
	}
	name, rest, ok := strings.Cut(line[1:], `"`)
	if !ok {
		return p.fail("the name of the record does not end")
	}
	kind, known := recordKinds[name]
	if !known {
		return p.fail("there is no record %q", name)
	}
	rest = strings.TrimSpace(rest)
	end := strings.LastIndex(rest, "}")
	if !strings.HasPrefix(rest, "{") || end < 0 {
		return p.fail("%s: the fields are not in braces", name)
	}
	if tail := strings.TrimSpace(rest[end+1:]); strings.Trim(tail, "; ") != "" {
		return p.fail("%s: %q after the record", name, tail)
	}
	a := &args{p: p, name: name, fields: splitFields(rest[1:end])}
	match := false
	for _, n := range kind.fields {
		match = match || n == len(a.fields)
	}
	if !match {
		return p.fail("%s: %d fields, not %s", name, len(a.fields), orList(kind.fields))
	}
	if err := kind.read(p, a); err != nil {
		return err
	}
	return a.err
}

func orList(n []int) string {
	var s []string
	for _, v := range n {
		s = append(s, strconv.Itoa(v))
	}
	return strings.Join(s, " or ")
}

// splitFields splits at the commas outside of quotes and braces.
func splitFields(s string) (fields []string) {
	depth, quoted, start := 0, false, 0
	for i, c := range s {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			fields = append(fields, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	return append(fields, strings.TrimSpace(s[start:]))
}

// args are the fields of a record. The first error is kept.
type args struct {
	p      *configParser
	name   string
	fields []string
	next   int
	err    error
}

func (a *args) bad(what string) {
	if a.err == nil {
		a.err = a.p.fail("%s: field %d is not %s: %s", a.name, a.next, what, a.fields[a.next-1])
	}
}

// text reads a string, in quotes or not.
func (a *args) text() string {
	a.next++
	return strings.Trim(a.fields[a.next-1], `"`)
}

func (a *args) int(least, most int) int {
	a.next++
	v, err := strconv.Atoi(a.fields[a.next-1])
	if err != nil || v < least || v > most {
		a.bad(fmt.Sprintf("a whole number from %d to %d", least, most))
		return least
	}
	return v
}

func (a *args) float() float64 {
	a.next++
	v, err := strconv.ParseFloat(a.fields[a.next-1], 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		a.bad("a number")
		return 0
	}
	return v
}

// positive reads a number >= 0.
func (a *args) positive() float64 {
	v := a.float()
	if v < 0 {
		a.bad("a number >= 0")
		return 0
	}
	return v
}

// seconds reads a time and returns nanoseconds.
func (a *args) seconds() float64 { return a.positive() * 1e9 }

// ints reads [n] {a, b, ...}.
func (a *args) ints() []int64 {
	a.next++
	s := a.fields[a.next-1]
	open := strings.IndexByte(s, '{')
	if open < 0 || !strings.HasSuffix(s, "}") {
		a.bad("a list, [n] {a, b, ...}")
		return nil
	}
	var list []int64
	for _, f := range strings.Split(s[open+1:len(s)-1], ",") {
		if f = strings.TrimSpace(f); f == "" {
			continue
		}
		v, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			a.bad("a list of whole numbers")
			return nil
		}
		list = append(list, v)
	}
	count := strings.TrimSpace(s[:open])
	if n, err := strconv.Atoi(strings.Trim(count, "[] ")); count != "" && (err != nil || n != len(list)) {
		a.bad(fmt.Sprintf("a list of as many as it says (%d)", len(list)))
	}
	return list
}

// maxDeclared bounds the counts that a configuration declares.
const maxDeclared = 1 << 20

func (p *configParser) wan(a *args) error {
	m := p.c.Machine
	m.WAN = sim.WAN{Name: a.text(), Links: sim.Links{In: 1, Out: 1}, Collectives: sim.DefaultCosts()}
	p.declaredClusters = a.int(1, maxDeclared)
	p.declaredConnections = a.int(0, maxDeclared)
	m.WAN.Traffic = a.int(1, 4)
	m.WAN.MaxTraffic = a.float()
	m.WAN.Bandwidth = a.positive()
	m.WAN.Model = sim.CollectiveModel(a.int(1, 3))
	p.haveWAN = true
	return nil
}

func (p *configParser) environment(a *args) error {
	if !p.haveWAN {
		return p.fail("a machine before the wide area network")
	}
	c := sim.Cluster{Name: a.text(), Collectives: sim.DefaultCosts()}
	if id := a.int(0, maxDeclared); id != len(p.declaredNodes) && a.err == nil {
		return p.fail("machine %d comes where number %d is expected", id, len(p.declaredNodes))
	}
	a.text() // architecture of the traced machine
	p.declaredNodes = append(p.declaredNodes, a.int(1, maxDeclared))
	p.nodes = append(p.nodes, 0)
	c.Bandwidth = a.positive()
	c.Buses = a.int(0, maxDeclared)
	c.Model = sim.CollectiveModel(a.int(1, 3))
	p.c.Machine.Clusters = append(p.c.Machine.Clusters, c)
	return nil
}

// addNodes adds identical nodes to a machine.
func (p *configParser) addNodes(cluster, count int, n sim.Node) error {
	if cluster >= len(p.declaredNodes) {
		return p.fail("nodes of machine %d, which is not described yet", cluster)
	}
	if p.nodes[cluster]+count > p.declaredNodes[cluster] {
		return p.fail("machine %d: more nodes than the %d declared", cluster, p.declaredNodes[cluster])
	}
	m := p.c.Machine
	if len(m.Nodes) > 0 && m.Nodes[len(m.Nodes)-1].Cluster > cluster {
		return p.fail("nodes of machine %d after those of machine %d", cluster, m.Nodes[len(m.Nodes)-1].Cluster)
	}
	p.nodes[cluster] += count
	n.Cluster = cluster
	for range count {
		m.Nodes = append(m.Nodes, n)
	}
	return nil
}

// node reads a node. Its latency to other machines is in nanoseconds although all other times are
// in seconds, and in the short form of old versions all latencies are: Dimemas 5.5.0 reads them so.
func (p *configParser) node(a *args) error {
	cluster := a.int(0, maxDeclared)
	var n sim.Node
	switch len(a.fields) {
	case 11:
		a.int(0, maxDeclared) // node id
		n.Architecture = a.text()
		n.CPUs = a.int(1, maxDeclared)
		n.Speed = a.positive()
		n.Local.Latency, n.Local.Bandwidth = a.positive(), a.positive()
		n.Local.Buses, n.Local.Links = n.CPUs, sim.Links{In: 1, Out: 0}
		n.Latency = a.positive()
		n.Links.In, n.Links.Out = a.int(0, maxDeclared), a.int(0, maxDeclared)
		n.WANLatency = a.positive()
		return p.addNodes(cluster, 1, n)
	case 14:
		a.int(0, maxDeclared) // node id
	}
	a.nodeFields(&n)
	n.WANLatency = a.positive()
	return p.addNodes(cluster, 1, n)
}

func (p *configParser) multiNode(a *args) error {
	cluster, count := a.int(0, maxDeclared), a.int(1, maxDeclared)
	var n sim.Node
	a.nodeFields(&n)
	n.WANLatency = a.seconds()
	return p.addNodes(cluster, count, n)
}

// nodeFields reads the fields shared by the records of one node and of several.
func (a *args) nodeFields(n *sim.Node) {
	n.Architecture = a.text()
	n.CPUs = a.int(1, maxDeclared)
	n.Speed = a.positive()
	n.Local.Latency = a.seconds()
	n.Local.Bandwidth = a.positive()
	n.Local.Buses = a.int(0, maxDeclared)
	n.Local.Links = sim.Links{In: a.int(0, maxDeclared), Out: a.int(0, maxDeclared)}
	n.Latency = a.seconds()
	n.Links = sim.Links{In: a.int(0, maxDeclared), Out: a.int(0, maxDeclared)}
}

func (p *configParser) mapping(a *args) error {
	p.c.Traces = append(p.c.Traces, a.text())
	tasks := a.int(1, maxDeclared)
	m := sim.Mapping{Kind: sim.Explicit}
	for _, n := range a.ints() {
		if n < 0 || n >= int64(len(p.c.Machine.Nodes)) {
			return p.fail("mapping: there is no node %d", n)
		}
		m.Nodes = append(m.Nodes, int(n))
	}
	if a.err == nil && len(m.Nodes) != tasks {
		return p.fail("mapping: %s, but nodes of %d", quantity.CountOf(int64(tasks), "task"), len(m.Nodes))
	}
	p.c.Machine.Mapping = append(p.c.Machine.Mapping, m)
	return nil
}

func (p *configParser) predefined(a *args) error {
	trace := ""
	if len(a.fields) == 2 {
		trace = a.text()
	}
	m, err := parseMapping(a.text())
	if err != nil {
		return p.fail("mapping: %v", err)
	}
	p.c.Traces = append(p.c.Traces, trace)
	p.c.Machine.Mapping = append(p.c.Machine.Mapping, m)
	return nil
}

// parseMapping reads FILL_NODES, INTERLEAVED or "n TASKS_PER_NODE".
func parseMapping(s string) (sim.Mapping, error) {
	words := strings.Fields(s)
	if len(words) == 2 && words[1] == "TASKS_PER_NODE" {
		if n, err := strconv.Atoi(words[0]); err == nil && n > 0 {
			return sim.Mapping{Kind: sim.TasksPerNode, Tasks: n}, nil
		}
	}
	switch s {
	case "FILL_NODES":
		return sim.Mapping{Kind: sim.FillNodes}, nil
	case "INTERLEAVED":
		return sim.Mapping{Kind: sim.Interleaved}, nil
	}
	return sim.Mapping{}, fmt.Errorf("%q is not FILL_NODES, INTERLEAVED or \"n TASKS_PER_NODE\"", s)
}

func (p *configParser) files(a *args) error {
	p.c.Scheduler, p.c.FileSystem, p.c.Communications, p.c.Random = a.text(), a.text(), a.text(), a.text()
	return nil
}

func (p *configParser) module(a *args) error {
	m := sim.Module{Type: uint32(a.int(1, math.MaxUint32)), Value: int64(a.int(1, math.MaxInt)), Ratio: a.float()}
	if m.Ratio < 0 {
		m.Ratio *= 1e9
	}
	// The last of several records of one block counts.
	p.c.Machine.Modules = slices.DeleteFunc(p.c.Machine.Modules, func(a sim.Module) bool {
		return a.Type == m.Type && a.Value == m.Value
	})
	p.c.Machine.Modules = append(p.c.Machine.Modules, m)
	return nil
}

// fileSystem checks the record, which has no effect: no record of a trace reads or writes files.
func (p *configParser) fileSystem(a *args) error {
	a.positive()
	a.positive()
	a.positive()
	a.int(0, maxDeclared)
	if ratio := a.positive(); ratio > 1 && a.err == nil {
		return p.fail("file system parameters: a hit ratio of %g", ratio)
	}
	return nil
}

// connection reads latency and flight time as nanoseconds, as Dimemas 5.5.0 does.
func (p *configParser) connection(a *args) error {
	c := sim.Connection{ID: a.int(0, maxDeclared), From: a.int(0, maxDeclared), To: a.int(0, maxDeclared),
		Bandwidth: a.positive(), Tags: a.ints()}
	c.First.Size = int64(a.int(0, math.MaxInt))
	c.First.Relation = a.oneOf("<=>")
	c.And = a.oneOf("&|") == '&'
	c.Second.Size = int64(a.int(0, math.MaxInt))
	c.Second.Relation = a.oneOf("<=>")
	c.Communicators = a.ints()
	c.Latency, c.Flight = a.positive(), a.positive()
	if n := p.declaredClusters; a.err == nil && (c.From >= n || c.To >= n) {
		return p.fail("dedicated connection %d: there are only %d machines", c.ID, n)
	}
	p.c.Machine.Connections = append(p.c.Machine.Connections, c)
	return nil
}

// oneOf reads one of several characters, in quotes or not.
func (a *args) oneOf(chars string) byte {
	s := a.text()
	if len(s) != 1 || !strings.Contains(chars, s) {
		a.bad("one of " + chars)
		return chars[0]
	}
	return s[0]
}
