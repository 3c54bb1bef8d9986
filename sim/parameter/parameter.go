// Package parameter is the user's view of a machine: one table of parameters, from which the flags of `pview sim`, the
// form of the viewer, `pview list parameters` and the reference page come. An entry reads a parameter from a machine
// and sets it on all nodes or networks. Presets are named sets of values.
package parameter

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/prv/quantity"
	"pview/sim"
)

// networkChoices returns the networks as values of a parameter: the default of the model, then those of Networks.
func networkChoices() []Choice {
	list := []Choice{{"by-model", "as the model of the simulation has it"}}
	for _, n := range sim.Networks() {
		list = append(list, Choice{n.Name, n.Doc})
	}
	return list
}

func networkIndex(name string) float64 {
	for i, n := range sim.Networks() {
		if n.Name == name {
			return float64(i + 1)
		}
	}
	return 0
}

func networkName(choice int) string {
	if list := sim.Networks(); choice >= 1 && choice <= len(list) {
		return list[choice-1].Name
	}
	return ""
}

// Parameter is an entry of All. Values are numbers: times in ns, bandwidths in MB/s of 2^20 bytes, sizes in
// bytes; for a choice the index into Choices, for a switch 0 or 1.
type Parameter struct {
	Name  string // as in the flag of `pview sim`
	Short string // one-letter flag; "" for none
	Group string // one of Groups
	Title string // a few words, in the group
	Kind  Kind
	Doc   string // one line, no full stop
	// Default is the value on an ideal machine.
	Default float64
	// Word is the name of the special value, Special: "no limit", "infinite".
	Word    string
	Special float64

	Choices []Choice // of KindChoice

	// Get returns the value of the first node or network, and whether all have the same.
	Get func(m *sim.Machine) (v float64, uniform bool)
	Set func(m *sim.Machine, v float64)
	// Node reads and sets the value of one node; nil for other parameters. Get and Set follow from it.
	Node *NodeField
	// Applies reports whether the value has an effect on a machine; nil: always.
	Applies func(m *sim.Machine) bool
}

// NodeField is a value of a node.
type NodeField struct {
	Get func(n *sim.Node) float64
	Set func(n *sim.Node, v float64)
}

// Choice is a value of a parameter of KindChoice.
type Choice struct{ Name, Doc string }

// Kind is the kind of a parameter's values.
type Kind uint8

// The kinds, in the order of Kinds.
const (
	KindTime Kind = iota
	KindBandwidth
	KindSize
	KindCount
	KindRatio
	KindChoice
	KindSwitch
	KindNumber // of any sign
)

// Kinds has the notation of each kind. A number without a unit is in Unit, which is Base in size: seconds and MB/s, as
// in Dimemas.
var Kinds = []struct {
	Name string // in the help: --latency TIME
	Unit string // of a number without one
	Base float64
	*quantity.Kind
}{
	{"TIME", "s", 1e9, quantity.Time},
	{"BANDWIDTH", "MB/s", 1, quantity.MachineRate},
	{"BYTES", "B", 1, quantity.Limits},
	{"N", "", 1, quantity.Number},
	{"RATIO", "", 1, quantity.Number},
	{"NAME", "", 1, quantity.Number},
	{"", "", 1, quantity.Number},
	{"NUMBER", "", 1, quantity.Number},
}

// maxCount bounds counts, before the machine as a whole is checked.
const maxCount = 1<<22 - 1

