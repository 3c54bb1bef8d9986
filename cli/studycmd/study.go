// Package studycmd has the command study and its kinds: many simulations for one question.
package studycmd

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/quantity"
	"pview/sim"
	"pview/sim/parameter"
	"pview/sim/study"
)

// Study returns the parent of the kinds.
func Study(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use: "study KIND",
		Short: "Run many simulations: sweeps, random inputs, sensitivity, fits to measured times, improvement, " +
			"robust design",
		Long: "study answers a question with many simulations. Each is one of `pview sim`: a Paraver or Dimemas " +
			"trace on the machine of --machine, changed by --set. The simulations of a study run in parallel, one " +
			"per core; results do not depend on the number of cores.",
		Example: "pview study sweep run.prv --vary latency=1us..10ms*10\n" +
			"pview study sensitivity run.prv --machine cluster.cfg --vary latency --vary bandwidth\n" +
			"pview study modules run.prv --factor 2",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Usagef("study needs KIND: %s", strings.Join(studyNames(cmd), ", "))
			}
			return command.Usagef("there is no study %q; studies: %s", args[0], strings.Join(studyNames(cmd), ", "))
		},
	}
	for i := range kinds {
		cmd.AddCommand(kinds[i].command(a))
	}
	return cmd
}

func studyNames(cmd *cobra.Command) (names []string) {
	for _, row := range command.CommandRows(cmd) {
		names = append(names, row[0])
	}
	return names
}

// studyFlags are the flags of all studies that simulate.
type studyFlags struct {
	*command.App
	machine     string
	set         []string
	workers     int
	model       command.ModelFlags
	translation command.TranslationFlags
	store       storeFlags
	slurm       slurmFlags
	plot        studyPlot
	save        saveFlags
	done        []carried
	measured    map[*sim.Program]*prv.Trace // the traces of the programs
	base        *study.Case                 // the first subject
}

// carried is an executed plan.
type carried struct {
	plan  *study.Plan
	table *study.Table
}

// simulationFlags are the flags of kinds that simulate.
func (s *studyFlags) simulationFlags(f *pflag.FlagSet) {
	f.StringVarP(&s.machine, "machine", "m", "ideal",
		"machine: a Dimemas configuration (.cfg), or a name from pview list machines")
	f.StringArrayVar(&s.set, "set", nil,
		"set a parameter of the machine, or anything else that a study can vary, `NAME=VALUE` (pview list "+
			"parameters, quantities); may be repeated")
	f.IntVar(&s.workers, "jobs", 0, "parallel simulations; 0: one per core")
	s.store.flags(f)
	s.slurm.flags(f)
	s.plot.flags(f)
	s.save.flags(f)
	s.model.Flags(f)
	s.translation.Flags(f)
}

// briefFlags are the flags of kinds that simulate nothing.
func (s *studyFlags) briefFlags(f *pflag.FlagSet) {
	s.store.briefFlags(f)
	s.plot.flags(f)
}

// options returns the options for executing the plans of a kind.
func (s *studyFlags) options(kind, what string) study.Options {
	return study.Options{Kind: kind, RunOptions: study.RunOptions{Workers: s.workers},
		Carry: func(ctx context.Context, p *study.Plan) (*study.Table, error) { return s.carry(ctx, p, what) }}
}

// made executes a plan and reports failures.
func (s *studyFlags) made(ctx context.Context, p *study.Plan, what string) (*study.Table, error) {
	t, err := s.carry(ctx, p, what)
	if err != nil {
		return nil, err
	}
	return t, s.failures(t)
}

// check reports invalid flags.
func (s *studyFlags) check() error {
	if s.workers < 0 || s.workers > study.MaxWorkers {
		return command.Usagef("--jobs %d: must be from 0 to %d", s.workers, study.MaxWorkers)
	}
	if s.store.deadline < 0 {
		return command.Usagef("--deadline %v: must be >= 0", s.store.deadline)
	}
	return errors.Join(s.translation.Check(), s.slurm.check(), s.plot.Check(), s.save.check(),
		command.CheckOutputs(s.plot.html))
}

// subject opens a trace, and its machine and rules.
func (s *studyFlags) subject(ctx context.Context, path string) (*command.Source, study.Case, error) {
	sub := study.Case{Name: path}
	var err error
	if sub.Rules, err = s.model.Choice(); err != nil {
		return nil, sub, err
	}
	machine, room, err := command.MachineFor(s.machine)
	if err != nil {
		return nil, sub, err
	}
	var set []study.Value
	for _, text := range s.set {
		v, err := parseSetting("--set", text)
		if err != nil {
			return nil, sub, err
		}
		set = append(set, v)
	}
	src, err := s.OpenProgram(ctx, path, s.translation.Opt)
	if err != nil {
		return nil, sub, err
	}
	if s.measured == nil {
		s.measured = map[*sim.Program]*prv.Trace{}
	}
	s.measured[src.Program] = src.Trace
	sub.Program, sub.Machine, sub.Room = src.Program, machine(src.Program), room
	if ns, ok := src.Baseline.(int64); ok {
		sub.Measured = &study.Measured{Total: ns}
		if parameter.PresetByName(s.machine) == nil { // a configuration, which describes its machine
			sub.Measured.Machine = machine(src.Program)
		}
	}
	for i, v := range set {
		if v.Apply(&sub); sub.Machine.Fault != nil {
			return nil, sub, command.Usagef("--set %s: %v", s.set[i], sub.Machine.Fault)
		}
	}
	sub.Fit()
	if s.base == nil {
		s.base = sub.Clone()
	}
	return src, sub, nil
}

// parseSetting reads NAME=VALUE of a flag.
func parseSetting(flag, text string) (study.Value, error) {
	v, err := study.ParseSetting(text)
	if err != nil {
		return v, command.Usagef("%s: %v", flag, err)
	}
	return v, nil
}

// parseAmount reads a value of a column with its unit; a plain time is in seconds.
func parseAmount(unit, text string) (float64, error) {
	switch unit {
	case "ns":
		return quantity.ParseTime(text, 1e9)
	case "MB/s":
		return quantity.MachineRate.Parse(text, 1)
	case "B":
		return quantity.Limits.Parse(text, 1)
	case "share":
		return quantity.Share.Parse(text, 1)
	case "%":
		return quantity.Percent.Parse(text, 1)
	}
	return quantity.Number.Parse(text, 1)
}
