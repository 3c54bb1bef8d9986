package puppet

// Model files: a machine with a direct network, one option per line. The last line of an option wins, so a file may
// define everything and then override some of it; "for MPI_X MPI_Y" restricts an option of a network to the messages of
// these collective operations.

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/sim"
	"pview/sim/topology"
)

// Model is a machine described by a model file. The processor of each process depends on the number of processes: see
// Machine.
type Model struct {
	File string
	// Networks has the network of messages, and at 1 + operation the networks of operations with their own; nil for
	// others.
	Networks [1 + 16]*Network
	// Send is the mode of the messages of collective operations, Standard that of standard sends; Threshold: standard
	// sends of more bytes are synchronous; -1: none.
	Send, Standard sim.SendMode
	Threshold      int64
	Barrier        int64
	Algorithms     [16]sim.Choosing
	// Speeds are the CPU ratios of the processors, repeating from the first; nil: 1.
	Speeds []float64
	// Contention: messages wait for links.
	Contention bool
}

// Network is one network of a model.
type Network struct {
	sim.Interconnect
	lines map[string]int64 // of its options, by name
}

// Option is an entry of Options.
type Option struct {
	Name, Args, Doc string
	// Network: it belongs to a network, so "for" may follow it.
	Network bool
	// Needed: each network must have it.
	Needed bool

	read  func(r *modelReader, n *Network, words []string) error
	write func(m *Model, n *Network) []string // nil: nothing to write
}

// Options returns the options of a model file. It is a copy: the table cannot be changed.
func Options() []Option { return slices.Clone(options) }

var options []Option

func init() {
	options = []Option{
		{"network", "NAME NUMBERS...",
			"the topology (pview list topologies), or custom FILE: for each processor a line with those to which " +
				"it has a link", true, true, readNetwork,
			func(_ *Model, n *Network) []string { return strings.Fields(shapeText(n)) }},
		{"map", "PROCESSOR...", "process j runs on the processor in place j, from the first again", true, true, readMap,
			func(_ *Model, n *Network) (words []string) {
				for _, p := range n.Map {
					words = append(words, strconv.Itoa(int(p)))
				}
				return words
			}},
		{"switching", "TECHNIQUE", "packet, cut-through, circuit or wormhole", true, true,
			func(_ *modelReader, n *Network, words []string) error {
				t, ok := sim.SwitchingByName(words[0])
				if n.Switching = t; !ok {
					return fmt.Errorf("there is no switching technique %q", words[0])
				}
				return nil
			}, func(_ *Model, n *Network) []string { return []string{sim.Switchings[n.Switching].Name} }},
		{"link-speed", "STARTUP TIME", "of a link: seconds for each packet, and for each byte", true, true,
			speed(func(n *Network, i, t float64) { n.Startup, n.PerByte = i, t }),
			func(_ *Model, n *Network) []string { return []string{inSeconds(n.Startup), inSeconds(n.PerByte)} }},
		{"packet-size", "BYTES", "none or 0: messages are not divided", true, true,
			size(func(n *Network, v int64) { n.Packet = v }), func(_ *Model, n *Network) []string {
				return sizeText(n.Packet)
			}},
		{"control-size", "BYTES", "of the header or control packet that goes ahead; default 0", true, false,
			size(func(n *Network, v int64) { n.Control = v }),
			func(_ *Model, n *Network) []string { return nonzero(n.Control) }},
		{"control-speed", "STARTUP TIME", "of it; default: that of the link", true, false,
			speed(func(n *Network, i, t float64) { n.ControlOwn, n.ControlStartup, n.ControlPerByte = true, i, t }),
			func(_ *Model, n *Network) []string { return own(n.ControlOwn, n.ControlStartup, n.ControlPerByte) }},
		{"flit-size", "BYTES", "of wormhole switching; default 1", true, false,
			size(func(n *Network, v int64) { n.Flit = v }), func(_ *Model, n *Network) []string {
				return nonzero(n.Flit)
			}},
		{"flit-speed", "STARTUP TIME", "of a flit; default: that of the link", true, false,
			speed(func(n *Network, i, t float64) { n.FlitOwn, n.FlitStartup, n.FlitPerByte = true, i, t }),
			func(_ *Model, n *Network) []string { return own(n.FlitOwn, n.FlitStartup, n.FlitPerByte) }},
		{"local-speed", "STARTUP TIME", "of messages within a processor; default 0 0", true, false,
			speed(func(n *Network, i, t float64) { n.LocalStartup, n.LocalPerByte = i, t }),
			func(_ *Model, n *Network) []string {
				return own(n.LocalStartup != 0 || n.LocalPerByte != 0, n.LocalStartup, n.LocalPerByte)
			}},
		{"barrier-size", "BYTES", "of a message of a barrier; default 0", false, false,
			func(r *modelReader, _ *Network, words []string) (err error) {
				r.m.Barrier, err = bytes(words[0])
				return err
			}, func(m *Model, _ *Network) []string { return nonzero(m.Barrier) }},
		{"coll-sendtype", "MODE",
			"of the messages of collective operations: buffered, nospace, synchronous; default buffered", false, false,
			func(r *modelReader, _ *Network, words []string) (err error) {
				r.m.Send, err = sendMode(words[0])
				return err
			}, func(m *Model, _ *Network) []string { return []string{sim.SendModes[m.Send].Name} }},
		{"standard-send", "MODE or BYTES",
			"of standard sends: buffered, nospace, synchronous; or those of more bytes are synchronous; default " +
				"buffered", false, false, readStandard,
			func(m *Model, _ *Network) []string {
				if m.Threshold >= 0 {
					return []string{strconv.FormatInt(m.Threshold, 10)}
				}
				return []string{sim.SendModes[m.Standard].Name}
			}},
		{"cpu-speed", "RATIO...",
			"of the processors, from the first again: 2 is twice as fast as when the log was recorded; default 1",
			false, false, readSpeeds, func(m *Model, _ *Network) (words []string) {
				for _, s := range m.Speeds {
					words = append(words, strconv.FormatFloat(s, 'g', -1, 64))
				}
				return words
			}},
		{"contention", "on or off", "whether messages wait for links; default off", false, false,
			func(r *modelReader, _ *Network, words []string) error {
				if r.m.Contention = words[0] == "on"; words[0] != "on" && words[0] != "off" {
					return fmt.Errorf("it is on or off, not %q", words[0])
				}
				return nil
			}, func(m *Model, _ *Network) []string {
				if m.Contention {
					return []string{"on"}
				}
				return nil
			}},
		{"algorithm", "NAME or NAME/BYTES/NAME",
			"of the collective operations after \"for\", and another one from a size on (pview list algorithms); " +
				"default direct", false, false, nil, nil},
	}
}