// Parse reads a value: a number with or without a unit, the word for the special value, a choice, on or off.
func (p *Parameter) Parse(text string) (float64, error) {
	s := strings.TrimSpace(text)
	if p.Word != "" && strings.EqualFold(s, p.Word) {
		return p.Special, nil
	}
	switch k := &Kinds[p.Kind]; p.Kind {
	case KindCount:
		n, err := strconv.ParseUint(s, 10, 22)
		if err != nil {
			return 0, fmt.Errorf("it is a whole number from 0 to %d", maxCount)
		}
		return float64(n), nil
	case KindChoice:
		return p.parseChoice(s)
	case KindSwitch:
		switch strings.ToLower(s) {
		case "on", "yes", "true", "1":
			return 1, nil
		case "off", "no", "false", "0":
			return 0, nil
		}
		return 0, fmt.Errorf("it is on or off, not %q", s)
	case KindNumber:
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || !(math.Abs(v) <= 1e9) {
			return 0, fmt.Errorf("it is a number, not %q", s)
		}
		return v, nil
	default:
		return k.Parse(s, k.Base)
	}
}

func (p *Parameter) parseChoice(s string) (float64, error) {
	var names []string
	for i, c := range p.Choices {
		if strings.EqualFold(c.Name, s) {
			return float64(i), nil
		}
		names = append(names, c.Name)
	}
	return 0, fmt.Errorf("it is one of %s", strings.Join(names, ", "))
}

// Format writes a value so that Parse reads it back, with all its digits.
func (p *Parameter) Format(v float64) string {
	if word, ok := p.word(v); ok {
		return word
	}
	if k := &Kinds[p.Kind]; v != 0 {
		return k.Exact(v)
	}
	return p.zero()
}

// Show writes a value for people: five digits, in the most readable unit.
func (p *Parameter) Show(v float64) string {
	if word, ok := p.word(v); ok {
		return word
	}
	if k := &Kinds[p.Kind]; v != 0 {
		return k.Round(v, 5)
	}
	return p.zero()
}

// zero writes 0 in the unit of numbers without one.
func (p *Parameter) zero() string {
	if unit := Kinds[p.Kind].Unit; unit != "" {
		return "0 " + unit
	}
	return "0"
}

// word returns the word for a value that has one: the special value, a choice, on or off.
func (p *Parameter) word(v float64) (string, bool) {
	if p.Word != "" && v == p.Special {
		return p.Word, true
	}
	switch p.Kind {
	case KindChoice:
		if i := int(v); i >= 0 && i < len(p.Choices) {
			return p.Choices[i].Name, true
		}
		return "", true
	case KindSwitch:
		if v != 0 {
			return "on", true
		}
		return "off", true
	}
	return "", false
}

// Scale returns a value times a factor, for the keys that halve and double: counts stay whole, and the special value
// scales to the smallest ordinary one. ok is false if the parameter cannot be scaled.
func (p *Parameter) Scale(v, factor float64) (float64, bool) {
	switch p.Kind {
	case KindChoice, KindSwitch:
		return v, false
	}
	if p.Word != "" && v == p.Special || v == 0 {
		return v, false
	}
	s := v * factor
	if p.Kind == KindCount || p.Kind == KindSize {
		s = max(math.Round(s), 1)
		if p.Kind == KindCount {
			s = min(s, maxCount)
		}
	}
	return s, s != v && s <= 1e18
}

