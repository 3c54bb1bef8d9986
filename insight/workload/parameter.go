package workload

// Parameters that are not part of a component's kind: events at its end, and values of semantic functions.

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
	"pview/semantic"
)

// Parameter is a parameter of an analysis, and its weight.
type Parameter struct {
	// Name is that of a column of the set, an event type (its number, or the first word of its label) or total(TYPE),
	// two of them joined by one of + - * /, or mean(FUNCTION) or sum(FUNCTION) of a semantic function of threads.
	Name string
	Log  bool // the natural logarithm is taken
	// Factor weighs the parameter after scaling; 0: 1.
	Factor float64
	// Min and Max limit the components by the raw value, inclusive; both 0: no limit.
	Min, Max float64
}

// parseParameter reads [log:]NAME[@FACTOR][=MIN..MAX].
func parseParameter(text string) (p Parameter, err error) {
	p.Name = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(p.Name, "log:"); ok {
		p.Log, p.Name = true, rest
	}
	if name, limits, ok := strings.Cut(p.Name, "="); ok {
		lo, hi, ok := strings.Cut(limits, "..")
		if p.Min, err = bound(lo, math.Inf(-1)); err == nil && ok {
			p.Max, err = bound(hi, math.Inf(1))
		}
		if err != nil || !ok {
			return p, fmt.Errorf("parameter %q: limits must be MIN..MAX", text)
		}
		p.Name = name
	}
	if name, factor, ok := strings.Cut(p.Name, "@"); ok {
		if p.Factor, err = strconv.ParseFloat(factor, 64); err != nil || !(p.Factor > 0) || p.Factor > 1e9 {
			return p, fmt.Errorf("parameter %q: the factor must be a number > 0", text)
		}
		p.Name = name
	}
	if p.Name = strings.TrimSpace(p.Name); p.Name == "" {
		return p, fmt.Errorf("parameter %q: must have a name", text)
	}
	return p, nil
}

