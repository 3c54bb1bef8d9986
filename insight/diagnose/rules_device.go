package diagnose

// Rules on devices: R49 to R53. They read package gpu's account of each device. The other rules treat threads as
// processors, which streams are not.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"pview/insight/account"
	"pview/insight/gpu"
	"pview/insight/phase"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
)

const (
	lateRankID   report.RuleID = "R49"
	lateLaunchID report.RuleID = "R50"
	exposedID    report.RuleID = "R51"
	copiesID     report.RuleID = "R52"
	unevenWorkID report.RuleID = "R53"
)

var workOfDevices = need{"work of devices", func(a *analysis) bool { return a.devices != nil }}

var (
	lateRankRule = Rule{ID: lateRankID, Name: "straggler",
		Doc:       "Which rank do the others wait for in the collectives of devices?",
		Formula:   "time in collectives before their last member begins, that no kernel hides / devices",
		Threshold: "0.1 % of the run",
		Advice:    "find why it is late: more work, late launches, a slower device", Brief: Brief{"late rank", ""},
		Needs: workOfDevices, Run: lateRanks}
	lateLaunchRule = Rule{ID: lateLaunchID, Name: "launch",
		Doc:       "Are devices without work because the host launches it late?",
		Formula:   "time without work until the host calls the launch of the next operation / devices",
		Threshold: "0.1 % of the run",
		Advice: "launch earlier: fewer and larger kernels, graphs of kernels, no synchronisation between launches, " +
			"less work of the host between them",
		Brief: Brief{"late launches", ""}, Needs: workOfDevices, Run: lateLaunches}
	exposedRule = Rule{ID: exposedID, Name: "exposed",
		Doc:       "How much communication of devices is not hidden behind kernels?",
		Formula:   "time of communication without kernels, without waits for the last member / devices",
		Threshold: "0.1 % of the run", Advice: "overlap it with kernels that do not need its result, or send less",
		Brief: Brief{"exposed communication", ""}, Needs: workOfDevices, Run: exposed}
	copiesRule = Rule{ID: copiesID, Name: "copies", Doc: "How much time do copies take that nothing hides?",
		Formula: "time of copies and sets without kernels and communication / devices", Threshold: "0.1 % of the run",
		Advice: "copy asynchronously, from pinned memory, on a stream of its own, or leave the data on the device",
		Brief:  Brief{"exposed copies", ""}, Needs: workOfDevices, Run: exposedCopies}
	unevenWorkRule = Rule{ID: unevenWorkID, Name: "devices", Doc: "Do all devices compute equally long?",
		Formula:   "most - mean time with kernels - waits for these kernels in collectives / devices",
		Threshold: "most / mean, as for other imbalances; 0.1 % of the run",
		Advice:    "distribute the work evenly, or look for a slower device", Brief: Brief{"uneven devices", ""},
		Needs: workOfDevices, Run: unevenWork}
)

// findDevices analyses the devices, if the trace has device work.
func (a *analysis) findDevices(ctx context.Context) (err error) {
	if a.devices, err = gpu.Analyze(ctx, a.T); errors.Is(err, gpu.ErrNoDevice) {
		return nil
	}
	return err
}

// runDevices diagnoses a run by the work of its devices.
func (a *analysis) runDevices(ctx context.Context) (err error) {
	r := a.out
	r.recorded = a.Graph
	if r.Account, err = account.OfDevices(a.T, a.devices); err != nil {
		return err
	}
	if r.Hosts, err = account.Hosts(ctx, a.Graph); err != nil {
		return err
	}
	r.Length, r.Threads, r.Utilisation = a.devices.Elapsed, len(a.devices.Devices), r.Account.Efficiency()
	r.Recoverable = (1 - r.Utilisation) * float64(r.Length)
	r.Notes = []string{
		"costs are times of the account, per device; pview devices --what-if tells what changes would gain"}
	if a.steps, err = phase.Find(ctx, a.T, phase.Options{}); err != nil {
		return err
	}
	for _, rule := range Rules {
		if rule.Needs.what == workOfDevices.what {
			a.accept(rule.Run(&runView{a}), 0)
		}
	}
	a.divide(false)
	return ctx.Err()
}

// perDevice returns a time of all devices, per device.
func (a *analysis) perDevice(sum int64) float64 {
	return float64(sum) / float64(len(a.devices.Devices))
}

// formulaOf writes the formula of perDevice with its numbers.
func (a *analysis) formulaOf(sum int64) string {
	return fmt.Sprintf("%s / %s", a.Span(float64(sum)), quantity.CountOf(int64(len(a.devices.Devices)), "device"))
}

// byStep sums times by the phases of a run that are steps.
type byStep struct {
	tiling *phase.Tiling
	times  []int64
	sum    int64
}

func (a *analysis) byStep() *byStep {
	b := &byStep{tiling: a.steps}
	if a.steps.From == phase.Steps {
		b.times = make([]int64, len(a.steps.Phases))
	}
	return b
}

