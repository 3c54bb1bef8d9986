package answer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/frameworks"
	"pview/insight/frameworks/answer"
	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/render/document/documenttest"
)

const ms = 1e6

// farm is a report on a master, in which all figures differ: 3 workers are predicted to take 31 ms instead of the 30
// measured, 1 + 1/30 of it, and 5 are recommended.
func farm() *frameworks.Report {
	limit := 6.0
	f := &frameworks.FarmReport{Workers: 3, Iterations: 7, Chunks: 12, Measured: 30 * ms, Predicted: 31 * ms,
		Idle: 0.25, Balance: 0.75, Regime: "the workers set the pace", Limit: &limit, Fastest: 9, Worth: 5,
		Played: 29 * ms, Unanswered: 2, LeastChunk: 4,
		Policies: []frameworks.PolicyRow{{Policy: "static", Time: 33 * ms, Messages: 3, Over: 0.1},
			{Policy: "factoring", Factor: 0.5, Time: 32 * ms, Messages: 14, Over: 0.05}},
		Bands: []frameworks.Band{{Input: "Tc", Low: -0.08, High: 0.09, Workers: [2]int{5, 5}},
			{Input: "V", Low: 0.02, High: -0.01, Workers: [2]int{6, 4}},
			{Input: "m0", Low: 0.03, High: -0.02, Workers: [2]int{3, 7}}},
		Steering: &frameworks.Steering{Without: 34 * ms, Tuned: 28 * ms, Perfect: 27 * ms}}
	for n := 1; n <= 20; n++ {
		f.Curve = append(f.Curve, frameworks.Point{Workers: n, Time: 90 * ms / float64(n), Speedup: float64(n),
			Efficiency: 1 / float64(n), Index: 40 * ms / float64(n), Fed: n <= 6, Hardness: 0.125 * float64(n)})
	}
	return &frameworks.Report{Ptask: 1, Ptasks: 2, Kind: "master/worker", Structure: []string{"master: task 1"},
		Farm: f,
		Parameters: []frameworks.Parameter{
			{Name: "start-up", Symbol: "m0", Unit: "ns", Value: frameworks.Value{Value: 1500, Origin: "trace",
				Samples: 8, Spread: 250, Note: "median"}},
			{Name: "volume", Symbol: "V", Unit: "bytes", Value: frameworks.Value{Value: 12_345, Origin: "trace"}},
			{Name: "sends", Symbol: "P", Unit: "async", Value: frameworks.Value{Origin: "typed"}},
			{Name: "cost of a byte", Symbol: "lambda", Unit: "ns/byte", Value: frameworks.Value{Value: 0.123456,
				Spread: 1, Origin: "trace"}},
			{Name: "workers", Symbol: "n", Value: frameworks.Value{Value: 3}}},
		Advice: []frameworks.Advice{
			{What: "use 5 workers", Gain: 10 * ms, Share: 1. / 3, Processors: 2, When: "tasks are independent",
				Rests: "V", Confidence: "medium", Workers: 5},
			{What: "use 2 workers", Gain: -4 * ms, Share: -0.125, Processors: -1, When: "always", Rests: "Tc",
				Confidence: "low"},
			{What: "hand out by factoring", Rests: "sigma", Confidence: "high"}},
		Warnings: []quantity.Text{quantity.Textf("the result depends on V")},
		Fit:      &frameworks.Fit{Model: 31 * ms, Measured: 30 * ms, Off: 1. / 30, Holds: true},
		Verdict: &frameworks.Verdict{Verdict: "confirmed", Why: quantity.Textf("as predicted"), Calibrated: true,
			Replayed: 32 * ms, Off: 1. / 15, Prefers: 8, Points: []frameworks.Try{
				{Workers: 3, Predicted: 31 * ms, Simulated: 30 * ms, Off: -1. / 31},
				{Workers: 5, Inner: 2, Predicted: 20 * ms, Simulated: 22 * ms, Off: 0.1}}}}
}

