package sim

// The parameters of direct networks, and those that are texts.

import (
	"fmt"
	"slices"
	"strings"
)

// directParameters are those of links between processors.
func directParameters() []Parameter {
	size := func(name, title, doc, word string, field func(m *Machine) *int64) Parameter {
		return Parameter{Name: name, Group: GroupDirect, Title: title, Kind: KindSize, Word: word, Doc: doc, Applies: (*Machine).IsDirect,
			Get: func(m *Machine) (float64, bool) { return float64(*field(m)), true }, Set: func(m *Machine, v float64) { *field(m) = int64(v) }}
	}
	return []Parameter{
		{Name: "switching", Group: GroupDirect, Title: "Switching", Kind: KindChoice, Choices: switchingChoices(), Doc: "how messages pass processors between source and destination", Applies: (*Machine).IsDirect,
			Get: func(m *Machine) (float64, bool) { return float64(m.Direct.Switching), true }, Set: func(m *Machine, v float64) { m.Direct.Switching = uint8(v) }},
		{Name: "link-startup", Group: GroupDirect, Title: "Startup of a link", Kind: KindTime, Doc: "for each packet, on each link; it costs no CPU", Applies: (*Machine).IsDirect,
			Get: func(m *Machine) (float64, bool) { return m.Direct.Startup, true }, Set: func(m *Machine, v float64) { m.Direct.Startup = v }},
		{Name: "link-bandwidth", Group: GroupDirect, Title: "Bandwidth of a link", Kind: KindBandwidth, Word: infinite, Doc: "of a link between processors (MB/s, 1 MB = 2^20 bytes); 0: no time", Applies: (*Machine).IsDirect,
			Get: func(m *Machine) (float64, bool) { return nsPerByte(m.Direct.PerByte), true }, // its own inverse
			Set: func(m *Machine, v float64) { m.Direct.PerByte = nsPerByte(v) }},
		size("packet-size", "Packets", "messages are divided into packets of so many bytes; 0: they are not", "whole messages", func(m *Machine) *int64 { return &m.Direct.Packet }),
		size("control-size", "Control packet", "bytes that go ahead, of cut-through and circuit switching", "", func(m *Machine) *int64 { return &m.Direct.Control }),
		size("flit-size", "Flits", "bytes that wormhole switching sends at a time; 0: 1", "", func(m *Machine) *int64 { return &m.Direct.Flit }),
		{Name: "standard-send", Group: GroupMessages, Title: "Standard sends", Kind: KindChoice, Choices: modeChoices(), Doc: "when a sender goes on; standard: by eager limit and rules",
			Get: func(m *Machine) (float64, bool) { return float64(m.StandardSend), true }, Set: func(m *Machine, v float64) { m.StandardSend = SendMode(v) }},
		{Name: "collective-send", Group: GroupCollectives, Title: "Sends of messages", Kind: KindChoice, Choices: modeChoices(), Doc: "when a task goes on after sending a message of a collective operation; standard: buffered",
			Get: func(m *Machine) (float64, bool) { return float64(m.Expansion.Send), true }, Set: func(m *Machine, v float64) { m.Expansion.Send = SendMode(v) }, Applies: (*Machine).IsDirect},
		{Name: "barrier-size", Group: GroupCollectives, Title: "Message of a barrier", Kind: KindSize, Doc: "bytes of a message of a barrier",
			Get: func(m *Machine) (float64, bool) { return float64(m.Expansion.Barrier), true }, Set: func(m *Machine, v float64) { m.Expansion.Barrier = int64(v) }, Applies: (*Machine).IsDirect},
	}
}

func switchingChoices() (list []Choice) {
	for _, s := range Switchings {
		list = append(list, Choice{s.Name, s.Doc})
	}
	return list
}

func modeChoices() (list []Choice) {
	for _, m := range SendModes {
		list = append(list, Choice(m))
	}
	return list
}

// Text is a parameter of a machine that is no number.
type Text struct {
	Name, Group, Title string
	Usage              string // of its value
	Doc                string
	// Get returns the value, "" for the default; Set reads it, and reports what is wrong with it.
	Get func(m *Machine) string
	Set func(m *Machine, text string) error
}

// Texts are the parameters that are texts.
var Texts = []Text{
	{"topology", GroupDirect, "Topology", "'SHAPE NUMBERS'", "shape of the network of links between processors, such as 'torus 4 4' (pview list topologies); without numbers: with room for the nodes",
		func(m *Machine) string {
			if m.Direct.Graph != nil {
				return m.Direct.Graph.String()
			}
			return m.Direct.Topology
		}, setTopology},
	{"algorithm", GroupCollectives, "Algorithms", "OPERATION=NAME", "algorithm by which a collective operation becomes messages, such as Allreduce=ring; another one from a size on: Bcast=binomial/16K/direct (pview list algorithms)",
		algorithmsOf, setAlgorithms},
	{"split", GroupNodes, "Blocks as threads", "TYPE:VALUE=N,FORK,JOIN", "a block of the program (an event type and value) shared out among N threads, with the time of fork and join, such as 60000019:3=4,10us,20us; its threads take the CPUs that other threads of the program leave",
		splits, setSplits},
}

func setTopology(m *Machine, text string) error {
	c := Interconnect{Topology: strings.TrimSpace(text)}
	t, err := c.Shape(len(m.Nodes))
	if err != nil {
		return err
	}
	m.Direct.Graph, m.Direct.Topology = nil, c.Topology
	if len(strings.Fields(text)) > 1 {
		m.Direct.Topology = t.String()
	}
	return nil
}

func algorithmsOf(m *Machine) string {
	var list []string
	for op, a := range m.Expansion.Algorithms {
		if a != (Choosing{}) {
			list = append(list, Collectives[op]+"="+a.String())
		}
	}
	return strings.Join(list, ",")
}

func setAlgorithms(m *Machine, text string) error {
	for one := range strings.SplitSeq(text, ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		name, algorithm, _ := strings.Cut(one, "=")
		op := slices.IndexFunc(Collectives, func(s string) bool { return strings.EqualFold(s, strings.TrimSpace(name)) })
		if op < 0 {
			return fmt.Errorf("there is no collective operation %q", name)
		}
		a, err := ParseChoosing(strings.TrimSpace(algorithm), CollectiveOp(op))
		if err != nil {
			return err
		}
		m.Expansion.Algorithms[op] = a
	}
	return nil
}

// TextByName finds a parameter that is a text; nil where there is none.
func TextByName(name string) *Text {
	for i := range Texts {
		if Texts[i].Name == name {
			return &Texts[i]
		}
	}
	return nil
}