// add adds a stretch to the step in which it begins.
func (b *byStep) add(p *gpu.Piece) {
	b.sum += p.End - p.Begin
	if b.times != nil {
		list := b.tiling.Phases
		b.times[sort.Search(len(list)-1, func(k int) bool { return list[k].End > p.Begin })] += p.End - p.Begin
	}
}

// say names the step with far more of the time than the others; "" if none has.
func (b *byStep) say() string {
	most, n := 0, int64(0)
	for k := range b.times {
		if b.times[k] > b.times[most] {
			most = k
		}
		if !phase.IsBeside(b.tiling.Phases[k].Name) {
			n++
		}
	}
	if n < 2 || 2*b.times[most]*n <= 3*b.sum {
		return ""
	}
	name := b.tiling.Phases[most].Name
	if !phase.IsBeside(name) {
		name = "in " + name
	}
	return "; " + quantity.FormatPercent(report.Ratio(b.times[most], b.sum)) + " of it " + name
}

// sumUse sums the pieces of a use, with the longest as evidence, and finds what has most of it: name names a piece, in
// the step with most of it.
func (a *analysis) sumUse(id report.RuleID, use gpu.Use, name func(*gpu.Device, *gpu.Piece) string) (r result,
	sum int64, what string, most int64, in string) {
	steps := a.byStep()
	r = found(id, "", 0, "", "")
	times := map[string]int64{}
	for d, p := range a.devices.Each(use) {
		length := p.End - p.Begin
		sum += length
		times[name(d, p)] += length
		steps.add(p)
		threads := []int32{d.Thread(p)}
		if m := d.Launch(p); m >= 0 && use == gpu.NotLaunched {
			threads = append(threads, a.T.Comms.Send[m])
		}
		r.Show(report.Evidence{From: p.Begin, To: p.End, Threads: threads, Cost: a.perDevice(length)})
	}
	r.Severity, r.Formula = a.perDevice(sum), a.formulaOf(sum)
	what, most = longest(times)
	return r, sum, what, most, steps.say()
}

// operation names a piece by its operation.
func (a *analysis) operation(d *gpu.Device, p *gpu.Piece) string { return a.devices.Name(a.T, d, p) }

// longest returns the name with the longest time, the first by name of several.
func longest(times map[string]int64) (name string, most int64) {
	for n, v := range times {
		if v > most || v == most && n < name {
			name, most = n, v
		}
	}
	return name, most
}

// lateRanks is R49.
func lateRanks(v *runView) (list []result) {
	type late struct {
		result
		sum   int64
		why   map[string]int64
		steps *byStep
	}
	ranks := make([]*late, len(v.T.Tasks))
	for d, p := range v.devices.Each(gpu.Waiting) {
		task := v.devices.Collective(d, p).Late
		r := ranks[task]
		if r == nil {
			r = &late{result: found(lateRankID, fmt.Sprint(task), 0, "", ""), why: map[string]int64{},
				steps: v.byStep()}
			ranks[task] = r
		}
		r.sum += p.End - p.Begin
		r.steps.add(p)
		v.devices.Why(d, p, func(on *gpu.Device, q *gpu.Piece, begin, end int64) {
			r.why[v.devices.Does(v.T, on, q)] += end - begin
		})
		r.Show(report.Evidence{From: p.Begin, To: p.End, Threads: []int32{d.Thread(p)},
			Cost: v.perDevice(p.End - p.Begin)})
	}
	kernels := v.devices.Kernels(v.T)
	for task, r := range ranks {
		if r == nil {
			continue
		}
		why, most := longest(r.why)
		r.Severity, r.Formula, r.Kind = v.perDevice(r.sum), v.formulaOf(r.sum), report.Imbalance
		r.Title = fmt.Sprintf("devices wait %s, hidden by no kernel, in %s for %s, which begins last: "+
			"%s of it during its %s", v.Span(float64(r.sum)), v.devices.Matched(), v.T.Name(prv.LevelTask, task),
			quantity.FormatPercent(report.Ratio(most, r.sum)), why)
		if s := v.mostSurplus(kernels, int32(task), r.sum); s != nil {
			var more string
			more, r.Advice = v.tellSurplus(s)
			r.Title += "; " + more
		}
		r.Title += r.steps.say()
		for i := range v.devices.Streams {
			if s := &v.devices.Streams[i]; s.Task == int32(task) {
				r.Threads = append(r.Threads, s.Thread)
			}
		}
		list = append(list, r.result)
	}
	return list
}

// Minimum share of waits on a task explained by its slower kernel; and the relative difference up to which executions,
// or their lengths, are equal.
const (
	leastExplained = 0.5
	alike          = 0.02
)

// mostSurplus returns the kernel whose extra time on a late task explains most of the others' wait for it; nil if none.
func (v *runView) mostSurplus(kernels *gpu.Kernels, task int32, waits int64) *gpu.Surplus {
	list := kernels.Surpluses(task)
	if len(list) == 0 {
		return nil
	}
	waiting := 0
	for i := range v.devices.Devices {
		if v.devices.Devices[i].Task != task {
			waiting++
		}
	}
	if list[0].More() < leastExplained*float64(waits)/float64(waiting) {
		return nil
	}
	return &list[0]
}