// ParseParameters reads parameters with commas between; nil if there are none.
func ParseParameters(text string) (list []Parameter, err error) {
	for _, word := range strings.Split(text, ",") {
		if strings.TrimSpace(word) == "" {
			continue
		}
		p, err := parseParameter(word)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func bound(text string, none float64) (float64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return none, nil
	}
	return strconv.ParseFloat(text, 64)
}

// String writes the parameter as parseParameter reads it.
func (p Parameter) String() string {
	text := p.Name
	if p.Log {
		text = "log:" + text
	}
	if p.Factor != 0 && p.Factor != 1 {
		text += fmt.Sprintf("@%v", p.Factor)
	}
	if p.Min != 0 || p.Max != 0 {
		text += "=" + limit(p.Min) + ".." + limit(p.Max)
	}
	return text
}

func limit(v float64) string {
	if math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// factor returns the weight.
func (p *Parameter) factor() float64 {
	if p.Factor == 0 {
		return 1
	}
	return p.Factor
}

// defaultParameters returns those of the kind; for bursts, instructions and instructions per cycle, if the trace has
// them, summed over the burst, since user functions inside it may also read the counters.
func (s *Set) defaultParameters() []Parameter {
	if s.Kind.Default != nil {
		var list []Parameter
		for _, name := range s.Kind.Default {
			list = append(list, Parameter{Name: name})
		}
		return list
	}
	words := extrae.Of(s.Trace.Labels)
	instructions, ok1 := words.Type(extrae.Instructions)
	cycles, ok2 := words.Type(extrae.Cycles)
	if ok1 && ok2 && s.occurs(instructions) && s.occurs(cycles) {
		return []Parameter{{Name: fmt.Sprintf("total(%d)", instructions), Log: true},
			{Name: fmt.Sprintf("total(%d)/total(%d)", instructions, cycles)}}
	}
	return []Parameter{{Name: "duration", Log: true}}
}

// occurs reports whether the trace has events of a type: labels may name others.
func (s *Set) occurs(typ uint32) bool {
	return slices.ContainsFunc(s.Trace.Threads, func(th prv.Thread) bool {
		return slices.Contains(th.Events.Type, typ)
	})
}

// Measure adds the columns of parameters that the set does not have yet. Each thread is read once per parameter.
func (s *Set) Measure(ctx context.Context, list []Parameter, workers int) error {
	for i := range list {
		name := list[i].Name
		if s.Column(name) != nil {
			continue
		}
		if s.Thread == nil {
			return fmt.Errorf("parameter %q: a %s has none of that name: %s", name, s.Kind.Name, s.columnNames())
		}
		if err := s.measure(ctx, name, workers); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) columnNames() string {
	var names []string
	for i := range s.Columns {
		names = append(names, s.Columns[i].Name)
	}
	return strings.Join(names, ", ")
}

func (s *Set) measure(ctx context.Context, name string, workers int) error {
	for _, f := range []string{"mean", "sum"} {
		if inner, ok := strings.CutPrefix(name, f+"("); ok && strings.HasSuffix(inner, ")") {
			return s.measureFunction(ctx, name, strings.TrimSuffix(inner, ")"), f == "mean", workers)
		}
	}
	read, err := s.eventReader(name)
	if err != nil {
		return err
	}
	values := s.add(name, "", "events at the end").Values
	return parallel.Each(ctx, (s.n+1<<14-1)>>14, workers, func(_, k int) error {
		for i := k << 14; i < min(s.n, (k+1)<<14); i++ {
			values[i] = math.NaN()
			if s.Thread[i] >= 0 {
				values[i] = read(&s.Trace.Threads[s.Thread[i]].Events, s.Begin[i], s.End[i])
			}
		}
		return ctx.Err()
	})
}

// operators combine the values of two events.
var operators = map[byte]func(a, b float64) float64{
	'+': func(a, b float64) float64 { return a + b },
	'-': func(a, b float64) float64 { return a - b },
	'*': func(a, b float64) float64 { return a * b },
	'/': func(a, b float64) float64 {
		if b == 0 {
			return 0 // as in the clustering suite
		}
		return a / b
	},
}

// reader reads a value of a burst from the events of its thread.
type reader func(e *prv.Events, begin, end int64) float64

// eventReader reads the value of an event, or of two of them.
func (s *Set) eventReader(name string) (reader, error) {
	if read, _, err := s.operand(name); err == nil {
		return read, nil
	}
	for i := 1; i+1 < len(name); i++ {
		do := operators[name[i]]
		if do == nil {
			continue
		}
		first, _, errA := s.operand(name[:i])
		second, _, errB := s.operand(name[i+1:])
		if errA == nil && errB == nil {
			return func(e *prv.Events, begin, end int64) float64 {
				return do(first(e, begin, end), second(e, begin, end))
			}, nil
		}
	}
	return nil,
		fmt.Errorf(
			"parameter %q: must be one of %s; an event type or total(TYPE), or two with + - * or / between; "+
				"mean(FUNCTION) or sum(FUNCTION)", name, s.columnNames())
}

// operand returns an event at the end of a burst, or, as total(TYPE), the sum of those after its start: counters are
// also read where user functions begin and end.
func (s *Set) operand(text string) (reader, uint32, error) {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "total(")
	total := ok && strings.HasSuffix(inner, ")")
	if total {
		text = strings.TrimSuffix(inner, ")")
	}
	typ, err := s.eventType(text)
	if err != nil {
		return nil, 0, err
	}
	factor := 1.0
	if about, ok := s.Trace.Labels.Type(typ); ok {
		factor = about.Factor()
	}
	if total {
		return totalOf(typ, factor), typ, nil
	}
	return valueAt(typ, factor), typ, nil
}

// eventType finds an event type by its number, its label, or the label's first word.
func (s *Set) eventType(text string) (uint32, error) {
	text = strings.TrimSpace(text)
	if v, err := strconv.ParseUint(text, 10, 32); err == nil {
		return uint32(v), nil
	}
	for i := range s.Trace.Labels.Types {
		e := &s.Trace.Labels.Types[i]
		word, _, _ := strings.Cut(e.Label, " ")
		if text != "" && (strings.EqualFold(e.Label, text) || strings.EqualFold(word, text)) {
			return e.Type, nil
		}
	}
	return 0, fmt.Errorf("unknown event type %q", text)
}

// valueAt reads the first event of a type at the end; NaN: none.
func valueAt(typ uint32, factor float64) reader {
	return func(e *prv.Events, _, end int64) float64 {
		i := sort.Search(len(e.Time), func(i int) bool { return e.Time[i] >= end })
		for ; i < len(e.Time) && e.Time[i] == end; i++ {
			if e.Type[i] == typ {
				return float64(e.Value.At(i)) * factor
			}
		}
		return math.NaN()
	}
}

// totalOf sums the events of a type after the start, and the first one at the end; NaN: none.
func totalOf(typ uint32, factor float64) reader {
	return func(e *prv.Events, begin, end int64) float64 {
		sum, found := int64(0), false
		for i := sort.Search(len(e.Time), func(i int) bool {
			return e.Time[i] > begin
		}); i < len(e.Time) && e.Time[i] <= end; i++ {
			if e.Type[i] != typ {
				continue
			}
			sum, found = sum+e.Value.At(i), true
			if e.Time[i] == end {
				break
			}
		}
		if !found {
			return math.NaN()
		}
		return float64(sum) * factor
	}
}

// measureFunction adds the mean over time, or the integral over seconds, of a semantic function of threads.
func (s *Set) measureFunction(ctx context.Context, name, function string, mean bool, workers int) error {
	entry, ok := semantic.Lookup(semantic.ThreadFunctions, function)
	if !ok {
		return fmt.Errorf("parameter %q: there is no thread function %q (see pview list functions)", name, function)
	}
	w := semantic.ThreadWindow(entry.Name)
	eval, err := semantic.Compile(s.Trace, &w)
	if err != nil {
		return err
	}
	of := make([][]int32, len(s.Trace.Threads))
	for i, th := range s.Thread {
		if th >= 0 {
			of[th] = append(of[th], int32(i))
		}
	}
	values := s.add(name, "", "of the component").Values
	for i := range values {
		values[i] = math.NaN()
	}
	unit := float64(s.Trace.Unit.Nanoseconds()) / 1e9
	return parallel.Each(ctx, len(of), workers, func(_, th int) error {
		if len(of[th]) == 0 {
			return nil
		}
		series, err := eval.Series(ctx, th)
		if err != nil {
			return err
		}
		for _, i := range of[th] {
			a := series.Aggregate(s.Begin[i], s.End[i])
			if values[i] = a.Average(); !mean {
				values[i] = a.Integral * unit
			}
		}
		return nil
	})
}
