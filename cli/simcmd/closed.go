package simcmd

import (
	"context"
	"fmt"

	"pview/cli/command"
	"pview/insight/report"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/sim"
	"pview/sim/engine"
	"pview/sim/study"
)

// maxRepeat bounds --repeat.
const maxRepeat = 1 << 20

// repeated returns the closed workload requested by --repeat.
func (s *simulation) repeated() sim.Repeat {
	if s.repeat == 0 {
		return sim.Repeat{}
	}
	return sim.Repeat{What: sim.RepeatApplications, Runs: s.repeat}
}

// closedWorkload has applications that share a machine.
type closedWorkload struct {
	runs    *report.Table  // a line for each application
	sharing *study.Sharing // nil if an application never ended
}

// closed compares the applications running together with each running alone in the same place.
func (s *simulation) closed(ctx context.Context, src *command.Source, m *sim.Machine, rules sim.Rules,
	r *sim.Result) (*closedWorkload, error) {
	duration := func(v any) string { return quantity.Time.Format(v.(float64)) }
	digits := func(v any) string { return fmt.Sprintf("%.5g", v) }
	w := &closedWorkload{runs: &report.Table{Columns: []report.Column{{Key: "ptask", Title: "Application"},
		{Key: "runs", Title: "Runs"},
		{Key: "run_ns", Title: "Mean time of a run", Show: duration}, {Key: "alone_ns", Title: "Alone", Show: duration},
		{Key: "slowdown", Title: "Slowdown", Show: digits}, {Key: "runs_per_s", Title: "Runs/s", Show: digits}}}}
	var alone, shared []float64 // s
	for i, ends := range r.Runs {
		one, err := engine.Run(ctx, src.Program, m, sim.Options{Rules: rules, DisableOpenMP: s.noOpenMP, Only: i + 1})
		if err != nil {
			return nil, fmt.Errorf("%s: application %d alone: %w", src.Path, i+1, err)
		}
		mean, least := r.MeanRun(i), float64(one.Total)
		row := []any{int64(i) + 1, int64(len(ends)), nil, least, nil, 0.0}
		if mean > 0 {
			row[2], row[5] = mean, 1e9/mean
			if least > 0 {
				row[4] = mean / least
			}
		}
		w.runs.Add(row...)
		alone, shared = append(alone, least/1e9), append(shared, mean/1e9)
	}
	w.sharing, _ = study.Share(alone, shared) // no indices without a run of each
	return w, nil
}

// figures returns the indices of the workload, with keys for programs and text for people.
func (w *closedWorkload) figures() (list []closedFigure) {
	if s := w.sharing; s != nil && len(s.Slowdowns) > 1 {
		fair := "no: an application has less than its share of the machine"
		if s.Fair {
			fair = "yes: no application has less than its share of the machine"
		}
		list = []closedFigure{
			{"gain", s.Gain, "Gain", fmt.Sprintf("%.4g times the throughput of running one after the other", s.Gain)},
			{"batch_per_s", s.Batch, "In turn", fmt.Sprintf("%.5g runs/s, one after the other", s.Batch)},
			{"shared_per_s", s.Shared, "Together", fmt.Sprintf("%.5g runs/s", s.Shared)},
			{"slowdown_ratio", s.SlowdownRatio, "Slowdowns",
				fmt.Sprintf("the greatest is %.4g times the least", s.SlowdownRatio)},
			{"unfairness", s.Unfairness, "Unfairness",
				fmt.Sprintf("%.4g, standard deviation of the speeds (1: as alone)", s.Unfairness)},
			{"fair", s.Fair, "Fair", fair},
		}
	}
	return list
}

// closedFigure is a named value, for programs and for people.
type closedFigure struct {
	key   string
	value any
	title string
	text  string
}

// object returns the workload for programs.
func (w *closedWorkload) object() report.Object {
	o := report.Object{{Key: "applications", Value: w.runs.Objects()}}
	for _, f := range w.figures() {
		o = append(o, report.Field{Key: f.key, Value: f.value})
	}
	return o
}

// text returns the workload for a person.
func (w *closedWorkload) text(heading func(string) string) string {
	text := document.TableText(w.runs, "  ", heading) + "\n"
	var rows [][2]string
	for _, f := range w.figures() {
		rows = append(rows, [2]string{f.title, f.text})
	}
	if rows != nil {
		text += document.Definitions(rows, document.HelpWidth) + "\n"
	}
	return text
}

// addTo adds the workload to lines of key, value, and application.
func (w *closedWorkload) addTo(t *report.Table) {
	for _, row := range w.runs.Rows {
		for i, c := range w.runs.Columns[1:] {
			t.Add(c.Key, row[i+1], fmt.Sprint(row[0]), nil)
		}
	}
	for _, f := range w.figures() {
		t.Add(f.key, f.value, nil, nil)
	}
}
