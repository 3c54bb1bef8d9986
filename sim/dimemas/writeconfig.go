package dimemas

// Writing configurations, with their scheduler and communications files.

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pview/sim"
)

// WriteConfig writes a configuration that Dimemas reads. Settings without a record (the scheduler, the costs of
// collective operations, flight times) go to the files that c names; see WriteScheduler and writeCommunications. Times
// are written with all their digits.
func WriteConfig(w io.Writer, c *Config) error {
	b := bufio.NewWriter(w)
	m := c.Machine
	fmt.Fprintf(b, "%s\n\n", configMagic)
	fmt.Fprintf(b, "\"wide area network information\" {%s, %d, %d, %d, %s, %s, %d};;\n\n", quoted(m.WAN.Name),
		len(m.Clusters), len(m.Connections),
		max(m.WAN.Traffic, 1), number(m.WAN.MaxTraffic), number(m.WAN.Bandwidth), max(m.WAN.Model, 1))
	nodes := make([]int, len(m.Clusters))
	for i := range m.Nodes {
		nodes[m.Nodes[i].Cluster]++
	}
	for i := range m.Clusters {
		cl := &m.Clusters[i]
		fmt.Fprintf(b, "\"environment information\" {%s, %d, \"\", %d, %s, %d, %d};;\n", quoted(cl.Name), i, nodes[i],
			number(cl.Bandwidth), cl.Buses, max(cl.Model, 1))
	}
	b.WriteString("\n")
	writeNodes(b, m.Nodes)
	b.WriteString("\n")
	writeMappings(b, c)
	fmt.Fprintf(b, "\n\"configuration files\" {%s, %s, %s, %s};;\n", plainText(c.Scheduler), plainText(c.FileSystem),
		quoted(c.Communications), quoted(c.Random))
	b.WriteString("\"file system parameters\" {0.0, 0.0, 8.0, 0, 1.0};;\n")
	for _, mod := range m.Modules {
		ratio := mod.Ratio
		if ratio < 0 {
			ratio /= 1e9
		}
		fmt.Fprintf(b, "\"modules information\" {%d, %d, %s};;\n", mod.Type, mod.Value, number(ratio))
	}
	for i := range m.Connections {
		writeConnection(b, &m.Connections[i])
	}
	return b.Flush()
}

// writeNodes writes consecutive identical nodes as one record. Latencies are in seconds there.
func writeNodes(b *bufio.Writer, nodes []sim.Node) {
	for first := 0; first < len(nodes); {
		n := &nodes[first]
		count := 1
		for first+count < len(nodes) && nodes[first+count] == *n {
			count++
		}
		fmt.Fprintf(b, "\"multi node information\" {%d, %d, %s, %d, %s, %s, %s, %d, %d, %d, %s, %d, %d, %s};;\n",
			n.Cluster, count, quoted(n.Architecture), n.CPUs,
			number(n.Speed), seconds(n.Local.Latency), number(n.Local.Bandwidth), n.Local.Buses, n.Local.Links.In,
			n.Local.Links.Out,
			seconds(n.Latency), n.Links.In, n.Links.Out, seconds(n.WANLatency))
		first += count
	}
}

func writeMappings(b *bufio.Writer, c *Config) {
	for i := range c.Machine.Mapping {
		m := &c.Machine.Mapping[i]
		trace := ""
		if i < len(c.Traces) {
			trace = c.Traces[i]
		}
		if m.Kind == sim.Explicit {
			var nodes []string
			for _, n := range m.Nodes {
				nodes = append(nodes, strconv.Itoa(n))
			}
			fmt.Fprintf(b, "\"mapping information\" {%s, %d, [%d] {%s}};;\n", quoted(trace), len(nodes), len(nodes),
				strings.Join(nodes, ","))
			continue
		}
		if trace != "" {
			trace = quoted(trace) + ", "
		}
		fmt.Fprintf(b, "\"predefined mapping information\" {%s\"%s\"};;\n", trace, mappingName(*m))
	}
}

// mappingName returns the form that parseMapping reads.
func mappingName(m sim.Mapping) string {
	if m.Kind == sim.TasksPerNode {
		return fmt.Sprintf("%d %s", m.Tasks, sim.Mappings[m.Kind].Name)
	}
	return sim.Mappings[m.Kind].Name
}

// writeConnection writes latency and flight time in nanoseconds, as Dimemas 5.5.0 reads them.
func writeConnection(b *bufio.Writer, c *sim.Connection) {
	list := func(n []int64) string {
		var s []string
		for _, v := range n {
			s = append(s, strconv.FormatInt(v, 10))
		}
		return fmt.Sprintf("[%d] {%s}", len(n), strings.Join(s, ","))
	}
	join := byte('|')
	if c.And {
		join = '&'
	}
	fmt.Fprintf(b, "\"dedicated connection information\" {%d, %d, %d, %s, %s, %d, %c, %c, %d, %c, %s, %s, %s};;\n",
		c.ID, c.From, c.To, number(c.Bandwidth), list(c.Tags),
		c.First.Size, c.First.Relation, join, c.Second.Size, c.Second.Relation, list(c.Communicators),
		number(c.Latency), number(c.Flight))
}

// writeCommunications writes a communications file: non-default costs of collective operations, and flight times.
func writeCommunications(w io.Writer, m *sim.Machine) error {
	b := bufio.NewWriter(w)
	line := func(prefix string, costs *sim.CollectiveCosts) {
		standard := sim.DefaultCosts()
		for op, c := range costs {
			if c != standard[op] {
				fmt.Fprintf(b, "%s%d %s %s %s %s\n", prefix, op, stageModel(c.FanIn), stageSize(c.FanIn),
					stageModel(c.FanOut), stageSize(c.FanOut))
			}
		}
	}
	for i := range m.Clusters {
		line(fmt.Sprintf("Machine globalop: %d ", i), &m.Clusters[i].Collectives)
	}
	line("External globalop: ", &m.WAN.Collectives)
	for i := range m.Clusters {
		if f := m.Clusters[i].Flight; f != nil {
			fmt.Fprintf(b, "Flight time: %d", i)
			for _, v := range f {
				b.WriteString(" " + seconds(v))
			}
			b.WriteByte('\n')
		}
	}
	return b.Flush()
}

func stageModel(s sim.Stage) string {
	if s.Model == sim.ModelDefault {
		return sim.CollectiveModels[sim.ModelLogarithmic].Name
	}
	return sim.CollectiveModels[s.Model].Name
}

func stageSize(s sim.Stage) string {
	if s.Size == sim.SizeCurrent {
		return sim.CollectiveSizes[sim.SizeMax].Name
	}
	return sim.CollectiveSizes[s.Size].Name
}

func number(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// seconds writes nanoseconds as seconds, which read back to the same number except for the last bit.
func seconds(ns float64) string { return number(ns / 1e9) }

// quoted returns a text in quotes, without characters that would end them or the line.
func quoted(s string) string { return `"` + oneLine.Replace(s) + `"` }

// plainText returns a file name, which Dimemas 5.5.0 opens only without quotes.
func plainText(s string) string {
	s = strings.TrimSpace(strings.NewReplacer(",", " ", "{", " ", "}", " ").Replace(oneLine.Replace(s)))
	if s == "" {
		return `""`
	}
	return s
}

var oneLine = strings.NewReplacer("\n", " ", "\r", " ", `"`, " ", "//", "/", "/*", "/ ", "*/", " /")
