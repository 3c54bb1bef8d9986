package simcmd

import (
	"github.com/spf13/pflag"

	"pview/sim"
	"pview/sim/dimemas"
)

// schedulerFlags are the parameters of scheduling policies that are not single numbers.
func (s *simulation) schedulerFlags(f *pflag.FlagSet) {
	priorities, _ := sim.SchedulerParamByName("priorities")
	s.machineText(f, priorities.Name, "", "N,N,...", priorities.Doc, func(m *sim.Machine, text string) error {
		return dimemas.SetSchedulerParam(&m.Scheduler, priorities, text)
	})
	levels, _ := sim.SchedulerParamByName("levels")
	s.machineText(f, levels.Name, "", "FILE",
		"file with the levels of UNIX_SVR4, one per line, worst first: priority, quantum (ms), level after the "+
			"quantum, level after a sleep and, if "+
			"waiting is limited, seconds to wait and the level after that; or a table as printed by Solaris",
		func(m *sim.Machine, path string) (err error) {
			m.Scheduler.Levels, err = dimemas.OpenLevels(path)
			return err
		})
	s.machineText(f, "placement", "", "[1,1,2,...]", "node of each task, from 1; a list per application",
		func(m *sim.Machine, text string) (err error) {
			m.Mapping, err = sim.ParseMappings(text)
			return err
		})
}
