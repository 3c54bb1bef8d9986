package efficiency

// The table of figures.
//
// The definitions are those of the POP Centre of Excellence as implemented by BSC's modelfactors; names and order are
// those of its tables. The factors of hybrid programs are POP's multiplicative ones (co-design.pop-coe.eu/metrics,
// "Hybrid multiplicative model"): MPI is judged by the first thread of each process, with everything outside of it
// considered useful; OpenMP is the rest:
//
//	parallel efficiency = load balance           x communication efficiency
//	     ||                    ||                        ||
//	MPI parallel eff.   = MPI load balance       x MPI communication efficiency      (x: across, || and x: downwards)
//	     x                     x                          x
//	OpenMP parallel eff.= OpenMP load balance    x OpenMP communication efficiency

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/prv/wide"
)

// Factor is a figure of a run.
type Factor struct {
	Name  string // as modelfactors spells it, with the unit where that is not obvious
	Title string // the name without its unit, for use beside the number
	// a shorter title, only for the parallel efficiency and its parts, which sum up a run
	Short    string
	Abbr     string // by POP, likewise
	Unit     string // "%", "us", "GHz", "" for plain numbers
	Decimals int    // as printed by modelfactors
	Doc      string
	Formula  string
	// HybridFormula is the formula of a hybrid run, if different.
	HybridFormula string
	// Parent is the factor that this one is a part of: a factor is the product of its parts. "" for none.
	Parent string
	// HybridParent is the parent in a hybrid run, if different.
	HybridParent string
	// Hybrid factors have values only for multi-threaded processes that use MPI.
	Hybrid bool
	// Devices factors have values only where the processors are devices.
	Devices bool
	// Simulated factors need a simulation on the ideal network.
	Simulated bool
	// Compares factors are relative to the smallest run: of a single run they say nothing.
	Compares bool

	value func(c *column) float64
}

// column is the input of a factor.
type column struct {
	*Run
	ref  *Run
	weak bool
}

// growth returns the expected work relative to the reference.
func (c *column) growth() float64 {
	if c.weak {
		return float64(c.Threads) / float64(c.ref.Threads)
	}
	return 1
}

// Names of factors that have parts.
const (
	globalEfficiency   = "Global efficiency %"
	parallelEfficiency = "Parallel efficiency %"
	loadBalance        = "Load balance %"
	communication      = "Communication efficiency %"
	deviceActivity     = "Device communication efficiency %"
	orchestration      = "Orchestration efficiency %"
	serialization      = "Serialization efficiency %"
	transfer           = "Transfer efficiency %"
	mpiEfficiency      = "MPI parallel efficiency %"
	mpiCommunication   = "MPI communication efficiency %"
	openMPEfficiency   = "OpenMP parallel efficiency %"
	computation        = "Computation scalability %"
	ipcScalability     = "IPC scalability %"
	instructionScaling = "Instruction scalability %"
	frequencyScaling   = "Frequency scalability %"
	speedup            = "Speedup"
)

