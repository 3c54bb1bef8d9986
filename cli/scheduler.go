package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"pview/sim"
	"pview/sim/dimemas"
)

// schedulerFlags are the parameters of scheduling policies that are no single numbers.
func (s *simulation) schedulerFlags(f *pflag.FlagSet) {
	priorities, _ := sim.SchedulerParamByName("priorities")
	s.machineText(f, priorities.Name, "", "N,N,...", priorities.Doc, func(m *sim.Machine, text string) error {
		return dimemas.SetSchedulerParam(&m.Scheduler, priorities, text)
	})
	levels, _ := sim.SchedulerParamByName("levels")
	s.machineText(f, levels.Name, "", "FILE", "file with the levels of UNIX_SVR4, a line for each, the worst first: priority, quantum (ms), level after it, level after a sleep, and, if it "+
		"may not wait for ever, seconds to wait and the level after that; or a table as Solaris prints it", func(m *sim.Machine, path string) (err error) {
		m.Scheduler.Levels, err = dimemas.OpenLevels(path)
		return err
	})
	s.machineText(f, "placement", "", "[1,1,2,...]", "node of each task, from 1; several lists: of several applications", func(m *sim.Machine, text string) (err error) {
		m.Mapping, err = sim.ParseMappings(text)
		return err
	})
}

// maxRepeat bounds --repeat.
const maxRepeat = 1 << 20

// closed is the closed workload that --repeat asks for.
func (s *simulation) closed() sim.Repeat {
	if s.repeat == 0 {
		return sim.Repeat{}
	}
	return sim.Repeat{What: sim.RepeatApplications, Runs: s.repeat}
}

// runsTable has a line for each application of a closed workload.
func runsTable(r *sim.Result) *table {
	t := &table{columns: []column{{key: "ptask", title: "Application"}, {key: "runs", title: "Runs"},
		{key: "run_ns", title: "Mean time of a run", show: func(v any) string { return quantity(v.(float64), timeMagnitudes) }},
		{key: "runs_per_s", title: "Runs/s", show: func(v any) string { return fmt.Sprintf("%.5g", v) }}}}
	for i, ends := range r.Runs {
		mean := r.MeanRun(i)
		t.add(int64(i)+1, int64(len(ends)), mean, 1e9/max(mean, 1))
	}
	return t
}