// ByName finds a parameter; nil if none.
func ByName(name string) *Parameter {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// Words for special values.
const (
	noLimit  = "no limit"
	infinite = "infinite"
)

// The groups of parameters, from the user's point of view.
const (
	GroupNetwork     = "Network"
	GroupDirect      = "Direct network"
	GroupNodes       = "Nodes & CPUs"
	GroupLocal       = "Inside a node"
	GroupMessages    = "Messages"
	GroupCollectives = "Collectives"
	GroupScheduling  = "Scheduling"
	GroupMapping     = "Mapping"
	GroupWAN         = "Wide area"
	GroupRandom      = "Random values"
)

// Groups are the groups in the order of the form.
var Groups = []string{GroupNetwork, GroupDirect, GroupNodes, GroupMapping, GroupLocal, GroupMessages,
	GroupCollectives, GroupScheduling, GroupWAN, GroupRandom}

// All are the parameters of a machine.
var All []Parameter

func init() {
	All = []Parameter{
		{Name: "latency", Group: GroupNetwork, Title: "Latency", Kind: KindTime,
			Doc: "what each message between nodes costs its sender and its receiver, on their CPUs",
			Node: &NodeField{func(n *sim.Node) float64 { return n.Latency },
				func(n *sim.Node, v float64) { n.Latency = v }}},
		{Name: "bandwidth", Group: GroupNetwork, Title: "Bandwidth", Kind: KindBandwidth, Word: infinite,
			Doc: "of a message between nodes (MB/s, 1 MB = 2^20 bytes); 0: no time",
			Get: clusterValue(func(c *sim.Cluster) float64 {
				return c.Bandwidth
			}), Set: setClusters(func(c *sim.Cluster, v float64) { c.Bandwidth = v })},
		{Name: "buses", Group: GroupNetwork, Title: "Buses", Kind: KindCount, Word: noLimit,
			Doc: "messages at once on the network; 0: no limit",
			Get: clusterValue(func(c *sim.Cluster) float64 {
				return float64(c.Buses)
			}), Set: setClusters(func(c *sim.Cluster, v float64) { c.Buses = int(v) })},
		{Name: "input-links", Group: GroupNetwork, Title: "Links into a node", Kind: KindCount, Word: noLimit,
			Doc: "messages at once into a node",
			Node: &NodeField{func(n *sim.Node) float64 {
				return float64(n.Links.In)
			}, func(n *sim.Node, v float64) { n.Links.In = int(v) }}},
		{Name: "output-links", Group: GroupNetwork, Title: "Links out of a node", Kind: KindCount, Word: noLimit,
			Doc: "messages at once out of a node; 0 of both: no limit, 0 of one: half duplex",
			Node: &NodeField{func(n *sim.Node) float64 {
				return float64(n.Links.Out)
			}, func(n *sim.Node, v float64) { n.Links.Out = int(v) }}},
		{Name: "network", Group: GroupNetwork, Title: "Kind", Kind: KindChoice, Choices: networkChoices(),
			Doc: "how messages get their links and buses",
			Get: func(m *sim.Machine) (float64, bool) { return networkIndex(m.Network), true },
			Set: func(m *sim.Machine, v float64) { m.Network = networkName(int(v)) }},

		{Name: "nodes", Group: GroupNodes, Title: "Nodes", Kind: KindCount,
			Doc: "how many nodes there are; those that are added are like the last one", Default: 1,
			Get: func(m *sim.Machine) (float64, bool) {
				return float64(len(m.Nodes)), true
			}, Set: func(m *sim.Machine, v float64) { m.SetNodes(int(v)) }},
		{Name: "cpus", Group: GroupNodes, Title: "CPUs per node", Kind: KindCount, Default: 1,
			Doc: "threads of a node that compute at once",
			Node: &NodeField{func(n *sim.Node) float64 {
				return float64(n.CPUs)
			}, func(n *sim.Node, v float64) { n.CPUs = int(v) }}},
		{Name: "cpu-ratio", Group: GroupNodes, Title: "CPU speed", Kind: KindRatio, Default: 1,
			Doc: "speed of the CPUs: 2 is twice as fast, 0 takes no time",
			Node: &NodeField{func(n *sim.Node) float64 { return n.Speed },
				func(n *sim.Node, v float64) { n.Speed = v }}},

		{Name: "mapping", Group: GroupMapping, Title: "Tasks to nodes", Kind: KindChoice, Choices: mappingChoices(),
			Doc: "how tasks are placed on nodes",
			Get: func(m *sim.Machine) (float64, bool) {
				return float64(firstMapping(m).Kind), uniform(m.Mapping, func(a *sim.Mapping) float64 {
					return float64(a.Kind)
				})
			}, Set: func(m *sim.Machine, v float64) { setMapping(m, sim.MappingKind(v)) }},
		{Name: "process-per-node", Group: GroupMapping, Title: "Tasks per node", Kind: KindCount, Default: 1,
			Doc: "tasks per node",
			Get: func(m *sim.Machine) (float64, bool) {
				return float64(firstMapping(m).Tasks), uniform(m.Mapping, func(a *sim.Mapping) float64 {
					return float64(a.Tasks)
				})
			},
			Set: func(m *sim.Machine, v float64) {
				m.Mapping = []sim.Mapping{{Kind: sim.TasksPerNode,
					Tasks: int(v)}}
			},
			Applies: func(m *sim.Machine) bool { return firstMapping(m).Kind == sim.TasksPerNode }},

		{Name: "local-latency", Group: GroupLocal, Title: "Latency", Kind: KindTime,
			Doc: "what each message within a node costs its sender and its receiver, on their CPUs",
			Node: &NodeField{func(n *sim.Node) float64 {
				return n.Local.Latency
			}, func(n *sim.Node, v float64) { n.Local.Latency = v }}},
		{Name: "local-bandwidth", Group: GroupLocal, Title: "Bandwidth", Kind: KindBandwidth, Word: infinite,
			Doc: "of a message within a node (MB/s); 0: no time",
			Node: &NodeField{func(n *sim.Node) float64 {
				return n.Local.Bandwidth
			}, func(n *sim.Node, v float64) { n.Local.Bandwidth = v }}},
		{Name: "local-buses", Group: GroupLocal, Title: "Buses", Kind: KindCount, Word: noLimit,
			Doc: "messages at once within a node; 0: no limit",
			Node: &NodeField{func(n *sim.Node) float64 {
				return float64(n.Local.Buses)
			}, func(n *sim.Node, v float64) { n.Local.Buses = int(v) }}},
		{Name: "local-input-links", Group: GroupLocal, Title: "Links into a task", Kind: KindCount, Word: noLimit,
			Doc: "messages at once into a task from its node",
			Node: &NodeField{func(n *sim.Node) float64 {
				return float64(n.Local.Links.In)
			}, func(n *sim.Node, v float64) { n.Local.Links.In = int(v) }}},
		{Name: "local-output-links", Group: GroupLocal, Title: "Links out of a task", Kind: KindCount, Word: noLimit,
			Doc: "messages at once out of a task to its node; 0 of both: no limit, 0 of one: half duplex",
			Node: &NodeField{func(n *sim.Node) float64 {
				return float64(n.Local.Links.Out)
			}, func(n *sim.Node, v float64) { n.Local.Links.Out = int(v) }}},

		{Name: "eager-limit", Short: "S", Group: GroupMessages, Title: "Eager limit", Kind: KindSize, Default: -1,
			Special: -1, Word: "as recorded",
			Doc:     "messages of N bytes or more (K, M, G) wait for their receiver",
			Get:     func(m *sim.Machine) (float64, bool) { return float64(max(m.EagerLimit, -1)), true },
			Set:     func(m *sim.Machine, v float64) { m.EagerLimit = int64(v) },
			Applies: func(m *sim.Machine) bool { return !m.EagerSends }},
		{Name: "asynch-sends", Short: "F", Group: GroupMessages, Title: "Asynchronous sends", Kind: KindSwitch,
			Doc: "no message waits for its receiver",
			Get: func(m *sim.Machine) (float64, bool) {
				return one(m.EagerSends), true
			}, Set: func(m *sim.Machine, v float64) { m.EagerSends = v != 0 }},

		{Name: "collective-model", Group: GroupCollectives, Title: "Model", Kind: KindChoice, Choices: networkModels,
			Doc: "model of collective operations: CONST, LIN or LOG",
			Get: clusterValue(func(c *sim.Cluster) float64 {
				return float64(max(c.Model,
					sim.ModelConstant) - sim.ModelConstant)
			}),
			Set: func(m *sim.Machine, v float64) {
				for i := range m.Clusters {
					m.Clusters[i].Model = sim.ModelConstant + sim.CollectiveModel(v)
				}
				m.WAN.Model = sim.ModelConstant + sim.CollectiveModel(v)
			}},

		{Name: "policy", Group: GroupScheduling, Title: "Policy", Kind: KindChoice, Choices: policyChoices(),
			Doc: "who gets a CPU",
			Get: func(m *sim.Machine) (float64, bool) { return policyIndex(m.Scheduler.Policy), true },
			Set: func(m *sim.Machine, v float64) { m.Scheduler.Policy = sim.Policies()[int(v)].Name }},
	}
	All = append(All, directParameters()...)
	All = append(All, schedulerParameters()...)
	All = append(All, []Parameter{
		{Name: "wan-latency", Group: GroupWAN, Title: "Latency", Kind: KindTime,
			Doc: "what each message to another machine costs its sender and its receiver, on their CPUs",
			Node: &NodeField{func(n *sim.Node) float64 {
				return n.WANLatency
			}, func(n *sim.Node, v float64) { n.WANLatency = v }}, Applies: (*sim.Machine).IsGrid},
		{Name: "wan-bandwidth", Group: GroupWAN, Title: "Bandwidth", Kind: KindBandwidth, Word: infinite,
			Doc: "of a message between machines (MB/s); 0: no time",
			Get: func(m *sim.Machine) (float64, bool) {
				return m.WAN.Bandwidth, true
			}, Set: func(m *sim.Machine, v float64) { m.WAN.Bandwidth = v }, Applies: (*sim.Machine).IsGrid},
		{Name: "wan-input-links", Group: GroupWAN, Title: "Links into a machine", Kind: KindCount, Word: noLimit,
			Default: 1,
			Doc:     "messages at once into a machine",
			Get: func(m *sim.Machine) (float64, bool) {
				return float64(m.WAN.Links.In), true
			}, Set: func(m *sim.Machine, v float64) { m.WAN.Links.In = int(v) }, Applies: (*sim.Machine).IsGrid},
		{Name: "wan-output-links", Group: GroupWAN, Title: "Links out of a machine", Kind: KindCount, Word: noLimit,
			Default: 1,
			Doc:     "messages at once out of a machine; 0 of both: no limit, 0 of one: half duplex",
			Get: func(m *sim.Machine) (float64, bool) {
				return float64(m.WAN.Links.Out), true
			}, Set: func(m *sim.Machine, v float64) { m.WAN.Links.Out = int(v) }, Applies: (*sim.Machine).IsGrid},

		{Name: "seed", Group: GroupRandom, Title: "Seed", Kind: KindCount,
			Doc: "of the values of parameters that have a distribution, such as --latency 'normal(25us, 2us)'; the " +
				"same seed, the same values",
			Get: func(m *sim.Machine) (float64, bool) {
				return float64(m.Seed), true
			}, Set: func(m *sim.Machine, v float64) { m.Seed = uint64(v) },
			Applies: func(m *sim.Machine) bool { return len(m.Random) > 0 }},
	}...)
}

// Setting a value removes the distribution.
func init() {
	for i := range All {
		if p := &All[i]; p.Node != nil {
			p.completeNodeField()
		}
	}
	for i := range All {
		if p := &All[i]; p.varies() {
			set := p.Set
			p.Set = func(m *sim.Machine, v float64) {
				m.Fix(p.Name)
				set(m, v)
			}
		}
	}
}

// networkModels are the models that a network can have, from ModelConstant, as the flag spells them.
var networkModels = []Choice{
	{"CONST", "one message, however many take part"},
	{"LIN", "a message for each but one participant"},
	{"LOG", "a tree of messages, as many at once as there are buses"},
}

func mappingChoices() (list []Choice) {
	for _, m := range sim.Mappings {
		list = append(list, Choice(m))
	}
	return list
}

func policyChoices() (list []Choice) {
	for _, p := range sim.Policies() {
		list = append(list, Choice{p.Name, p.Doc})
	}
	return list
}

func policyIndex(name string) float64 {
	for i, p := range sim.Policies() {
		if p.Name == name {
			return float64(i)
		}
	}
	return 0
}

// schedulerParameters returns the numbers and switches among those of the scheduling policies.
func schedulerParameters() (list []Parameter) {
	kinds := map[sim.ParamUnit]Kind{sim.ParamTime: KindTime, sim.ParamNumber: KindNumber, sim.ParamPercent: KindRatio}
	for _, s := range sim.SchedulerParams() {
		p := Parameter{Name: s.Name, Group: GroupScheduling, Title: s.Title, Doc: s.Doc, Default: s.Default,
			Applies: func(m *sim.Machine) bool { return policyTakes(m, s.Name) }}
		switch {
		case s.Number != nil:
			p.Kind = kinds[s.Unit]
			p.Get = func(m *sim.Machine) (float64, bool) { return *s.Number(&m.Scheduler), true }
			p.Set = func(m *sim.Machine, v float64) { *s.Number(&m.Scheduler) = v }
		case s.Switch != nil:
			p.Kind = KindSwitch
			p.Get = func(m *sim.Machine) (float64, bool) { return one(*s.Switch(&m.Scheduler)), true }
			p.Set = func(m *sim.Machine, v float64) { *s.Switch(&m.Scheduler) = v != 0 }
		default:
			continue
		}
		list = append(list, p)
	}
	return list
}

// policyTakes reports whether the policy has a parameter of that name.
func policyTakes(m *sim.Machine, param string) bool {
	p, ok := sim.PolicyByName(m.Scheduler.Policy)
	if !ok {
		return false
	}
	return slices.Contains(p.Params, param)
}

func one(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// uniform reports whether a value is the same for all elements.
func uniform[E any](list []E, value func(*E) float64) bool {
	for i := range list {
		if value(&list[i]) != value(&list[0]) {
			return false
		}
	}
	return true
}

// completeNodeField derives Get and Set from Node.
func (p *Parameter) completeNodeField() {
	p.Get = func(m *sim.Machine) (float64, bool) {
		if len(m.Nodes) == 0 {
			return p.Default, true
		}
		return p.Node.Get(&m.Nodes[0]), uniform(m.Nodes, p.Node.Get)
	}
	p.Set = func(m *sim.Machine, v float64) {
		for i := range m.Nodes {
			p.Node.Set(&m.Nodes[i], v)
		}
	}
}

// OfNode returns the parameter restricted to one node.
func (p *Parameter) OfNode(i int) *Parameter {
	q := *p
	q.Get = func(m *sim.Machine) (float64, bool) {
		if i >= len(m.Nodes) {
			return p.Default, true
		}
		return p.Node.Get(&m.Nodes[i]), true
	}
	q.Set = func(m *sim.Machine, v float64) {
		if i < len(m.Nodes) {
			p.Node.Set(&m.Nodes[i], v)
		}
	}
	return &q
}

func clusterValue(value func(*sim.Cluster) float64) func(*sim.Machine) (float64, bool) {
	return func(m *sim.Machine) (float64, bool) {
		if len(m.Clusters) == 0 {
			return 0, true
		}
		return value(&m.Clusters[0]), uniform(m.Clusters, value)
	}
}

func setClusters(set func(*sim.Cluster, float64)) func(*sim.Machine, float64) {
	return func(m *sim.Machine, v float64) {
		for i := range m.Clusters {
			set(&m.Clusters[i], v)
		}
	}
}

func firstMapping(m *sim.Machine) sim.Mapping {
	if len(m.Mapping) == 0 {
		return sim.Mapping{Kind: sim.TasksPerNode, Tasks: 1}
	}
	return m.Mapping[0]
}

// setMapping changes the mapping strategy, but keeps tasks per node and the list of nodes.
func setMapping(m *sim.Machine, k sim.MappingKind) {
	a := firstMapping(m)
	a.Kind, a.Tasks = k, max(a.Tasks, 1)
	m.Mapping = []sim.Mapping{a}
}