// Factors are all figures, in the order of modelfactors' tables.
var Factors = []Factor{
	{Name: parallelEfficiency, Title: "Parallel efficiency", Short: "efficiency", Abbr: "PE", Unit: "%", Decimals: 6,
		Parent: globalEfficiency,
		Doc: "share of the processors' time spent in useful computation; the rest is lost to imbalance and " +
			"communication",
		Formula: "load balance x communication efficiency = average useful duration / runtime",
		value:   parallelOf},
	{Name: loadBalance, Title: "Load balance", Short: "load balance", Abbr: "LB", Unit: "%", Decimals: 6,
		Parent:  parallelEfficiency,
		Doc:     "balance of useful time over processes and threads; 100 % if all have the same",
		Formula: "average useful duration / maximum useful duration",
		value:   balanceOf},
	{Name: communication, Title: "Communication efficiency", Short: "communication", Abbr: "CommE", Unit: "%",
		Decimals: 6, Parent: parallelEfficiency,
		Doc:     "share of the runtime in which the busiest thread computes; the rest is lost to waiting and transfers",
		Formula: "maximum useful duration / runtime",
		value:   communicationOf},
	{Name: serialization, Title: "Serialization efficiency", Short: "serialization", Abbr: "SerE", Unit: "%",
		Decimals: 6, Parent: communication, HybridParent: mpiCommunication, Simulated: true,
		Doc: "communication efficiency on an ideal network; the loss is waiting due to dependences and " +
			"temporary imbalance",
		Formula:       "maximum useful duration in the ideal run / runtime of the ideal run",
		HybridFormula: "maximum time outside MPI in the ideal run / runtime of the ideal run",
		value: func(c *column) float64 {
			if c.Ideal == nil {
				return math.NaN()
			}
			if c.Hybrid {
				return percent(printed(ns(c.Ideal.OutsideMax)), printed(ns(c.Ideal.Runtime)))
			}
			return percent(printed(ns(c.Ideal.UsefulMax)), printed(ns(c.Ideal.Runtime)))
		}},
	{Name: transfer, Title: "Transfer efficiency", Short: "transfer", Abbr: "TrfE", Unit: "%", Decimals: 6,
		Parent: communication, HybridParent: mpiCommunication, Simulated: true,
		Doc:           "cost of the real network over an ideal one; the loss is time in transfers and calls",
		Formula:       "communication efficiency / serialization efficiency",
		HybridFormula: "MPI communication efficiency / serialization efficiency",
		value: func(c *column) float64 {
			whole := communicationOf
			if c.Hybrid {
				whole = mpiCommunicationOf
			}
			return percent(whole(c), lookup(serialization).value(c))
		}},

	{Name: deviceActivity, Title: "Device communication efficiency", Unit: "%", Decimals: 6, Parent: communication,
		Devices: true,
		Doc:     "most computation of a device / most work of a device; the rest is communication and copies",
		Formula: "maximum useful duration / maximum busy duration",
		value:   ofDevices(func(c *column) float64 { return percent(c.UsefulMax(), float64(c.Busiest)) })},
	{Name: orchestration, Title: "Orchestration efficiency", Unit: "%", Decimals: 6, Parent: communication, Devices: true,
		Doc:     "share of the runtime in which the busiest device has work; the rest is late launches, dependences",
		Formula: "maximum busy duration / runtime",
		value:   ofDevices(func(c *column) float64 { return percent(float64(c.Busiest), float64(c.Runtime)) })},

	{Name: mpiEfficiency, Title: "MPI parallel efficiency", Unit: "%", Decimals: 6, Parent: parallelEfficiency,
		HybridParent: parallelEfficiency, Hybrid: true,
		Doc:     "share of time outside MPI, in the first thread of each process",
		Formula: "MPI load balance x MPI communication efficiency = average time outside MPI / runtime",
		value:   ofHybrid(mpiOf)},
	{Name: "MPI load balance %", Title: "MPI load balance", Unit: "%", Decimals: 6, Parent: mpiEfficiency, Hybrid: true,
		Doc:     "balance of time outside MPI over the processes",
		Formula: "average time outside MPI / maximum time outside MPI",
		value:   ofHybrid(mpiBalanceOf)},
	{Name: mpiCommunication, Title: "MPI communication efficiency", Unit: "%", Decimals: 6, Parent: mpiEfficiency,
		Hybrid:  true,
		Doc:     "share of the runtime outside MPI, of the process with the least MPI",
		Formula: "maximum time outside MPI / runtime",
		value:   ofHybrid(mpiCommunicationOf)},
	{Name: openMPEfficiency, Title: "OpenMP parallel efficiency", Unit: "%", Decimals: 6, Parent: parallelEfficiency,
		Hybrid: true,
		Doc:    "share of the time outside MPI that the threads use",
		Formula: "parallel efficiency / MPI parallel efficiency = OpenMP load balance x OpenMP communication " +
			"efficiency",
		value: ofHybrid(func(c *column) float64 { return percent(parallelOf(c), mpiOf(c)) })},
	{Name: "OpenMP load balance %", Title: "OpenMP load balance", Unit: "%", Decimals: 6, Parent: openMPEfficiency,
		Hybrid:  true,
		Doc:     "imbalance added by threads",
		Formula: "load balance / MPI load balance",
		value:   ofHybrid(func(c *column) float64 { return percent(balanceOf(c), mpiBalanceOf(c)) })},
	{Name: "OpenMP communication efficiency %", Title: "OpenMP communication efficiency", Unit: "%", Decimals: 6,
		Parent: openMPEfficiency, Hybrid: true,
		Doc: "the loss of threads to serial parts, synchronisation and scheduling",
		Formula: "communication efficiency / MPI communication efficiency = maximum useful duration / maximum time " +
			"outside MPI",
		value: ofHybrid(func(c *column) float64 { return percent(communicationOf(c), mpiCommunicationOf(c)) })},

	{Name: computation, Title: "Computation scalability", Unit: "%", Decimals: 6, Compares: true,
		Parent: globalEfficiency,
		Doc:    "total useful time relative to the smallest run; below 100 % the total has grown",
		Formula: "total useful duration of the reference / total useful duration; weak scaling: x size / size of " +
			"the reference",
		value: func(c *column) float64 {
			return percent(printed(c.ref.UsefulTotal()), printed(c.UsefulTotal())) * c.growth()
		}},
	{Name: globalEfficiency, Title: "Global efficiency", Unit: "%", Decimals: 6,
		Doc:     "overall efficiency relative to the smallest run",
		Formula: "parallel efficiency x computation scalability",
		value:   func(c *column) float64 { return parallelOf(c) * lookup(computation).value(c) / 100 }},
	{Name: ipcScalability, Title: "IPC scalability", Unit: "%", Decimals: 6, Compares: true, Parent: computation,
		Doc:     "IPC relative to the smallest run: caches, memory bandwidth, instruction mix",
		Formula: "average IPC / average IPC of the reference",
		value:   func(c *column) float64 { return percent(c.IPC(), c.ref.IPC()) }},
	{Name: instructionScaling, Title: "Instruction scalability", Unit: "%", Decimals: 6, Compares: true,
		Parent: computation,
		Doc:    "total instructions relative to the smallest run; below 100 % work is replicated",
		Formula: "useful instructions of the reference / useful instructions; weak scaling: x size / size of the " +
			"reference",
		value: func(c *column) float64 { return percent(c.ref.Instructions, c.Instructions) * c.growth() }},
	{Name: frequencyScaling, Title: "Frequency scalability", Unit: "%", Decimals: 6, Compares: true,
		Parent: computation,
		Doc: "clock frequency relative to the smallest run; below 100 % the processors run slower, or not all " +
			"the time",
		Formula: "average frequency / average frequency of the reference",
		value:   func(c *column) float64 { return percent(c.frequency(), c.ref.frequency()) }},
	{Name: speedup, Title: "Speedup", Decimals: 6, Compares: true,
		Doc:     "speed relative to the smallest run",
		Formula: "runtime of the reference / runtime; weak scaling: x size / size of the reference",
		value: func(c *column) float64 {
			return ratio(printed(ns(c.ref.Runtime)), printed(ns(c.Runtime))) * c.growth()
		}},
	{Name: "Average IPC", Title: "Average IPC", Decimals: 6,
		Doc:     "instructions per cycle of useful computation",
		Formula: "useful instructions / useful cycles",
		value:   func(c *column) float64 { return c.IPC() }},
	{Name: "Average frequency (GHz)", Title: "Average frequency", Unit: "GHz", Decimals: 6,
		Doc:     "cycles per nanosecond of useful computation",
		Formula: "useful cycles / total useful duration",
		value:   func(c *column) float64 { return c.frequency() }},
	{Name: "Runtime (us)", Title: "Runtime", Unit: "us", Decimals: 2,
		Doc:     "duration of the run",
		Formula: "end of the trace; of one application: the end of its last record",
		value:   func(c *column) float64 { return us(c.Runtime) }},
	{Name: "Runtime (ideal, us)", Title: "Runtime, ideal network", Unit: "us", Decimals: 2, Simulated: true,
		Doc:     "runtime on a network without latency, with infinite bandwidth",
		Formula: "predicted by the simulator",
		value:   ofIdeal(func(i *Ideal) int64 { return i.Runtime })},
	{Name: "Useful duration, average (us)", Title: "Useful duration, average", Unit: "us", Decimals: 2,
		Doc:     "time in state Running, mean over the threads",
		Formula: "total useful duration / threads",
		value:   func(c *column) float64 { return c.UsefulAverage() / 1000 }},
	{Name: "Useful duration, maximum (us)", Title: "Useful duration, maximum", Unit: "us", Decimals: 2,
		Doc:     "time in state Running, maximum over the threads",
		Formula: "maximum over the threads",
		value:   func(c *column) float64 { return c.UsefulMax() / 1000 }},
	{Name: "Useful duration, total (us)", Title: "Useful duration, total", Unit: "us", Decimals: 2,
		Doc:     "time in state Running, sum over the threads",
		Formula: "sum over the threads",
		value:   func(c *column) float64 { return c.UsefulTotal() / 1000 }},
	{Name: "Useful duration, ideal run, maximum (us)", Title: "Useful duration, ideal run, maximum", Unit: "us",
		Decimals: 2, Simulated: true,
		Doc: "time in state Running on the ideal network, maximum over the threads",
		Formula: "maximum over the threads, predicted by the simulator; no value for hybrid programs, where all " +
			"simulated time outside MPI is computation",
		value: func(c *column) float64 {
			if c.Hybrid {
				return math.NaN()
			}
			return ofIdeal(func(i *Ideal) int64 { return i.UsefulMax })(c)
		}},
	{Name: "Outside MPI, average (us)", Title: "Outside MPI, average", Unit: "us", Decimals: 2, Hybrid: true,
		Doc:     "time outside MPI of the first thread of a process, mean",
		Formula: "average over the processes",
		value:   ofHybrid(func(c *column) float64 { return mean(c.Outside) / 1000 })},
	{Name: "Outside MPI, maximum (us)", Title: "Outside MPI, maximum", Unit: "us", Decimals: 2, Hybrid: true,
		Doc:     "the same, maximum over the processes",
		Formula: "maximum over the processes",
		value:   ofHybrid(func(c *column) float64 { return most(c.Outside) / 1000 })},
	{Name: "Outside MPI, ideal run, maximum (us)", Title: "Outside MPI, ideal run, maximum", Unit: "us", Decimals: 2,
		Hybrid: true, Simulated: true,
		Doc:     "the same on the ideal network",
		Formula: "maximum over the processes, predicted by the simulator",
		value:   ofHybrid(ofIdeal(func(i *Ideal) int64 { return i.OutsideMax }))},
	{Name: "Useful instructions, total", Title: "Useful instructions", Decimals: 0,
		Doc:     "instructions completed in state Running",
		Formula: "sum of the counter's readings at the end of useful computation",
		value:   func(c *column) float64 { return c.Instructions }},
	{Name: "Useful cycles, total", Title: "Useful cycles", Decimals: 0,
		Doc:     "cycles in state Running",
		Formula: "sum of the counter's readings at the end of useful computation",
		value:   func(c *column) float64 { return c.Cycles }},
}