// tellSurplus says what more a kernel does on a late task, and what to do about it.
func (a *analysis) tellSurplus(s *gpu.Surplus) (more, advice string) {
	own, other := s.Own.Executions, s.Other.Executions
	longer := s.Own.Time / own / (s.Other.Time / other)
	switch {
	case other == 0:
		return fmt.Sprintf("only it executes %s, for %s", s.Name, a.Span(s.Own.Time)),
			"find out why this kernel runs there only"
	case math.Abs(own-other) <= alike*other:
		return fmt.Sprintf("%s takes %.2f times as long there as on the others", s.Name, longer),
			"find out why this kernel is slower there: more data, a slower or a shared device"
	case math.Abs(longer-1) <= alike:
		return fmt.Sprintf("%s runs %s times there, %s times on the others", s.Name, quantity.FormatShort(own),
			quantity.FormatShort(other)), "distribute the work evenly"
	}
	return fmt.Sprintf("%s takes %s more there than on the others", s.Name, a.Span(s.More())),
		"distribute the work evenly, or find out why this kernel is slower there"
}

// lateLaunches is R50.
func lateLaunches(v *runView) []result {
	r, sum, name, most, in := v.sumUse(lateLaunchID, gpu.NotLaunched,
		func(d *gpu.Device, _ *gpu.Piece) string { return d.Title(v.T) })
	r.Kind = report.RuntimeSystem
	n := int64(len(v.devices.Devices))
	who := map[bool]string{true: "the device has", false: "devices have"}[n == 1]
	r.Title = fmt.Sprintf("%s no work for %s because the host launches the next operation late", who,
		v.Span(float64(sum)))
	if 2*most*n > 3*sum && n > 1 {
		r.Title += fmt.Sprintf(": %s of it on %s", quantity.FormatPercent(report.Ratio(most, sum)), name)
	}
	r.Title += in
	return []result{r}
}

// exposed is R51.
func exposed(v *runView) []result {
	r, sum, name, most, in := v.sumUse(exposedID, gpu.Transferring, v.operation)
	r.Kind = report.NoOverlap
	r.Title = fmt.Sprintf("%s of communication that no kernel hides, besides waits for the last rank: %s of it %s",
		v.Span(float64(sum)), quantity.FormatPercent(report.Ratio(most, sum)), name) + in
	return []result{r}
}

// exposedCopies is R52.
func exposedCopies(v *runView) []result {
	r, sum, name, most, in := v.sumUse(copiesID, gpu.Copying, v.operation)
	r.Kind = report.NoOverlap
	r.Title = fmt.Sprintf("%s of copies and sets that nothing hides: %s of it %s", v.Span(float64(sum)),
		quantity.FormatPercent(report.Ratio(most, sum)), name) + in
	return []result{r}
}

// unevenWork is R53. Time lost in collectives while the device with the most work computes is R49's, and is excluded
// here so as not to count twice.
func unevenWork(v *runView) []result {
	list := v.devices.Devices
	sum, most := int64(0), 0
	for i := range list {
		if sum += list[i].Compute; list[i].Compute > list[most].Compute {
			most = i
		}
	}
	mean := v.perDevice(sum)
	if float64(list[most].Compute) <= v.set.Imbalance*mean {
		return nil
	}
	waits := v.waitsForKernels(most)
	cost := float64(list[most].Compute) - mean - v.perDevice(waits)
	if cost <= 0 {
		return nil
	}
	r := found(unevenWorkID, "", cost, fmt.Sprintf("%s computes %s, the mean of %s is %s",
		list[most].Title(v.T), v.Span(float64(list[most].Compute)), quantity.CountOf(int64(len(list)), "device"),
		v.Span(mean)),
		fmt.Sprintf("%s - %s", v.Span(float64(list[most].Compute)), v.Span(mean)))
	if waits > 0 {
		r.Title += fmt.Sprintf("; other devices wait %s of the difference in %s", v.Span(float64(waits)),
			v.devices.Matched())
		r.Formula += " - " + v.formulaOf(waits)
	}
	r.Kind = report.Imbalance
	for i := range v.devices.Streams {
		if s := &v.devices.Streams[i]; s.Task == list[most].Task && s.Device == list[most].Number {
			r.Threads = append(r.Threads, s.Thread)
		}
	}
	r.Show(report.Evidence{From: list[most].Begin, To: list[most].End, Threads: slices.Clone(r.Threads), Cost: r.Severity})
	return []result{r}
}

// waitsForKernels returns the time that devices wait in collectives while a given device computes.
func (a *analysis) waitsForKernels(late int) (sum int64) {
	for d, wait := range a.devices.Each(gpu.Waiting) {
		a.devices.Why(d, wait, func(on *gpu.Device, p *gpu.Piece, begin, end int64) {
			if on == &a.devices.Devices[late] && p != nil && p.Use == gpu.Computing {
				sum += end - begin
			}
		})
	}
	return sum
}
