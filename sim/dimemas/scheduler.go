package dimemas

// Scheduler files: the policy of the CPUs and its parameters, one to a line.
//
// The first line is "Policy: NAME". All parameters that Dimemas has for the policy follow, in its order; then, as an
// extension, any of ours, in any order. Our own policies have only the latter.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/sim"
)

// OpenScheduler reads a scheduler file.
func OpenScheduler(path string) (sim.Scheduler, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return sim.Scheduler{}, openError(path, err)
	}
	return ParseScheduler(path, text)
}

// ParseScheduler reads a scheduler file. Parameters that it omits have their defaults.
func ParseScheduler(name string, text []byte) (sim.Scheduler, error) {
	p := schedulerParser{s: sim.DefaultScheduler()}
	line := int64(0)
	for raw := range bytes.Lines(text) {
		line++
		t := strings.TrimSpace(string(raw))
		if t == "" {
			continue
		}
		if err := p.line(t); err != nil {
			return p.s, &prv.FileError{File: name, Line: line, Why: err.Error(), Err: err}
		}
	}
	if err := p.end(); err != nil {
		return p.s, &prv.FileError{File: name, Line: line, Why: err.Error(), Err: err}
	}
	return p.s, nil
}

type schedulerParser struct {
	s      sim.Scheduler
	policy *sim.Policy
	want   []string // names of the parameters that must follow, in this order
	seen   []string
}

func (p *schedulerParser) line(t string) error {
	key, value, ok := strings.Cut(t, ":")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok {
		return fmt.Errorf("there is no colon in %q", t)
	}
	if p.policy == nil {
		if key != "Policy" {
			return errNoPolicy
		}
		return p.choose(value)
	}
	if len(p.want) > 0 {
		if want, _ := sim.SchedulerParamByName(p.want[0]); key != want.Line {
			return fmt.Errorf("%q where %q is expected", key, want.Line)
		}
		p.want = p.want[1:]
	}
	for _, name := range p.policy.Params {
		param, _ := sim.SchedulerParamByName(name)
		if param.Line != key {
			continue
		}
		if slices.Contains(p.seen, name) && param.Unit != sim.ParamLevels {
			return fmt.Errorf("%q stands twice", key)
		}
		p.seen = append(p.seen, name)
		return SetSchedulerParam(&p.s, param, value)
	}
	return fmt.Errorf("%q: policy %s takes no such parameter", key, p.policy.Name)
}

var errNoPolicy = fmt.Errorf("the first line is Policy: NAME")

func (p *schedulerParser) choose(name string) error {
	policy, ok := sim.PolicyByName(name)
	if !ok || name == "" {
		var names []string
		for _, p := range sim.Policies() {
			names = append(names, p.Name)
		}
		return fmt.Errorf("the policy %q is not simulated (those that are: %s)", name, strings.Join(names, ", "))
	}
	p.policy, p.want, p.s.Policy = policy, policy.Params[:policy.File], policy.Name
	if name == "BOOST" { // its files do not give the quantum
		p.s.Quantum = sim.DimemasQuantum
	}
	return nil
}

func (p *schedulerParser) end() error {
	if p.policy == nil {
		return errNoPolicy
	}
	if len(p.want) > 0 {
		want, _ := sim.SchedulerParamByName(p.want[0])
		return fmt.Errorf("%q is missing", want.Line)
	}
	return p.s.Check()
}

// SetSchedulerParam sets a parameter from its text in a scheduler file; for a table it adds a level.
func SetSchedulerParam(s *sim.Scheduler, p *sim.SchedulerParam, text string) error {
	switch p.Unit {
	case sim.ParamSwitch:
		yes := strings.EqualFold(text, "YES")
		if !yes && !strings.EqualFold(text, "NO") {
			return fmt.Errorf("%s: neither YES nor NO: %q", p.Line, text)
		}
		*p.Switch(s) = yes
	case sim.ParamList:
		list, err := numbers(strings.Split(text, ","))
		if err != nil {
			return fmt.Errorf("%s: %w", p.Line, err)
		}
		*p.List(s) = list
	case sim.ParamLevels:
		l, err := parseLevel(text)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Line, err)
		}
		*p.Levels(s) = append(*p.Levels(s), l)
	default:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(math.Abs(v) <= 1e9) || v < 0 && p.Unit != sim.ParamNumber {
			return fmt.Errorf("%s: not a number >= 0: %q", p.Line, text)
		}
		if p.Unit == sim.ParamTime {
			v *= 1e9
		}
		*p.Number(s) = v
	}
	return nil
}

func numbers(words []string) ([]float64, error) {
	list := make([]float64, len(words))
	for i, w := range words {
		v, err := strconv.ParseFloat(strings.TrimSpace(w), 64)
		if err != nil || math.IsNaN(v) {
			return nil, fmt.Errorf("not a number: %q", w)
		}
		list[i] = v
	}
	return list, nil
}