// Parallel is the parallel efficiency, Balance and Communication are its parts.
var Parallel, Balance, Communication *Factor

// InSentence returns the factor's title inside a sentence.
func (f *Factor) InSentence() string { return strings.ToLower(f.Title[:1]) + f.Title[1:] }

var byName = map[string]*Factor{}

func init() { // the table refers to itself
	for i := range Factors {
		byName[Factors[i].Name] = &Factors[i]
	}
	Parallel, Balance, Communication = lookup(parallelEfficiency), lookup(loadBalance), lookup(communication)
}

func lookup(name string) *Factor { return byName[name] }

// Node is a factor in the tree of factors, with its depth.
type Node struct {
	*Factor
	Depth int
}

// Tree returns the tree of factors in preorder: global efficiency, its parts, and so on.
func Tree(hybrid bool) []Node {
	var list []Node
	var add func(f *Factor, depth int)
	add = func(f *Factor, depth int) {
		list = append(list, Node{f, depth})
		for i := range Factors {
			if g := &Factors[i]; (hybrid || !g.Hybrid) && g.parent(hybrid) == f.Name {
				add(g, depth+1)
			}
		}
	}
	add(lookup(globalEfficiency), 0)
	return list
}

// Tree returns the factors of the tree that can have values.
func (r *Report) Tree() []Node {
	shown := r.Shown()
	return slices.DeleteFunc(Tree(r.Hybrid()), func(n Node) bool { return !slices.Contains(shown, n.Factor) })
}

