package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pview/prv"
	"pview/sim"
	"pview/sim/parameter"
)

// Difference is a difference between two scenarios; Before is empty if there is no old value.
type Difference struct{ What, Before, After string }

// String returns the new setting: "latency 25 us".
func (d Difference) String() string { return strings.TrimSpace(d.What + " " + d.After) }

// BlockName names a block of the program by the event that begins it.
type BlockName func(typ uint32, value int64) string

// BlockNames names blocks by the labels of a trace; with the type if the value alone is ambiguous.
func BlockNames(l *prv.Labels) BlockName {
	return func(typ uint32, value int64) string {
		name := l.ValueName(typ, value)
		if strings.EqualFold(name, "begin") || strings.HasPrefix(name, "value ") {
			return l.TypeName(typ) + ": " + name
		}
		return name
	}
}

// Changes lists the differences in a few words each: "latency 25 us", "node 3 CPU speed 2".
func Changes(before, after Scenario, name BlockName) (list []string) {
	for _, d := range Compare(before, after, name) {
		list = append(list, d.String())
	}
	return list
}

// FromIdeal lists the differences of a scenario from the ideal machine for a program.
func (s Scenario) FromIdeal(p *sim.Program, name BlockName) []Difference {
	ideal := parameter.PresetByName("ideal").For(p)
	ideal.Room(p)
	return Compare(Scenario{Machine: ideal}, s, name)
}

// mostWords is the maximum number of differences in a machine's name.
const mostWords = 8

// InWords names the machine of a scenario, with its differences from the ideal one: "ideal, latency 5 us".
func (s Scenario) InWords(base string, p *sim.Program, name BlockName) string {
	words := []string{base}
	list := s.FromIdeal(p, name)
	for i, d := range list {
		if i == mostWords {
			words = append(words, fmt.Sprintf("%d more settings", len(list)-i))
			break
		}
		words = append(words, d.String())
	}
	return strings.Join(words, ", ")
}

// Compare lists the differences between two scenarios: rules, parameters, collective operations, blocks.
func Compare(before, after Scenario, name BlockName) (list []Difference) {
	list = append(list, rules(before, after)...)
	for i := range parameter.All {
		list = append(list, parameterChanges(&parameter.All[i], before.Machine, after.Machine)...)
	}
	for i := range parameter.Texts {
		x := &parameter.Texts[i]
		if was, is := x.Get(before.Machine), x.Get(after.Machine); was != is {
			list = append(list, Difference{x.Name, cmp.Or(was, "default"), cmp.Or(is, "default")})
		}
	}
	if before.NoOpenMP != after.NoOpenMP {
		word := map[bool]string{true: "on", false: "off"}
		list = append(list, Difference{"disable-openmp", word[before.NoOpenMP], word[after.NoOpenMP]})
	}
	list = append(list, collectives(before.Machine, after.Machine)...)
	return append(list, blocks(before.Machine, after.Machine, name)...)
}

func rules(before, after Scenario) (list []Difference) {
	for i, v := range after.Rules {
		if r := &sim.RuleTable[i]; v != before.Rules[i] {
			list = append(list, Difference{r.Name, r.Values[before.Rules[i]].Name, r.Values[v].Name})
		}
	}
	return list
}

func parameterChanges(p *parameter.Parameter, from, to *sim.Machine) []Difference {
	a, sameA := p.Setting(from)
	b, sameB := p.Setting(to)
	was := "several"
	if sameA {
		was = settingText(p, a)
	}
	switch {
	case sameB && (a != b || !sameA):
		return []Difference{{p.Name, was, settingText(p, b)}}
	case sameB:
		return nil
	case p.Node != nil:
		return nodes(p, from, to)
	}
	return []Difference{{p.Name, was, "differs"}}
}

func settingText(p *parameter.Parameter, s parameter.Setting) string {
	if s.Distribution.Kind != "" {
		return p.FormatSetting(s)
	}
	return p.Show(s.Value)
}