// parseLevel takes ts_globpri ts_quantum ts_tqexp ts_slpret [ts_maxwait ts_lwait], the quantum in ms; without the last
// two a thread may wait forever.
func parseLevel(text string) (l sim.Level, err error) {
	words := strings.Fields(text)
	if len(words) != 4 && len(words) != 6 {
		return l,
			fmt.Errorf(
				"a level has 4 or 6 fields (priority, quantum in ms, level after it, level after a sleep, seconds "+
					"to wait, level after that), not %d", len(words))
	}
	v, err := numbers(words)
	if err != nil {
		return l, err
	}
	for _, x := range v[:4] {
		if math.Abs(x) > 1e9 {
			return l, fmt.Errorf("a number beyond all reason: %g", x)
		}
	}
	l = sim.Level{Priority: v[0], Quantum: v[1] * 1e6, Expired: int(v[2]), Slept: int(v[3]), MaxWait: math.Inf(1)}
	if len(v) == 6 {
		if math.Abs(v[5]) > 1e9 {
			return l, fmt.Errorf("a number beyond all reason: %g", v[5])
		}
		l.MaxWait, l.Waited = v[4], int(v[5])
	}
	return l, nil
}

func levelText(l sim.Level) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	s := fmt.Sprintf("%s %s %d %d", number(l.Priority), number(l.Quantum/1e6), l.Expired, l.Slept)
	if !math.IsInf(l.MaxWait, 1) {
		s += fmt.Sprintf(" %s %d", number(l.MaxWait), l.Waited)
	}
	return s
}

// OpenLevels reads a table of levels for UNIX_SVR4: a line for each, the worst first, with the fields of parseLevel;
// or, with 5 fields, the table as Solaris prints it (ts_quantum, ts_tqexp, ts_slpret, ts_maxwait, ts_lwait), after a
// line RES=N if quanta are in 1/N s. Text after
// # is ignored.
func OpenLevels(path string) ([]sim.Level, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, openError(path, err)
	}
	var levels []sim.Level
	perSecond := 1000.0
	line := int64(0)
	for raw := range bytes.Lines(text) {
		line++
		t, _, _ := strings.Cut(string(raw), "#")
		words := strings.Fields(t)
		if len(words) == 0 {
			continue
		}
		if res, ok := strings.CutPrefix(words[0], "RES="); ok && len(words) == 1 {
			if perSecond, err = strconv.ParseFloat(res, 64); err != nil || !(perSecond > 0) {
				return nil, &prv.FileError{File: path, Line: line, Why: fmt.Sprintf("a resolution of %q", res)}
			}
			continue
		}
		if len(words) == 5 { // the priority is the number of the level
			words = slices.Insert(words, 0, strconv.Itoa(len(levels)))
		}
		l, err := parseLevel(strings.Join(words, " "))
		if err != nil {
			return nil, &prv.FileError{File: path, Line: line, Why: err.Error(), Err: err}
		}
		l.Quantum *= 1000 / perSecond
		levels = append(levels, l)
	}
	if len(levels) == 0 {
		return nil, &prv.FileError{File: path, Line: line, Why: "there are no levels in it"}
	}
	return levels, nil
}

// WriteScheduler writes a scheduler file: the parameters that Dimemas requires for the policy, and others that differ
// from their defaults.
func WriteScheduler(w io.Writer, s sim.Scheduler) error {
	p, ok := sim.PolicyByName(s.Policy)
	if !ok {
		return fmt.Errorf("there is no scheduling policy %q", s.Policy)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "Policy: %s\n", p.Name)
	standard := sim.DefaultScheduler()
	if p.Name == "BOOST" {
		standard.Quantum = sim.DimemasQuantum
	}
	for i, name := range p.Params {
		param, _ := sim.SchedulerParamByName(name)
		lines := schedulerLines(&s, param)
		if i >= p.File && slices.Equal(lines, schedulerLines(&standard, param)) {
			continue
		}
		for _, l := range lines {
			fmt.Fprintf(b, "%s: %s\n", param.Line, l)
		}
	}
	return b.Flush()
}

// schedulerLines returns the value of a parameter as written in a scheduler file: no line for a missing list, one for
// each level of a table, one for anything else.
func schedulerLines(s *sim.Scheduler, p *sim.SchedulerParam) (lines []string) {
	switch p.Unit {
	case sim.ParamSwitch:
		if *p.Switch(s) {
			return []string{"YES"}
		}
		return []string{"NO"}
	case sim.ParamList:
		if list := *p.List(s); len(list) > 0 {
			var words []string
			for _, v := range list {
				words = append(words, strconv.FormatFloat(v, 'g', -1, 64))
			}
			return []string{strings.Join(words, ",")}
		}
		return nil
	case sim.ParamLevels:
		for _, l := range *p.Levels(s) {
			lines = append(lines, levelText(l))
		}
		return lines
	case sim.ParamTime:
		return []string{seconds(*p.Number(s))}
	}
	return []string{strconv.FormatFloat(*p.Number(s), 'g', -1, 64)}
}