// pipeline is a report on a pipeline whose second of three stages, with two replicas, is the bottleneck.
func pipeline() *frameworks.Report {
	p := &frameworks.PipelineReport{Items: 40, Observed: 2 * ms, Predicted: 2.1 * ms, Filling: 0.0625,
		FullBuffers: true, Stages: []frameworks.StageRow{
			{Stage: 1, Tasks: "1", Compute: 1 * ms, Spread: 10_000, Bytes: 2048, Own: 1.1 * ms, Async: 1.2 * ms,
				Full: 1.3 * ms, Observed: 1.4 * ms, Error: -0.07, Proposed: 1, Overlapped: 1.5 * ms,
				Additive: 1.6 * ms},
			{Stage: 2, Tasks: "2", Replicas: 2, Compute: 4 * ms, Spread: 20_000, Bytes: 1000, Own: 2.1 * ms,
				Async: 2.2 * ms, Full: 2.3 * ms, Observed: 2.4 * ms, Error: 0.05, Slowest: true, Proposed: 3,
				Overlapped: 2.5 * ms, Additive: 2.6 * ms},
			{Stage: 3, Tasks: "5", Compute: 0.5 * ms, Own: 0.6 * ms, Async: 0.7 * ms, Full: 0.8 * ms,
				Observed: 0.9 * ms, Proposed: 1, Overlapped: 0.75 * ms, Additive: 0.85 * ms}},
		Steps: []frameworks.Step{{Free: 1, Used: 1, Replicas: []int{1, 3, 1}, Pace: 1.7 * ms},
			{Free: 2, Used: 1, Replicas: []int{1, 3, 1}, Pace: 1.7 * ms}}}
	return &frameworks.Report{Ptask: 2, Ptasks: 2, Told: true, Kind: "pipeline",
		Structure: []string{"manager: task 2"}, Pipeline: p,
		Fit: &frameworks.Fit{Model: 2.1 * ms, Measured: 2 * ms, Off: 0.05, Holds: true},
		Verdict: &frameworks.Verdict{Verdict: "weak", Why: quantity.Textf("the mean"), Replayed: 2.2 * ms, Off: 0.1,
			Points: []frameworks.Try{{Replicas: []int{1, 3, 1}, Predicted: 1.7 * ms, Simulated: 1.8 * ms,
				Off: 1. / 17}}}}
}

// nested is a report on a master of pipelines.
func nested() *frameworks.Report {
	now := frameworks.Plan{Workers: 2, Inner: 3, Time: 50 * ms, Index: 11 * ms}
	return &frameworks.Report{Ptask: 1, Ptasks: 1, Kind: "master of pipelines",
		Nested: &frameworks.NestedReport{Workers: 2, Inner: 3, Items: 1, Measured: 40 * ms, Now: now,
			Next: frameworks.Plan{Workers: 3, Inner: 3, Time: 36 * ms, Index: 12 * ms}, Worth: now,
			Fastest: frameworks.Plan{Workers: 6, Inner: 3, Time: 21 * ms, Index: 13 * ms}},
		Fit: &frameworks.Fit{Model: 50 * ms, Measured: 40 * ms, Off: 0.25}}
}

// All that reports print. Programs have ns.
func TestWords(t *testing.T) {
	tr := &prv.Trace{Path: "run.prv"}
	refused := &frameworks.Report{Ptask: 1, Ptasks: 3, Kind: "unknown", Refusal: "nothing is recognised",
		Other:  &role.Roles{Ptask: 1, Kind: role.PipelineOf},
		Scores: []frameworks.ScoreRow{{Kind: "pipeline", Score: 0.123456, Why: "messages go back"}}}
	var b strings.Builder
	for _, r := range []*frameworks.Report{farm(), pipeline(), nested(), refused} {
		fmt.Fprintf(&b, "=== %s\n%s", r.Kind, documenttest.Shown(t, answer.Document(tr, r, ", --ptask chooses")))
	}
	b.WriteString(documenttest.Object(t, answer.Document(tr, refused, "")))
	prvtest.SameFile(t, "testdata/words.txt", b.String())
}

