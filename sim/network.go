package sim

import (
	"fmt"
	"slices"
	"strings"
)

// Network is an entry of Networks.
type Network struct {
	Name string
	Doc  string
	// Params names the machine parameters that have an effect.
	Params []string

	// Direct: processors are joined by links (Machine.Direct), otherwise by links and buses of nodes.
	Direct bool
}

// networkParams are the parameters of links and buses.
var networkParams = []string{"bandwidth", "buses", "input-links", "output-links", "local-bandwidth", "local-buses",
	"wan-bandwidth"}

// directParams are the parameters of links between processors.
var directParams = []string{"topology", "switching", "link-startup", "link-bandwidth", "packet-size", "control-size",
	"flit-size"}

// Networks returns the kinds of networks of a machine. It is a copy: the table cannot be changed.
func Networks() []Network { return slices.Clone(networks) }

var networks = []Network{
	{"buses",
		"Dimemas: output link, input link and bus, one after the other; a message keeps what it has while it waits " +
			"for the rest", networkParams, false},
	{"together",
		"the thesis: first come, first served; a message takes all that it needs at once, and passes those that " +
			"wait for other things", networkParams, false},
	{"direct",
		"PUPPET: links between processors (topology); each message takes the time of its way, as if it were alone",
		directParams, true},
	{"direct-contention",
		"as direct, but a link carries one message at a time, first come first served; what a message holds " +
			"depends on the switching", directParams, true},
}

// NetworkByName finds a network.
func NetworkByName(name string) (*Network, bool) {
	for i := range networks {
		if n := networks[i]; n.Name == name {
			return &n, true
		}
	}
	return nil, false
}

// checkNetwork reports an unknown network.
func checkNetwork(name string) error {
	if _, ok := NetworkByName(name); ok || name == "" {
		return nil
	}
	var names []string
	for i := range networks {
		names = append(names, networks[i].Name)
	}
	return fmt.Errorf("there is no network %q, but %s", name, strings.Join(names, ", "))
}

// IsDirect reports whether the network of the machine joins processors.
func (m *Machine) IsDirect() bool {
	n, _ := NetworkByName(m.Network)
	return n != nil && n.Direct
}