func shapeText(n *Network) string {
	if n.Graph != nil {
		return n.Graph.String()
	}
	return n.Topology
}

func sizeText(v int64) []string {
	if v == 0 {
		return []string{"none"}
	}
	return []string{strconv.FormatInt(v, 10)}
}

func nonzero(v int64) []string {
	if v == 0 {
		return nil
	}
	return sizeText(v)
}

func own(has bool, startup, perByte float64) []string {
	if !has {
		return nil
	}
	return []string{inSeconds(startup), inSeconds(perByte)}
}

func bytes(word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 48)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q must be a number of bytes >= 0", word)
	}
	return n, nil
}

// size reads one number of bytes.
func size(set func(*Network, int64)) func(*modelReader, *Network, []string) error {
	return func(_ *modelReader, n *Network, words []string) error {
		if words[0] == "none" {
			set(n, 0)
			return nil
		}
		v, err := bytes(words[0])
		if err == nil {
			set(n, v)
		}
		return err
	}
}

// speed reads seconds for each packet and for each byte.
func speed(set func(n *Network, startup, perByte float64)) func(*modelReader, *Network, []string) error {
	return func(_ *modelReader, n *Network, words []string) error {
		if len(words) != 2 {
			return fmt.Errorf("it is two times in seconds: for each packet, and for each byte")
		}
		i, err := seconds(words[0])
		if err != nil {
			return err
		}
		t, err := seconds(words[1])
		if err == nil {
			set(n, i, t)
		}
		return err
	}
}

func sendMode(word string) (sim.SendMode, error) {
	for i, mode := range sim.SendModes {
		if m := sim.SendMode(i); mode.Name == word && m != sim.ModeStandard && m != sim.ModeReady {
			return m, nil
		}
	}
	return 0, fmt.Errorf("it is buffered, nospace or synchronous, not %q", word)
}

func readNetwork(r *modelReader, n *Network, words []string) error {
	n.Topology, n.Graph = strings.Join(words, " "), nil
	if words[0] != "custom" {
		t, err := topology.Parse(n.Topology, 0)
		if err == nil && len(words) == 1 {
			return fmt.Errorf("%s needs numbers", words[0])
		} else if err == nil {
			n.Topology = t.String()
		}
		return err
	}
	if len(words) != 2 {
		return fmt.Errorf("custom needs the name of a file")
	}
	path := words[1]
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(r.m.File), path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	n.Topology = ""
	if n.Graph, err = topology.ReadGraph(path, f); err == nil {
		n.Graph.Name = words[1]
	}
	return err
}