// mostNodes is the maximum number of individually listed nodes.
const mostNodes = 3

// nodes lists the nodes at which a parameter differs, or their number if they are many.
func nodes(p *parameter.Parameter, from, to *sim.Machine) (list []Difference) {
	for n := range to.Nodes {
		d := Difference{What: fmt.Sprintf("node %d %s", n+1, p.Name), After: p.Show(p.Node.Get(&to.Nodes[n]))}
		if n < len(from.Nodes) {
			d.Before = p.Show(p.Node.Get(&from.Nodes[n]))
		}
		if d.Before != d.After {
			list = append(list, d)
		}
	}
	if len(list) > mostNodes {
		return []Difference{{What: fmt.Sprintf("%s of %d nodes", p.Name, len(list)), After: "differs"}}
	}
	return list
}

func collectives(from, to *sim.Machine) (list []Difference) {
	if len(from.Clusters) == 0 || len(to.Clusters) == 0 {
		return nil
	}
	for op, c := range to.Clusters[0].Collectives {
		if was := from.Clusters[0].Collectives[op]; c != was {
			list = append(list, Difference{sim.Collectives[op], costText(was), costText(c)})
		}
	}
	return list
}

func costText(c sim.CollectiveCost) string { return stageText(c.FanIn) + " / " + stageText(c.FanOut) }

// stageText describes the cost model of a stage of a collective operation.
func stageText(st sim.Stage) string {
	if st.Model == sim.ModelDefault {
		return "default"
	}
	text := sim.CollectiveModels[st.Model].Name
	if st.Model != sim.ModelNone && st.Size != sim.SizeCurrent {
		text += " " + sim.CollectiveSizes[st.Size].Name
	}
	return text
}

func blocks(from, to *sim.Machine, name BlockName) (list []Difference) {
	for _, mod := range to.Modules {
		if was := from.ModuleRatio(mod.Type, mod.Value); was != mod.Ratio {
			list = append(list, Difference{name(mod.Type, mod.Value), RatioText(was), RatioText(mod.Ratio)})
		}
	}
	for _, mod := range from.Modules {
		if !slices.ContainsFunc(to.Modules, func(o sim.Module) bool {
			return o.Type == mod.Type && o.Value == mod.Value
		}) {
			list = append(list, Difference{name(mod.Type, mod.Value), RatioText(mod.Ratio), RatioText(1)})
		}
	}
	return list
}

// RatioText describes the effect of a module's ratio on a block: "2x faster".
func RatioText(ratio float64) string {
	switch {
	case ratio == 0:
		return "no time"
	case ratio == 1:
		return "as measured"
	case ratio < 0: // the time of each execution
		return (&parameter.Parameter{Kind: parameter.KindTime}).Show(-ratio) + " each"
	}
	return fmt.Sprintf("%gx faster", ratio)
}

// Time is a component of the time of a run, summed over threads or messages.
type Time struct {
	Name string
	Of   func(r *sim.Result) float64 // ns
}

// Times returns the times for comparing runs: the total, then each state, then the waits of messages.
func Times() []Time {
	list := []Time{{"total", func(r *sim.Result) float64 { return float64(r.Total) }}}
	for _, st := range sim.States {
		list = append(list, ofTasks("all threads: "+st.Name, func(s *sim.TaskStats) float64 {
			return float64(s.States[st.Value])
		}))
	}
	return append(list,
		ofTasks("messages wait for links", func(s *sim.TaskStats) float64 { return s.WaitLinks }),
		ofTasks("messages wait for buses", func(s *sim.TaskStats) float64 { return s.WaitBuses }))
}

func ofTasks(name string, of func(*sim.TaskStats) float64) Time {
	return Time{name, func(r *sim.Result) (ns float64) {
		for i := range r.Tasks {
			ns += of(&r.Tasks[i])
		}
		return ns
	}}
}
