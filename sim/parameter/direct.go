package parameter

// The parameters of direct networks, and text parameters.

import (
	"fmt"
	"slices"
	"strings"

	"pview/sim"
)

// directParameters returns the parameters of links between processors, for the network of messages, and related ones.
func directParameters() []Parameter {
	main := func(m *sim.Machine) *sim.Interconnect { return &m.Direct }
	return append(linkParameters(main, main),
		Parameter{Name: "standard-send", Group: GroupMessages, Title: "Standard sends", Kind: KindChoice,
			Choices: modeChoices(), Doc: "when a sender continues; standard: by eager limit and rules",
			Get: func(m *sim.Machine) (float64, bool) {
				return float64(m.StandardSend), true
			}, Set: func(m *sim.Machine, v float64) { m.StandardSend = sim.SendMode(v) }},
		Parameter{Name: "collective-send", Group: GroupCollectives, Title: "Sends of messages", Kind: KindChoice,
			Choices: modeChoices(),
			Doc:     "when a task continues after sending a message of a collective operation; standard: buffered",
			Get:     func(m *sim.Machine) (float64, bool) { return float64(m.Expansion.Send), true },
			Set:     func(m *sim.Machine, v float64) { m.Expansion.Send = sim.SendMode(v) },
			Applies: (*sim.Machine).IsDirect},
		Parameter{Name: "barrier-size", Group: GroupCollectives, Title: "Message of a barrier", Kind: KindSize,
			Doc: "bytes of a message of a barrier",
			Get: func(m *sim.Machine) (float64, bool) { return float64(m.Expansion.Barrier), true },
			Set: func(m *sim.Machine, v float64) { m.Expansion.Barrier = int64(v) }, Applies: (*sim.Machine).IsDirect})
}

// asLink is the word for headers or flits that travel at the speed of the link.
const asLink = "as the link"

// linkParameters returns the parameters of an interconnect: get returns it for reading, set for changing.
func linkParameters(get, set func(m *sim.Machine) *sim.Interconnect) []Parameter {
	by := func(techniques ...uint8) func(m *sim.Machine) bool {
		return func(m *sim.Machine) bool {
			return m.IsDirect() && (techniques == nil || slices.Contains(techniques, get(m).Switching))
		}
	}
	link := func(name, title, doc, word string, kind Kind, applies func(*sim.Machine) bool,
		read func(c *sim.Interconnect) float64, write func(c *sim.Interconnect, v float64)) Parameter {
		return Parameter{Name: name, Group: GroupDirect, Title: title, Kind: kind, Word: word, Doc: doc,
			Applies: applies,
			Get: func(m *sim.Machine) (float64, bool) {
				return read(get(m)), true
			}, Set: func(m *sim.Machine, v float64) { write(set(m), v) }}
	}
	// own makes a parameter of a speed that defaults to the link's.
	own := func(name, title, doc string, kind Kind, applies func(*sim.Machine) bool,
		parts func(c *sim.Interconnect) (has *bool, startup, perByte *float64)) Parameter {
		p := link(name, title, doc, asLink, kind, applies, func(c *sim.Interconnect) float64 {
			has, startup, perByte := parts(c)
			switch {
			case !*has:
				return -1
			case kind == KindBandwidth:
				return sim.NsPerByte(*perByte) // its own inverse
			}
			return *startup
		}, func(c *sim.Interconnect, v float64) {
			has, startup, perByte := parts(c)
			if !*has {
				*startup, *perByte = c.Startup, c.PerByte
			}
			if *has = v >= 0; !*has {
				*startup, *perByte = 0, 0
				return
			}
			if kind == KindBandwidth {
				*perByte = sim.NsPerByte(v)
			} else {
				*startup = v
			}
		})
		p.Default, p.Special = -1, -1
		return p
	}
	always, ahead, wormhole := by(), by(sim.SwitchCutThrough, sim.SwitchCircuit), by(sim.SwitchWormhole)
	control := func(c *sim.Interconnect) (*bool, *float64, *float64) {
		return &c.ControlOwn, &c.ControlStartup, &c.ControlPerByte
	}
	flit := func(c *sim.Interconnect) (*bool, *float64, *float64) {
		return &c.FlitOwn, &c.FlitStartup, &c.FlitPerByte
	}
	switching := link("switching", "Switching", "how messages pass processors between source and destination", "",
		KindChoice, always,
		func(c *sim.Interconnect) float64 { return float64(c.Switching) }, func(c *sim.Interconnect, v float64) {
			c.Switching = uint8(v)
		})
	switching.Choices = switchingChoices()
	return []Parameter{
		switching,
		link("link-startup", "Startup of a link", "for each packet, on each link; it costs no CPU", "", KindTime,
			always,
			func(c *sim.Interconnect) float64 { return c.Startup }, func(c *sim.Interconnect,
				v float64) {
				c.Startup = v
			}),
		link("link-bandwidth", "Bandwidth of a link",
			"of a link between processors (MB/s, 1 MB = 2^20 bytes); 0: no time", infinite, KindBandwidth, always,
			func(c *sim.Interconnect) float64 { return sim.NsPerByte(c.PerByte) }, func(c *sim.Interconnect,
				v float64) {
				c.PerByte = sim.NsPerByte(v)
			}),
		link("packet-size", "Packets", "packet size of messages; 0: they are not divided",
			"whole messages", KindSize, always,
			func(c *sim.Interconnect) float64 { return float64(c.Packet) }, func(c *sim.Interconnect, v float64) {
				c.Packet = int64(v)
			}),
		link("control-size", "Control packet", "bytes that go ahead, of cut-through and circuit switching", "",
			KindSize, ahead,
			func(c *sim.Interconnect) float64 { return float64(c.Control) }, func(c *sim.Interconnect, v float64) {
				c.Control = int64(v)
			}),
		own("control-startup", "Its startup", "of the header or control packet, on each link", KindTime, ahead,
			control),
		own("control-bandwidth", "Its bandwidth", "of the header or control packet; 0: infinite", KindBandwidth, ahead,
			control),
		link("flit-size", "Flits", "bytes that wormhole switching sends at a time; 0: 1", "", KindSize, wormhole,
			func(c *sim.Interconnect) float64 { return float64(c.Flit) }, func(c *sim.Interconnect, v float64) {
				c.Flit = int64(v)
			}),
		own("flit-startup", "Startup of a flit", "on each link", KindTime, wormhole, flit),
		own("flit-bandwidth", "Bandwidth of flits", "of a link; 0: no time", KindBandwidth, wormhole, flit),
		link("processor-startup", "Within a processor", "of a message between tasks on one processor", "", KindTime,
			always,
			func(c *sim.Interconnect) float64 { return c.LocalStartup }, func(c *sim.Interconnect, v float64) {
				c.LocalStartup = v
			}),
		link("processor-bandwidth", "  its bandwidth", "of a message between tasks on one processor; 0: no time",
			infinite, KindBandwidth, always,
			func(c *sim.Interconnect) float64 { return sim.NsPerByte(c.LocalPerByte) }, func(c *sim.Interconnect,
				v float64) {
				c.LocalPerByte = sim.NsPerByte(v)
			}),
	}
}