// formulaOf returns the formula in hybrid runs, or in others.
func (f *Factor) formulaOf(hybrid bool) string {
	if hybrid && f.HybridFormula != "" {
		return f.HybridFormula
	}
	return f.Formula
}

func (f *Factor) parent(hybrid bool) string {
	if hybrid && f.HybridParent != "" {
		return f.HybridParent
	}
	return f.Parent
}

func parallelOf(c *column) float64 { return balanceOf(c) * communicationOf(c) / 100 }
func balanceOf(c *column) float64  { return percent(printed(c.UsefulAverage()), printed(c.UsefulMax())) }
func communicationOf(c *column) float64 {
	if c.UsefulMax() == 0 {
		return math.NaN()
	}
	return percent(printed(c.UsefulMax()), printed(ns(c.Runtime)))
}

func mpiOf(c *column) float64 { return mpiBalanceOf(c) * mpiCommunicationOf(c) / 100 }
func mpiBalanceOf(c *column) float64 {
	return percent(printed(mean(c.Outside)), printed(most(c.Outside)))
}
func mpiCommunicationOf(c *column) float64 {
	return percent(printed(most(c.Outside)), printed(ns(c.Runtime)))
}

// ofDevices returns a factor that has a value only where the processors are devices.
func ofDevices(f func(c *column) float64) func(c *column) float64 {
	return func(c *column) float64 {
		if c.Busiest == 0 {
			return math.NaN()
		}
		return f(c)
	}
}