func readMap(_ *modelReader, n *Network, words []string) error {
	n.Map = nil
	for _, w := range words {
		v, err := strconv.ParseUint(w, 10, 20)
		if err != nil {
			return fmt.Errorf("%q is no processor", w)
		}
		n.Map = append(n.Map, int32(v))
	}
	return nil
}

func readStandard(r *modelReader, _ *Network, words []string) (err error) {
	if n, err := bytes(words[0]); err == nil {
		r.m.Threshold, r.m.Standard = n, sim.ModeBuffered
		return nil
	}
	r.m.Threshold = -1
	if r.m.Standard, err = sendMode(words[0]); err != nil {
		err = fmt.Errorf("%w, nor a number of bytes", err)
	}
	return err
}

func readSpeeds(r *modelReader, _ *Network, words []string) error {
	r.m.Speeds = nil
	for _, w := range words {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil || !(v > 0) || v > 1e9 {
			return fmt.Errorf("%q must be a ratio > 0", w)
		}
		r.m.Speeds = append(r.m.Speeds, v)
	}
	return nil
}

// OpenModel reads a model file.
func OpenModel(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadModel(path, f)
}

// modelReader is the state of reading.
type modelReader struct {
	m     *Model
	lines []modelLine
}

// modelLine is an option of a network.
type modelLine struct {
	line  int64
	o     *Option
	words []string
	only  []sim.CollectiveOp // nil: all communication
}

// ReadModel reads a model; the name is for errors, which are of type *prv.FileError, and for the place of custom
// networks.
func ReadModel(name string, in io.Reader) (*Model, error) {
	r := &modelReader{m: &Model{File: name, Send: sim.ModeBuffered, Standard: sim.ModeBuffered, Threshold: -1}}
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<24)
	line := int64(0)
	for s.Scan() {
		line++
		text, _, _ := strings.Cut(s.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		if err := r.option(line, words); err != nil {
			return nil, r.fail(line, err)
		}
	}
	if err := s.Err(); err != nil {
		return nil, r.fail(line+1, err)
	}
	return r.m, r.networks()
}

func (r *modelReader) fail(line int64, err error) error {
	return &prv.FileError{File: r.m.File, Line: line, Why: err.Error(), Err: err}
}

func (r *modelReader) option(line int64, words []string) error {
	at := slices.IndexFunc(options, func(o Option) bool { return o.Name == words[0] })
	if at < 0 {
		return fmt.Errorf("unknown option %q", words[0])
	}
	o := &options[at]
	values, only := words[1:], []sim.CollectiveOp(nil)
	if at := slices.Index(values, "for"); at >= 0 {
		for _, w := range values[at+1:] {
			op := slices.IndexFunc(sim.Collectives, func(s string) bool { return strings.EqualFold("MPI_"+s, w) })
			if op < 0 {
				return fmt.Errorf("%s: there is no collective operation %q", o.Name, w)
			}
			only = append(only, sim.CollectiveOp(op))
		}
		if values = values[:at]; len(only) == 0 {
			return fmt.Errorf("%s: no operation after \"for\"", o.Name)
		}
	}
	if len(values) == 0 {
		return fmt.Errorf("%s needs %s", o.Name, o.Args)
	}
	switch {
	case o.read == nil:
		return r.algorithm(values, only)
	case o.Network:
		r.lines = append(r.lines, modelLine{line, o, values, only})
		return r.wrap(o, o.read(r, &Network{}, values))
	case only != nil:
		return fmt.Errorf("%s holds for all communication", o.Name)
	case len(values) > 1 && o.Name != "cpu-speed":
		return fmt.Errorf("%s takes one value", o.Name)
	}
	return r.wrap(o, o.read(r, nil, values))
}

func (r *modelReader) wrap(o *Option, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", o.Name, err)
	}
	return nil
}

func (r *modelReader) algorithm(values []string, only []sim.CollectiveOp) error {
	if only == nil {
		return fmt.Errorf("algorithm needs \"for\" and operations")
	}
	for _, op := range only {
		a, err := sim.ParseChoosing(values[0], op)
		if err != nil {
			return fmt.Errorf("algorithm: %w", err)
		}
		r.m.Algorithms[op] = a
	}
	return nil
}

// networks makes the networks from their lines.
func (r *modelReader) networks() error {
	for i := range r.m.Networks {
		n := &Network{lines: map[string]int64{}}
		special := false
		for _, l := range r.lines {
			mine := i > 0 && slices.Contains(l.only, sim.CollectiveOp(i-1))
			if l.only != nil && !mine {
				continue
			}
			if err := l.o.read(r, n, l.words); err != nil {
				return r.fail(l.line, r.wrap(l.o, err))
			}
			n.lines[l.o.Name] = l.line
			special = special || mine
		}
		if i > 0 && !special {
			continue
		}
		for _, o := range options {
			if o.Needed && n.lines[o.Name] == 0 {
				return r.fail(0, fmt.Errorf("the network of %s has no %s", networkName(i), o.Name))
			}
		}
		r.m.Networks[i] = n
	}
	return nil
}