func switchingChoices() (list []Choice) {
	for _, s := range sim.Switchings {
		list = append(list, Choice{s.Name, s.Doc})
	}
	return list
}

func modeChoices() (list []Choice) {
	for _, m := range sim.SendModes {
		list = append(list, Choice(m))
	}
	return list
}

// Text is a parameter of a machine that is not a number.
type Text struct {
	Name, Group, Title string
	Usage              string // of its value
	Doc                string
	// Get returns the value, "" for the default; Set reads it, and reports its errors.
	Get func(m *sim.Machine) string
	Set func(m *sim.Machine, text string) error
}

// Texts are the text parameters.
var Texts = []Text{
	{"topology", GroupDirect, "Topology", "'SHAPE NUMBERS'",
		"shape of the network of links between processors, such as 'torus 4 4' (pview list topologies); without " +
			"numbers: with room for the nodes",
		func(m *sim.Machine) string { return m.Direct.ShapeText() }, setTopology},
	{"collective-network", GroupDirect, "Networks of operations", "'OPERATION=SHAPE ...'",
		"links of their own for the messages of a collective operation, such as 'Bcast=tree 2 3 link-startup=5us'; " +
			"parameters that are not given are those of the network of messages; 'Bcast=messages': no separate network",
		routinesOf, setRoutines},
	{"algorithm", GroupCollectives, "Algorithms", "OPERATION=NAME",
		"algorithm by which a collective operation becomes messages, such as Allreduce=ring; another one from a " +
			"size on: Bcast=binomial/16K/direct (pview list algorithms)",
		algorithmsOf, setAlgorithms},
	{"split", GroupNodes, "Blocks as threads", "TYPE:VALUE=N,FORK,JOIN",
		"a block of the program (an event type and value) shared out among N threads, with the time of fork and " +
			"join, such as 60000019:3=4,10us,20us; its threads take the CPUs that other threads of the program leave",
		splits, setSplits},
}

func setTopology(m *sim.Machine, text string) error { return m.Direct.SetShape(text, len(m.Nodes)) }

func algorithmsOf(m *sim.Machine) string {
	var list []string
	for op, a := range m.Expansion.Algorithms {
		if a != (sim.Choosing{}) {
			list = append(list, sim.Collectives[op]+"="+a.String())
		}
	}
	return strings.Join(list, ",")
}

func setAlgorithms(m *sim.Machine, text string) error {
	for one := range strings.SplitSeq(text, ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		name, algorithm, _ := strings.Cut(one, "=")
		op := slices.IndexFunc(sim.Collectives, func(s string) bool {
			return strings.EqualFold(s, strings.TrimSpace(name))
		})
		if op < 0 {
			return fmt.Errorf("there is no collective operation %q", name)
		}
		a, err := sim.ParseChoosing(strings.TrimSpace(algorithm), sim.CollectiveOp(op))
		if err != nil {
			return err
		}
		m.Expansion.Algorithms[op] = a
	}
	return nil
}

// TextByName finds a text parameter; nil if none.
func TextByName(name string) *Text {
	for i := range Texts {
		if Texts[i].Name == name {
			return &Texts[i]
		}
	}
	return nil
}