// ofHybrid restricts a figure to hybrid runs.
func ofHybrid(f func(*column) float64) func(*column) float64 {
	return func(c *column) float64 {
		if !c.Hybrid {
			return math.NaN()
		}
		return f(c)
	}
}

// ofIdeal returns a time in the ideal run, in microseconds.
func ofIdeal(f func(*Ideal) int64) func(*column) float64 {
	return func(c *column) float64 {
		if c.Ideal == nil {
			return math.NaN()
		}
		return us(f(c.Ideal))
	}
}

// printed returns a time, ns, as modelfactors reads it: Paraver prints microseconds with two decimals. The last digit
// of an efficiency depends on it. Times below a millisecond, which would lose more digits, are unchanged.
func printed(ns float64) float64 {
	if !(ns >= 1e6) {
		return ns
	}
	us, err := strconv.ParseFloat(strconv.FormatFloat(ns/1000, 'f', 2, 64), 64)
	if err != nil {
		return ns
	}
	return us * 1000
}

func ns(t int64) float64 { return float64(t) }
func us(t int64) float64 { return float64(t) / 1000 }

func percent(a, b float64) float64 { return ratio(a, b) * 100 }

func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// mean is NaN for an empty list.
func mean(list []int64) float64 { return wide.Sum(list).Float() / float64(len(list)) }

func most(list []int64) float64 {
	m := int64(0)
	for _, v := range list {
		m = max(m, v)
	}
	return float64(m)
}