func networkName(i int) string {
	if i == 0 {
		return "messages"
	}
	return "MPI_" + sim.Collectives[i-1]
}

// Write writes a model so that ReadModel reads the same.
func (m *Model) Write(out io.Writer) error {
	w := bufio.NewWriter(out)
	for i, n := range m.Networks {
		if n == nil {
			continue
		}
		for _, o := range options {
			if !o.Network {
				continue
			}
			words := o.write(m, n)
			if words == nil {
				continue
			}
			fmt.Fprintf(w, "%s %s", o.Name, strings.Join(words, " "))
			if i > 0 {
				fmt.Fprintf(w, " for %s", networkName(i))
			}
			fmt.Fprintln(w)
		}
	}
	for _, o := range options {
		if o.Network || o.write == nil {
			continue
		}
		if words := o.write(m, nil); words != nil {
			fmt.Fprintf(w, "%s %s\n", o.Name, strings.Join(words, " "))
		}
	}
	for op, a := range m.Algorithms {
		if a != (sim.Choosing{}) {
			fmt.Fprintf(w, "algorithm %s for %s\n", a, networkName(op+1))
		}
	}
	return w.Flush()
}

// Machine returns the machine for a number of processes.
func (m *Model) Machine(processes int) (*sim.Machine, error) {
	main := m.Networks[0]
	shape, err := main.Shape(0)
	if err != nil {
		return nil, m.fail(main.lines["network"], err)
	}
	machine := sim.Ideal(shape.Vertices())
	machine.Name, machine.Clusters[0].Name = m.File, filepath.Base(m.File)
	machine.Network = "direct"
	if m.Contention {
		machine.Network = "direct-contention"
	}
	machine.Scheduler.Policy = "SHARED"
	for i := range machine.Nodes {
		if len(m.Speeds) > 0 {
			machine.Nodes[i].Speed = m.Speeds[i%len(m.Speeds)]
		}
	}
	place := sim.Mapping{Kind: sim.Explicit}
	for j := range processes {
		place.Nodes = append(place.Nodes, int(main.Map[j%len(main.Map)]))
	}
	machine.Mapping = []sim.Mapping{place}
	machine.Direct = main.Interconnect
	machine.Direct.Map = nil
	for i, n := range m.Networks {
		if n == nil {
			continue
		}
		if err := m.checkMap(i, n, processes); err != nil {
			return nil, err
		}
		if i > 0 {
			machine.Routines = append(machine.Routines,
				sim.Routine{Op: sim.CollectiveOp(i - 1), Interconnect: n.Interconnect})
		}
	}
	machine.Expansion = sim.Expansion{Send: m.Send, Barrier: m.Barrier, Algorithms: m.Algorithms}
	switch {
	case m.Threshold >= 0:
		machine.EagerLimit = m.Threshold + 1
	case m.Standard != sim.ModeBuffered:
		machine.StandardSend = m.Standard
	}
	return machine, nil
}

func (m *Model) fail(line int64, err error) error {
	return &prv.FileError{File: m.File, Line: line, Why: err.Error(), Err: err}
}

// checkMap reports a missing processor, a missing route, and processes that share a processor in only one of the
// networks.
func (m *Model) checkMap(i int, n *Network, processes int) error {
	shape, err := n.Shape(0)
	if err != nil {
		return m.fail(n.lines["network"], err)
	}
	main := m.Networks[0]
	at := func(n *Network, j int) int { return int(n.Map[j%len(n.Map)]) }
	first := map[[2]int]int{}
	for j := range processes {
		if p := at(n, j); p >= shape.Vertices() {
			return m.fail(n.lines["map"], fmt.Errorf("map: %s has no processor %d", shape, p))
		}
		for which, o := range [2]*Network{main, n} {
			k, shared := first[[2]int{which, at(o, j)}]
			if !shared {
				first[[2]int{which, at(o, j)}] = j
			} else if at(main, j) != at(main, k) || at(n, j) != at(n, k) {
				return m.fail(n.lines["map"],
					fmt.Errorf("map: processes %d and %d share a processor of one network, but not of that of %s", k, j,
						networkName((1-which)*i)))
			}
		}
		for _, way := range [2][2]int{{at(n, 0), at(n, j)}, {at(n, j), at(n, 0)}} {
			if n.Graph != nil && n.Graph.Distance(way[0], way[1]) < 0 {
				return m.fail(n.lines["network"],
					fmt.Errorf("network: there is no way from processor %d to processor %d", way[0], way[1]))
			}
		}
	}
	return nil
}