// What other reports say instead: the lines that only they have.
func TestInstead(t *testing.T) {
	for _, c := range []struct {
		report *frameworks.Report
		change func(r *frameworks.Report)
		want   string
	}{
		{farm(), func(r *frameworks.Report) {
			r.Fit.Holds, r.Fit.Off, r.Farm.Curve = false, 0.2, r.Farm.Curve[:1]
		}, `
			  balance 0.75, idle 0.25; by the model, which does not hold, the master can feed 6 workers; ` +
			`a chunk needs at least 4 tasks
			  Workers   Time  Speedup  Efficiency  Index  Master   Hard to balance
			        1  90 ms        1       100 %  40 ms  unknown            0.125
			  none from the model: it does not hold (+20.0 %)
		`},
		{farm(), func(r *frameworks.Report) { r.Fit = nil }, ``},
		{farm(), func(r *frameworks.Report) { r.Farm.Limit, r.Farm.LeastChunk, r.Farm.Chunks = nil, 0, 1 }, `
			  balance 0.75, idle 0.25; the master can feed any number of workers; a chunk needs at least 1 task
			  the run's own 1 chunk, dispatched by the model: 29 ms
		`},
		{farm(), func(r *frameworks.Report) { *r.Farm.Limit, r.Farm.LeastChunk, r.Farm.Unanswered = 1, 1, 1 }, `
			  balance 0.75, idle 0.25; the master can feed 1 worker; a chunk needs at least 1 task
			  1 message to workers without an answer, not counted
		`},
		{farm(), func(r *frameworks.Report) {
			r.Advice[0].Processors, r.Advice[0].Gain, r.Advice[1].Gain, r.Advice[1].Share = 1, 0.6, 0, 0
		}, `
			      gain 1 ns (33.3 %), +1 processor; safe tasks are independent
			      gain 0 ns (0 %), -1 processor; safe always
		`},
		{farm(), func(r *frameworks.Report) { r.Verdict.Points[0].Workers, r.Verdict.Points[1].Inner = 1, 1 }, `
			        1               31 ms      30 ms  -3.2 %
			        5        1      20 ms      22 ms  10.0 %
		`},
		{farm(), func(r *frameworks.Report) {
			r.Verdict.Note, r.Verdict.StartUp, r.Verdict.Instead = quantity.Textf("sends differ"), 1500, 4
		}, `
			  sends differ: the simulation has the mean
			  with it the model recommends 4 workers: --m0 1.5us
		`},
		{farm(), func(r *frameworks.Report) {
			r.Verdict.Note, r.Verdict.StartUp, r.Verdict.Instead = quantity.Textf("sends differ"), 1, 1
		}, `
			  sends differ: the simulation has the mean
			  with it the model recommends 1 worker: --m0 1ns
		`},
		{farm(), func(r *frameworks.Report) { r.Verdict.StartUp = 1 }, `
			  : the simulation has the mean
		`},
		{farm(), func(r *frameworks.Report) { r.Verdict.Prefers, r.Verdict.Replayed = 1, 1 }, `
			  replayed with these parameters, an iteration of the run takes 1 ns (+6.7 %)
			  the simulation prefers 1 worker, though the master cannot feed them by the model
		`},
		{pipeline(), func(r *frameworks.Report) { r.Fit.Holds, r.Pipeline.Stages = false, r.Pipeline.Stages[2:] }, `
			  tasks 5, [] is the bottleneck
			  Stage  Tasks  Compute    +-  Bytes      Tr     rTr  rTr full  Observed  Error  Replicas
			      3  5       500 us  0 ns    0 B  600 us  700 us    800 us    900 us    0 %         0
			  none from the model: it does not hold (+5.0 %)
		`},
		{pipeline(), func(r *frameworks.Report) { r.Pipeline.Stages[0].Replicas = 1 }, `
			  tasks 1 (x1) -> [2 (x2)] -> 5, [] is the bottleneck
			      1  1         1 ms  10 us  2.048 kB    1.1 ms    1.2 ms    1.3 ms    1.4 ms  -7.0 %         ` +
			`1         1    1.5 ms    1.6 ms
		`},
		{pipeline(), func(r *frameworks.Report) {
			r.Pipeline.Stages[0].Slowest, r.Pipeline.Stages[1].Slowest, r.Fit.Holds = true, false, false
			r.Pipeline.Stages = r.Pipeline.Stages[:1]
		}, `
			  tasks [1], [] is the bottleneck
			  Stage  Tasks  Compute     +-     Bytes      Tr     rTr  rTr full  Observed   Error  Replicas
			      1  1         1 ms  10 us  2.048 kB  1.1 ms  1.2 ms    1.3 ms    1.4 ms  -7.0 %         0  bottleneck
			  none from the model: it does not hold (+5.0 %)
		`},
		{nested(), func(r *frameworks.Report) { r.Fit.Holds = true }, `
			  next step          3        3  36 ms  12 ms
			  fastest            6        3  21 ms  13 ms
		`},
	} {
		lines := func() []string {
			return strings.Split(document.Text(answer.Document(&prv.Trace{}, c.report, ""), nil), "\n")
		}
		before := lines()
		c.change(c.report)
		got := slices.DeleteFunc(lines(), func(line string) bool { return slices.Contains(before, line) })
		prvtest.SameText(t, strings.Join(got, "\n"), c.want)
	}
}

// Sections appear if they have contents.
func TestNothingToSay(t *testing.T) {
	refused := &frameworks.Report{Refusal: "nothing is recognised", Scores: []frameworks.ScoreRow{{Kind: "pipeline"}}}
	r := farm()
	for _, c := range []struct {
		report *frameworks.Report
		text   string
		change func()
	}{
		{r, "to workers without an answer", func() { r.Farm.Unanswered = 0 }},
		{r, "when an input is wrong", func() { r.Farm.Bands = nil }},
		{r, "The run played again", func() { r.Farm.Steering = nil }},
		{r, "replayed with these parameters", func() { r.Verdict.Replayed = 0 }},
		{r, "the simulation prefers", func() { r.Verdict.Prefers = 0 }},
		{r, answer.Simulation, func() { r.Verdict = nil }},
		{r, answer.Mind, func() { r.Warnings = nil }},
		{refused, "Score", func() { refused.Scores = nil }},
	} {
		has := func() bool {
			return strings.Contains(documenttest.Shown(t, answer.Document(&prv.Trace{}, c.report, "")), c.text)
		}
		if !has() {
			t.Errorf("%q is missing", c.text)
		}
		if c.change(); has() {
			t.Errorf("%q is there", c.text)
		}
	}
}
